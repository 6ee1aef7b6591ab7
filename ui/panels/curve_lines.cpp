#include "ui/panels/curve_lines.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr double kFar = 1e5;                      // pixels: beyond, painters lose their way
constexpr double kFineStep = 3, kCoarseStep = 9;  // pixels between samples of what is no Bezier curve
constexpr double kShort = 1.5;                    // pixels: a way that needs no curve

/// Of a rotation by angles each is a number like any other.
FieldType type_of_curve(const Track& track, FieldType type) {
  return type == FieldType::rotation && track.turn == TurnBy::angles ? FieldType::vector : type;
}

class LineMaker {
 public:
  LineMaker(const Track& track, FieldType type, std::size_t component, const CurvePlace& place, double width,
            bool coarse)
      : track_(track),
        keys_(track.keys),
        type_(type),
        component_(component),
        place_(place),
        width_(width),
        step_(coarse ? kCoarseStep : kFineStep) {}

  CurveLine make() {
    before();
    between();
    after();
    return std::move(line_);
  }

 private:
  QPointF at(const Key& key) const { return {place_.x(key.time), place_.y(key.value[component_])}; }
  QPointF at(double x) const { return {x, place_.y(curve_values(track_, type_, place_.seconds(x))[component_])}; }

  void sample(QPainterPath& path, double from, double to) const {
    for (double x = from + step_; x < to; x += step_) path.lineTo(at(x));
    path.lineTo(at(to));
  }

  void beyond(Beyond how, double from, double to) {
    line_.beyond.moveTo(at(from));
    if (how == Beyond::cycle || how == Beyond::cycle_offset || !has_handles(track_, type_))
      sample(line_.beyond, from, to);
    else
      line_.beyond.lineTo(at(to));
  }
  void before() {
    const double first = place_.x(keys_.front().time);
    if (first > 0) beyond(track_.before, 0, std::min(first, width_));
  }
  void after() {
    const double last = place_.x(keys_.back().time);
    if (last < width_) beyond(track_.after, std::max(0.0, last), width_);
  }

  void between() {
    const double left = place_.seconds(0);
    auto it =
        std::upper_bound(keys_.begin(), keys_.end(), left, [](double time, const Key& key) { return time < key.time; });
    std::size_t i = it == keys_.begin() ? 0 : static_cast<std::size_t>(it - keys_.begin()) - 1;
    if (place_.x(keys_[i].time) > width_) return;
    QPointF pen = at(keys_[i]);
    line_.keyed.moveTo(pen);
    for (; i + 1 < keys_.size() && pen.x() < width_; ++i) {
      const QPointF to = at(keys_[i + 1]);
      if (to.x() - pen.x() < kShort) {
        i = column(i, pen);
        continue;
      }
      segment(i, pen, to);
      pen = to;
    }
  }

  /// From key `i` on those that fall into one column of pixels: drawn as far as they go up and down. The last but one of them.
  std::size_t column(std::size_t i, QPointF& pen) {
    double top = pen.y(), bottom = pen.y();
    const double x = pen.x();
    std::size_t next = i + 1;
    while (next < keys_.size() && place_.x(keys_[next].time) - x < kShort) {
      const double y = at(keys_[next]).y();
      top = std::min(top, y);
      bottom = std::max(bottom, y);
      ++next;
    }
    pen = at(keys_[next - 1]);
    line_.keyed.lineTo(x, top);
    line_.keyed.lineTo(x, bottom);
    line_.keyed.lineTo(pen);
    return next - 2;
  }

  void segment(std::size_t i, const QPointF& from, const QPointF& to) {
    const Key &a = keys_[i], &b = keys_[i + 1];
    QPainterPath& path = line_.keyed;
    if (a.shape == KeyShape::step || !is_continuous(type_)) {
      path.lineTo(to.x(), from.y());
      path.lineTo(to);
    } else if (!has_handles(track_, type_)) {
      sample(path, std::max(0.0, from.x()), std::min(width_, to.x()));
    } else if (a.shape == KeyShape::linear) {
      path.lineTo(to);
    } else {
      const double length = b.time - a.time, out = a.reach_out * length, in = b.reach_in * length;
      const double rise = curve_slopes(track_, type_, i).out[component_];
      const double fall = curve_slopes(track_, type_, i + 1).in[component_];
      path.cubicTo(place_.x(a.time + out), place_.y(a.value[component_] + rise * out), place_.x(b.time - in),
                   place_.y(b.value[component_] - fall * in), to.x(), to.y());
    }
  }

  const Track& track_;
  const std::vector<Key>& keys_;
  FieldType type_;
  std::size_t component_;
  const CurvePlace& place_;
  double width_, step_;
  CurveLine line_;
};

}  // namespace

double CurvePlace::y(double value) const {
  const double shown = factor * value + offset;
  return std::clamp(height - (shown - low) / (high - low) * height, -kFar, kFar);
}

double CurvePlace::value(double pixel) const {
  return (low + (height - pixel) / height * (high - low) - offset) / factor;
}

CurveLine curve_line(const Track& track, FieldType type, std::size_t component, const CurvePlace& place, double width,
                     bool coarse) {
  if (track.keys.empty()) return {};
  return LineMaker(track, type, component, place, width, coarse).make();
}

std::array<double, 4> curve_values(const Track& track, FieldType type, double time) {
  return track_value(track, type_of_curve(track, type), time);
}

KeySlopes curve_slopes(const Track& track, FieldType type, std::size_t place) {
  return key_slopes(track, type_of_curve(track, type), place);
}

bool has_handles(const Track& track, FieldType type) {
  return is_continuous(type) && type_of_curve(track, type) != FieldType::rotation;
}

std::pair<double, double> curve_bounds(const Track& track, FieldType type, std::size_t component, double from,
                                       double to) {
  constexpr int kSamples = 6;  // of a spline between two keys: enough to see how far it goes beyond them
  double low = 1e300, high = -1e300;
  const auto add = [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    const Key& key = track.keys[i];
    if (key.time < from - kSameTime || key.time > to + kSameTime) continue;
    add(key.value[component]);
    const bool bends =
        key.shape == KeyShape::spline && (key.tangent == KeyTangent::free || key.tangent == KeyTangent::aligned);
    const bool next_bends = i + 1 < track.keys.size() && (track.keys[i + 1].tangent == KeyTangent::free ||
                                                          track.keys[i + 1].tangent == KeyTangent::aligned);
    if (i + 1 == track.keys.size() || key.shape != KeyShape::spline || !(bends || next_bends)) continue;
    const double length = track.keys[i + 1].time - key.time;
    for (int k = 1; k < kSamples; ++k) add(curve_values(track, type, key.time + length * k / kSamples)[component]);
  }
  return {low, high};
}

}  // namespace hazumi
