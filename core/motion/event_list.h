// What a director remembers of boxes of objects (State::motion) lies ascending by (box, object).
#pragma once

#include <algorithm>
#include <utility>

#include "core/base/id.h"

namespace hazumi {

template <class List>
auto find_in(List& list, Id box, Id object) {
  return std::lower_bound(list.begin(), list.end(), std::pair(box, object), [](const auto& entry, const auto& wanted) {
    return std::pair(entry.box, entry.object) < wanted;
  });
}

template <class List>
auto entry_of(List& list, Id box, Id object) -> decltype(&list[0]) {
  const auto at = find_in(list, box, object);
  return at != list.end() && at->box == box && at->object == object ? &*at : nullptr;
}

}  // namespace hazumi
