#include "core/scene/values/variants.h"

#include <catch2/catch.hpp>

#include "core/scene/validate.h"

namespace variants_test {

using namespace hazumi;

namespace {

Object with_truss() {
  Object o;
  o.id = Id{1};
  o.name = "Fish";
  o.analysis.kind = AnalysisKind::octahedron;
  return o;
}

}  // namespace

TEST_CASE("Variants are added, switched by name, renamed and removed; the others stay in order of their names") {
  Object o = with_truss();
  CHECK(variant_names(o).names == std::vector<std::string>{"Truss"});
  CHECK_FALSE(remove_variant(o));
  CHECK(add_variant(o) == "Truss 2");
  o.analysis.kind = AnalysisKind::box_grid;
  CHECK(add_variant(o) == "Truss 3");
  CHECK(rename_variant(o, "Column") == "Column");
  CHECK(variant_names(o).names == std::vector<std::string>{"Column", "Truss", "Truss 2"});
  CHECK(variant_names(o).current == 0);
  CHECK(use_variant(o, "Truss"));
  CHECK(o.analysis.kind == AnalysisKind::octahedron);
  CHECK(variant_names(o).current == 1);
  CHECK(o.other_analyses[0].name == "Column");
  CHECK(o.other_analyses[1].name == "Truss 2");
  CHECK_FALSE(use_variant(o, "Truss"));  // in use already
  CHECK_FALSE(use_variant(o, "nothing"));
  CHECK(rename_variant(o, "Column") == "Column 2");
  CHECK(rename_variant(o, "") == "Column 2");
  CHECK(remove_variant(o));  // the next by name
  CHECK(o.analysis.name == "Truss 2");
  CHECK(remove_variant(o));  // the last one: the one before
  CHECK(o.analysis.name == "Column");
  CHECK_FALSE(remove_variant(o));
}

TEST_CASE("There and back is the same object") {
  Object o = with_truss();
  add_variant(o);
  o.analysis.divisions = {3, 3, 3};
  add_variant(o);
  const VariantNames before = variant_names(o);
  const AnalysisModel used = o.analysis;
  use_variant(o, "Truss");
  use_variant(o, used.name);
  CHECK(variant_names(o).names == before.names);
  CHECK(variant_names(o).current == before.current);
  CHECK(o.analysis.divisions == used.divisions);
  CHECK(o.other_analyses[0].name == "Truss");
  CHECK(o.other_analyses[1].name == "Truss 2");
}

TEST_CASE("Each variant has the elastic model that it was put away with") {
  Object o = with_truss();
  o.body.solver = "lagrange";
  add_variant(o);
  o.body.solver = "polyhedral";
  CHECK(use_variant(o, "Truss"));
  CHECK(o.body.solver == "lagrange");
  CHECK(o.analysis.solver.empty());
  o.body.solver = "springs";
  CHECK(use_variant(o, "Truss 2"));
  CHECK(o.body.solver == "polyhedral");
  Scene scene;
  scene.objects.push_back(Shared<Object>(o));
  const Id beside = add_compared(scene, Id{1}, "Truss", Vec3(2, 0, 0));
  CHECK(find_object(scene, beside)->body.solver == "springs");
  CHECK(find_object(scene, Id{1})->body.solver == "polyhedral");
  CHECK(remove_variant(o));
  CHECK(o.body.solver == "springs");
  // Files from before say nothing of it: the object keeps the one that it has.
  Object old = with_truss();
  AnalysisModel other = old.analysis;
  other.name = "Other";
  old.other_analyses = {other};
  old.body.solver = "fem";
  for (const char* name : {"Other", "Truss"}) {
    CHECK(use_variant(old, name));
    CHECK(old.body.solver == "fem");
    CHECK(old.other_analyses[0].solver.empty());
  }
}

TEST_CASE("Comparing puts a copy with the other variant beside the object") {
  Scene scene;
  Object o = with_truss();
  add_variant(o);
  o.analysis.kind = AnalysisKind::icosahedron;
  scene.objects.push_back(Shared<Object>(o));
  const Id id = add_compared(scene, Id{1}, "Truss", Vec3(2, 0, 0));
  REQUIRE(id);
  const Object* copy = find_object(scene, id);
  CHECK(copy->name == "Fish \u00b7 Truss");
  CHECK(copy->analysis.kind == AnalysisKind::octahedron);
  CHECK(copy->transform.position == Vec3(2, 0, 0));
  CHECK(find_object(scene, Id{1})->analysis.kind == AnalysisKind::icosahedron);
  CHECK_FALSE(has_error(validate(scene)));
  CHECK_FALSE(add_compared(scene, Id{9}, "Truss", Vec3::Zero()));
  CHECK_FALSE(add_compared(scene, Id{1}, "nothing", Vec3::Zero()));
  CHECK(scene.objects.size() == 2);
}

}  // namespace variants_test
