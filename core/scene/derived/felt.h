// Which fields of force (values/force_field.h) act in a run, with which values, and on whom. In sub-step k a field is as its keys say in the
// middle of it. Pure functions of the scene; from which frame on an edit changes a run follows from them (leading.h).
#pragma once

#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// The fields of a scene in ascending id, and their keys.
class KeyedFields {
 public:
  explicit KeyedFields(const Scene& scene);
  bool empty() const { return own_.fields.empty(); }
  /// At a time of the film, in s; those that are off too.
  std::vector<Shared<ForceField>> at(double time) const;

 private:
  Scene own_;  ///< the fields and their tracks
};

/// Time of the film in the middle of a sub-step, s.
double middle_of(std::int64_t substep, const RunClock& clock);

/// Ids of the objects and particle sources that feel it, ascending: what moves, in the collection that it is for, and is let feel fields.
std::vector<Id> who_feels(const Scene& scene, const ForceField& field);

/// A field that does nothing, and why.
struct IdleField {
  Id field;
  std::string path, message, hint;  ///< "fields[2] \"Wind\" curve"
};
std::vector<IdleField> idle_fields(const Scene& scene);

/// The scene's fields with the values that their keys say at a time.
Scene fields_at(Scene scene, double time);

/// Adds what a run reads of their keys, curves and collections.
void add_fields(Hasher& hasher, const Scene& scene);
/// The curve and who feels it are the same; of fields that need not say so themselves.
bool felt_alike(const Scene& before, const ForceField& was, const Scene& after, const ForceField& is);

}  // namespace hazumi
