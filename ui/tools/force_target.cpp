#include "ui/tools/force_target.h"

#include <cmath>

namespace hazumi {

ForceTarget::ForceTarget(Shared<Scene> before, Id force, const ForceArrow& arrow, double metres, KeyedAt keys)
    : before_(std::move(before)), force_(force), arrow_(arrow), metres_(metres), keys_(std::move(keys)) {}

bool ForceTarget::empty() const { return find_force(*keys_.shown, force_) == nullptr; }

QString ForceTarget::name() const {
  const Force* force = find_force(*keys_.shown, force_);
  return force ? QStringLiteral("tip of %1").arg(QString::fromStdString(force->name)) : QString();
}

/// What has keys gets one here: a force in time is no way that could be moved as a whole.
KeyWay ForceTarget::keys() const {
  return keys_.here || find_track(*before_, force_.value, "push") ? KeyWay::here : KeyWay::none;
}

int ForceTarget::frame() const { return static_cast<int>(std::lround(keys_.time * keys_.shown->settings.frame_rate)); }

Scene ForceTarget::result(const TransformValue& value) const {
  const Vec3 more = arrow_.axes.conjugate() * (value.move / metres_);
  Scene next = with_force(*keys_.shown, force_, [&](Force& f) { f.push += more; });
  return keyed(*before_, *keys_.shown, std::move(next), keys_.time, keys_.here, keys_.moved);
}

}  // namespace hazumi
