// Result<T>: a value, or the diagnostics that say why there is none. Warnings may accompany a value.
// Used at the boundary (files, edits, command line); inside, broken preconditions are asserted.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "core/base/diagnostic.h"

namespace hazumi {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(T value, Diagnostics warnings) : value_(std::move(value)), diagnostics_(std::move(warnings)) {}
  Result(Diagnostic error) { diagnostics_.push_back(std::move(error)); }
  Result(Diagnostics errors) : diagnostics_(std::move(errors)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const T& value() const& {
    assert(ok());
    return *value_;
  }
  T& value() & {
    assert(ok());
    return *value_;
  }
  T&& value() && {
    assert(ok());
    return std::move(*value_);
  }
  const T* operator->() const {
    assert(ok());
    return &*value_;
  }
  const T& operator*() const& { return value(); }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// The first diagnostic: the sentence to show when there is room for one.
  const Diagnostic& error() const {
    assert(!diagnostics_.empty());
    return diagnostics_.front();
  }

 private:
  std::optional<T> value_;
  Diagnostics diagnostics_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace hazumi
