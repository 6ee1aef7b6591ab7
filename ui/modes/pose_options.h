// What the poses mode and the panel's section remember for the session: which pose of an object is chosen, the brush, the group that is
// painted. Not part of the scene, not undone.
#pragma once

#include <map>
#include <memory>

#include <QObject>

#include "core/geometry/mapping/mapping.h"
#include "core/scene/derived/mesh_store.h"
#include "ui/modes/element_selection.h"

namespace hazumi {

class PoseOptions : public QObject {
  Q_OBJECT
 public:
  static constexpr double kLeastRadius = 1e-3, kMostRadius = 1e3;  ///< m

  explicit PoseOptions(ElementSelection& elements);
  static PoseOptions& of(ElementSelection& elements) { return elements.memory<PoseOptions>(); }

  /// The chosen pose of the object; null: it has none.
  const AnalysisPose* pose(const Object& object) const;
  void choose(const Object& object, std::uint32_t pose);

  double radius() const { return radius_; }  ///< m, world: of brushes, and of how far a selection takes the rest along
  void set_radius(double radius);
  bool soft() const { return soft_; }  ///< a selection takes the rest along
  void set_soft(bool on);
  double strength() const { return strength_; }
  void set_strength(double strength);
  std::uint32_t group() const { return group_; }  ///< that the brush of groups paints
  void set_group(std::uint32_t group);

  /// Nodes of the analysis model before the object's scale, without anything else of a truss that costs time; kept until it changes.
  std::shared_ptr<const Truss> truss(const Object& object);
  /// How the display model goes with the nodes: of small models, else null.
  std::shared_ptr<const Mapping> mapping(const Object& object, const std::shared_ptr<const DisplayMesh>& mesh);

 signals:
  void changed();

 private:
  void tell();

  ElementSelection& elements_;
  std::map<Id, std::uint32_t> chosen_;
  double radius_ = 0.3, strength_ = 0.5;
  bool soft_ = true;
  std::uint32_t group_ = 1;
  AnalysisModel of_;  ///< whose truss is kept; without its poses
  std::shared_ptr<const Truss> truss_;
  Vec3 scale_ = Vec3::Zero();
  std::shared_ptr<const DisplayMesh> mesh_;
  std::shared_ptr<const Truss> mapped_;
  MappingSettings settings_;
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace hazumi
