// Counter-based random numbers: a pure function of (seed, object, index, purpose), so the same on any thread
// count, after any scrub, from any checkpoint. No generator has a state that could be forgotten.
#pragma once

#include <cstdint>

#include "core/base/hash.h"
#include "core/base/id.h"

namespace hazumi {

inline std::uint64_t random_bits(std::uint64_t seed, Id object, std::uint64_t index, std::uint64_t purpose) {
  return Hasher().add(seed).add(object.value).add(index).add(purpose).value();
}

/// Uniform in [0, 1), 53 random bits.
inline double random_unit(std::uint64_t seed, Id object, std::uint64_t index, std::uint64_t purpose) {
  return static_cast<double>(random_bits(seed, object, index, purpose) >> 11) * 0x1.0p-53;
}

/// The same where seed and object are hashed already, for what asks for many of them.
inline double random_unit(const Hasher& seed_and_object, std::uint64_t index, std::uint64_t purpose) {
  Hasher all = seed_and_object;
  return static_cast<double>(all.add(index).add(purpose).value() >> 11) * 0x1.0p-53;
}

}  // namespace hazumi
