// How elements of all modes look: colours of what is active, selected and under the mouse, dots with a dark rim, lines over the
// picture.
#pragma once

#include <initializer_list>

#include "ui/modes/mode.h"

namespace hazumi::mode_look {

inline constexpr glm::vec4 kActive{1.0f, 0.66f, 0.25f, 1.0f};
inline constexpr glm::vec4 kSelected{0.93f, 0.55f, 0.18f, 1.0f};
inline constexpr glm::vec4 kHovered{1.0f, 0.94f, 0.75f, 1.0f};
inline constexpr glm::vec4 kSeam{0.05f, 0.05f, 0.06f, 0.9f};  ///< rims, so that it is seen on any surface

/// `plain`: when it is neither selected nor under the mouse.
inline glm::vec4 colour_of(const ModeView& view, Element element, const glm::vec4& plain) {
  if (view.selected.count(element)) return view.active == element ? kActive : kSelected;
  return view.hovered == element ? kHovered : plain;
}

/// A dot of `size` logical pixels in a rim of `rim` more.
inline void add_dot(RenderList& list, const glm::vec3& at, const glm::vec4& colour, float size, float rim) {
  list.points_on_top.push_back({at, kSeam, size + rim});
  list.points_on_top.push_back({at, colour, size});
}

/// In this order, over everything.
inline void add_on_top(RenderList& list, std::initializer_list<DrawLines*> lines) {
  for (DrawLines* some : lines) {
    some->on_top = true;
    if (!some->vertices.empty()) list.lines.push_back(std::move(*some));
  }
}

}  // namespace hazumi::mode_look
