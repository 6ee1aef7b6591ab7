// Ids of things in a scene (objects, lights). Unique within a scene, never reused by an edit, kept in the file.
// Everything that must be reproducible iterates in id order.
#pragma once

#include <cstdint>
#include <functional>

namespace hazumi {

struct Id {
  std::uint64_t value = 0;  ///< 0: none
  explicit operator bool() const { return value != 0; }
  friend bool operator==(Id, Id) = default;
  friend auto operator<=>(Id, Id) = default;
};

}  // namespace hazumi

template <>
struct std::hash<hazumi::Id> {
  std::size_t operator()(hazumi::Id id) const noexcept { return std::hash<std::uint64_t>{}(id.value); }
};
