// Random edits of groups, of pairs and of who takes part in contacts: whatever frames an edit leaves standing, they are those of a
// run from the start, bit for bit.
#include <catch2/catch.hpp>

#include "tests/support/edits.h"
#include "tests/support/fill_run.h"

namespace contact_rules_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 16;

/// Things that touch each other at different times: a box on the floor, a ball that lands on it, one that lands beside it, a soft
/// one that rolls into them.
Scene some_scene() {
  Scene scene;
  scene.settings.substeps = 2;
  scene.settings.last_frame = kLast;
  Object low = box(2, "Low", Vec3(0, 0.5, 0));
  low.body.spin = Vec3::Zero();
  Object high = ball(3, "High", BodyKind::rigid, Vec3(0.1, 1.6, 0));
  high.body.velocity = Vec3(0, -1, 0);
  Object beside = ball(4, "Beside", BodyKind::rigid, Vec3(1.6, 0.9, 0));
  beside.body.velocity = Vec3(-3, -3, 0);
  Object soft = ball(5, "Soft", BodyKind::flexible, Vec3(-1.8, 0.55, 0));
  soft.body.velocity = Vec3(5, 0, 0);
  scene.objects = {floor_object(1), low, high, beside, soft};
  return scene;
}

Scene edited(const Scene& scene, EditDice& dice, std::string& what) {
  Scene next = scene;
  const std::vector<std::string> kNames = {"", "a", "b", "a, b", "c"};
  const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size())));
  const int kind = dice.below(8);
  if (kind <= 3) {
    what = kind <= 1 ? "groups" : "ignores";
    const std::string words = pick(kNames, dice);
    next.objects[at] =
        next.objects[at].edited([&](Object& o) { (kind <= 1 ? o.contact.groups : o.contact.ignores) = words; });
  } else if (kind == 4) {
    what = "collides";
    next.objects[at] = next.objects[at].edited([](Object& o) { o.contact.enabled = !o.contact.enabled; });
  } else if (kind == 5) {
    what = "pair added";
    ContactPair pair;
    pair.id = next_id(next);
    pair.name = unique_name(next, "Pair");
    pair.a = next.objects[at]->id.value;
    pair.b = pick(next.objects, dice)->id.value;
    pair.restitution = dice.unit();
    pair.friction = dice.unit();
    next.pairs.push_back(pair);
  } else if (!next.pairs.empty()) {
    auto& pair = next.pairs[static_cast<std::size_t>(dice.below(static_cast<int>(next.pairs.size())))];
    if (kind == 6) {
      what = "pair removed";
      next = without(next, pair->id);
    } else {
      what = "pair changed: ";
      std::string field;
      pair = pair.edited([&](ContactPair& p) { change_some_field(pair_fields(), p, dice, field); });
      what += field;
    }
  }
  return next;
}

}  // namespace

TEST_CASE("Random edits of groups and pairs leave the frames of a run from the start", "[contact_rules]") {
  for (const std::uint64_t seed : {31, 32, 33}) {
    EditDice dice(seed);
    FillRun run(1);
    Scene scene = some_scene();
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    run.settle();
    int kept_some = 0, done = 0;
    for (int i = 0; i < 40; ++i) {
      std::string what;
      Scene next = edited(scene, dice, what);
      if (has_error(validate(next))) continue;
      INFO("seed " << seed << ", edit " << i << ": " << what);
      run.start(scene, next, kLast);
      ++done;
      const ChangeSet change = diff(scene, next, [&](const Cause&) { return kNoFrame; });
      kept_some += change.first_frame != 0;
      run.settle();
      run.check_equals_fresh(next, kLast);
      scene = std::move(next);
    }
    CHECK(done >= 25);
    CHECK(kept_some >= 10);
  }
}

}  // namespace contact_rules_edits_test
