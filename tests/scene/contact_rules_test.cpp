// Which objects ignore each other, and pairs with values of their own: what a run reads of them, and from which frame on an edit
// makes another run.
#include <catch2/catch.hpp>

#include <map>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/scene_lists.h"
#include "tests/scene/random_scene.h"

namespace hazumi::contact_rules_test {

namespace {

constexpr Id kFloor{1}, kBall{2}, kBox{3}, kDot{4};

Scene grouped(const std::map<Id, std::pair<std::string, std::string>>& words, Scene scene = test::plain_scene()) {
  for (const auto& [id, said] : words)
    scene = with_object(std::move(scene), id, [&said = said](Object& o) {
      o.contact.groups = said.first;
      o.contact.ignores = said.second;
    });
  return scene;
}

Scene paired(std::uint64_t a, std::uint64_t b, double restitution, double friction, Scene scene = test::plain_scene()) {
  ContactPair pair;
  pair.id = next_id(scene);
  pair.name = "Pair " + std::to_string(pair.id.value);
  pair.a = a;
  pair.b = b;
  pair.restitution = restitution;
  pair.friction = friction;
  scene.pairs.push_back(pair);
  return scene;
}

/// Objects touch first in frame ten times their id; the dot touches nothing.
int tenfold(const Cause& cause) { return cause.thing == kDot ? kNoFrame : static_cast<int>(10 * cause.thing.value); }

ChangeSet diff_of(const Scene& before, const Scene& after) {
  const ChangeSet change = diff(before, after, tenfold);
  CHECK(change.simulation == (simulation_signature(before) != simulation_signature(after)));
  return change;
}

int first(const Scene& before, const Scene& after) { return diff_of(before, after).first_frame; }

/// As the words say it, without masks.
bool ignored_by_words(const Object& a, const Object& b) {
  const auto says = [](const Object& who, const Object& whom) {
    for (const auto ignored : group_names(who.contact.ignores))
      for (const auto in : group_names(whom.contact.groups))
        if (in == ignored) return true;
    return false;
  };
  return collides(a) && collides(b) && (says(a, b) || says(b, a));
}

std::string only(const Diagnostics& diagnostics) {
  REQUIRE(diagnostics.size() == 1);
  return diagnostics[0].path + ": " + diagnostics[0].message;
}

}  // namespace

TEST_CASE("A list of groups is names with commas between them", "[contact_rules]") {
  using Names = std::vector<std::string_view>;
  CHECK(group_names("").empty());
  CHECK(group_names(" , ,,").empty());
  CHECK(group_names("wheels") == Names{"wheels"});
  CHECK(group_names(" left hand ,glove,\tA b\n") == Names{"left hand", "glove", "A b"});
}

TEST_CASE("Masks say what the words say, in random scenes", "[contact_rules]") {
  const std::vector<std::string> kNames = {"a", "b ", " c", "d e", "nobody"};
  int ignoring = 0, pairs = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    test::Dice dice(seed);
    Scene scene;
    const auto list = [&] {
      std::string text;
      for (const std::string& name : kNames)
        if (dice.below(4) == 0) text += (text.empty() ? "" : ",") + name;
      return text;
    };
    for (std::uint64_t id = 1; id <= 9; ++id) {
      Object o = test::make_object(id, "o", {});
      o.contact.groups = list();
      o.contact.ignores = list();
      o.contact.enabled = dice.below(8) != 0;
      scene.objects.insert(scene.objects.begin() + dice.below(std::ssize(scene.objects) + 1), Shared<Object>(o));
    }
    const auto masks = collision_groups(scene);
    INFO("seed " << seed);
    for (const auto& a : scene.objects)
      for (const auto& b : scene.objects) {
        if (a->id == b->id) continue;
        ++pairs;
        const bool does = ignore_each_other(mask_of(masks, a->id), mask_of(masks, b->id));
        ignoring += does;
        CHECK(does == ignored_by_words(*a, *b));
      }
  }
  CHECK(ignoring > pairs / 5);
  CHECK(ignoring < pairs * 4 / 5);
}

TEST_CASE("A group that nobody ignores is nothing to a run, and names are only names", "[contact_rules]") {
  const Scene plain = test::plain_scene();
  for (const Scene& idle : {grouped({{kBall, {"a", ""}}}), grouped({{kBall, {"", "a"}}}),
                            grouped({{kBall, {"a", "a"}}}), grouped({{kBall, {"a", "b"}}, {kBox, {"a", "c"}}})}) {
    CHECK(collision_groups(idle).empty());
    CHECK(diff_of(plain, idle).look);
    CHECK(diff_of(idle, plain).first_frame == kNoFrame);
  }
  const Scene one = grouped({{kBall, {"a", "b"}}, {kBox, {"b", ""}}}),
              other = grouped({{kBall, {"x", "Y z"}}, {kBox, {" Y z,q", ""}}});
  CHECK(simulation_signature(one) != simulation_signature(plain));
  CHECK(diff_of(one, other).look);
}

TEST_CASE("To ignore drops frames from the first contact of one of them on, to ignore no more all", "[contact_rules]") {
  const Scene plain = test::plain_scene(), apart = grouped({{kBall, {"a", ""}}, {kBox, {"", "a"}}});
  CHECK(first(plain, apart) == 20);
  CHECK(first(apart, plain) == 0);
  const Scene three = grouped({{kBall, {"a", ""}}, {kBox, {"a", "a"}}, {kDot, {"a", ""}}});
  CHECK(first(apart, three) == 30);  // box and dot; ball and box did before
  CHECK(first(three, apart) == 0);
  CHECK(first(plain, grouped({{kBox, {"a", ""}}, {kFloor, {"", "a"}}})) == 10);
  // What takes no part in contacts ignores nobody.
  const Scene ghost = with_object(plain, kBox, [](Object& o) { o.contact.enabled = false; });
  CHECK(diff_of(ghost, grouped({{kBall, {"a", ""}}, {kBox, {"", "a"}}}, ghost)).look);
  CHECK(diff(plain, apart, {}).first_frame == 0);  // nobody knows
}

TEST_CASE("Values of a pair drop frames from where both have touched something", "[contact_rules]") {
  const Scene plain = test::plain_scene();
  const double e = find_object(plain, kBall)->material.substance.restitution,
               mu = find_object(plain, kBox)->material.substance.friction;
  const Scene same = paired(2, 3, mixed_value(e, e), mixed_value(mu, mu)), bouncy = paired(2, 3, 0.9, 0.1);
  CHECK(diff_of(plain, same).simulation);
  CHECK(first(plain, same) == kNoFrame);  // what the materials say
  CHECK(first(plain, bouncy) == 30);
  CHECK(first(bouncy, plain) == 30);
  CHECK(first(same, bouncy) == 30);
  CHECK(first(bouncy, paired(2, 3, 0.9, 0.2)) == 30);
  CHECK(first(bouncy, paired(3, 2, 0.9, 0.1)) == kNoFrame);
  CHECK(first(plain, paired(4, 3, 0.9, 0.1)) == kNoFrame);  // the dot has not touched anything
  const Scene off = with_thing(bouncy, bouncy.pairs[0]->id, [](auto& pair) { pair.visible = false; });
  CHECK(first(bouncy, off) == 30);
  CHECK(diff_of(plain, off).look);
  CHECK(pair_values(off).empty());
  const Scene ghost = with_object(bouncy, kBox, [](Object& o) { o.contact.enabled = false; });
  CHECK(pair_values(ghost).empty());
  CHECK(first(bouncy, ghost) == 30);
  CHECK(first(ghost, bouncy) == 0);
  const Scene renamed = with_thing(bouncy, bouncy.pairs[0]->id, [](auto& pair) { pair.name = "Other"; });
  CHECK(diff_of(bouncy, renamed).look);
}

TEST_CASE("What a pair may not be", "[contact_rules][validate]") {
  CHECK(validate(paired(2, 3, 0, 0)).empty());
  CHECK(only(validate(paired(2, 9, 0, 0))) == "pairs[0] \"Pair 6\" b: The scene has no object with the id 9.");
  CHECK(only(validate(paired(5, 3, 0, 0))) ==
        "pairs[0] \"Pair 6\" a: The scene has no object with the id 5.");  // a light
  CHECK(only(validate(paired(3, 3, 0, 0))) == "pairs[0] \"Pair 6\" b: A pair needs two different objects.");
  CHECK(only(validate(paired(3, 2, 0, 0, paired(2, 3, 1, 1)))) ==
        "pairs[1] \"Pair 7\" b: The two objects are a pair already: pairs[0] \"Pair 6\".");
  CHECK(only(validate(paired(2, 3, 1.5, 0))) == "pairs[0] \"Pair 6\" restitution: Restitution must be at most 1.");
  CHECK(only(validate(paired(2, 3, 0, -1))) == "pairs[0] \"Pair 6\" friction: Friction must be at least 0.");
  const Scene plain = test::plain_scene(), good = paired(2, 3, 0, 0);
  const Scene bad = with_thing(good, good.pairs[0]->id, [](auto& thing) {
    if constexpr (requires { thing.b = 9; }) thing.b = 9;
  });
  CHECK(only(validate_change(good, bad)) == only(validate(bad)));
  CHECK(only(validate_change(plain, paired(2, 9, 0, 0))) == only(validate(paired(2, 9, 0, 0))));
  // With an object go its pairs.
  const Scene less = without(paired(1, 2, 0, 0, good), kBox);
  REQUIRE(less.pairs.size() == 1);
  CHECK(less.pairs[0]->a == 1);
  CHECK(validate_change(good, less).empty());
}

TEST_CASE("At most 64 groups can be ignored", "[contact_rules][validate]") {
  std::string names, more;
  for (int i = 0; i < 64; ++i) names += "group " + std::to_string(i) + ",";
  more = names + "one more";
  const Scene full = grouped({{kBall, {names, ""}}, {kBox, {"", names}}}),
              over = grouped({{kBall, {more, ""}}, {kBox, {"", more}}});
  CHECK(validate(full).empty());
  CHECK(validate(grouped({{kBall, {more, ""}}, {kBox, {"", names}}})).empty());
  const std::string told = "objects: Objects ignore 65 collision groups of others; at most 64 are possible.";
  CHECK(only(validate(over)) == told);
  CHECK(only(validate_change(full, over)) == told);
}

TEST_CASE("Files hold groups and pairs only where there are some", "[contact_rules][scene_io]") {
  const std::string plain = scene_to_text(test::plain_scene());
  CHECK(plain.find("\"pairs\"") == std::string::npos);
  CHECK(plain.find("\"groups\"") == std::string::npos);
  CHECK(plain.find("\"ignores\"") == std::string::npos);
  const Scene scene = paired(2, 3, 0.25, 1.5, grouped({{kBall, {"a, b", ""}}, {kBox, {"", "b"}}}));
  const auto read = scene_from_text(scene_to_text(scene), "/nonexistent");
  REQUIRE(read.ok());
  REQUIRE(read.value().pairs.size() == 1);
  CHECK(same_fields(pair_fields(), *read.value().pairs[0], *scene.pairs[0]));
  CHECK(simulation_signature(read.value()) == simulation_signature(scene));
  CHECK(find_object(read.value(), kBall)->contact.groups == "a, b");
}

}  // namespace hazumi::contact_rules_test
