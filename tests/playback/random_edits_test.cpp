// 200 random edits at random moments: over every row of the field table, adding, removing and duplicating objects, undo
// and redo. Whenever the fill has settled, the frames that grew edit by edit equal those of a run from scratch, bit for
// bit: states, poses, nodes, display vertices and normals.
#include <catch2/catch.hpp>

#include "core/base/random.h"
#include "core/scene/validate.h"
#include "core/scene/values/fields.h"
#include "core/scene/values/materials.h"
#include "tests/support/fill_run.h"
#include "tests/support/small_scenes.h"

namespace random_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 18;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, Id{1}, count_++, 0); }
  int below(int n) { return std::min(static_cast<int>(unit() * n), n - 1); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  Vec3 vector(double size) {
    const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
    return Vec3(x, y, z);
  }

 private:
  std::uint64_t seed_, count_ = 0;
};

/// A number near the present one, now and then a far one; the caller asks the table whether it may be set.
double other_number(double now, Dice& dice) {
  if (dice.below(4) == 0) return dice.between(-2, 2);
  return now * dice.between(0.5, 1.7) + (dice.below(2) ? dice.between(-0.1, 0.1) : 0);
}

template <class Table>
const auto& pick(const Table& table, Dice& dice) {
  return table[static_cast<std::size_t>(dice.below(static_cast<int>(table.size())))];
}

template <class Owner>
FieldValue other_value(const Field<Owner>& field, const FieldValue& now, Dice& dice) {
  switch (field.type) {
    case FieldType::boolean:
      return !std::get<bool>(now);
    case FieldType::integer:
      return static_cast<std::int64_t>(1 + dice.below(4));
    case FieldType::number:
      return other_number(std::get<double>(now), dice);
    case FieldType::text:
      if (field.path.find("preset") != std::string_view::npos) return std::string(pick(material_presets(), dice).name);
      if (field.path.find("solver") != std::string_view::npos && !elastic_solvers().empty())
        return std::string(pick(elastic_solvers(), dice)->name);
      return "text " + std::to_string(dice.below(1000));
    case FieldType::vector:
    case FieldType::colour: {
      Vec3 v = std::get<Vec3>(now);
      for (int i = 0; i < 3; ++i)
        if (dice.below(2)) v[i] = other_number(v[i], dice);
      return v;
    }
    case FieldType::rotation: {
      const Vec3 axis = dice.vector(1).normalized();
      return Quat(Eigen::AngleAxisd(dice.between(0, 3), axis));
    }
    case FieldType::choice:
      return static_cast<std::int64_t>(dice.below(static_cast<int>(field.choices.size())));
    case FieldType::integers:
      return std::array<int, 3>{1 + dice.below(3), 1 + dice.below(3), 1 + dice.below(3)};
  }
  return now;
}

/// The scene with one field changed; the number of tries is bounded, then it stays as it is.
template <class Owner>
bool change_field(std::span<const Field<Owner>> fields, Owner& owner, Dice& dice, std::string& what) {
  for (int i = 0; i < 50; ++i) {
    const Field<Owner>& field = pick(fields, dice);
    if (field.path.find("mesh") != std::string_view::npos) continue;  // needs files beside the scene
    const FieldValue value = other_value(field, field.get(owner), dice);
    if (!field_problem(field, value).empty()) continue;
    field.set(owner, value);
    what = field.path;
    return true;
  }
  return false;
}

Scene random_edit(const Scene& scene, Dice& dice, std::string& what) {
  Scene next = scene;
  const int kind = dice.below(20);
  const auto some_object = [&] { return static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size()))); };
  if (kind == 0 && next.objects.size() < 8) {
    what = "add";
    Object o = ball(next_id(next).value, unique_name(next, "New"), dice.below(2) ? BodyKind::rigid : BodyKind::flexible,
                    Vec3(dice.between(-2, 2), dice.between(1, 3), dice.between(-2, 2)));
    next.objects.push_back(Shared<Object>(std::move(o)));
  } else if (kind == 1 && next.objects.size() > 3) {
    what = "remove";
    next = without(next, next.objects[some_object()]->id);
  } else if (kind == 2 && next.objects.size() < 8) {
    what = "duplicate";
    Object copy = *next.objects[some_object()];
    copy.id = next_id(next);
    copy.name = unique_name(next, copy.name);
    copy.transform.position += Vec3(1.5, 0.3, 0);
    next.objects.push_back(Shared<Object>(std::move(copy)));
  } else if (kind == 3) {
    what = "reorder";
    std::swap(next.objects[some_object()], next.objects[some_object()]);
  } else if (kind <= 5) {
    change_field(settings_fields(), next.settings, dice, what);
  } else {
    const std::size_t i = some_object();
    // Of each solver there are few parameters: without a share of their own they would hardly be met.
    const bool parameter = dice.below(10) == 0;
    next.objects[i] = next.objects[i].edited(
        [&](Object& o) { change_field(parameter ? elastic_parameter_fields() : object_fields(), o, dice, what); });
    what += " of " + next.objects[i]->name;
  }
  return next;
}

/// Half of the edits on objects go to what acts from the first contact on: these leave frames standing.
Scene contact_edit(const Scene& scene, Dice& dice, std::string& what) {
  std::vector<const Field<Object>*> rows;
  for (const auto& field : object_fields())
    if (field.effect == Effect::contact && field.path.find("mesh") == std::string_view::npos) rows.push_back(&field);
  REQUIRE_FALSE(rows.empty());
  Scene next = scene;
  const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size())));
  next.objects[i] = next.objects[i].edited([&](Object& o) {
    const auto& field = *pick(rows, dice);
    const FieldValue value = other_value(field, field.get(o), dice);
    if (!field_problem(field, value).empty()) return;
    field.set(o, value);
    what = field.path;
  });
  what += " of " + next.objects[i]->name;
  return next;
}

struct Tally {
  int edits = 0, undone = 0, checked = 0, kept_some = 0, stopped = 0;
};

void run_edits(std::uint64_t seed, int edits, Tally& tally) {
  Dice dice(seed);
  FillRun run(2);
  std::vector<Shared<Scene>> history = {Shared<Scene>(busy_scene())};
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
    story += "\n" + std::to_string(edit) + " " + what;
    run.start(*before, after, kLast);
    const int left = run.cache.size();
    if (left > 0 && left <= kLast) ++tally.kept_some;
    if (dice.below(3) != 0) continue;
    INFO("seed " << seed << ", edits:" << story);
    const FillStatus status = run.settle();
    MeshCache meshes;
    if (!compile(*after, meshes)) {
      CHECK(status.phase == FillStatus::Phase::stopped);
      continue;
    }
    if (status.phase == FillStatus::Phase::stopped) ++tally.stopped;
    const auto fresh = fresh_run(*after, kLast);
    REQUIRE(run.cache.size() == static_cast<int>(fresh.size()));
    run.check_equals_fresh(*after, kLast);
    ++tally.checked;
  }
  INFO("seed " << seed << ", edits:" << story);
  run.settle();
  MeshCache meshes;
  if (compile(*history[at], meshes)) run.check_equals_fresh(*history[at], kLast);
}

}  // namespace

TEST_CASE("frames that grew over 200 random edits equal those of a fresh run") {
  Tally tally;
  for (std::uint64_t seed : {11, 22, 33, 44, 55, 66, 77}) run_edits(seed, 50, tally);
  INFO(tally.edits << " edits, " << tally.undone << " undone or redone, " << tally.checked << " compared, "
                   << tally.kept_some << " kept frames, " << tally.stopped << " stopped");
  // The dice reached what the test is about.
  CHECK(tally.edits >= 200);
  CHECK(tally.undone >= 20);
  CHECK(tally.checked >= 50);
  CHECK(tally.kept_some >= 20);
}

}  // namespace random_edits_test
