// The kinds of body that an object can be, one row each. Who wants to know what a kind can do asks its row and
// not its name, so that a new kind is a row here and a file in core/sim/body.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hazumi {

enum class BodyKind { fixed, point, rigid, flexible };

struct BodyKindInfo {
  std::string_view name;  ///< in files, in messages, and in the table of bodies of core/sim/body/body.h
  bool moves;             ///< has a mass and a velocity; gravity and impulses act on it
  bool turns;             ///< has a spin
  bool deforms;           ///< its nodes move on their own: elastic solver, stiffness, mapping
  bool has_lifetime;      ///< is there from Object::body.birth to .death only
};

/// In the order of the enumeration.
inline constexpr std::array<BodyKindInfo, 4> kBodyKinds = {{
    {"fixed", false, false, false, false},
    {"point", true, false, false, true},
    {"rigid", true, true, false, false},
    {"flexible", true, true, true, false},
}};

constexpr const BodyKindInfo& body_kind(BodyKind kind) { return kBodyKinds[static_cast<std::size_t>(kind)]; }

}  // namespace hazumi
