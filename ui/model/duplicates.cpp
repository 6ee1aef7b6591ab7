// Copies of what is selected, with the pairs and keys between them.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// Of pairs whose two objects were copied, for the copies.
void copy_pairs(const Scene& before, const std::map<Id, Id>& copies, std::uint64_t next, Scene& scene) {
  for (const auto& pair : before.pairs) {
    const auto a = copies.find(Id{pair->a}), b = copies.find(Id{pair->b});
    if (a == copies.end() || b == copies.end()) continue;
    ContactPair copy = *pair;
    copy.id = Id{next++};
    copy.name = unique_name(scene, pair->name);
    copy.a = a->second.value;
    copy.b = b->second.value;
    scene.pairs.push_back(Shared<ContactPair>(std::move(copy)));
  }
}

/// Of what was copied, for the copies.
void copy_tracks(const Scene& before, const std::map<Id, Id>& copies, const Vec3& offset, Scene& scene) {
  std::uint64_t next = next_id(scene).value;
  for (const auto& track : before.tracks) {
    const auto of = copies.find(Id{track->target});
    if (of == copies.end()) continue;
    Track copy = *track;
    copy.id = Id{next++};
    copy.target = of->second.value;
    if (copy.field == kLooksAt)
      for (Key& key : copy.keys)
        if (const auto named = copies.find(Id{static_cast<std::uint64_t>(std::llround(key.value[0]))});
            named != copies.end())
          key.value[0] = static_cast<double>(named->second.value);
    move_keys(
        copy, [&](const Vec3& at) { return Vec3(at + offset); }, Quat::Identity());
    scene.tracks.push_back(Shared<Track>(std::move(copy)));
  }
}

template <class Thing>
void move_by(Thing& thing, const Vec3& offset) {
  if constexpr (std::is_same_v<Thing, Camera>) thing.target += offset;
  if constexpr (requires { thing.transform; })
    thing.transform.position += offset;
  else if constexpr (requires { thing.position; })
    thing.position += offset;
}

struct Copies {
  Scene scene;
  std::map<Id, Id> of;  ///< of what was copied
};

Copies copied(const Scene& before, const std::set<Id>& ids, const Vec3& offset) {
  Copies copies{before, {}};
  std::uint64_t next = next_id(before).value;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, ContactPair>)
      for (const auto& thing : before.*list.member)
        if (ids.contains(thing->id)) copies.of.emplace(thing->id, Id{next++});
  });
  // Copies are where the originals are, or in copies of that.
  const auto follow = [&](std::uint64_t& id) {
    if (const auto copy = copies.of.find(Id{id}); copy != copies.of.end()) id = copy->second.value;
  };
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const auto& thing : before.*list.member) {
      if (!copies.of.contains(thing->id)) continue;
      Thing copy = *thing;
      copy.id = copies.of.at(thing->id);
      copy.name = unique_name(copies.scene, thing->name);
      move_by(copy, offset);
      if constexpr (requires { copy.collection; }) follow(copy.collection);
      if constexpr (requires { copy.parent; }) follow(copy.parent);
      if constexpr (requires { copy.looks_at; }) follow(copy.looks_at);
      if constexpr (requires { copy.follow; }) follow(copy.follow.curve);
      if constexpr (requires { copy.follow.looks_at; }) follow(copy.follow.looks_at);
      (copies.scene.*list.member).push_back(Shared<Thing>(std::move(copy)));
    }
  });
  copy_pairs(before, copies.of, next, copies.scene);
  copy_tracks(before, copies.of, offset, copies.scene);
  return copies;
}

}  // namespace

bool duplicate_selected(DocumentController& document, Selection& selection, quint64 merge_key, bool beside) {
  const Scene& before = document.scene();
  const std::set<Id> originals = with_contents(before, selection.ids());
  const Vec3 offset(beside ? shift_beside(before, originals, document.meshes()) : 0, 0, 0);
  if (copied(before, originals, offset).of.empty()) return false;
  const QString text = tr("Duplicate %1").arg(selection_text(before, selection));
  const auto selected = selected_objects_of(before, selection);
  const bool follows = std::none_of(selected.begin(), selected.end(), [](const Object* o) { return o->locked; });
  auto operation = shift_operation(
      offset, follows, [&selection, originals, active = selection.active()](const Scene& scene, const Shift& now) {
        Copies copies = copied(scene, originals, now.offset);
        const auto select = [&selection, of = copies.of, active] {
          std::set<Id> made;
          for (const auto& [original, copy] : of) made.insert(copy);
          const auto leads = of.find(active);
          selection.set(std::move(made), leads == of.end() ? Id{} : leads->second);
        };
        return Operation::Made{std::move(copies.scene), select, {}};
      });
  return document.last_operation().begin(text, std::move(operation), merge_key).ok();
}

void put_copies_beside(DocumentController& document, const Selection& selection, quint64 merge_key) {
  const Operation* made = document.last_operation().operation();
  if (!made || document.last_operation().key() != merge_key) return;
  const double shift =
      shift_beside(document.scene(), with_contents(document.scene(), selection.ids()), document.meshes());
  for (std::size_t row = 0; row < made->row_count(); ++row)
    if (made->spec(row).path == QLatin1String("offset"))
      (void)document.last_operation().adjust(row, FieldValue{Vec3(shift, 0, 0)});
}

}  // namespace hazumi
