// 200 random edits at random moments: over every row of the field table, every list (trusses, bones, painted weights,
// metaballs, variants, materials of parts), adding, removing and duplicating objects, undo and redo. Whenever the fill has settled, the frames that grew edit by edit equal those of a run from scratch, bit for
// bit: states, poses, nodes, display vertices and normals.
#include <catch2/catch.hpp>

#include <map>

#include "core/motion/compile.h"
#include "core/scene/derived/family.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_scenes.h"

namespace random_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 18;

Scene random_edit(const Scene& scene, EditDice& dice, std::string& what) {
  Scene next = scene;
  const int kind = dice.below(22);
  const auto some_object = [&] { return static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size()))); };
  if (kind == 0 && next.objects.size() < 9) {
    what = "add";
    Object o = ball(next_id(next).value, unique_name(next, "New"), dice.below(2) ? BodyKind::rigid : BodyKind::flexible,
                    Vec3(dice.between(-2, 2), dice.between(1, 3), dice.between(-2, 2)));
    next.objects.push_back(Shared<Object>(std::move(o)));
  } else if (kind == 1 && next.objects.size() > 3) {
    what = "remove";
    next = without(next, next.objects[some_object()]->id);
  } else if (kind == 2 && next.objects.size() < 9) {
    what = "duplicate";
    Object copy = *next.objects[some_object()];
    copy.id = next_id(next);
    copy.name = unique_name(next, copy.name);
    copy.transform.position += Vec3(1.5, 0.3, 0);
    next.objects.push_back(Shared<Object>(std::move(copy)));
  } else if (kind == 3) {
    what = "reorder";
    std::swap(next.objects[some_object()], next.objects[some_object()]);
  } else if (kind >= 20) {
    // Something that stands goes with another, or with nobody.
    const std::size_t child = some_object(), parent = some_object();
    what = "family: parent of " + next.objects[child]->name;
    const std::uint64_t id = kind == 20 ? next.objects[parent]->id.value : 0;
    next.objects[child] = next.objects[child].edited([&](Object& o) {
      o.body.kind = BodyKind::fixed;
      o.parent = o.id.value == id ? 0 : id;
    });
  } else if (kind <= 5) {
    change_some_field(settings_fields(), next.settings, dice, what);
  } else if (kind <= 12) {
    // Each list in turn, of an object that has one.
    std::vector<std::string_view> paths;
    visit_lists(std::type_identity<Object>{}, [&](const auto& list) { paths.push_back(list.path); });
    const std::string_view path = paths[static_cast<std::size_t>(dice.turn()) % paths.size()];
    std::size_t i = some_object();
    for (std::size_t k = 0; k < next.objects.size(); ++k) {
      const std::size_t at = (i + k) % next.objects.size();
      Object copy = *next.objects[at];
      if (!change_some_list(copy, dice, what, path)) continue;
      i = at;
      break;
    }
    // Most changes of a number that refers to something lead to nothing valid: others are tried.
    for (int tries = 0; tries < 20; ++tries) {
      const Shared<Object> object = scene.objects[i].edited([&](Object& o) {
        if (dice.below(6) == 0 || !change_some_list(o, dice, what, path)) grow_some_list(o, dice, what);
      });
      next.objects[i] = object;
      if (!has_error(validate_change(scene, next))) break;
    }
    what = "list: " + what + " of " + next.objects[i]->name;
  } else {
    const std::size_t i = some_object();
    // Of each solver there are few parameters, and of families one row: without a share of their own they would hardly be met.
    const bool parameter = dice.below(10) == 0, family = !parameter && dice.below(10) == 0;
    if (family) {
      const Id parent = next.objects[some_object()]->id;
      next.objects[i] = next.objects[i].edited([&](Object& o) {
        o.parent = parent.value;
        if (dice.below(2) == 0) o.body.kind = BodyKind::fixed;
      });
      what = "parent of " + next.objects[i]->name;
      return next;
    }
    next.objects[i] = next.objects[i].edited(
        [&](Object& o) { change_some_field(parameter ? elastic_parameter_fields() : object_fields(), o, dice, what); });
    what += " of " + next.objects[i]->name;
  }
  return next;
}

bool acts_at_contacts(const Field<Object>& field) {
  return field.effect == Effect::contact || field.path == "material.substance.young";
}

/// Half of the edits on objects go to what acts from the first contact on: these leave frames standing.
Scene contact_edit(const Scene& scene, EditDice& dice, std::string& what) {
  std::vector<const Field<Object>*> rows;
  for (const auto& field : object_fields())
    if (acts_at_contacts(field)) rows.push_back(&field);
  REQUIRE_FALSE(rows.empty());
  Scene next = scene;
  const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size())));
  next.objects[i] = next.objects[i].edited([&](Object& o) {
    const auto& field = *pick(rows, dice);
    const FieldValue value = near_value(field, field.get(o), dice);
    if (!field_problem(field, value).empty()) return;
    field.set(o, value);
    what = field.path;
  });
  what += " of " + next.objects[i]->name;
  return next;
}

struct Tally {
  int edits = 0, undone = 0, checked = 0, kept_some = 0, stopped = 0;
  std::map<std::string, int> lists;  // edits of each
  std::size_t carried = 0;           // objects, in scenes that were compared
};

void run_edits(std::uint64_t seed, int edits, Tally& tally) {
  EditDice dice(seed);
  FillRun run(2);
  std::vector<Shared<Scene>> history = {Shared<Scene>(listed_scene())};
  std::size_t at = 0;
  run.fill.start(history[0], 0, kLast);
  std::string story;
  for (int edit = 0; edit < edits; ++edit) {
    // The moment: at once, after some frames, or when everything is there.
    switch (dice.below(3)) {
      case 0:
        break;
      case 1:
        run.wait_for(dice.below(kLast));
        break;
      default:
        run.settle();
    }
    const Shared<Scene> before = history[at];
    Shared<Scene> after = before;
    std::string what;
    const int move = dice.below(10);
    if (move == 0 && at > 0) {
      after = history[--at];
      what = "undo";
      ++tally.undone;
    } else if (move == 1 && at + 1 < history.size()) {
      after = history[++at];
      what = "redo";
      ++tally.undone;
    } else {
      Scene next = move < 5 ? contact_edit(*before, dice, what) : random_edit(*before, dice, what);
      if (has_error(validate(next))) continue;
      after = Shared<Scene>(std::move(next));
      history.resize(at + 1);
      history.push_back(after);
      ++at;
    }
    ++tally.edits;
    if (what.starts_with("list: ")) ++tally.lists[what.substr(6, what.find(' ', 6) - 6)];
    story += "\n" + std::to_string(edit) + " " + what;
    run.start(*before, after, kLast);
    const int left = run.cache.size();
    if (left > 0 && left <= kLast) ++tally.kept_some;
    if (dice.below(3) != 0) continue;
    INFO("seed " << seed << ", edits:" << story);
    const FillStatus status = run.settle();
    MeshStore meshes;
    const auto surfaces = meshes.prepare(*after, 1);
    if (!compile(*after, meshes)) {
      CHECK(status.phase == FillStatus::Phase::stopped);
      continue;
    }
    if (status.phase == FillStatus::Phase::stopped) ++tally.stopped;
    const auto fresh = fresh_run(*after, kLast);
    REQUIRE(run.cache.size() == static_cast<int>(fresh.size()));
    run.check_equals_fresh(*after, kLast);
    ++tally.checked;
    tally.carried += carried_objects(*after).size();
  }
  INFO("seed " << seed << ", edits:" << story);
  run.settle();
  MeshStore meshes;
  const auto surfaces = meshes.prepare(*history[at], 1);
  if (compile(*history[at], meshes)) run.check_equals_fresh(*history[at], kLast);
}

}  // namespace

TEST_CASE("frames that grew over 200 random edits equal those of a fresh run", "[threads]") {
  Tally tally;
  for (int k = 1; k <= test::rounds(9, 1); ++k) run_edits(static_cast<std::uint64_t>(11 * k), 50, tally);
  INFO(tally.edits << " edits, " << tally.undone << " undone or redone, " << tally.checked << " compared, "
                   << tally.kept_some << " kept frames, " << tally.stopped << " stopped");
  for (const auto& [list, edits] : tally.lists) UNSCOPED_INFO(list << ": " << edits);
  if (test::sanitized()) return;
  // The dice reached what the test is about.
  CHECK(tally.edits >= 200);
  CHECK(tally.undone >= 20);
  CHECK(tally.checked >= 50);
  CHECK(tally.kept_some >= 20);
  CHECK(tally.carried >= 20);
  for (const char* list : {"display.metaballs.primitives", "analysis.strung.nodes", "analysis.strung.springs",
                           "mapping.bones", "mapping.painted", "part_materials", "other_analyses", "analysis"}) {
    INFO(list);
    CHECK(tally.lists[list] >= 3);  // "analysis": another one is switched to
  }
}

}  // namespace random_edits_test
