// Analysis models of one object to switch between (spec 1.7: locality and anisotropy): pure functions over
// objects and scenes. One of them is in use (Object::analysis), the others wait in Object::other_analyses,
// ascending by name. Names are told apart: two of one object are never equal after these functions. Each has the elastic
// model with it that the object had when it was put away, so that two solvers stand side by side.
#pragma once

#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

/// Names of all, ascending, and which of them is in use.
struct VariantNames {
  std::vector<std::string> names;
  std::size_t current = 0;
};
VariantNames variant_names(const Object& object);

/// A copy of the analysis model in use, under a new name ("Truss 2"), is in use from now on. Returns its
/// name.
std::string add_variant(Object& object);
/// Swaps. False, and nothing changed: no other has that name.
bool use_variant(Object& object, const std::string& name);
/// Renames the one in use; a name that is taken or empty gets a number, or stays. Returns the name it has
/// now.
std::string rename_variant(Object& object, const std::string& name);
/// Removes the one in use and goes to the next by name. False: it is the only one.
bool remove_variant(Object& object);

/// A copy of object `id` with the variant `name` in use, `offset` (m) away from it; the copy's name is "NAME
/// · VARIANT". Returns its id, none when there is no such object or variant.
Id add_compared(Scene& scene, Id id, const std::string& name, const Vec3& offset);

}  // namespace hazumi
