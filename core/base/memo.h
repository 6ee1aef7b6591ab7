// What is worked out from a value once and kept in it. A copy has none: whoever copies a value to change it has nothing to
// forget. Only of values that stay as they are from the first question on (base/shared.h).
#pragma once

#include <memory>
#include <mutex>

namespace hazumi {

template <class T>
class Memo {
 public:
  Memo() = default;
  Memo(const Memo&) {}
  Memo& operator=(const Memo&) {
    value_ = nullptr;
    return *this;
  }

  /// make() → shared_ptr<const T>, called once (two threads that ask at the same moment both call it).
  template <class Make>
  std::shared_ptr<const T> get(const Make& make) const {
    {
      const std::lock_guard lock(mutex_);
      if (value_) return value_;
    }
    std::shared_ptr<const T> made = make();
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = std::move(made);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const T> value_;
};

}  // namespace hazumi
