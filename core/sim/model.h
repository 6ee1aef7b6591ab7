// What a scene becomes before it runs: constant while running, shared between threads without locks.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "core/sim/body/body.h"
#include "core/sim/carried.h"
#include "core/sim/constraint/joint.h"
#include "core/sim/director.h"
#include "core/sim/fields/stage.h"
#include "core/sim/particles/stage.h"
#include "core/sim/skinned.h"
#include "core/sim/state.h"

namespace hazumi {

/// The bodies of a run in ascending id.
class BodyList {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Body;
    using difference_type = std::ptrdiff_t;
    using pointer = const Body*;
    using reference = const Body&;
    using Inner = std::vector<std::shared_ptr<const Body>>::const_iterator;
    Iterator() = default;
    explicit Iterator(Inner at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    Inner at_;
  };
  void push_back(std::shared_ptr<const Body> body) { bodies_.push_back(std::move(body)); }
  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t number) const { return *bodies_[number]; }
  Iterator begin() const { return Iterator(bodies_.begin()); }
  Iterator end() const { return Iterator(bodies_.end()); }
  const Body* find(Id id) const;      ///< null: no such body
  std::size_t own() const;            ///< how many there are of objects; behind them come copies that sources give
  std::uint32_t number(Id id) const;  ///< of the body; where there is none, of the next id's

 private:
  std::vector<std::shared_ptr<const Body>> bodies_;  ///< shared with models that are told something else
};

/// Of two bodies whose contact is not what their materials say.
struct BodyPairValues {
  std::uint32_t body_a = 0, body_b = 0;  ///< numbers in Model::bodies, a < b
  double restitution = 0, friction = 0;
};

struct Model {
  BodyList bodies;   ///< only objects that take part or are seen
  double step = 0;   ///< s, h
  int substeps = 1;  ///< per frame of which the time scale is 1
  RunClock clock{0, 1};
  double frame_rate = 60;
  Vec3 gravity = Vec3::Zero();
  std::uint64_t seed = 1;
  double rest_speed = 0.05;           ///< m/s
  bool pulses = false;                ///< collisions are sine pulses (constraint/pulse.h)
  std::vector<BodyPairValues> pairs;  ///< ascending by (a, b)
  std::vector<ModelJoint> joints;     ///< compile_joints()
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      apart;                                       ///< bodies that a joint keeps from touching, a < b, ascending
  std::vector<CarriedBody> carried;                ///< ascending by child
  std::vector<SkinnedBody> skins;                  ///< ascending by body
  std::uint64_t signature = 0;                     ///< simulation_signature of the scene
  std::shared_ptr<const FieldStage> fields;        ///< null: none acts on anything
  std::shared_ptr<const ParticleStage> particles;  ///< null: there is no source
  std::shared_ptr<const Director> director;        ///< null: nothing but physics
};

/// Fails only for scenes that validate() refuses, when a solver cannot be made (its diagnostic names the object), or when
/// metaballs were not polygonised before: `meshes.prepare(scene, …)` does that, and what it gives is held meanwhile.
/// `before`: a model of an earlier version of the scene, whose mappings are shared where nothing that they depend on has
/// changed; the result is the same without.
/// Keys lead nothing in it: compile() of core/motion/compile.h is what runs a scene.
Result<std::shared_ptr<Model>> compile_bodies(const Scene& scene, MeshStore& meshes, const Model* before = nullptr);

/// `marks`: what its director does at time 0; null: nobody asks.
State initial_state(const Model& model, std::vector<MotionMark>* marks = nullptr);
Observables observe(const Model& model, const State& state, std::size_t body);

}  // namespace hazumi
