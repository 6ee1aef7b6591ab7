// What collections mean for the things in them. A thing is seen when its own switch and those of all collections around
// it are on; locked when any of them is. An object that goes with a parent is where the eldest of its family is.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

/// What of a scene is seen and may be taken hold of, for whoever asks about many things.
class Standing {
 public:
  /// `aside`: objects that a view does not show now, whatever the scene says; null: none.
  explicit Standing(const Scene& scene, const std::set<Id>* aside = nullptr);
  bool visible(const Object& object) const;
  bool visible(const Light& light) const { return light.visible && place(light.collection).visible; }
  bool visible(const Camera& camera) const { return camera.visible && place(camera.collection).visible; }
  bool visible(const Curve& curve) const { return curve.visible && place(curve.collection).visible; }
  bool visible(const Force& force) const { return force.visible && place(force.collection).visible; }
  bool visible(const ForceField& field) const { return field.visible && place(field.collection).visible; }
  bool visible(const ParticleSource& source) const { return source.visible && place(source.collection).visible; }
  bool visible(const Joint& joint) const { return joint.visible && place(joint.collection).visible; }
  bool visible(const Collection& collection) const { return place(collection.id.value).visible; }
  template <class Thing>
  bool visible(const Thing& thing) const {
    return thing.visible;
  }
  bool locked(const Object& object) const { return object.locked || place(home(object)).locked; }
  bool locked(const Light& light) const { return place(light.collection).locked; }
  bool locked(const Camera& camera) const { return camera.locked || place(camera.collection).locked; }
  bool locked(const Curve& curve) const { return curve.locked || place(curve.collection).locked; }
  bool locked(const Force& force) const { return force.locked || place(force.collection).locked; }
  bool locked(const ForceField& field) const { return field.locked || place(field.collection).locked; }
  bool locked(const ParticleSource& source) const { return source.locked || place(source.collection).locked; }
  bool locked(const Joint& joint) const { return joint.locked || place(joint.collection).locked; }
  bool locked(const Collection& collection) const { return place(collection.id.value).locked; }
  template <class Thing>
  bool locked(const Thing&) const {
    return false;
  }

 private:
  struct Place {
    bool visible = true, locked = false;
  };
  Place place(std::uint64_t collection) const;
  std::uint64_t home(const Object& object) const;

  const std::set<Id>* aside_;
  std::map<std::uint64_t, Place> places_;                   ///< of collections; none where all of them are open
  std::map<std::uint64_t, const Object*> parents_, homes_;  ///< by id
};

/// The ids with those of everything in the collections among them, at any depth.
std::set<Id> with_contents(const Scene& scene, const std::set<Id>& ids);
/// Objects, lights, cameras, curves, joints, forces, fields and particle sources in a collection and in those in it.
std::set<Id> things_in(const Scene& scene, Id collection);
/// The thing `inner` is the collection `outer` or in it, at any depth; both are collections.
bool lies_in(const Scene& scene, Id inner, Id outer);
/// These objects, lights, cameras, curves, joints, forces, fields, particle sources and collections in that collection (no id: in none). What goes with a parent that is
/// not among them stays with it, and so does a collection that would come to lie in itself.
Scene put_in(Scene scene, const std::set<Id>& ids, Id collection);

}  // namespace hazumi
