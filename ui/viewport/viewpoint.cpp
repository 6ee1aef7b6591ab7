#include "ui/viewport/viewpoint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QStringList>

namespace hazumi {

namespace {

constexpr float kFarthest = 1e9f;  // m

}  // namespace

QString viewpoint_text(const Viewpoint& viewpoint) {
  const ViewCamera& c = viewpoint.camera;
  QStringList words;
  for (const float number : {c.target.x, c.target.y, c.target.z, c.distance, c.yaw, c.pitch, c.field_of_view})
    words << QString::number(static_cast<double>(number), 'g', 9);
  if (c.orthographic) words << QStringLiteral("parallel");
  if (viewpoint.by_look) words << QStringLiteral("by_look");
  if (viewpoint.through_camera) words << QStringLiteral("camera");
  return words.join(QLatin1Char(' '));
}

std::optional<Viewpoint> viewpoint_from(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  std::array<float, 7> numbers{};
  if (words.size() < static_cast<qsizetype>(numbers.size())) return std::nullopt;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    bool good = false;
    numbers[i] = words[static_cast<qsizetype>(i)].toFloat(&good);
    if (!good || !(std::abs(numbers[i]) <= kFarthest)) return std::nullopt;
  }
  Viewpoint viewpoint;
  ViewCamera& c = viewpoint.camera;
  c.target = {numbers[0], numbers[1], numbers[2]};
  c.distance = numbers[3];
  c.yaw = numbers[4];
  c.pitch = std::clamp(numbers[5], -static_cast<float>(kPi / 2), static_cast<float>(kPi / 2));
  c.field_of_view = numbers[6];
  if (!(c.distance > 1e-6f) || !(c.field_of_view > 0.01f && c.field_of_view < 3.1f)) return std::nullopt;
  c.orthographic = words.contains(QLatin1String("parallel"));
  viewpoint.by_look = words.contains(QLatin1String("by_look"));
  viewpoint.through_camera = words.contains(QLatin1String("camera"));
  return viewpoint;
}

}  // namespace hazumi
