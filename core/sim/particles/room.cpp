#include "core/sim/particles/room.h"

#include <algorithm>

#include "core/sim/model.h"

namespace hazumi {

void CopyRoom::put(std::uint32_t body, std::span<const double> values) {
  BodyShape& shape = shapes_[body];
  read_shape(model_.bodies[body], values, false, shape);
  read_shape(model_.bodies[body], values, true, shape);
  finish_shape(shape);
}

void CopyRoom::read() {
  shapes_.resize(model_.bodies.size());
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    const Body& body = model_.bodies[i];
    shapes_[i].body = &body;
    shapes_[i].active = body.proxy.shape != ContactShape::none && body.present(time_, state_.bodies[i].values);
    if (shapes_[i].active) put(i, state_.bodies[i].values);
  }
}

bool CopyRoom::has(std::uint32_t body, std::span<const double> values) {
  const ContactProxy& proxy = model_.bodies[body].proxy;
  if (proxy.shape == ContactShape::none) return true;
  if (shapes_.empty()) read();
  put(body, values);
  BodyShape& own = shapes_[body];
  pairs_.clear();
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    const BodyShape& other = shapes_[i];
    if (i == body || !other.active || ignore_each_other(proxy.groups, other.proxy().groups)) continue;
    const bool near = other.unbounded() ? other.proxy().info->near(other, own) : other.swept.meets(own.swept);
    if (near) pairs_.emplace_back(std::minmax(i, body));
  }
  find_contacts(shapes_, pairs_, {}, contacts_);
  return std::none_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.gap < 0; });
}

void CopyRoom::take(std::uint32_t body) {
  if (!shapes_.empty()) shapes_[body].active = model_.bodies[body].proxy.shape != ContactShape::none;
}

}  // namespace hazumi
