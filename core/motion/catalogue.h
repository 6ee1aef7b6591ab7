// Motions without shapes (spec 7.4): a graph with its curves and stand-ins for the things that it is about, put on other things of any size
// and mass. In a file a motion is a scene: its name and description, its boxes and curves, and its stand-ins, which are objects without a
// display model, with the size (display.primitive.size), mass, body and analysis model that the motion was made with, and empty collections. So a file is
// read, checked and migrated as scenes are.
//
// Put on a thing that is L times as large and M times as heavy, lengths grow by L, times by √L, so that it falls through its own
// height in the same number of its own times (Froude), and what else there is by its unit:
//   m: L   s: √L   m/s: √L   °/s: 1/√L   kg: M   N: M   N s: M √L   N m: M L   J: M L
// Places in the world move with the thing: p′ = c′ + L (p − c), c and c′ where stand-in and thing are.
// Keys of a number go as the number does, and their times as all times.
//
// What bends has its analysis model with it (model_recipe.h): put on something rigid it makes that bend, as large and heavy as that is. What bends
// already, is fixed or a point stays as it is.
//
// Cameras to which it cuts, sounds that it plays and markers that it waits for come along: put where there is one of the same name (of a
// sound, with the same file) they are that one, else they are new, cameras standing to the thing as they stood to the stand-in, markers of
// one name at their times. Particles and numbers of joints, forces, fields and sources stay with their scene, and so do boxes
// of them: who led to such a box leads to what it led to.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// What a motion knows of a thing.
struct MotionBody {
  double size = 1;  ///< m, of its bounding box: diagonal/√3
  double mass = 1;  ///< kg
  Vec3 low = Vec3::Zero(),
       high = Vec3::Zero();  ///< m, its bounding box, object frame with the scale; no size: nobody says
};
using BodyOf = std::function<MotionBody(const Object&)>;
/// Of an object as the scene has it, with its display model's mesh.
MotionBody motion_body(const Object& object, const DisplayMesh& mesh);

/// Which of these adapt to the thing that a motion is put on.
struct MotionAdapts {
  bool lengths = true, times = true, masses = true;
  bool model = true;  ///< what is rigid takes the analysis model of a stand-in that bends
};

/// A motion of these boxes, the first of them of whose motion it is; its stand-ins are called as the things are. Boxes that are not there
/// are left out; without boxes the motion is empty.
Scene motion_of(const Scene& scene, const std::set<Id>& boxes, const std::string& name, const std::string& description,
                const BodyOf& body);

/// Those of the boxes that stay behind.
std::set<Id> left_behind(const Scene& scene, const std::set<Id>& boxes);

/// A thing that a motion must be given.
struct StandIn {
  Id id;
  std::string name;
  bool collection = false;  ///< it was one; an object will do
};
/// In the order of ids, whose motion it is first. Empty: it is no motion.
std::vector<StandIn> stand_ins(const Scene& motion);
/// Why a scene is no motion that can be put on anything, as a sentence; empty: it is one.
std::string no_motion(const Scene& motion);

struct MotionPut {
  Scene scene;
  std::set<Id> boxes;  ///< that are new
};
/// `given`: for stand-ins, objects or collections of the scene, or no id: anything. Whose motion it is must be given; others that are not
/// are guessed by their names, and are anything where there is none. `x`, `y`: where the boxes are put in the editor.
Result<MotionPut> put_motion(Scene scene, const Scene& motion, const std::map<Id, Id>& given,
                             const MotionAdapts& adapts, const BodyOf& body, double x = 0, double y = 0);

}  // namespace hazumi
