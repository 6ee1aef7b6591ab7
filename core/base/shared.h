// Shared<T>: an immutable value that copies by sharing. Scenes are trees of these: an edit copies the one thing it
// changes (`edited`), everything else is the same memory as in the version before, so comparing two versions is
// mostly comparing pointers and undo is keeping the old one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace hazumi {

template <class T>
class Shared {
 public:
  /// What is worked out from a value once and kept beside it: hashes (scene/derived/signature.h).
  using Note = std::array<std::uint64_t, 3>;

  Shared() : data_(std::make_shared<const Cell>()) {}
  Shared(T value) : data_(std::make_shared<const Cell>(std::move(value))) {}

  const T& operator*() const { return data_->value; }
  const T* operator->() const { return get(); }
  const T* get() const { return data_ == nullptr ? nullptr : &data_->value; }
  /// True when both are the same memory. False does not mean that the values differ.
  bool same_as(const Shared& other) const { return data_ == other.data_; }

  /// A new value: a copy changed by `change(T&)`.
  template <class Change>
  Shared edited(Change&& change) const {
    T copy = data_->value;
    std::forward<Change>(change)(copy);
    return Shared(std::move(copy));
  }

  /// make(value), called once for this memory (two threads that ask at the same moment both call it). There is one
  /// note of a value: always the same `make`.
  template <class Make>
  Note noted(const Make& make) const {
    const Cell& cell = *data_;
    if (cell.state.load(std::memory_order_acquire) == kReady) return cell.note;
    const Note note = make(cell.value);
    int expected = kNone;
    if (cell.state.compare_exchange_strong(expected, kWriting, std::memory_order_acquire)) {
      cell.note = note;
      cell.state.store(kReady, std::memory_order_release);
    }
    return note;
  }

 private:
  static constexpr int kNone = 0, kWriting = 1, kReady = 2;
  struct Cell {
    T value{};
    mutable Note note{};
    mutable std::atomic<int> state{kNone};
    Cell() = default;
    explicit Cell(T v) : value(std::move(v)) {}
  };
  std::shared_ptr<const Cell> data_;
};

}  // namespace hazumi
