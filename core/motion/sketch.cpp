#include "core/motion/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/motion/air.h"
#include "core/motion/kinds.h"

namespace hazumi {

namespace {

/// Nothing: one is an expression, or a word that the kind does not know.
std::optional<std::vector<double>> numbers_of(const MotionNode& node, const MotionKind& kind) {
  std::vector<double> all;
  for (const ParameterRow& row : kind.parameters) {
    const MotionParameter* own = find_parameter(node, row.name);
    double number = own ? own->number : row.fallback;
    if (own && row.type == FieldType::choice) {
      const auto at = std::find(row.choices.begin(), row.choices.end(), own->word);
      if (at == row.choices.end()) return std::nullopt;
      number = static_cast<double>(at - row.choices.begin());
    } else if (own && !own->word.empty()) {
      return std::nullopt;
    }
    all.push_back(number);
  }
  return all;
}

}  // namespace

double SketchBody::half_height() const {
  const Vec3 axis = pose.rotation.conjugate() * up();
  return 0.5 * (high - low).cwiseProduct(axis.cwiseAbs()).sum();
}

std::optional<MotionSketch> sketch_of(const MotionNode& node, const SketchBody& body) {
  const MotionKind* kind = kind_of(node);
  if (!kind || !kind->sketch) return std::nullopt;
  const auto numbers = numbers_of(node, *kind);
  if (!numbers) return std::nullopt;
  MotionSketch out;
  kind->sketch(*numbers, body, out);
  return out;
}

MotionNode dragged(const MotionNode& node, std::size_t handle, const Vec3& to, const SketchBody& body) {
  const MotionKind* kind = kind_of(node);
  const auto before = kind && kind->drag ? numbers_of(node, *kind) : std::nullopt;
  if (!before || !to.allFinite()) return node;
  std::vector<double> after = *before;
  kind->drag(handle, to, body, after);
  MotionNode out = node;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const ParameterRow& row = kind->parameters[i];
    if (after[i] == (*before)[i] || !std::isfinite(after[i])) continue;
    if (row.type != FieldType::number && row.type != FieldType::integer) continue;
    const double whole = row.type == FieldType::integer ? std::round(after[i]) : after[i];
    const double number = std::clamp(whole, row.low, row.high);
    if (number == row.fallback)
      remove_parameter(out, row.name);
    else
      set_parameter(out, {std::string(row.name), {}, number});
  }
  return out;
}

namespace sketch {

double falls_at(const SketchBody& body, double under) {
  const double down = body.up().dot(body.velocity);
  return std::sqrt(down * down + 2 * body.gravity.norm() * under);
}

std::vector<Vec3> flown(const SketchBody& body, const Vec3& velocity, std::span<const double> times) {
  if (body.air) return body.air->flown({body.centre, velocity, body.gravity}, times);
  std::vector<Vec3> out;
  for (const double t : times) out.push_back(body.centre + t * velocity + 0.5 * t * t * body.gravity);
  return out;
}

Vec3 add_flight(const SketchBody& body, const Vec3& velocity, double time, MotionSketch& out) {
  constexpr int kParts = 64, kMostTicks = 2000;
  std::vector<double> parts(kParts + 1), frames;
  for (int k = 0; k <= kParts; ++k) parts[static_cast<std::size_t>(k)] = time * k / kParts;
  for (int f = 1; f <= std::min(kMostTicks, static_cast<int>(std::floor(time * body.frame_rate))); ++f)
    frames.push_back(f / body.frame_rate);
  const std::vector<Vec3> ticks = flown(body, velocity, frames);
  out.ticks.insert(out.ticks.end(), ticks.begin(), ticks.end());
  out.lines.push_back({flown(body, velocity, parts)});
  return out.lines.back().points.back();
}

void add_arc(const SketchBody& body, const Vec3& velocity, MotionSketch& out) {
  constexpr double kLongest = 3;  // s
  // Down to where it touches: under + (up·v) t − ½ |g| t² = 0, the later one.
  double end = kLongest;
  const double g = body.gravity.norm(), rises = body.up().dot(velocity);
  if (body.under && g > 0 && !body.air)
    end = std::min(end, (rises + std::sqrt(rises * rises + 2 * g * *body.under)) / g);
  if (body.under && body.air) {
    constexpr int kParts = 360;
    std::vector<double> times(kParts + 1);
    for (int k = 0; k <= kParts; ++k) times[static_cast<std::size_t>(k)] = kLongest * k / kParts;
    const std::vector<Vec3> places = flown(body, velocity, times);
    const auto height = [&](std::size_t k) { return body.up().dot(places[k] - body.centre) + *body.under; };
    for (std::size_t k = 1; k < places.size(); ++k)
      if (height(k) <= 0 && height(k) < height(k - 1)) {
        end = times[k - 1] +
              (times[k] - times[k - 1]) * std::clamp(height(k - 1) / (height(k - 1) - height(k)), 0.0, 1.0);
        break;
      }
  }
  add_flight(body, velocity, end, out);
}

void add_arrow(const Vec3& from, const Vec3& way, std::string_view label, MotionSketch& out) {
  out.lines.push_back({{from, from + way}, true});
  out.handles.push_back({from + way, from, label, true});
}

void add_ball(const Vec3& centre, double radius, MotionSketch& out) {
  constexpr int kParts = 64;
  for (int axis = 0; axis < 3; ++axis) {
    SketchLine line;
    for (int k = 0; k <= kParts; ++k) {
      const double angle = 2 * std::numbers::pi * k / kParts;
      Vec3 way = Vec3::Zero();
      way[(axis + 1) % 3] = std::cos(angle);
      way[(axis + 2) % 3] = std::sin(angle);
      line.points.push_back(centre + radius * way);
    }
    out.lines.push_back(std::move(line));
  }
}

std::string number_text(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out = text;
  for (char& c : out)
    if (c == ',') c = '.';  // whatever the locale
  return out;
}

}  // namespace sketch

}  // namespace hazumi
