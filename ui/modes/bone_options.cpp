#include "ui/modes/bone_options.h"

#include "core/sim/body_mapping.h"

namespace hazumi {

BoneOptions::BoneOptions(ElementSelection& elements) {
  brush_.radius = 0.2;
  brush_.strength = 0.35;
  connect(this, &BoneOptions::changed, &elements, &ElementSelection::redraw);
}

void BoneOptions::set_brush(const WeightBrush& brush) {
  brush_ = brush;
  emit changed();
}

const std::vector<VertexBones>& BoneOptions::weights(const Object& object,
                                                     const std::shared_ptr<const DisplayMesh>& mesh) {
  MappingSettings settings = scaled_mapping(object);
  if (mesh == mesh_ && settings == settings_) return weights_;
  weights_ =
      settings.bones.empty() ? std::vector<VertexBones>{} : skeleton_weights(settings.bones, settings.painted, *mesh);
  mesh_ = mesh;
  settings_ = std::move(settings);
  return weights_;
}

}  // namespace hazumi
