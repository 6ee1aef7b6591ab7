// Collections and parents without a window: what commands make of them, and random edits after each of which everything about
// them is checked: the scene is valid, the tree of the outliner is that of the scene, what is seen and locked is what a plain walk
// says, families stayed together, and undo and redo give every scene back to the byte.
#include <catch2/catch.hpp>

#include <functional>
#include <random>

#include <QMimeData>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/family.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/ui/panels_support.h"
#include "ui/model/arrangement.h"
#include "ui/model/clipboard.h"
#include "ui/model/commands.h"
#include "ui/model/isolation.h"
#include "ui/panels/scene_model.h"
#include "ui/tools/transform_target.h"

namespace arrangement_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object fixed(std::uint64_t id, const std::string& name, const Vec3& at) {
  return small_ball(id, name, BodyKind::fixed, at);
}

/// A tray, a cup, a spoon, a shelf (fixed), two balls that move, a lamp.
Scene kitchen() {
  Scene scene;
  scene.settings.last_frame = 2;
  scene.objects = {fixed(1, "Tray", Vec3(0, 1, 0)),
                   fixed(2, "Cup", Vec3(2, 1, 0)),
                   fixed(3, "Spoon", Vec3(4, 1, 0)),
                   fixed(4, "Shelf", Vec3(6, 1, 0)),
                   small_ball(5, "Ball", BodyKind::rigid, Vec3(8, 1, 0)),
                   small_ball(6, "Jelly", BodyKind::flexible, Vec3(10, 1, 0))};
  scene.lights = {make_light(7, "Lamp")};
  return scene;
}

struct Parts : SessionParts {
  explicit Parts(const Scene& scene = kitchen()) { document.reset(scene, {}); }
  const Scene& scene() { return document.scene(); }
  const Object& object(std::uint64_t id) { return *find_object(document.scene(), Id{id}); }
  void choose(std::set<Id> ids, Id active = {}) { selection.set(std::move(ids), active); }
  void parent(std::uint64_t child, std::uint64_t to) {
    choose({Id{child}, Id{to}}, Id{to});
    REQUIRE(no_parent(scene(), selection).isEmpty());
    set_parent(document, selection);
  }
  int steps() { return document.undo_stack()->index(); }
};

using Ids = std::set<Id>;

}  // namespace

TEST_CASE("A parent is given and taken without anything moving, and its children follow it", "[ui][arrangement]") {
  Parts p;
  const Vec3 cup = p.object(2).transform.position;
  p.parent(2, 1);
  CHECK(p.document.undo_stack()->undoText() == "Parent Cup to Tray");
  CHECK(p.object(2).transform.position == cup);
  p.parent(3, 2);
  const quint64 drag = p.document.new_gesture();
  const ObjectsTarget target(p.document.snapshot(), {Id{1}}, Id{1});
  TransformValue move;
  for (double x : {0.5, 1.5, 3.0}) {
    move.move = Vec3(x, 0, 0);
    REQUIRE(p.document.edit("Move Tray", target.result(move), drag).ok());
  }
  CHECK(p.steps() == 3);
  CHECK(p.object(2).transform.position == cup + Vec3(3, 0, 0));
  CHECK(p.object(3).transform.position == Vec3(7, 1, 0));
  // Typed into a field, from where things are.
  REQUIRE(p.document.edit_object("Position", Id{1}, [](Object& o) { o.transform.position.y() = 2; }).ok());
  CHECK(p.object(3).transform.position == Vec3(7, 2, 0));
  p.document.undo_stack()->undo();
  p.document.undo_stack()->undo();
  CHECK(p.object(3).transform.position == Vec3(4, 1, 0));
  p.choose({Id{2}, Id{3}});
  clear_parent(p.document, p.selection);
  CHECK(p.object(2).parent == 0);
  CHECK(p.object(3).parent == 0);
  CHECK(p.object(2).transform.position == cup);
}

TEST_CASE("A locked child follows, also where it is selected with its parent", "[ui][arrangement]") {
  Parts p;
  p.parent(2, 1);
  REQUIRE(p.document.edit_object("Lock", Id{2}, [](Object& o) { o.locked = true; }).ok());
  const ObjectsTarget target(p.document.snapshot(), {Id{1}, Id{2}}, Id{1});
  TransformValue move;
  move.move = Vec3(0, 0, 4);
  REQUIRE(p.document.edit("Move", target.result(move)).ok());
  CHECK(p.object(1).transform.position == Vec3(0, 1, 4));
  CHECK(p.object(2).transform.position == Vec3(2, 1, 4));
}

TEST_CASE("A drag of a parent that returns to its start leaves no step, whatever follows it", "[ui][arrangement]") {
  Parts p;
  p.parent(2, 1);
  const std::string before = scene_to_text(p.scene());
  const int steps = p.steps();
  const quint64 drag = p.document.new_gesture();
  for (double angle : {0.3, 0.7, 0.0})
    REQUIRE(
        p.document
            .edit("Turn",
                  with_object(p.scene(), Id{1},
                              [&](Object& o) { o.transform.rotation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())); }),
                  drag)
            .ok());
  CHECK(p.steps() == steps);
  CHECK(scene_to_text(p.scene()) == before);
}

TEST_CASE("What cannot have a parent is told in a sentence", "[ui][arrangement]") {
  Parts p;
  p.choose({Id{1}});
  CHECK(no_parent(p.scene(), p.selection) == "Select the objects that shall go along, and the parent last.");
  p.choose({Id{5}, Id{1}}, Id{1});
  CHECK(no_parent(p.scene(), p.selection) ==
        "Ball moves by itself; only a fixed object can have a parent. Make it fixed first.");
  p.parent(2, 1);
  p.choose({Id{1}, Id{2}}, Id{2});
  CHECK(no_parent(p.scene(), p.selection) == "Cup goes with Tray already; clear that parent first.");
  p.choose({Id{1}, Id{3}, Id{7}}, Id{1});
  CHECK(no_parent(p.scene(), p.selection) == "Only objects can have a parent; Lamp is none.");
  p.choose({Id{2}});
  CHECK(no_moving(p.scene(), p.selection) == "Cup is where its parent Tray is; move that, or clear the parent first.");
  CHECK(no_clearing(p.scene(), p.selection).isEmpty());
  // It was in a collection of its own before; without its parent it stays in that one's.
  p.choose({Id{3}});
  const Id drawer = add_collection(p.document, p.selection);
  p.parent(3, 1);
  p.choose({Id{1}});
  const Id cupboard = add_collection(p.document, p.selection);
  CHECK(things_in(p.scene(), drawer).empty());
  p.choose({Id{3}});
  clear_parent(p.document, p.selection);
  CHECK(p.object(3).collection == cupboard.value);
  p.choose({Id{2}});
  // Made rigid, it goes its own way.
  set_body_kind(p.document, p.selection, BodyKind::rigid);
  CHECK(p.object(2).parent == 0);
}

TEST_CASE("Deleting a parent leaves its children where they are, in the same step", "[ui][arrangement]") {
  Parts p;
  p.parent(2, 1);
  p.parent(3, 2);
  p.choose({Id{1}});
  const int steps = p.steps();
  delete_selected(p.document, p.selection);
  CHECK(p.steps() == steps + 1);
  CHECK(p.object(2).parent == 0);
  CHECK(p.object(2).transform.position == Vec3(2, 1, 0));
  CHECK(p.object(3).parent == 2);
  p.document.undo_stack()->undo();
  CHECK(p.object(2).parent == 1);
}

TEST_CASE("Copies go with the same parent, with its copy, or with nobody elsewhere", "[ui][arrangement]") {
  Parts p;
  p.parent(2, 1);
  p.choose({Id{2}});
  REQUIRE(duplicate_selected(p.document, p.selection));
  CHECK(p.scene().objects.back()->parent == 1);
  p.choose({Id{1}, Id{2}}, Id{1});
  REQUIRE(duplicate_selected(p.document, p.selection));
  const Object& cup = *p.scene().objects.back();
  CHECK(cup.name == "Cup 3");
  CHECK(find_object(p.scene(), Id{cup.parent})->name == "Tray 2");
  p.choose({Id{2}});
  const QString text = copied_text(p.scene(), p.selection);
  CHECK(paste_text(p.document, p.selection, text).isEmpty());
  CHECK(p.scene().objects.back()->parent == 0);
}

TEST_CASE("Collections: made of the selection, filled, selected, emptied and deleted", "[ui][arrangement]") {
  Parts p;
  p.choose({Id{1}, Id{7}});
  const Id props = add_collection(p.document, p.selection);
  REQUIRE(props);
  CHECK(p.object(1).collection == props.value);
  CHECK(p.scene().lights[0]->collection == props.value);
  CHECK(p.selection.ids() == Ids{props});
  CHECK(no_moving(p.scene(), p.selection).isEmpty());
  p.choose({Id{5}, Id{6}});
  move_to_collection(p.document, p.selection, props);
  CHECK(p.document.undo_stack()->undoText() == "Move 2 objects to Collection");
  p.choose({props});
  select_collection(p.scene(), p.selection, {});
  CHECK(p.selection.ids() == Ids{Id{1}, Id{5}, Id{6}, Id{7}});
  // One in it.
  p.choose({Id{5}});
  const Id inner = add_collection(p.document, p.selection);
  CHECK(p.scene().collections.back()->collection == props.value);
  CHECK(things_in(p.scene(), props).count(Id{5}) == 1);
  // Hidden, locked: select all, invert, delete.
  REQUIRE(p.document
              .edit("Lock", with_thing(p.scene(), props,
                                       [](auto& thing) {
                                         if constexpr (requires { thing.locked; }) thing.locked = true;
                                       }))
              .ok());
  select_all(p.scene(), p.selection);
  CHECK(p.selection.ids() == Ids{Id{2}, Id{3}, Id{4}});
  p.choose({Id{1}, Id{2}});
  delete_selected(p.document, p.selection);
  CHECK(find_object(p.scene(), Id{1}));
  CHECK_FALSE(find_object(p.scene(), Id{2}));
  CHECK(ObjectsTarget::movable(p.scene(), {Id{1}, Id{3}, Id{7}}) == Ids{Id{3}});
  // With its contents, but for what is locked; then alone.
  p.document.undo_stack()->undo();
  p.document.undo_stack()->undo();
  p.choose({inner});
  delete_collections(p.document, p.selection, true);
  CHECK_FALSE(find_object(p.scene(), Id{5}));
  p.choose({props});
  CHECK(no_deleting(p.scene(), p.selection).isEmpty());
  delete_collections(p.document, p.selection, false);
  CHECK(p.scene().collections.empty());
  CHECK(p.object(1).collection == 0);
}

TEST_CASE("A collection is copied with what is in it, and comes to another scene by its name", "[ui][arrangement]") {
  Parts p;
  p.choose({Id{1}, Id{5}});
  const Id props = add_collection(p.document, p.selection);
  p.parent(2, 1);
  p.choose({props});
  const QString text = copied_text(p.scene(), p.selection);
  Parts other(Scene{});
  CHECK(paste_text(other.document, other.selection, text).isEmpty());
  REQUIRE(other.scene().collections.size() == 1);
  CHECK(other.scene().collections[0]->name == "Collection");
  CHECK(things_in(other.scene(), other.scene().collections[0]->id).size() == 3);
  CHECK_FALSE(has_error(validate(other.scene())));
  // Once more: into the same one.
  CHECK(paste_text(other.document, other.selection, text).isEmpty());
  CHECK(other.scene().collections.size() == 1);
  CHECK(things_in(other.scene(), other.scene().collections[0]->id).size() == 6);
  // An empty one comes too.
  p.choose({});
  p.choose({add_collection(p.document, p.selection)});
  CHECK(p.scene().collections.back()->name == "Collection 2");
  CHECK(paste_text(other.document, other.selection, copied_text(p.scene(), p.selection)).isEmpty());
  REQUIRE(other.scene().collections.size() == 2);
  CHECK(other.scene().collections[1]->name == "Collection 2");
  p.document.undo_stack()->undo();
  // Duplicated, it is another one.
  p.choose({props});
  REQUIRE(duplicate_selected(p.document, p.selection));
  REQUIRE(p.scene().collections.size() == 2);
  CHECK(p.scene().collections[1]->name == "Collection 2");
  CHECK(things_in(p.scene(), p.scene().collections[1]->id).size() == 3);
}

TEST_CASE("Isolated, only some are seen and selected; what is added is; nothing of it is an edit",
          "[ui][arrangement]") {
  Parts p;
  p.choose({Id{1}, Id{5}});
  Isolation& isolation = p.session.isolation;
  isolation.show_only(objects_of_selected(p.scene(), p.selection));
  CHECK(p.steps() == 0);
  CHECK(isolation.shown() == 2);
  select_all(p.scene(), p.selection, isolation.aside());
  CHECK(p.selection.ids() == Ids{Id{1}, Id{5}});
  const Id box = add_primitive(p.document, p.selection, PrimitiveShape::box);
  CHECK(isolation.aside().count(box) == 0);
  CHECK(isolation.shown() == 3);
  isolation.end();
  CHECK(isolation.aside().empty());
  isolation.show_only({Id{1}});
  p.document.reset(kitchen(), {});
  CHECK_FALSE(isolation.on());
}

namespace {

/// What collections mean, by a plain walk.
bool seen_by_walk(const Scene& scene, const Object& object, bool Collection::*flag) {
  const Object* eldest = &object;
  while (eldest->parent != 0) eldest = find_object(scene, Id{eldest->parent});
  std::uint64_t at = eldest->collection;
  while (at != 0)
    for (const auto& collection : scene.collections)
      if (collection->id.value == at) {
        if (collection.get()->*flag == (flag == &Collection::locked)) return flag == &Collection::locked;
        at = collection->collection;
        break;
      }
  return flag == &Collection::visible;
}

void check_tree(const Scene& scene, const SceneModel& model) {
  std::set<Id> met;
  const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& above) {
    for (int row = 0; row < model.rowCount(above); ++row) {
      const QModelIndex index = model.index(row, 0, above);
      const Id id = model.id(index);
      REQUIRE(model.parent(index) == above);
      REQUIRE(model.index_of(id) == index);
      REQUIRE(met.insert(id).second);
      std::uint64_t expected = 0;
      REQUIRE(visit_thing(scene, id, [&](const auto&, const auto& thing) {
        if constexpr (requires { thing->collection; }) expected = thing->collection;
        if constexpr (requires { thing->parent; })
          if (thing->parent != 0) expected = thing->parent;
        CHECK(index.data().toString().toStdString() == thing->name);
      }));
      CHECK(model.id(above).value == expected);
      walk(index);
    }
  };
  walk({});
  std::size_t things = 0;
  visit_scene_lists([&](const auto& list) { things += (scene.*list.member).size(); });
  CHECK(met.size() == things);
}

void check_all(const Scene& scene, const SceneModel& model) {
  REQUIRE_FALSE(has_error(validate(scene)));
  const Standing standing(scene);
  for (const auto& object : scene.objects) {
    CHECK(standing.visible(*object) == (object->visible && seen_by_walk(scene, *object, &Collection::visible)));
    CHECK(standing.locked(*object) == (object->locked || seen_by_walk(scene, *object, &Collection::locked)));
  }
  check_tree(scene, model);
}

Vec3 local(const Scene& scene, const Object& child) {
  const Transform &p = find_object(scene, Id{child.parent})->transform, &c = child.transform;
  return (p.rotation.conjugate() * (c.position - p.position)).cwiseQuotient(p.scale);
}

class RandomEdits {
 public:
  explicit RandomEdits(unsigned seed) : engine_(seed) {}

  void run(int count) {
    check_all(p_.scene(), model_);
    texts_ = {scene_to_text(p_.scene())};
    for (int k = 0; k < count; ++k) {
      const std::size_t before = static_cast<std::size_t>(p_.steps());
      what_.clear();
      edit();
      story_ += "\n" + std::to_string(k) + " " + what_;
      INFO(story_);
      check_all(p_.scene(), model_);
      const auto now = static_cast<std::size_t>(p_.steps());
      if (now > before && what_ != "redo") texts_.resize(now);
      if (now == texts_.size())
        texts_.push_back(scene_to_text(p_.scene()));
      else
        REQUIRE(scene_to_text(p_.scene()) == texts_[now]);
      families = std::max(families, carried_objects(p_.scene()).size());
    }
    while (p_.document.undo_stack()->canUndo()) {
      p_.document.undo_stack()->undo();
      REQUIRE(scene_to_text(p_.scene()) == texts_[static_cast<std::size_t>(p_.steps())]);
    }
    check_all(p_.scene(), model_);
  }
  std::map<std::string, int> done;
  std::size_t families = 0;

 private:
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Ids some(int of) {
    Ids ids;
    visit_scene_lists([&](const auto& list) {
      for (const auto& thing : p_.scene().*list.member)
        if (below(of) == 0) ids.insert(thing->id);
    });
    return ids;
  }
  Id some_object() {
    return p_.scene().objects[static_cast<std::size_t>(below(static_cast<int>(p_.scene().objects.size())))]->id;
  }
  Id some_collection() {
    const auto& all = p_.scene().collections;
    return all.empty() || below(4) == 0 ? Id{} : all[static_cast<std::size_t>(below(static_cast<int>(all.size())))]->id;
  }

  /// In several steps of one drag: what hangs on what is moved goes along, nothing else does.
  void drag() {
    const Scene start = p_.scene();
    const Ids ids = some(4);
    const ObjectsTarget target(p_.document.snapshot(), ids, {});
    if (target.empty()) return;
    const Ids moved = ObjectsTarget::movable(start, ids);
    const quint64 key = p_.document.new_gesture();
    TransformValue value;
    value.mode = static_cast<TransformMode>(below(3));
    value.pivot = target.pivot();
    value.axis = Vec3(in(-1, 1), in(-1, 1), in(0.1, 1)).normalized();
    for (int k = 0; k < 3; ++k) {
      value.move = Vec3(in(-3, 3), in(-3, 3), in(-3, 3));
      value.angle = in(-3, 3);
      value.factors = Vec3::Constant(in(0.8, 1.25));
      if (!p_.document.edit("Drag", target.result(value), key).ok()) return;
    }
    for (const auto& object : p_.scene().objects) {
      if (moved.count(object->id)) continue;
      const Object& was = *find_object(start, object->id);
      if (object->parent != 0) CHECK((local(p_.scene(), *object) - local(start, was)).norm() < 1e-9);
      bool hangs = false;
      for (Id id : moved) hangs = hangs || goes_with(start, object->id, id);
      if (!hangs) CHECK(object->transform.position == was.transform.position);
    }
  }

  /// Rows of the outliner, anywhere.
  void drop_rows() {
    QModelIndexList rows;
    for (Id id : some(5)) rows << model_.index_of(id);
    if (rows.isEmpty()) return;
    std::unique_ptr<QMimeData> data(model_.mimeData(rows));
    const QModelIndex onto =
        below(3) == 0 ? QModelIndex() : model_.index_of(below(2) ? some_object() : some_collection());
    const int count = model_.rowCount(onto);
    model_.dropMimeData(data.get(), Qt::MoveAction, below(2) ? -1 : below(count + 1), 0, onto);
  }

  void edit() {
    struct Move {
      const char* name;
      std::function<void()> run;
    };
    DocumentController& d = p_.document;
    Selection& s = p_.selection;
    const bool many = p_.scene().objects.size() > 14;
    const Move moves[] = {
        {"new collection", [&] { s.set(some(4)), add_collection(d, s); }},
        {"move to collection", [&] { s.set(some(4)), move_to_collection(d, s, some_collection()); }},
        {"parent",
         [&] {
           const Id child = some_object(), to = some_object();
           s.set({child, to}, to);
           if (no_parent(p_.scene(), s).isEmpty()) set_parent(d, s);
         }},
        {"parent",
         [&] {
           const Id child = some_object(), to = some_object();
           s.set({child, to}, to);
           if (no_parent(p_.scene(), s).isEmpty()) set_parent(d, s);
         }},
        {"clear parent",
         [&] {
           s.set(some(3));
           if (no_clearing(p_.scene(), s).isEmpty()) clear_parent(d, s);
         }},
        {"delete",
         [&] {
           if (many || below(3) == 0) s.select_only(some_object()), delete_selected(d, s);
         }},
        {"delete collections",
         [&] {
           if (Id id = some_collection()) s.select_only(id), delete_collections(d, s, many);
         }},
        {"duplicate",
         [&] {
           if (!many) s.set(some(6)), (void)duplicate_selected(d, s);
         }},
        {"drag", [&] { drag(); }},
        {"drag", [&] { drag(); }},
        {"kind",
         [&] {
           s.select_only(some_object());
           set_body_kind(d, s, below(2) ? BodyKind::fixed : static_cast<BodyKind>(below(4)));
         }},
        {"eye",
         [&] {
           if (Id id = some_collection()) model_.toggle({id}, SceneModel::eye_column);
         }},
        {"lock", [&] { model_.toggle({below(2) ? some_object() : some_collection()}, SceneModel::lock_column); }},
        {"paste",
         [&] {
           if (many) return;
           s.set(some(6));
           if (const QString text = copied_text(p_.scene(), s); !text.isEmpty()) (void)paste_text(d, s, text);
         }},
        {"rows dropped", [&] { drop_rows(); }},
        {"rows dropped", [&] { drop_rows(); }},
        {"undo",
         [&] {
           for (int k = 1 + below(3); k > 0; --k) d.undo_stack()->undo();
           if (below(2) == 0 || !d.undo_stack()->canRedo()) return;
           d.undo_stack()->redo();
           ++done["redo"];
         }},
        {"redo", [&] { d.undo_stack()->redo(); }},
    };
    const Move& move = moves[below(static_cast<int>(std::size(moves)))];
    what_ = move.name;
    const int before = p_.steps();
    move.run();
    if (p_.steps() != before) ++done[what_];
  }

  std::mt19937 engine_;
  Parts p_;
  SceneModel model_{p_.document};
  std::vector<std::string> texts_;  ///< by undo step
  std::string story_, what_;
};

}  // namespace

TEST_CASE("Random edits of families and collections: everything agrees after each of them", "[ui][arrangement][undo]") {
  std::map<std::string, int> done;
  std::size_t families = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    RandomEdits edits(seed);
    edits.run(80);
    for (const auto& [what, count] : edits.done) done[what] += count;
    families = std::max(families, edits.families);
  }
  for (const auto& [what, count] : done) UNSCOPED_INFO(what << ": " << count);
  // The dice reached what the test is about.
  for (const char* what :
       {"new collection", "move to collection", "parent", "clear parent", "delete", "delete collections", "duplicate",
        "drag", "kind", "eye", "lock", "paste", "rows dropped", "undo", "redo"}) {
    INFO(what);
    CHECK(done[what] >= 5);
  }
  CHECK(families >= 2);
}

}  // namespace arrangement_test
