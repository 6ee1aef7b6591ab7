// What a contact is known by from one sub-step to the next.
#pragma once

#include <compare>
#include <cstdint>

namespace hazumi {

struct ContactKey {
  std::uint64_t bodies = 0;   ///< bodies_key
  std::uint64_t feature = 0;  ///< Contact::feature
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

/// Of two bodies, by their numbers in Model::bodies, a < b: keys of one pair stand together.
inline std::uint64_t bodies_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

}  // namespace hazumi
