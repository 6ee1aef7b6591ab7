// Classes of procedures (thesis 4.3, figure 4.16): what a child has from its parent, and what it is processed by.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/motion/check.h"
#include "core/motion/classes.h"
#include "tests/support/graph.h"

namespace classes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const ParameterRow* row(const ProcedureKind& kind, std::string_view name) {
  for (const ParameterRow& one : kind.parameters)
    if (one.name == name) return &one;
  return nullptr;
}

std::string parent_of(std::string_view kind) {
  const ProcedureKind* known = find_procedure_kind(kind);
  REQUIRE(known);
  return known->parent ? std::string(known->parent->name) : "";
}

}  // namespace

TEST_CASE("Classes are those of figure 4.16: a throw is a free fall, a bounce a collision", "[motion][classes]") {
  const std::map<std::string, std::string> parents = {{"gravity", ""},      {"fall", "gravity"}, {"throw", "fall"},
                                                      {"aim", "fall"},      {"collide", ""},     {"bounce", "collide"},
                                                      {"slide", "collide"}, {"land", "collide"}, {"roll", "slide"},
                                                      {"hold", ""},         {"follow", "hold"}};
  for (const auto& [kind, parent] : parents) {
    INFO(kind);
    CHECK(parent_of(kind) == parent);
  }
  CHECK(class_text(*find_procedure_kind("throw")) == "a free fall, gravity as it says");
  CHECK(class_text(*find_procedure_kind("roll")) == "a slide, a collision");
  CHECK(class_text(*find_procedure_kind("push")).empty());
  CHECK(processing_text(*find_procedure_kind("bounce")) == "dynamically or geometrically");
  CHECK(processing_text(*find_procedure_kind("squash")) == "geometrically");
  CHECK(processing_text(*find_procedure_kind("push")) == "dynamically");
  CHECK(processing_text(*find_procedure_kind("colour")).empty());
}

TEST_CASE("A child has every row of its parent, as the parent has it but for its default and tooltip",
          "[motion][classes]") {
  int children = 0;
  for (const ProcedureKind* kind : procedure_kinds()) {
    INFO(kind->name);
    std::set<std::string_view> names;
    for (const ParameterRow& one : kind->parameters) CHECK(names.insert(one.name).second);
    if (!kind->parent) continue;
    ++children;
    CHECK_FALSE(kind->parent->noun.empty());
    CHECK(kind->label != kind->parent->label);
    for (const ParameterRow& theirs : kind->parent->parameters) {
      const ParameterRow* own = row(*kind, theirs.name);
      REQUIRE(own);
      const ProcedureKind& owner = owner_of(*kind, theirs.name);
      if (&owner == kind) continue;  // it has one of that name of its own
      CHECK(own->label == theirs.label);
      CHECK(own->unit == theirs.unit);
      CHECK(own->type == theirs.type);
      CHECK(own->low == theirs.low);
      CHECK(own->high == theirs.high);
      CHECK(own->choices.data() == theirs.choices.data());
    }
    for (const ParameterRow& own : kind->own_rows) CHECK(&owner_of(*kind, own.name) == kind);
    // The switch is the last, wherever it comes from.
    const std::size_t at = processing_of(kind->parameters);
    if (at < kind->parameters.size()) CHECK(at + 1 == kind->parameters.size());
  }
  CHECK(children == 8);
  CHECK(owner_of(*find_procedure_kind("throw"), "gain").name == "gravity");
  CHECK(owner_of(*find_procedure_kind("throw"), "processing").name == "fall");
  CHECK(owner_of(*find_procedure_kind("roll"), "friction").name == "collide");
}

TEST_CASE("What can be switched has a path, or holds", "[motion][classes]") {
  for (const ProcedureKind* kind : procedure_kinds()) {
    INFO(kind->name);
    const bool switched = processing_of(kind->parameters) < kind->parameters.size();
    CHECK(switched == (kind->law != nullptr || kind->name == "hold" || kind->name == "follow"));
    CHECK((kind->processing == Processing::none) ==
          (kind->look || kind->tell || kind->sends || kind->emits || kind->cues));
  }
}

TEST_CASE("The inspector says what is not processed along its path, and why", "[motion][classes]") {
  World world;
  const Id floor = world.floor(0.5, 0.3), jelly = world.add(World::jelly(0.2, Vec3(0, 1, 0), 500)),
           ball = world.add(World::sphere(0.1, Vec3(1, 1, 0)));
  Graph graph(world);
  for (const Id of : {jelly, ball})
    graph.wire(graph.when("time", of), graph.does("bounce", of, {{"processing", 1}}, floor));
  const auto problems = motion_problems(world.scene);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message.find("bends") != std::string::npos);
  CHECK(problems[0].path.find("processing") != std::string::npos);
}

}  // namespace classes_test
