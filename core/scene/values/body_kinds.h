// The kinds of body that an object can be. Each is declared in its file of core/sim/body by one line,
//   HAZUMI_BODY_KIND(order, word, abilities)
// of which CMake makes the table below: order in lists; the word in files, in messages and in the table of bodies
// (core/sim/body/body.h); what it can do. Who wants to know what a kind can do asks its row and not its name.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hazumi {

enum class BodyKind {
#define HAZUMI_ROW(order, name, abilities) name,
#include "generated/HAZUMI_BODY_KIND.inc"
#undef HAZUMI_ROW
};

namespace body_abilities {
inline constexpr unsigned stands = 0;
inline constexpr unsigned moves = 1;         ///< has a mass and a velocity; gravity and impulses act on it
inline constexpr unsigned turns = 2;         ///< has a spin
inline constexpr unsigned deforms = 4;       ///< its nodes move on their own: elastic solver, stiffness, mapping
inline constexpr unsigned follows = 16;      ///< keys can lead it (derived/tracks.h)
inline constexpr unsigned has_lifetime = 8;  ///< is there from Object::body.birth to .death only
}  // namespace body_abilities

struct BodyKindInfo {
  std::string_view name;
  unsigned abilities;
  bool moves = (abilities & body_abilities::moves) != 0, turns = (abilities & body_abilities::turns) != 0,
       deforms = (abilities & body_abilities::deforms) != 0,
       has_lifetime = (abilities & body_abilities::has_lifetime) != 0,
       follows = (abilities & body_abilities::follows) != 0;
};

namespace body_abilities {
/// In the order of the enumeration.
inline constexpr BodyKindInfo kRows[] = {
#define HAZUMI_ROW(order, name, abilities) {#name, abilities},
#include "generated/HAZUMI_BODY_KIND.inc"
#undef HAZUMI_ROW
};
}  // namespace body_abilities

inline constexpr auto kBodyKinds = std::to_array(body_abilities::kRows);

constexpr const BodyKindInfo& body_kind(BodyKind kind) { return kBodyKinds[static_cast<std::size_t>(kind)]; }

/// What things are made as where nobody has said more than that they shall stand, move as they are, move without turning, or bend:
/// the first kind, in the order of lists, that can do this.
constexpr BodyKind kind_that(unsigned abilities) {
  const unsigned asked = body_abilities::moves | body_abilities::turns | body_abilities::deforms;
  for (std::size_t i = 0; i < kBodyKinds.size(); ++i)
    if ((kBodyKinds[i].abilities & asked) == abilities) return static_cast<BodyKind>(i);
  return BodyKind{};
}
inline constexpr BodyKind kStandingBody = kind_that(body_abilities::stands),
                          kFlyingBody = kind_that(body_abilities::moves),
                          kMovingBody = kind_that(body_abilities::moves | body_abilities::turns),
                          kBendingBody =
                              kind_that(body_abilities::moves | body_abilities::turns | body_abilities::deforms);

/// At the left margin, within namespace hazumi: the table was made from this line.
#define HAZUMI_BODY_KIND(order, name, abilities_)               \
  static_assert([] {                                            \
    using namespace body_abilities;                             \
    return body_kind(BodyKind::name).abilities == (abilities_); \
  }());

}  // namespace hazumi
