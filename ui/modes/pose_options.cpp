#include "ui/modes/pose_options.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/poses.h"
#include "core/scene/values/lists.h"
#include "core/sim/body_mapping.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostPosed = 20'000;  // vertices

bool same_nodes(const AnalysisModel& a, const AnalysisModel& b) {
  return a.kind == b.kind && a.divisions == b.divisions && a.size == b.size && a.offset == b.offset &&
         a.strung == b.strung;
}

}  // namespace

PoseOptions::PoseOptions(ElementSelection& elements) : elements_(elements) {
  connect(this, &PoseOptions::changed, &elements, &ElementSelection::redraw);
  connect(&elements, &ElementSelection::mode_changed, this, &PoseOptions::tell);
  tell();
}

/// The selection knows how far the rest goes along, while poses are edited.
void PoseOptions::tell() {
  const Object* object = elements_.in("poses") ? elements_.object() : nullptr;
  elements_.set_soft(object && soft_ ? radius_ / std::cbrt(object->transform.scale.prod()) : 0);
}

const AnalysisPose* PoseOptions::pose(const Object& object) const {
  const auto at = chosen_.find(object.id);
  if (at != chosen_.end())
    if (const AnalysisPose* chosen = find_pose(object.analysis, at->second)) return chosen;
  return object.analysis.poses.empty() ? nullptr : &object.analysis.poses.front();
}

void PoseOptions::choose(const Object& object, std::uint32_t pose) {
  if (const auto at = chosen_.find(object.id); at != chosen_.end() && at->second == pose) return;
  chosen_[object.id] = pose;
  if (elements_.in("poses")) elements_.clear();
  emit changed();
}

void PoseOptions::set_radius(double radius) {
  radius_ = std::clamp(radius, kLeastRadius, kMostRadius);
  tell();
  emit changed();
}

void PoseOptions::set_soft(bool on) {
  soft_ = on;
  tell();
  emit changed();
}

void PoseOptions::set_strength(double strength) {
  strength_ = std::clamp(strength, 0.0, 1.0);
  emit changed();
}

void PoseOptions::set_group(std::uint32_t group) {
  group_ = std::min(group, kMostPoseGroups - 1);
  emit changed();
}

std::shared_ptr<const Truss> PoseOptions::truss(const Object& object) {
  if (!truss_ || !same_nodes(of_, object.analysis)) {
    of_ = object.analysis;
    of_.poses.clear();
    truss_ = std::make_shared<const Truss>(analysis_truss(object.analysis));
  }
  return truss_;
}

std::shared_ptr<const Mapping> PoseOptions::mapping(const Object& object,
                                                    const std::shared_ptr<const DisplayMesh>& mesh) {
  const auto nodes = truss(object);
  MappingSettings settings = scaled_mapping(object);
  if (mapped_ == nodes && mesh_ == mesh && scale_ == object.transform.scale && settings == settings_) return mapping_;
  mapped_ = nodes;
  mesh_ = mesh;
  scale_ = object.transform.scale;
  settings_ = settings;
  mapping_ = nullptr;
  if (!mesh || mesh->positions.empty() || mesh->positions.size() > kMostPosed || nodes->empty()) return nullptr;
  Truss scaled = *nodes;
  for (Vec3& node : scaled.nodes) node = scale_.cwiseProduct(node);
  mapping_ = make_mapping(settings, *mesh, scaled).mapping;
  return mapping_;
}

}  // namespace hazumi
