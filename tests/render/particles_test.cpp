// Particles in pictures: sprites back to front, by their looks, copies of a model, symbols of sources that are picked; and pixels.
#include "render/particles.h"

#include <catch2/catch.hpp>

#include <glm/geometric.hpp>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "render/convert.h"
#include "tests/render/support.h"

namespace particles_picture_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Shot {
  Scene scene = studio();
  std::shared_ptr<Frame> frame = std::make_shared<Frame>();
  MeshStore meshes;
  explicit Shot(ParticleLook look) {
    ParticleSource source;
    source.id = Id{50};
    source.look = look;
    source.copies = scene.objects[0]->id.value;
    source.fade_out = 0;
    source.growth = 2;
    scene.particles = {source};
    ParticleBlock block;
    block.id = source.id;
    for (int i = 0; i < 40; ++i) {
      block.numbers.push_back(static_cast<std::uint64_t>(i));
      block.positions.emplace_back(0.05f * static_cast<float>(i % 7), 0.5f + 0.02f * static_cast<float>(i),
                                   0.1f * static_cast<float>(i * 17 % 40));
      block.velocities.emplace_back(1.0f, 2.0f, 0.0f);
      block.ages.push_back(static_cast<float>(i) / 40);
      block.times.push_back(static_cast<float>(i) / 20);
      block.sizes.push_back(0.1f);
      block.masses.push_back(0.001f);
    }
    frame->particles = {block};
  }
  RenderList list(const ViewSelection& selection = {}, bool helpers = false) {
    ViewOptions options;
    options.grid = false;
    options.helpers = helpers;
    return extract(scene, frame, camera(), 1.5f, options, selection, meshes);
  }
  ViewCamera camera() const { return from_scene_camera(active_camera(scene)); }
};

}  // namespace

TEST_CASE("Particles become sprites, back to front, by their looks", "[particles][extract]") {
  for (const ParticleLook look : {ParticleLook::disc, ParticleLook::streak, ParticleLook::puff}) {
    Shot shot(look);
    const RenderList list = shot.list();
    REQUIRE(list.sprites.size() == 40);
    const ViewCamera camera = shot.camera();
    float before = 1e9f;
    for (const Sprite& sprite : list.sprites) {
      const float depth = glm::dot(sprite.position - camera.position(), camera.forward());
      CHECK(depth <= before + 1e-6f);
      before = depth;
      CHECK((sprite.soft == 1) == (look == ParticleLook::puff));
      CHECK((glm::length(sprite.along) > 0) == (look == ParticleLook::streak && sprite.radius > 0.0501f));
      CHECK(sprite.radius >= 0.05f);
      CHECK(sprite.radius <= 0.1f);
    }
    REQUIRE(list.sprite_boxes.size() == 1);
    shot.scene = with_source(shot.scene, Id{50}, [](ParticleSource& s) { s.visible = false; });
    CHECK(shot.list().sprites.empty());
  }
  Shot points(ParticleLook::point);
  CHECK(points.list().sprites.empty());
  CHECK(points.list().points.size() == 40);
  Shot copies(ParticleLook::mesh);
  const std::size_t objects = copies.scene.objects.size();
  CHECK(copies.list().meshes.size() == objects + 40);
  for (const DrawMesh& mesh : copies.list().meshes)
    if (mesh.id == Id{50}) CHECK(mesh.bounds.valid());
}

TEST_CASE("Copies that are bodies are drawn where they are, as they are turned, unless their object is hidden",
          "[particles][copies][extract]") {
  Shot shot(ParticleLook::disc);
  const Id object = shot.scene.objects[0]->id;
  shot.scene = with_source(shot.scene, Id{50}, [&](ParticleSource& s) {
    s.gives = SourceGives::copies;
    s.object = object.value;
    s.growth = 3;  // of particles alone
  });
  ParticleBlock& block = shot.frame->particles[0];
  const float across = static_cast<float>(bounds(*shot.meshes.mesh(*shot.scene.objects[0])).size().maxCoeff());
  for (std::size_t i = 0; i < block.positions.size(); ++i) {
    block.rotations.emplace_back(Eigen::AngleAxisf(0.1f * static_cast<float>(i), Vec3f::UnitX()));
    block.sizes[i] = 0.5f * across;
  }
  const RenderList list = shot.list();
  CHECK(list.sprites.empty());
  std::size_t drawn = 0;
  for (const DrawMesh& mesh : list.meshes) {
    if (mesh.id != Id{50}) continue;
    const Eigen::Matrix3f turn = block.rotations[drawn].toRotationMatrix();
    CHECK(mesh.model[1][2] == Approx(0.5f * turn(2, 1)).margin(1e-5));
    CHECK(mesh.model[3].y == Approx(block.positions[drawn].y()));
    ++drawn;
  }
  CHECK(drawn == 40);
  shot.scene = with_object(shot.scene, object, [](Object& o) { o.visible = false; });
  const auto meshes = shot.list().meshes;
  CHECK(std::none_of(meshes.begin(), meshes.end(), [](const DrawMesh& mesh) { return mesh.id == Id{50}; }));
}

TEST_CASE("A source has a symbol that can be picked, and a box round its particles when it is selected",
          "[particles][extract]") {
  Shot shot(ParticleLook::disc);
  const RenderList plain = shot.list({}, true), chosen = shot.list({{Id{50}}, Id{50}}, true);
  const auto symbols = [](const RenderList& list) {
    return std::count_if(list.symbols.begin(), list.symbols.end(), [](const PickSymbol& s) { return s.id == Id{50}; });
  };
  CHECK(symbols(plain) == 1);
  CHECK(symbols(chosen) == 1);
  CHECK(chosen.lines.size() > plain.lines.size());
  CHECK(shown_bounds(shot.scene, shot.frame.get(), Id{50}, shot.meshes).valid());
}

}  // namespace particles_picture_test
