// Hash table with open addressing whose entries lie in the caller's own arrays: it keeps their numbers only.
// For building indices over millions of things in one pass, in O(n) and in the order of the input.
#pragma once

#include <cstdint>
#include <vector>

namespace hazumi {

class SlotTable {
 public:
  /// For at most `entries` entries.
  explicit SlotTable(std::size_t entries) {
    std::size_t size = 16;
    while (size < 2 * entries) size *= 2;
    slots_.assign(size, kEmpty);
  }
  /// The entry for which same(entry) holds; `fresh` is put in and returned when there is none.
  template <class Same>
  std::uint32_t find_or_put(std::uint64_t hash, std::uint32_t fresh, const Same& same) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kEmpty) return slots_[at] = fresh;
      if (same(slots_[at])) return slots_[at];
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffu;
  std::vector<std::uint32_t> slots_;
};

}  // namespace hazumi
