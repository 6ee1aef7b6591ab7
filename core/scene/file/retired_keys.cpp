#include "core/scene/file/retired_keys.h"

namespace hazumi {

const RetiredChoice* find_retired_choice(std::string_view path) {
  static constexpr RetiredChoice kKeys[] = {
      {"body.method", "lagrange", "method", "factored"},
      {"body.beta", "lagrange", "beta", "1/4"},
  };
  for (const RetiredChoice& key : kKeys)
    if (key.path == path) return &key;
  return nullptr;
}

void read_retired_choice(const RetiredChoice& key, std::string_view word, Object& object) {
  if (word == key.fallback) return;
  set_parameter(object.body.parameters, {std::string(key.solver), std::string(key.name), std::string(word)});
}

}  // namespace hazumi
