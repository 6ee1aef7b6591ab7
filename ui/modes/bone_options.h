// What the bones mode remembers for the session: the weight brush, and the weights that the colours show.
#pragma once

#include <memory>
#include <vector>

#include <QObject>

#include "core/geometry/mapping/bones.h"
#include "ui/modes/element_selection.h"

namespace hazumi {

class BoneOptions : public QObject {
  Q_OBJECT
 public:
  explicit BoneOptions(ElementSelection& elements);
  static BoneOptions& of(ElementSelection& elements) { return elements.memory<BoneOptions>(); }

  const WeightBrush& brush() const { return brush_; }
  void set_brush(const WeightBrush& brush);

  /// Weights of all bones at the vertices of the object's display model (with its scale): kept until one of them changes.
  const std::vector<VertexBones>& weights(const Object& object, const std::shared_ptr<const DisplayMesh>& mesh);

 signals:
  void changed();

 private:
  WeightBrush brush_;
  MappingSettings settings_;
  std::shared_ptr<const DisplayMesh> mesh_;
  std::vector<VertexBones> weights_;
};

}  // namespace hazumi
