// What a take (values/take.h) has to itself, and what is done to takes: pure functions of a scene.
//
// To a take belong all keys (tracks) and the motion graph, and of the rows of the field table those that a run reads as a number, a switch, a place
// or a turn: where and how fast things begin, masses, stiffness, friction, gravity … (belongs_to_take). Shape, looks, and what is connected
// with what belong to the scene, and so to all takes: an edit of them is seen in each.
//
// The take that is current is the scene itself: an edit of what belongs to takes is an edit of it. Things that come into the scene are in all
// takes as they came; of what goes, keys and boxes go in all.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

template <class Owner>
bool belongs_to_take(const Field<Owner>&) {
  return false;
}
bool belongs_to_take(const Field<Object>& field);
bool belongs_to_take(const Field<Joint>& field);
bool belongs_to_take(const Field<Force>& field);
bool belongs_to_take(const Field<ForceField>& field);
bool belongs_to_take(const Field<ParticleSource>& field);
bool belongs_to_take(const Field<ContactPair>& field);
bool belongs_to_take(const Field<SceneSettings>& field);

/// Parameters of solvers, and how a flexible body is bent at the start.
template <class Owner, class Entry>
bool belongs_to_take(const List<Owner, Entry>& list) {
  return std::is_same_v<Owner, Object> && (list.path == "body.parameters" || list.path.starts_with("body.start"));
}

/// Things of these lists have rows that belong to takes.
template <class Thing>
inline constexpr bool kHasTakes =
    std::is_same_v<Thing, Object> || std::is_same_v<Thing, Joint> || std::is_same_v<Thing, Force> ||
    std::is_same_v<Thing, ForceField> || std::is_same_v<Thing, ParticleSource> || std::is_same_v<Thing, ContactPair>;

/// Both have the same in all that belongs to takes, to the bit.
template <class Owner>
bool same_in_take(std::span<const Field<Owner>> fields, const Owner& a, const Owner& b) {
  for (const Field<Owner>& field : fields)
    if (belongs_to_take(field) && !operator_equal(field.get(a), field.get(b))) return false;
  bool same = true;
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    if (!same || !belongs_to_take(list)) return;
    const std::vector<Entry>&x = list.get(a), &y = list.get(b);
    same = x.size() == y.size();
    for (std::size_t i = 0; same && i < x.size(); ++i) same = same_entry(x[i], y[i]);
  });
  return same;
}

const Take* find_take(const Scene& scene, Id id);
const Take* current_take(const Scene& scene);  ///< null: the scene has no takes
std::string unique_take_name(const Scene& scene, const std::string& wanted);

/// What of a scene belongs to takes, to be kept in one that waits.
std::shared_ptr<const Scene> motion_of(const Scene& scene);
/// The scene with that take current; the one that was current waits. The current one, or none: the scene unchanged.
Scene in_take(const Scene& scene, Id take);

/// A copy of the take `of`, behind it; of a scene without takes a first one too, "Take 1", which is current. `name` is made unique; empty:
/// "Take 2". Which one is current stays.
struct MadeTake {
  Scene scene;
  Id take;
};
MadeTake with_copied_take(Scene scene, Id of, const std::string& name);
/// The same of the current one, and the copy is current.
MadeTake with_new_take(Scene scene, const std::string& name);
/// A take that has what `motion` has of what belongs to takes, at the end; which one is current stays.
MadeTake with_take_of(Scene scene, const Scene& motion, const std::string& name);
/// Where the current one goes its neighbour is current then. An error: it is the only one.
Result<Scene> without_take(const Scene& scene, Id take);

/// What an edit of `before` to `next` does to takes that wait: things that came are in them, and what went is in none.
Scene with_settled_takes(const Scene& before, Scene next);

/// How a take differs from the scene's own motion, for people: "2 values, 1 keyed field, motion graph"; empty: in nothing.
std::string difference_of(const Scene& scene, const Take& take);

}  // namespace hazumi
