// Keys of objects that earlier versions wrote and this one keeps elsewhere. Such a file is read as it was meant and
// saved with what took the key's place.
#pragma once

#include <string_view>

#include "core/scene/values/scene.h"

namespace hazumi {

/// A choice of the only solver there was, which is a parameter of that solver now.
struct RetiredChoice {
  std::string_view path;      ///< "body.method"
  std::string_view solver;    ///< "lagrange"
  std::string_view name;      ///< "method"
  std::string_view fallback;  ///< as by default: nothing is kept
};

/// Null for a key that never was.
const RetiredChoice* find_retired_choice(std::string_view path);
void read_retired_choice(const RetiredChoice& key, std::string_view word, Object& object);

}  // namespace hazumi
