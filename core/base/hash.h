// 64-bit hash of plain values, the same on every platform, compiler and thread count. Not cryptographic.
// Doubles are hashed by their bits, so -0.0 differs from 0.0: "same scene, same bits" means bits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace hazumi {

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection with full avalanche.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

class Hasher {
 public:
  Hasher& add(std::uint64_t word) {
    state_ = mix64(state_ + 0x9e3779b97f4a7c15ULL + word * 0xff51afd7ed558ccdULL);
    return *this;
  }
  Hasher& add(std::int64_t word) { return add(static_cast<std::uint64_t>(word)); }
  Hasher& add(int word) { return add(static_cast<std::uint64_t>(static_cast<std::int64_t>(word))); }
  Hasher& add(bool flag) { return add(static_cast<std::uint64_t>(flag)); }
  Hasher& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
  Hasher& add(float number) { return add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(number))); }
  Hasher& add(std::span<const double> numbers) {
    add(static_cast<std::uint64_t>(numbers.size()));
    for (double x : numbers) add(x);
    return *this;
  }
  Hasher& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace hazumi
