// A list that keeps up to N things in itself and asks for memory for more only: for what is there thousands of times, and nearly always
// alone. Copying a thousand of them takes no memory from the heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace hazumi {

template <class T, std::size_t N = 1>
class ShortList {
 public:
  using value_type = T;

  std::size_t size() const { return more_.empty() ? count_ : more_.size(); }
  bool empty() const { return size() == 0; }
  std::size_t capacity() const { return more_.capacity(); }  ///< for how many it has memory outside of itself
  T* begin() { return more_.empty() ? few_.data() : more_.data(); }
  T* end() { return begin() + size(); }
  const T* begin() const { return more_.empty() ? few_.data() : more_.data(); }
  const T* end() const { return begin() + size(); }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

  void clear() { resize(0); }
  void push_back(T value) {
    resize(size() + 1);
    end()[-1] = std::move(value);
  }
  void resize(std::size_t size) {
    if (size <= N && more_.empty()) {
      for (std::size_t i = count_; i < size; ++i) few_[i] = T{};
      count_ = size;
      return;
    }
    if (size <= N) {
      std::move(more_.begin(), more_.begin() + static_cast<std::ptrdiff_t>(std::min(size, more_.size())), few_.begin());
      for (std::size_t i = more_.size(); i < size; ++i) few_[i] = T{};
      more_.clear();
      count_ = size;
      return;
    }
    if (more_.empty()) more_.assign(few_.begin(), few_.begin() + static_cast<std::ptrdiff_t>(count_));
    more_.resize(size);
  }
  template <class Of>
  void erase_if(const Of& goes) {
    resize(static_cast<std::size_t>(std::remove_if(begin(), end(), goes) - begin()));
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t count_ = 0;  ///< in few_, where there are no more
  std::array<T, N> few_{};
  std::vector<T> more_;  ///< all of them, where they are more than N; else empty
};

}  // namespace hazumi
