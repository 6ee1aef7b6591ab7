#include "ui/modes/truss_look.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLinearGradient>
#include <QPainter>

#include "ui/model/text.h"
#include "ui/modes/mode_look.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

using namespace mode_look;

constexpr glm::vec4 kLoose{0.95f, 0.32f, 0.28f, 1.0f};
constexpr glm::vec4 kSpring{0.66f, 0.74f, 0.84f, 0.85f};
constexpr glm::vec3 kLow{0.16f, 0.56f, 1.0f}, kMiddle{0.92f, 0.91f, 0.88f}, kHigh{0.94f, 0.16f, 0.62f};
constexpr float kFar = 0.3f;  // what is left of a spring's opacity at the far side of the truss

float dot_size(std::size_t nodes) { return nodes > 1500 ? 4.0f : nodes > 300 ? 6.0f : 8.0f; }

/// Opacity by distance: what lies behind is fainter, so that a dense truss can be read.
struct Fading {
  glm::vec3 forward;
  float nearest = 0, depth = 1;

  Fading(const ModeView& view, const StrungTruss& truss) : forward(view.camera.forward()) {
    float low = 1e30f, high = -1e30f;
    for (const StrungNode& node : truss.nodes) {
      const float along = glm::dot(forward, view.space.at(node.position));
      low = std::min(low, along);
      high = std::max(high, along);
    }
    nearest = low;
    depth = std::max(high - low, 1e-6f);
  }
  glm::vec4 operator()(glm::vec4 colour, const glm::vec3& at) const {
    const float share = std::clamp((glm::dot(forward, at) - nearest) / depth, 0.0f, 1.0f);
    colour.a *= 1 + share * (kFar - 1);
    return colour;
  }
};

QColor to_colour(const glm::vec4& c) { return QColor::fromRgbF(c.r, c.g, c.b, c.a); }

/// A drawing pin: a head and a needle that ends at the node.
void paint_pin(QPainter& painter, QPointF at) {
  painter.setPen(QPen(QColor(13, 13, 15, 230), 3));
  painter.drawLine(at, at + QPointF(5, -9));
  painter.setPen(QPen(QColor(0xe6, 0xe8, 0xea), 1.3));
  painter.drawLine(at, at + QPointF(5, -9));
  painter.setPen(QPen(QColor(13, 13, 15, 230), 1));
  painter.setBrush(QColor(0xe5, 0x4b, 0x4b));
  painter.drawEllipse(at + QPointF(6, -11), 4, 4);
}

void paint_legend(const ModeView& view, QPainter& painter, const QString& title, const FactorScale& scale) {
  const QRectF plate(56, static_cast<double>(view.size.y) - 84, 232, 46);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 205));
  painter.drawRoundedRect(plate, 6, 6);
  const QRectF bar(plate.left() + 10, plate.top() + 21, plate.width() - 20, 8);
  QLinearGradient ramp(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 8; ++i) ramp.setColorAt(i / 8.0, to_colour(scale.colour(std::pow(scale.bound, i / 4.0 - 1))));
  painter.setBrush(ramp);
  painter.drawRect(bar);
  QFont font = painter.font();
  font.setPixelSize(11);
  font.setBold(false);
  painter.setFont(font);
  painter.setPen(theme_colours().text);
  painter.drawText(QRectF(bar.left(), plate.top() + 4, bar.width(), 15), Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setPen(theme_colours().quiet_text);
  const QRectF numbers(bar.left(), bar.bottom(), bar.width(), 16);
  const QString bound = QString::number(scale.bound, 'g', 2);
  painter.drawText(numbers, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("÷ %1").arg(bound));
  painter.drawText(numbers, Qt::AlignHCenter | Qt::AlignVCenter, QStringLiteral("× 1"));
  painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("× %1").arg(bound));
}

QString legend_title(const Object& object, BrushQuantity quantity) {
  const QString name = quantity_name(quantity);
  const bool material = object.body.stiffness_source == StiffnessSource::material;
  switch (quantity) {
    case BrushQuantity::mass:
      return tr("%1, × the mean of the nodes").arg(name);
    case BrushQuantity::stiffness:
      return material ? tr("%1, × what the material gives").arg(name)
                      : tr("%1, × the body's %2 N/m").arg(name).arg(object.body.stiffness, 0, 'g', 4);
    case BrushQuantity::damping:
      return tr("%1, × the body's %2 N s/m").arg(name).arg(object.body.damping, 0, 'g', 4);
    case BrushQuantity::cross_section:
      break;
  }
  return tr("%1, × the body's %2 mm²").arg(name).arg(1e6 * object.body.cross_section, 0, 'g', 4);
}

}  // namespace

FactorScale FactorScale::of(const std::vector<double>& factors) {
  double farthest = 2;
  for (double f : factors)
    if (f > 0) farthest = std::max({farthest, f, 1 / f});
  return {std::min(farthest, 1e4)};
}

glm::vec4 FactorScale::colour(double factor, float alpha) const {
  const double along = factor > 0 ? std::log(factor) / std::log(bound) : -1.0;
  const float t = static_cast<float>(std::clamp(along, -1.0, 1.0));
  const glm::vec3& end = t < 0 ? kLow : kHigh;
  return {kMiddle + std::abs(t) * (end - kMiddle), alpha};
}

std::optional<BrushQuantity> shown_quantity(const TrussOptions& options) {
  if (options.painting()) return options.brush().quantity;
  switch (options.colours()) {
    case TrussOptions::Colours::stiffness:
      return BrushQuantity::stiffness;
    case TrussOptions::Colours::damping:
      return BrushQuantity::damping;
    case TrussOptions::Colours::cross_section:
      return BrushQuantity::cross_section;
    case TrussOptions::Colours::plain:
      break;
  }
  return std::nullopt;
}

void draw_truss(const ModeView& view, RenderList& list) {
  const auto shared = view.object.analysis.strung;
  if (!shared) return;
  const StrungTruss& truss = *shared;
  const TrussOptions& options = TrussOptions::of(view.owner);
  const auto quantity = shown_quantity(options);
  const Fading fade(view, truss);
  std::vector<glm::vec3> at;
  at.reserve(truss.nodes.size());
  for (const StrungNode& node : truss.nodes) at.push_back(view.space.at(node.position));

  std::vector<double> factors;
  if (quantity && *quantity != BrushQuantity::mass) factors = brush_factors(truss, *quantity);
  const FactorScale scale = FactorScale::of(factors);
  DrawLines plain, chosen, seams;
  plain.width = factors.empty() ? 1.4f : 2.4f;
  chosen.width = 2.8f;
  seams.width = 5;
  for (std::size_t i = 0; i < truss.springs.size(); ++i) {
    const StrungSpring& spring = truss.springs[i];
    const Element element{1, static_cast<std::uint32_t>(i)};
    const glm::vec3 &a = at[spring.a], &b = at[spring.b];
    const bool selected = view.selected.count(element) != 0;
    if (selected || view.hovered == element) {
      const glm::vec4 colour = view.hovered == element ? kHovered : colour_of(view, element, kSpring);
      chosen.vertices.push_back({a, colour});
      chosen.vertices.push_back({b, colour});
      seams.vertices.push_back({a, kSeam});
      seams.vertices.push_back({b, kSeam});
    } else {
      const glm::vec4 colour = factors.empty() ? kSpring : scale.colour(factors[i]);
      plain.vertices.push_back({a, fade(colour, a)});
      plain.vertices.push_back({b, fade(colour, b)});
    }
  }
  add_on_top(list, {&plain, &seams, &chosen});

  const FactorScale masses = FactorScale::of(brush_factors(truss, BrushQuantity::mass));
  const NodeSelection& loose = options.loose(shared);
  const float size = dot_size(truss.nodes.size());
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    const Element element{0, number};
    const bool selected = view.selected.count(element) != 0, hovered = view.hovered == element;
    const bool is_loose = std::binary_search(loose.begin(), loose.end(), number);
    const float grown = size + (view.active == element && selected ? 2.0f : 0.0f);
    list.points_on_top.push_back({at[i], kSeam, grown + (selected || hovered || is_loose ? 7.0f : 2.0f)});
    if (selected || hovered || is_loose) {
      const glm::vec4 ring = hovered ? kHovered : selected ? (view.active == element ? kActive : kSelected) : kLoose;
      list.points_on_top.push_back({at[i], ring, grown + 5});
    }
    list.points_on_top.push_back({at[i], masses.colour(truss.nodes[i].mass), grown});
  }
}

void paint_truss(const ModeView& view, QPainter& painter) {
  if (!view.object.analysis.strung || view.owner.preview()) return;
  const StrungTruss& truss = *view.object.analysis.strung;
  painter.setRenderHint(QPainter::Antialiasing);
  for (const StrungNode& node : truss.nodes) {
    if (!node.pinned) continue;
    const glm::vec3 p = view.camera.project(view.space.at(node.position), view.size);
    if (p.z > 0 && p.z < 1) paint_pin(painter, QPointF(p.x, p.y));
  }
  if (const auto quantity = shown_quantity(TrussOptions::of(view.owner)))
    paint_legend(view, painter, legend_title(view.object, *quantity), FactorScale::of(brush_factors(truss, *quantity)));
}

void draw_bare_truss(const Truss& truss, std::span<const glm::vec3> places, RenderList& list) {
  DrawLines springs;
  springs.width = 1.6f;
  for (const Spring& spring : truss.springs) {
    springs.vertices.push_back({places[spring.a], kSpring});
    springs.vertices.push_back({places[spring.b], kSpring});
  }
  add_on_top(list, {&springs});
  const float size = dot_size(places.size());
  for (const glm::vec3& place : places) add_dot(list, place, glm::vec4(kMiddle, 1), size, 2);
}

}  // namespace hazumi
