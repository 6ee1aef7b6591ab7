// Finding, changing and naming things in a scene; its meshes, masses and trusses.
#include <catch2/catch.hpp>

#include <map>
#include <thread>

#include "core/geometry/mesh/mass_properties.h"
#include "core/scene/document.h"
#include "tests/scene/random_scene.h"

namespace hazumi::scene_test {

TEST_CASE("An edit copies one object and shares the rest", "[scene]") {
  const Scene before = test::plain_scene();
  const Scene after = with_object(before, Id{2}, [](Object& o) { o.body.mass = 7; });
  CHECK(find_object(before, Id{2})->body.mass == 1);
  CHECK(find_object(after, Id{2})->body.mass == 7);
  for (std::size_t i = 0; i < after.objects.size(); ++i)
    CHECK(after.objects[i].same_as(before.objects[i]) == (after.objects[i]->id != Id{2}));
  CHECK(after.lights[0].same_as(before.lights[0]));
  const Scene lit = with_light(before, Id{5}, [](Light& l) { l.intensity = 3; });
  CHECK(find_light(lit, Id{5})->intensity == 3);
  CHECK(lit.objects[0].same_as(before.objects[0]));
}

TEST_CASE("Ids that are not there", "[scene]") {
  const Scene scene = test::plain_scene();
  CHECK(find_object(scene, Id{99}) == nullptr);
  CHECK(find_object(scene, Id{5}) == nullptr);  // a light
  CHECK(find_light(scene, Id{1}) == nullptr);
  bool called = false;
  const Scene same = with_object(scene, Id{99}, [&](Object&) { called = true; });
  CHECK_FALSE(called);
  CHECK(same.objects.size() == scene.objects.size());
  CHECK(without(scene, Id{99}).objects.size() == 4);
  CHECK(without(scene, Id{5}).lights.empty());
  CHECK(next_id(scene) == Id{6});
  CHECK(next_id(Scene{}) == Id{1});
}

TEST_CASE("Names are counted on", "[scene]") {
  Scene scene = test::plain_scene();
  CHECK(unique_name(scene, "Cube") == "Cube");
  CHECK(unique_name(scene, "Ball") == "Ball 2");
  CHECK(unique_name(scene, "Sun") == "Sun 2");
  scene = with_object(scene, Id{3}, [](Object& o) { o.name = "Ball 2"; });
  CHECK(unique_name(scene, "Ball") == "Ball 3");
  CHECK(unique_name(scene, "Ball 2") == "Ball 3");
  CHECK(unique_name(scene, "") == "Object");
}

TEST_CASE("A document hands out snapshots that edits do not reach", "[scene]") {
  Document document(test::plain_scene());
  const Shared<Scene> snapshot = document.snapshot();
  document.set_scene(without(document.scene(), Id{2}));
  CHECK(snapshot->objects.size() == 4);
  CHECK(document.scene().objects.size() == 3);
}

TEST_CASE("Meshes are cached by what they look like", "[scene]") {
  MeshCache cache;
  Object a, b;
  a.display.primitive.shape = b.display.primitive.shape = PrimitiveShape::sphere;
  b.transform.position = Vec3(1, 2, 3);
  const auto mesh = cache.mesh(a);
  CHECK(cache.mesh(b) == mesh);
  b.transform.scale = Vec3(2, 1, 1);
  const auto wide = cache.mesh(b);
  CHECK(wide != mesh);
  CHECK(bounds(*wide).size().x() == Approx(2 * bounds(*mesh).size().x()));
  CHECK(cache.mesh(a) == mesh);

  Object none;
  none.display.kind = DisplayKind::none;
  REQUIRE(cache.mesh(none) != nullptr);
  CHECK(cache.mesh(none)->empty());
  none.display.kind = DisplayKind::mesh;  // its file is missing
  REQUIRE(cache.mesh(none) != nullptr);
  CHECK(cache.mesh(none)->empty());

  Object file;
  file.display.kind = DisplayKind::mesh;
  file.display.mesh.mesh = mesh;
  CHECK(cache.mesh(file) == mesh);  // not copied
  file.transform.scale = Vec3(1, 3, 1);
  CHECK(bounds(*cache.mesh(file)).size().y() == Approx(3 * bounds(*mesh).size().y()));
}

TEST_CASE("Normals of a scaled mesh stay at right angles to its faces", "[scene]") {
  MeshCache cache;
  Object ball;
  ball.display.primitive.shape = PrimitiveShape::sphere;
  ball.display.primitive.size = Vec3(2, 2, 2);
  ball.transform.scale = Vec3(1, 4, 0.5);
  const auto mesh = cache.mesh(ball);
  REQUIRE_FALSE(mesh->positions.empty());
  for (std::size_t i = 0; i < mesh->positions.size(); ++i) {
    // Gradient of x²/a² + y²/b² + z²/c².
    const Vec3 s = ball.transform.scale;
    const Vec3 gradient = mesh->positions[i].cwiseQuotient(s.cwiseProduct(s)).normalized();
    CHECK(mesh->normals[i].dot(gradient) > 1 - 1e-9);
    CHECK(mesh->normals[i].norm() == Approx(1));
  }
}

TEST_CASE("The mesh cache forgets what was not used for long, within a budget", "[scene]") {
  MeshCache cache;
  Object object;
  object.display.primitive.shape = PrimitiveShape::sphere;
  object.display.primitive.divisions = {200, 200, 1};
  const std::weak_ptr<const DisplayMesh> first = cache.mesh(object);
  REQUIRE_FALSE(first.expired());
  for (int i = 1; i < 100; ++i) {
    object.transform.scale = Vec3(1 + i, 1, 1);
    cache.mesh(object);
  }
  CHECK(first.expired());
}

namespace {

Object metaball_object() {
  Object o;
  o.id = Id{7};
  o.name = "Blob";
  o.display.kind = DisplayKind::metaballs;
  o.display.metaballs.primitives.emplace_back().id = 1;
  o.display.metaballs.final_tolerance = 0.05;
  return o;
}

}  // namespace

TEST_CASE("A cache of a thread of its own polygonises metaballs, each shape once", "[scene]") {
  MeshCache cache;
  Object blob = metaball_object();
  CHECK(cache.ready(blob) == nullptr);
  const auto mesh = cache.mesh(blob);
  REQUIRE_FALSE(mesh->empty());
  CHECK(is_closed(*mesh));
  CHECK(mesh->looks.empty());
  CHECK(cache.ready(blob) == mesh);

  Object same = blob;
  same.display.metaballs.primitives[0].name = "Other";
  same.display.metaballs.primitives[0].surface.diffuse = Vec3(1, 0, 0);
  same.display.metaballs.preview_tolerance = 0.1;
  CHECK(cache.mesh(same) == mesh);
  same.display.metaballs.own_colours = true;
  const auto coloured = cache.mesh(same);
  CHECK(coloured->looks.size() == coloured->positions.size());
  same.display.metaballs.primitives[0].surface.diffuse = Vec3(0, 1, 0);
  CHECK(cache.ready(same) == nullptr);

  blob.display.metaballs.primitives[0].radii.x() = 1;
  CHECK(bounds(*cache.mesh(blob)).size().x() > 1.5 * bounds(*mesh).size().x());
  blob.transform.scale = Vec3(1, 2, 1);
  CHECK(bounds(*cache.mesh(blob)).size().y() == Approx(2 * bounds(*mesh).size().y()).epsilon(0.05));
  blob.display.metaballs.primitives.clear();
  CHECK(cache.mesh(blob)->empty());
}

TEST_CASE("The cache of the interface shows what was supplied and polygonises nothing", "[scene]") {
  MeshCache worker, cache(MeshCache::Metaballs::supplied);
  Object blob = metaball_object();
  CHECK(cache.mesh(blob)->empty());
  CHECK(cache.ready(blob) == nullptr);

  const auto coarse = worker.mesh(blob);
  cache.supply_preview(blob, coarse);
  CHECK(cache.mesh(blob) == coarse);
  CHECK(cache.ready(blob) == nullptr);  // it is not what shall stay
  Object other = blob;
  other.id = Id{8};
  CHECK(cache.mesh(other)->empty());

  const auto final = std::make_shared<const DisplayMesh>(*coarse);
  cache.supply(blob, final);
  CHECK(cache.mesh(blob) == final);
  CHECK(cache.ready(blob) == final);
  CHECK(cache.mesh(other) == final);  // the same shape

  // While it is changed, the last one is shown, at the present scale.
  blob.display.metaballs.primitives[0].weight = 3;
  CHECK(cache.ready(blob) == nullptr);
  CHECK(cache.mesh(blob) == final);
  blob.transform.scale = Vec3(2, 1, 1);
  const auto wide = cache.mesh(blob);
  CHECK(bounds(*wide).size().x() == Approx(2 * bounds(*final).size().x()));
  CHECK(cache.mesh(blob) == wide);
  cache.supply(blob, final);
  CHECK(bounds(*cache.ready(blob)).size().x() == Approx(2 * bounds(*final).size().x()));

  // Primitives cost nothing to speak of: they are built in any cache.
  Object box;
  CHECK(cache.ready(box) != nullptr);
  blob.display.metaballs.primitives[0].weight = 4;
  cache.forget_previews();
  CHECK(cache.mesh(blob)->empty());
}

TEST_CASE("A truss strung by hand: scaled, with factors, pins and tetrahedra", "[scene]") {
  StrungTruss strung;
  strung.nodes = {{Vec3(0, 0, 0), 1, true}, {Vec3(1, 0, 0), 3, false}, {Vec3(0, 1, 0)}, {Vec3(0, 0, 1)}};
  strung.springs = {{0, 1, 2, 1, 1}, {0, 2, 1, 4, 1}, {0, 3, 1, 1, 5}, {1, 2}, {1, 3}, {2, 3}};
  strung.hull = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  strung.tetrahedra = {{0, 1, 2, 3}};
  Object o;
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(strung);
  o.analysis.offset = Vec3(9, 9, 9);  // of the catalogue only
  o.transform.scale = Vec3(2, 3, 4);
  o.body.mass = 12;
  o.body.stiffness = 100;
  o.body.damping = 10;
  Truss truss = object_truss(o, DisplayMesh{});
  CHECK(truss.nodes[3] == Vec3(0, 0, 4));
  CHECK(truss.masses[1] == Approx(6));
  CHECK(truss.masses[0] == Approx(2));
  CHECK(truss.springs[0].stiffness == 200);
  CHECK(truss.springs[1].damping == 40);
  CHECK(truss.pinned == std::vector<std::uint32_t>{0});
  CHECK(truss.tetrahedra == strung.tetrahedra);
  CHECK(truss.hull == strung.hull);
  o.body.stiffness_source = StiffnessSource::material;
  o.body.cross_section = 1e-3;
  o.material.substance.young = 2e6;
  truss = object_truss(o, DisplayMesh{});
  CHECK(truss.springs[0].stiffness == Approx(2 * 2000 / 2.0));
  CHECK(truss.springs[2].stiffness == Approx(5 * 2000 / 4.0));
  o.analysis.strung = nullptr;
  CHECK(object_truss(o, DisplayMesh{}).empty());
}

TEST_CASE("The mesh cache serves several threads", "[scene]") {
  MeshCache cache;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&cache] {
      Object object;
      for (int i = 0; i < 200; ++i) {
        object.transform.scale = Vec3(1 + i % 7, 1, 1);
        if (cache.mesh(object)->empty()) throw std::logic_error("empty");
      }
    });
  for (auto& thread : threads) thread.join();
  Object object;
  CHECK(cache.mesh(object) == cache.mesh(object));
}

TEST_CASE("Mass given, or density times volume", "[scene]") {
  MeshCache cache;
  Object box;
  box.body.mass = 3;
  box.display.primitive.size = Vec3(1, 2, 0.5);
  box.transform.scale = Vec3(2, 1, 1);
  box.material.substance.density = 10;
  CHECK(object_mass(box, *cache.mesh(box)) == 3);
  box.body.mass_source = MassSource::material;
  CHECK(object_mass(box, *cache.mesh(box)) == Approx(20));
  box.display.primitive.shape = PrimitiveShape::plane;  // encloses nothing
  CHECK(object_mass(box, *cache.mesh(box)) == 3);
  CHECK(object_mass(box, DisplayMesh{}) == 3);
}

TEST_CASE("The truss of an object: scaled, with its mass, stiffness and damping", "[scene]") {
  Object o;
  CHECK(object_truss(o, DisplayMesh{}).empty());
  o.analysis.kind = AnalysisKind::octahedron;
  o.analysis.size = Vec3(2, 2, 2);
  o.analysis.offset = Vec3(0, 1, 0);
  o.transform.scale = Vec3(1, 1, 3);
  o.body.mass = 6;
  o.body.stiffness = 500;
  o.body.damping = 2;
  const Truss truss = object_truss(o, DisplayMesh{});
  REQUIRE_FALSE(truss.empty());
  Box3 box;
  double mass = 0;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    box.add(truss.nodes[i]);
    mass += truss.masses[i];
  }
  CHECK(box.size().x() == Approx(2));
  CHECK(box.size().z() == Approx(6));
  CHECK(box.centre().y() == Approx(1));
  CHECK(mass == Approx(6));
  for (const Spring& s : truss.springs) {
    CHECK(s.stiffness == 500);
    CHECK(s.damping == 2);
  }

  // (3.38): k = E A / l, with the length after scaling.
  o.body.stiffness_source = StiffnessSource::material;
  o.body.cross_section = 1e-3;
  o.material.substance.young = 2e6;
  for (const Truss stiff = object_truss(o, DisplayMesh{}); const Spring& s : stiff.springs)
    CHECK(s.stiffness * (stiff.nodes[s.b] - stiff.nodes[s.a]).norm() == Approx(2000));
}

TEST_CASE("All 29 materials of the classic table", "[materials]") {
  const auto presets = material_presets();
  REQUIRE(presets.size() == 29);
  std::map<std::string_view, int> families;
  for (const MaterialPreset& preset : presets) {
    INFO(preset.name);
    ++families[preset.family];
    CHECK(find_material(preset.name) == &preset);
    Object o;
    o.material = apply_preset(o.material, preset);
    CHECK(o.material.preset == preset.name);
    o.id = Id{1};
    o.name = "x";
    Scene scene;
    scene.objects.push_back(o);
    CHECK(validate(scene).empty());
  }
  CHECK(families == std::map<std::string_view, int>{{"gems", 6}, {"metals", 11}, {"plastic", 6}, {"rubber", 6}});
  CHECK(find_material("cheese") == nullptr);
  // Values of the teapot table and of the thesis (spec 8.2).
  const MaterialPreset& copper = *find_material("copper");
  CHECK(copper.surface.ambient == Vec3(0.19125, 0.0735, 0.0225));
  CHECK(copper.surface.shininess == Approx(0.1 * 128));
  CHECK(copper.substance.young == Approx(12.98e10));
  CHECK(copper.substance.poisson == Approx(0.343));
  CHECK(find_material("red rubber")->surface.shininess == Approx(0.078125 * 128));
  CHECK(find_material("silver")->substance.young == Approx(8.27e10));
  CHECK(find_material("gold")->substance.poisson == Approx(0.44));
  const double rubber = find_material("black rubber")->substance.young;
  CHECK((rubber >= 1.5e6 && rubber <= 5.0e6));
}

TEST_CASE("Physics set apart stay when another preset is picked", "[materials]") {
  Material material;
  material.substance_follows = false;
  material.substance.density = 42;
  material = apply_preset(material, *find_material("gold"));
  CHECK(material.substance.density == 42);
  CHECK(material.surface.diffuse == find_material("gold")->surface.diffuse);
}

}  // namespace hazumi::scene_test
