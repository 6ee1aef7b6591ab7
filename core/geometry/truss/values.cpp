#include "core/geometry/truss/values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/geometry/truss/pairs.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;

constexpr double kLeastFactor = 1e-4, kMostFactor = 1e4;  // factors under the brush

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

Diagnostic error(std::string message, std::string hint) {
  return {Severity::error, "analysis", std::move(message), std::move(hint)};
}

bool positive(double x) { return std::isfinite(x) && x > 0; }

double total_factor(const StrungTruss& truss) {
  double sum = 0;
  for (const StrungNode& node : truss.nodes) sum += node.mass;
  return sum;
}

std::vector<Index> valid(const std::vector<Index>& list, std::size_t count) {
  std::vector<Index> kept;
  for (const Index i : list)
    if (i < count) kept.push_back(i);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

/// What a factor of 1 means for the stiffness of this spring, N/m.
double unit_stiffness(const StrungTruss& truss, Index s, const TrussTotals& totals) {
  if (!totals.from_material) return totals.stiffness;
  return totals.young * totals.cross_section * truss.springs[s].cross_section / spring_length(truss, s, totals);
}

template <class Unit>
Result<StrungTruss> set_springs(const StrungTruss& truss, const SpringSelection& springs, double value,
                                bool zero_allowed, const char* what, double StrungSpring::*factor, Unit&& unit) {
  if (!(positive(value) || (zero_allowed && value == 0)))
    return error(std::string("The ") + what + " of a spring must be a number above zero.", "Enter a larger value.");
  StrungTruss edited = truss;
  for (const Index s : valid(springs, truss.springs.size())) {
    const double one = unit(s);
    if (!positive(one))
      return error(std::string("The ") + what + " of single springs is a share of the body's, which is zero.",
                   std::string("Set the ") + what + " of the body above zero first.");
    edited.springs[s].*factor = value / one;
  }
  return edited;
}

double StrungSpring::*spring_factor(BrushQuantity quantity) {
  switch (quantity) {
    case BrushQuantity::damping:
      return &StrungSpring::damping;
    case BrushQuantity::cross_section:
      return &StrungSpring::cross_section;
    case BrushQuantity::mass:
    case BrushQuantity::stiffness:
      break;
  }
  return &StrungSpring::stiffness;
}

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double t = along.squaredNorm() > 0 ? std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
  return (a + t * along - p).norm();
}

double painted(const TrussBrush& brush, double factor, double weight, double mean) {
  const double share = std::clamp(brush.strength * weight, 0.0, 1.0);
  double changed = factor;
  switch (brush.action) {
    case BrushAction::raise:
      changed = factor * std::exp(share);
      break;
    case BrushAction::lower:
      changed = factor * std::exp(-share);
      break;
    case BrushAction::set:
      return std::min(factor + share * (brush.target - factor), kMostFactor);
    case BrushAction::smooth:
      changed = factor + share * (mean - factor);
      break;
  }
  return std::clamp(changed, kLeastFactor, kMostFactor);
}

}  // namespace

double node_mass(const StrungTruss& truss, Index node, const TrussTotals& totals) {
  return totals.mass * truss.nodes[node].mass / total_factor(truss);
}

double spring_length(const StrungTruss& truss, Index s, const TrussTotals& totals) {
  const StrungSpring& spring = truss.springs[s];
  return totals.scale.cwiseProduct(truss.nodes[spring.b].position - truss.nodes[spring.a].position).norm();
}

double spring_stiffness(const StrungTruss& truss, Index s, const TrussTotals& totals) {
  return unit_stiffness(truss, s, totals) * truss.springs[s].stiffness;
}

double spring_damping(const StrungTruss& truss, Index s, const TrussTotals& totals) {
  return totals.damping * truss.springs[s].damping;
}

double spring_cross_section(const StrungTruss& truss, Index s, const TrussTotals& totals) {
  return totals.cross_section * truss.springs[s].cross_section;
}

Result<StrungTruss> set_node_mass(const StrungTruss& truss, const NodeSelection& nodes, double mass,
                                  const TrussTotals& totals) {
  if (!positive(mass)) return error("The mass of a node must be a number above zero.", "Enter a larger value.");
  const std::vector<Index> selected = valid(nodes, truss.nodes.size());
  if (selected.empty()) return truss;
  double others = total_factor(truss);
  for (const Index node : selected) others -= truss.nodes[node].mass;
  const double wanted = mass * static_cast<double>(selected.size());
  StrungTruss edited = truss;
  if (selected.size() == truss.nodes.size()) {
    if (std::abs(wanted - totals.mass) > 1e-9 * totals.mass)
      return error("All nodes are selected; together they weigh what the body weighs, " + number(totals.mass) + " kg.",
                   "Change the mass of the body, or select fewer nodes.");
    for (StrungNode& node : edited.nodes) node.mass = 1;
    return edited;
  }
  if (!(wanted < totals.mass))
    return error("The selected nodes would weigh " + number(wanted) + " kg, and the whole body weighs only " +
                     number(totals.mass) + " kg.",
                 "Enter less than " + number(totals.mass / static_cast<double>(selected.size())) +
                     " kg, or raise the mass of the body.");
  // f / (others + n f) = m / M
  const double factor = others * mass / (totals.mass - wanted);
  for (const Index node : selected) edited.nodes[node].mass = factor;
  return edited;
}

Result<MassEdit> set_node_mass_and_total(const StrungTruss& truss, const NodeSelection& nodes, double mass,
                                         const TrussTotals& totals) {
  if (!positive(mass)) return error("The mass of a node must be a number above zero.", "Enter a larger value.");
  // One unit of factor keeps its kilograms.
  const double before = total_factor(truss);
  MassEdit edit{truss, totals.mass};
  for (const Index node : valid(nodes, truss.nodes.size())) edit.truss.nodes[node].mass = mass * before / totals.mass;
  edit.body_mass = totals.mass * total_factor(edit.truss) / before;
  return edit;
}

Result<StrungTruss> set_spring_stiffness(const StrungTruss& truss, const SpringSelection& springs, double stiffness,
                                         const TrussTotals& totals) {
  return set_springs(truss, springs, stiffness, false, "stiffness", &StrungSpring::stiffness,
                     [&](Index s) { return unit_stiffness(truss, s, totals); });
}

Result<StrungTruss> set_spring_damping(const StrungTruss& truss, const SpringSelection& springs, double damping,
                                       const TrussTotals& totals) {
  return set_springs(truss, springs, damping, true, "damping", &StrungSpring::damping,
                     [&](Index) { return totals.damping; });
}

Result<StrungTruss> set_spring_cross_section(const StrungTruss& truss, const SpringSelection& springs, double area,
                                             const TrussTotals& totals) {
  return set_springs(truss, springs, area, false, "cross-section", &StrungSpring::cross_section,
                     [&](Index) { return totals.cross_section; });
}

double brush_weight(const TrussBrush& brush, double distance) {
  if (!(distance < brush.radius)) return 0;
  const double inner = (1 - std::clamp(brush.falloff, 0.0, 1.0)) * brush.radius;
  if (distance <= inner) return 1;
  const double t = (brush.radius - distance) / (brush.radius - inner);
  return t * t * (3 - 2 * t);
}

StrungTruss apply_brush(const StrungTruss& truss, const TrussBrush& brush, const OptionalSymmetry& symmetry) {
  StrungTruss edited = truss;
  Vec3 mirrored = brush.centre;
  if (symmetry) mirrored = symmetry->mirrored(brush.centre);
  // On both sides of a mirror plane, but never twice in the same place.
  const auto weight = [&](auto&& distance) {
    const double here = brush_weight(brush, distance(brush.centre));
    return symmetry ? std::max(here, brush_weight(brush, distance(mirrored))) : here;
  };
  const bool smooth = brush.action == BrushAction::smooth;
  if (brush.quantity == BrushQuantity::mass) {
    std::vector<double> sum(truss.nodes.size(), 0), count(truss.nodes.size(), 0);
    if (smooth)
      for (const StrungSpring& s : truss.springs) {
        sum[s.a] += truss.nodes[s.b].mass;
        sum[s.b] += truss.nodes[s.a].mass;
        ++count[s.a];
        ++count[s.b];
      }
    for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
      const StrungNode& node = truss.nodes[i];
      const double w = weight([&](const Vec3& centre) { return (node.position - centre).norm(); });
      if (!(w > 0)) continue;
      edited.nodes[i].mass =
          std::max(kLeastFactor, painted(brush, node.mass, w, count[i] > 0 ? sum[i] / count[i] : node.mass));
    }
    return edited;
  }
  double StrungSpring::*factor = spring_factor(brush.quantity);
  std::vector<double> sum(truss.nodes.size(), 0), count(truss.nodes.size(), 0);  // over the springs of a node
  if (smooth)
    for (const StrungSpring& s : truss.springs)
      for (const Index node : {s.a, s.b}) {
        sum[node] += s.*factor;
        ++count[node];
      }
  for (std::size_t k = 0; k < truss.springs.size(); ++k) {
    const StrungSpring& s = truss.springs[k];
    const double w = weight([&](const Vec3& centre) {
      return distance_to_segment(centre, truss.nodes[s.a].position, truss.nodes[s.b].position);
    });
    if (!(w > 0)) continue;
    // The neighbours are the springs that share a node, itself left out.
    double mean = s.*factor;
    if (smooth && count[s.a] + count[s.b] > 2)
      mean = (sum[s.a] + sum[s.b] - 2 * s.*factor) / (count[s.a] + count[s.b] - 2);
    const double least = brush.quantity == BrushQuantity::damping ? 0 : kLeastFactor;
    edited.springs[k].*factor = std::max(least, painted(brush, s.*factor, w, mean));
  }
  return edited;
}

std::vector<double> brush_factors(const StrungTruss& truss, BrushQuantity quantity) {
  std::vector<double> factors;
  if (quantity == BrushQuantity::mass) {
    for (const StrungNode& node : truss.nodes) factors.push_back(node.mass);
    return factors;
  }
  for (const StrungSpring& s : truss.springs) factors.push_back(s.*spring_factor(quantity));
  return factors;
}

}  // namespace hazumi
