// Shared<T>: an immutable value that copies by sharing. Scenes are trees of these: an edit copies the one thing it
// changes (`edited`), everything else is the same memory as in the version before, so comparing two versions is
// mostly comparing pointers and undo is keeping the old one.
#pragma once

#include <memory>
#include <utility>

namespace hazumi {

template <class T>
class Shared {
 public:
  Shared() : data_(std::make_shared<const T>()) {}
  Shared(T value) : data_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *data_; }
  const T* operator->() const { return data_.get(); }
  const T* get() const { return data_.get(); }
  /// True when both are the same memory. False does not mean that the values differ.
  bool same_as(const Shared& other) const { return data_ == other.data_; }

  /// A new value: a copy changed by `change(T&)`.
  template <class Change>
  Shared edited(Change&& change) const {
    T copy = *data_;
    std::forward<Change>(change)(copy);
    return Shared(std::move(copy));
  }

 private:
  std::shared_ptr<const T> data_;
};

}  // namespace hazumi
