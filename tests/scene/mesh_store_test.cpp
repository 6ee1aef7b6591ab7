// The mesh store and metaballs: who waits, who never does, and that each group is polygonised once.
#include <catch2/catch.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/geometry/mesh/facts.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/scene/derived/mesh_store.h"

namespace hazumi::mesh_store_test {

namespace {

using MeshPtr = std::shared_ptr<const DisplayMesh>;

Object metaball_object() {
  Object o;
  o.id = Id{7};
  o.name = "Blob";
  o.display.kind = DisplayKind::metaballs;
  o.display.metaballs.primitives.emplace_back().id = 1;
  o.display.metaballs.final_tolerance = 0.05;
  return o;
}

/// A group that takes minutes: tried only to be cancelled.
Object endless_object() {
  Object o = metaball_object();
  o.display.metaballs.final_tolerance = 1e-5;
  for (std::uint32_t i = 2; i < 40; ++i) {
    auto& p = o.display.metaballs.primitives.emplace_back();
    p.id = i;
    p.centre = Vec3(0.3 * i, 0.1 * (i % 3), 0.2 * (i % 5));
  }
  return o;
}

/// A polygoniser that waits until it is told to go on, so that others can be made to wait for it.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool begun = false, open = false;

  MeshPtr pass(const std::atomic<bool>& cancel, MeshPtr mesh) {
    std::unique_lock lock(mutex);
    begun = true;
    changed.notify_all();
    while (!open && !cancel) changed.wait_for(lock, std::chrono::milliseconds(1));
    return cancel ? nullptr : mesh;
  }
  void wait_begun() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun; });
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
};

Scene scene_of(std::vector<Object> objects) {
  Scene scene;
  for (Object& o : objects) scene.objects.push_back(Shared<Object>(std::move(o)));
  return scene;
}

}  // namespace

TEST_CASE("A worker's question polygonises metaballs, each shape once", "[mesh_store][threads]") {
  MeshStore store;
  Executor executor(2);
  Object blob = metaball_object();
  CHECK(store.ready(blob) == nullptr);
  const auto mesh = store.get(blob, executor);
  REQUIRE_FALSE(mesh->empty());
  CHECK(is_closed(*mesh));
  CHECK(mesh->looks.empty());
  CHECK(store.ready(blob) == mesh);
  CHECK(store.mesh(blob) == mesh);
  CHECK(store.polygonised() == 1);

  // Bit for bit what the polygoniser gives.
  PolygoniseOptions options;
  options.tolerance = 0.05;
  Executor alone;
  const DisplayMesh plain = polygonise(blob.display.metaballs, options, alone);
  CHECK(mesh->positions == plain.positions);
  CHECK(mesh->normals == plain.normals);
  CHECK(mesh->faces == plain.faces);

  Object same = blob;
  same.id = Id{8};
  same.display.metaballs.primitives[0].name = "Other";
  same.display.metaballs.primitives[0].surface.diffuse = Vec3(1, 0, 0);
  same.display.metaballs.preview_tolerance = 0.1;
  CHECK(store.get(same, executor) == mesh);
  same.transform.scale = Vec3(1, 2, 1);  // made of the same surface
  CHECK(bounds(*store.get(same, executor)).size().y() == Approx(2 * bounds(*mesh).size().y()));
  CHECK(store.get(same, executor) == store.ready(same));
  CHECK(store.polygonised() == 1);
  same.transform.scale = Vec3::Ones();
  same.display.metaballs.own_colours = true;
  const auto coloured = store.get(same, executor);
  CHECK(coloured->looks.size() == coloured->positions.size());
  same.display.metaballs.primitives[0].surface.diffuse = Vec3(0, 1, 0);
  CHECK(store.ready(same) == nullptr);

  blob.display.metaballs.primitives[0].radii.x() = 1;
  blob.transform.scale = Vec3(1, 2, 1);  // of what is not there yet
  const Box3 wide = bounds(*store.get(blob, executor));
  CHECK(wide.size().x() > 1.5 * bounds(*mesh).size().x());
  // Two meshes, each within its tolerance of 0.05 m: 0.010 m apart.
  CHECK(wide.size().y() == Approx(2 * bounds(*mesh).size().y()).margin(0.03));
  blob.display.metaballs.primitives.clear();
  CHECK(store.get(blob, executor)->empty());
}

TEST_CASE("The interface thread is shown what is there and never polygonises", "[mesh_store][threads]") {
  MeshStore store;
  Object blob = metaball_object();
  CHECK(store.mesh(blob)->empty());
  CHECK(store.ready(blob) == nullptr);
  CHECK_FALSE(store.prepared(scene_of({blob})));

  const auto coarse = std::make_shared<const DisplayMesh>(make_primitive(Primitive()));
  store.supply_preview(blob, coarse);
  CHECK(store.mesh(blob) == coarse);
  CHECK(store.ready(blob) == nullptr);  // it is not what shall stay
  CHECK_FALSE(store.prepared(scene_of({blob})));
  Object other = blob;
  other.id = Id{8};
  CHECK(store.mesh(other)->empty());
  CHECK(store.polygonised() == 0);

  const auto final = std::make_shared<const DisplayMesh>(*coarse);
  const auto supply = [&](const std::atomic<bool>&) { return final; };
  CHECK(store.surface(blob, supply).mesh == final);
  CHECK(store.mesh(blob) == final);
  CHECK(store.ready(blob) == final);
  CHECK(store.mesh(other) == final);  // the same shape
  REQUIRE(store.prepared(scene_of({blob, other})));
  CHECK(store.prepared(scene_of({blob, other}))->front() == final);
  store.supply_preview(blob, final);

  // While it is changed, the last one is shown, at the present scale.
  blob.display.metaballs.primitives[0].weight = 3;
  CHECK(store.ready(blob) == nullptr);
  CHECK(store.mesh(blob) == final);
  blob.transform.scale = Vec3(2, 1, 1);
  const auto wide = store.mesh(blob);
  CHECK(bounds(*wide).size().x() == Approx(2 * bounds(*final).size().x()));
  CHECK(store.mesh(blob) == wide);
  CHECK(store.surface(blob, supply).mesh == final);
  CHECK(bounds(*store.ready(blob)).size().x() == Approx(2 * bounds(*final).size().x()));

  // Primitives cost nothing to speak of: they are built when asked for.
  Object box;
  CHECK(store.ready(box) != nullptr);
  blob.display.metaballs.primitives[0].weight = 4;
  store.forget_previews();
  CHECK(store.mesh(blob)->empty());
}

TEST_CASE("What a drag shows for a moment is not looked into; what the polygoniser makes is known to be solid",
          "[mesh_store]") {
  MeshStore store;
  Object blob = metaball_object();
  blob.display.metaballs.final_tolerance = 0.00025;
  Executor executor(2);
  PolygoniseOptions options;
  options.tolerance = blob.display.metaballs.final_tolerance;
  const auto made = std::make_shared<const DisplayMesh>(polygonise(blob.display.metaballs, options, executor));
  REQUIRE(made->faces.size() > MeshFacts::kSmall);
  REQUIRE(MeshFacts(*made).pending());
  REQUIRE_FALSE(MeshFacts(*made).solid(*made));  // not known
  store.supply_preview(blob, made);
  REQUIRE(store.mesh(blob) == made);
  const auto facts = store.facts(made);
  CHECK_FALSE(facts->pending());
  CHECK(facts->solid(*made));
  CHECK(facts->edges(*made) == nullptr);
  // Mirrored it faces inward, and the polygoniser says nothing of it.
  Object mirrored = blob;
  mirrored.transform.scale = Vec3(-1, 1, 1);
  const auto inward = store.mesh(mirrored);
  CHECK_FALSE(store.facts(inward)->solid(*inward));
  // At rest the same mesh is the final one.
  CHECK(store.surface(blob, [&](const std::atomic<bool>&) { return made; }).mesh == made);
  CHECK(store.mesh(blob) == made);
  CHECK(facts->pending());
  facts->prepare(*made);
  CHECK_FALSE(facts->pending());
  CHECK(facts->edges(*made) != nullptr);
  CHECK(facts->solid(*made));
  CHECK(is_closed(*made));
}

TEST_CASE("While one thread polygonises, the interface goes on and other workers wait for the same mesh",
          "[mesh_store][threads]") {
  MeshStore store;
  const Object blob = metaball_object();
  const auto made = std::make_shared<const DisplayMesh>(make_primitive(Primitive()));
  Gate gate;
  MeshPtr first, second, third;
  std::thread one([&] {
    first = store.surface(blob, [&](const std::atomic<bool>& cancel) { return gate.pass(cancel, made); }).mesh;
  });
  gate.wait_begun();
  std::thread two([&] {
    Executor executor(2);
    second = store.get(blob, executor);
  });
  std::thread three([&] {
    const auto held = store.prepare(scene_of({blob}), 1, [] { return false; });
    third = held->front();
  });
  CHECK(store.mesh(blob)->empty());  // would hang, or give the mesh, if it waited
  CHECK(store.ready(blob) == nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(store.polygonised() == 0);
  gate.let_go();
  one.join();
  two.join();
  three.join();
  CHECK(first == made);
  CHECK(second == made);
  CHECK(third == made);
  CHECK(store.polygonised() == 1);
}

TEST_CASE("Many threads that want the same groups at once polygonise each of them once", "[mesh_store][threads]") {
  MeshStore store;
  std::vector<Object> objects;
  for (int i = 0; i < 3; ++i) {
    Object o = metaball_object();
    o.id = Id{static_cast<std::uint64_t>(i + 1)};
    o.display.metaballs.primitives[0].weight = 1 + i;
    objects.push_back(o);
  }
  const Scene scene = scene_of(objects);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&store, &scene, t] {
      if (!store.prepare(scene, 1 + t % 2, [] { return false; })) throw std::logic_error("cancelled");
    });
  for (auto& thread : threads) thread.join();
  CHECK(store.polygonised() == 3);
}

TEST_CASE("Polygonising ends soon after it is cancelled, leaves nothing, and another who waits makes the mesh",
          "[mesh_store][threads]") {
  MeshStore store;
  const Object blob = metaball_object();
  Gate gate;
  std::atomic<bool> cancel{false};
  MeshStore::Polygonised given_up;
  std::thread one([&] {
    given_up = store.surface(
        blob, [&](const std::atomic<bool>& stop) { return gate.pass(stop, std::make_shared<const DisplayMesh>()); },
        [&] { return cancel.load(); });
  });
  gate.wait_begun();
  MeshPtr made;
  std::thread two([&] {
    Executor executor(2);
    made = store.get(blob, executor);
  });
  Executor executor;
  CHECK(store.get(blob, executor, [] { return true; }) == nullptr);  // tired of waiting
  cancel = true;
  one.join();
  two.join();
  CHECK(given_up.mesh == nullptr);
  REQUIRE(made != nullptr);
  CHECK_FALSE(made->empty());
  CHECK(store.ready(blob) == made);
  CHECK(store.polygonised() == 1);

  // The real polygoniser, on both cores.
  const Scene endless = scene_of({endless_object()});
  const auto began = std::chrono::steady_clock::now();
  const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  std::pair<int, int> told{-1, -1};
  double asked_to_stop = 0;
  CHECK_FALSE(store.prepare(
      endless, 2,
      [&] {
        if (since() < 0.3) return false;
        if (asked_to_stop == 0) asked_to_stop = since();
        return true;
      },
      [&](int done, int all) {
        told = {done, all};
      }));
  CHECK(told == std::pair<int, int>{0, 1});
  CHECK(asked_to_stop > 0);  // it was still at work
  CHECK(since() - asked_to_stop < 1);
  CHECK(store.polygonised() == 1);
  CHECK(store.ready(*endless.objects[0]) == nullptr);
}

TEST_CASE("A polygoniser that throws is told to who asked, and does not hold up the next", "[mesh_store][threads]") {
  MeshStore store;
  const Object blob = metaball_object();
  const auto fails = [](const std::atomic<bool>&) -> MeshPtr { throw std::bad_alloc(); };
  CHECK_THROWS_AS(store.surface(blob, fails), std::bad_alloc);
  CHECK_THROWS_AS(store.surface(blob, fails, [] { return false; }), std::bad_alloc);
  CHECK(store.polygonised() == 0);
  Executor executor;
  CHECK(store.get(blob, executor) != nullptr);
}

TEST_CASE("A mesh that somebody holds is found again however many others were asked for", "[mesh_store][threads]") {
  MeshStore store;
  Executor executor;
  const Object blob = metaball_object();
  const auto held = store.prepare(scene_of({blob}), 1);
  REQUIRE(held);
  Object big;
  big.display.primitive.shape = PrimitiveShape::sphere;
  big.display.primitive.divisions = {200, 200, 1};
  for (int i = 1; i < 100; ++i) {
    big.transform.scale = Vec3(1 + i, 1, 1);
    store.mesh(big);
  }
  CHECK(store.ready(blob) == held->front());
  CHECK(store.polygonised() == 1);
}

}  // namespace hazumi::mesh_store_test
