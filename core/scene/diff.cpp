// Lists and settings are compared by what is shared first, so that the cost is a pointer per object that did
// not change.
//
// From which frame on a run is out of date (first_frame):
// - what acts from the start differs, an object came or went, the step or gravity changed: 0;
// - only contact properties differ, or contact was turned off: the first contact of the object;
// - contact was turned on, or its shape changed: 0, since the new shape may touch earlier than the old one
// did;
// - which objects ignore each other, or pairs with values of their own: as derived/contact_rules.h says;
// - keys that lead something or tell a joint, a force or a field something, who feels a field, the curve that it goes along, or keys of gravity: as derived/leading.h says;
// - where a source of particles is born, or what its particles meet, as derived/sources.h says: 0;
// - how a joint holds that keys have off at first: when it is on (derived/joint_tracks.h);
// - a joint gets wider limits, a rope more length, or holds more before it breaks: when it was at a limit, taut, or broke;
// - boxes of motion graphs: when they were first armed (derived/motion_rules.h);
// - something is carried by another than before, or no longer (derived/family.h): 0.
#include "core/scene/diff.h"

#include <algorithm>
#include <map>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/thing_signature.h"

namespace hazumi {

namespace {

template <class Owner>
bool differs(std::span<const Field<Owner>> fields, const Owner& before, const Owner& after) {
  return !same_fields(fields, before, after) || !same_lists(before, after);
}

/// Things differ in what is in no table only when it is made from a table's members.
template <class Thing>
bool same_derived(const Thing&, const Thing&) {
  return true;
}
bool same_derived(const Object& a, const Object& b) { return a.display.mesh.mesh == b.display.mesh.mesh; }
bool same_derived(const Take& a, const Take& b) { return a.motion == b.motion; }

/// Its words may be part of the rules of contact (derived/contact_rules.h).
bool speaks_of_rules(const auto&) { return false; }
bool speaks_of_rules(const Object& o) { return !o.contact.groups.empty() || !o.contact.ignores.empty(); }
bool speaks_of_rules(const ContactPair&) { return true; }

/// It is somewhere else in the outliner.
bool placed_otherwise(const auto&, const auto&) { return false; }
bool placed_otherwise(const Object& a, const Object& b) { return a.collection != b.collection || a.parent != b.parent; }
bool placed_otherwise(const Light& a, const Light& b) { return a.collection != b.collection; }
bool placed_otherwise(const Camera& a, const Camera& b) { return a.collection != b.collection; }
bool placed_otherwise(const Curve& a, const Curve& b) { return a.collection != b.collection; }
bool placed_otherwise(const Force& a, const Force& b) { return a.collection != b.collection; }
bool placed_otherwise(const ForceField& a, const ForceField& b) { return a.collection != b.collection; }
bool placed_otherwise(const ParticleSource& a, const ParticleSource& b) { return a.collection != b.collection; }
bool placed_otherwise(const Joint& a, const Joint& b) { return a.collection != b.collection; }
bool placed_otherwise(const Collection& a, const Collection& b) { return a.collection != b.collection; }

/// A run reads it only in sub-steps in which it is told something: compare_leading() says which.
bool told_alone(const auto&) { return false; }
bool told_alone(const Joint& joint) { return joint.kind == JointKind::pull; }

bool goes_otherwise(const auto&, const auto&) { return false; }
bool goes_otherwise(const Object& a, const Object& b) {
  return a.parent != b.parent || a.follow.curve != b.follow.curve || a.follow.looks_at != b.follow.looks_at ||
         a.follow.turned != b.follow.turned;
}

bool says_otherwise(const auto& field, const auto& a, const auto& b) {
  return field.content != nullptr ? field.content(a) != field.content(b) : !operator_equal(field.get(a), field.get(b));
}

/// True: something that a run reads from the start in either version is not the same. False says nothing: then the signatures
/// are compared, which read all of a thing. (A dragged number is found here, and a group of 500 metaballs not gone through.)
template <class Owner>
bool moves_otherwise(std::span<const Field<Owner>> fields, const Owner& a, const Owner& b) {
  for (const Field<Owner>& field : fields)
    if (effect_now(field, a) == Effect::motion && effect_now(field, b) == Effect::motion && says_otherwise(field, a, b))
      return true;
  bool found = false;
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    if (found || list.counts != nullptr || list.reads(a) != Effect::motion || list.reads(b) != Effect::motion) return;
    const std::vector<Entry>&x = list.get(a), &y = list.get(b);
    if (&x == &y || x.size() != y.size()) return;
    for (std::size_t i = 0; !found && i < x.size(); ++i) {
      if constexpr (kIsRow<Entry>)
        found = !same_entry(x[i], y[i]);
      else
        found = moves_otherwise(entry_fields(std::type_identity<Entry>{}), x[i], y[i]);
    }
  });
  return found;
}

class Differ {
 public:
  Differ(const Scene& before, const Scene& after, const std::function<int(const Cause&)>& first_frame)
      : before_(before), after_(after), first_frame_(first_frame) {}

  ChangeSet run() {
    compare_settings();
    visit_scene_lists([this](const auto& list) { compare_list(list); });
    compare_rules();
    if ((families_ || tracks_) && carried_objects(before_) != carried_objects(after_)) drop(0);
    compare_leading();
    if (const auto frame = first_moved_otherwise(before_, after_, first_frame_)) drop(*frame);
    if (before_.name != after_.name || before_.description != after_.description) set_.structure = true;
    std::sort(set_.objects.begin(), set_.objects.end());
    set_.objects.erase(std::unique(set_.objects.begin(), set_.objects.end()), set_.objects.end());
    set_.look = !set_.empty() && !set_.simulation;
    return std::move(set_);
  }

 private:
  void drop(int frame) {
    set_.simulation = true;
    set_.first_frame = std::min(set_.first_frame, frame);
  }

  template <class Thing>
  void note_leading() {
    tracks_ = tracks_ || std::is_same_v<Thing, Track>;
    leads_ = leads_ || tracks_ || std::is_same_v<Thing, Object> || std::is_same_v<Thing, Curve> ||
             std::is_same_v<Thing, Joint> || std::is_same_v<Thing, Force> || std::is_same_v<Thing, ForceField> ||
             std::is_same_v<Thing, ParticleSource> || std::is_same_v<Thing, Collection>;
  }

  void compare_settings() {
    set_.settings = differs(settings_fields(), before_.settings, after_.settings);
    if (set_.settings && signature_of(before_.settings) != signature_of(after_.settings)) drop(0);
  }

  template <class Thing>
  void changed(const SceneList<Thing>& list, const Shared<Thing>& before, const Shared<Thing>& after) {
    if (same_derived(*before, *after) && !differs(list.fields(), *before, *after)) return;
    set_.objects.push_back(after->id);
    if (before->name != after->name || placed_otherwise(*before, *after)) set_.structure = true;
    families_ = families_ || goes_otherwise(*before, *after);
    note_leading<Thing>();
    if (speaks_of_rules(*before) || speaks_of_rules(*after)) rules_ = true;
    if (!list.read) return;
    if constexpr (std::is_same_v<Thing, Joint>) {
      if (counts_while_on(before_, *before, after_, *after)) return;  // compare_leading() says from when
      const std::vector<Reading> causes = eased(*before, *after);
      for (const Reading cause : causes) drop(first_frame_ ? first_frame_({after->id, cause}) : 0);
      if (!causes.empty()) return;
    }
    if (moves_otherwise(list.fields(), *before, *after)) return drop(0);
    const Signature old = signature_of_shared(before, list.fields()), now = signature_of_shared(after, list.fields());
    if (old != now) drop(first_frame(after->id, old, now));
  }

  int first_frame(Id id, const Signature& old, const Signature& now) const {
    if (old.motion != now.motion || old.touch == 0) return 0;
    if (now.touch != 0 && now.touch != old.touch) return 0;
    return first_frame_ ? first_frame_({id, Reading::contact}) : 0;
  }

  template <class Thing>
  void came_or_went(const SceneList<Thing>& list, const Thing& thing) {
    set_.objects.push_back(thing.id);
    if (list.read && !told_alone(thing)) drop(0);
    note_leading<Thing>();
    rules_ = rules_ || std::is_same_v<Thing, ContactPair>;
  }

  void compare_rules() {
    if (!rules_) return;
    const auto first_contact = [this](Id id) { return first_frame_ ? first_frame_({id, Reading::contact}) : 0; };
    if (const auto frame = first_ruled_otherwise(before_, after_, first_contact)) drop(*frame);
  }

  /// Of what is keyed that frame is asked for alone whose state differs: a key far ahead leaves those before it standing.
  void compare_leading() {
    if (!leads_) return;
    const auto frame = first_told_otherwise(before_, after_);
    if (frame) drop(*frame);
  }

  template <class Thing>
  void compare_list(const SceneList<Thing>& list) {
    const std::vector<Shared<Thing>>&before = before_.*list.member, &after = after_.*list.member;
    // Nearly always the lists have the same ids in the same places.
    if (const auto places = changed_places(before, after)) {
      for (std::size_t i : *places) changed(list, before[i], after[i]);
      return;
    }
    set_.structure = true;
    std::map<Id, const Shared<Thing>*> old;
    for (const auto& thing : before) old.emplace(thing->id, &thing);
    for (const auto& thing : after) {
      const auto at = old.find(thing->id);
      if (at == old.end()) {
        came_or_went(list, *thing);
        continue;
      }
      if (!at->second->same_as(thing)) changed(list, *at->second, thing);
      old.erase(at);
    }
    for (const auto& [id, thing] : old) came_or_went(list, **thing);
  }

  const Scene& before_;
  const Scene& after_;
  const std::function<int(const Cause&)>& first_frame_;
  bool rules_ = false;     ///< something changed that may speak of them
  bool families_ = false;  ///< something goes with another parent, or on another curve
  bool tracks_ = false;    ///< keys changed
  bool leads_ = false;     ///< they, or what they lead
  ChangeSet set_;
};

}  // namespace

ChangeSet diff(const Scene& before, const Scene& after, const std::function<int(const Cause&)>& first_frame) {
  return Differ(before, after, first_frame).run();
}

}  // namespace hazumi
