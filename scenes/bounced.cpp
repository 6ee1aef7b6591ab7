// Two jellies thrown alike. One goes on as it fell; of the other the first two bounces were recorded as keys, and a third flight was added
// that puts it on a block (docs/numerics/led.md, what bends on its way; Kondo, Kanai and Anjyo 2004, figure 1c).
#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/bake.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kSide = 0.42, kBlock = 0.62;
constexpr double kFlight = 0.75;  // s, the third

Id add_jelly(Builder& b, const char* name, double z, const Vec3& colour) {
  Object o = b.object(name, "green rubber", PrimitiveShape::rounded_box, Vec3::Constant(kSide), Vec3(-2.3, 1.15, z));
  o.display.primitive.divisions = {9, 9, 9};
  Builder::flexible(o, AnalysisKind::box_grid, {3, 3, 3}, 1, 150, 2.2, kHardSkin);
  Builder::physics(o, 1e5, 0.3, 0.9);
  Builder::paint(o, colour, 0.35);
  o.body.solver = "polyhedral";
  o.body.velocity = Vec3(1.5, 0.6, 0);
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.35, Vec3(0, 0, 1)));
  const Id id = o.id;
  b.add(o);
  return id;
}

/// Its places and turns up to its second bounce, at which it lies lowest.
std::vector<MotionSample> recorded(const Scene& scene, Id id) {
  MeshStore meshes;
  Simulator run(compile(scene, meshes).value(), 1);
  std::vector<MotionSample> samples;
  int bounces = 0;
  for (int f = 0; f <= scene.settings.last_frame && bounces < 2; ++f) {
    if (!run.state_at(f)) break;
    const Frame frame = run.frame_at(f);
    const ObjectFrame* own = frame.find(id);
    samples.push_back(
        {f / scene.settings.frame_rate, {own->position.cast<double>(), own->rotation.cast<double>().normalized()}});
    const std::size_t n = samples.size();
    const auto height = [&](std::size_t back) { return samples[n - 1 - back].pose.position.y(); };
    if (n > 2 && height(2) > height(1) && height(1) < height(0)) ++bounces;
  }
  samples.pop_back();
  return samples;
}

Track track_of(const Scene& scene, Id of, const char* field, const char* name, std::vector<Key> keys) {
  Track track;
  track.id = next_id(scene);
  track.name = name;
  track.target = of.value;
  track.field = field;
  track.turn = TurnBy::quaternion;
  track.keys = std::move(keys);
  return track;
}

/// Along its recorded way, from there by a throw to `to`, where physics has it again.
void direct(Scene& scene, Id id, const Vec3& to) {
  const std::vector<MotionSample> samples = recorded(scene, id);
  BakedMotion keys = baked(samples, {2e-3, radians(1), 240});
  const double begin = keys.place.back().time, end = begin + kFlight;
  const Vec3 from = samples.back().pose.position, g = scene.settings.gravity;
  const Vec3 leaves = (to - from) / kFlight - 0.5 * kFlight * g, lands = leaves + kFlight * g;
  Key landing;
  landing.time = end;
  landing.tangent = KeyTangent::free;
  keys.place.back().tangent = KeyTangent::free;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    keys.place.back().out[i] = leaves[k];
    landing.value[i] = to[k];
    landing.in[i] = landing.out[i] = lands[k];
  }
  keys.place.push_back(landing);
  Key upright;
  upright.time = end;
  upright.value = {1, 0, 0, 0};
  keys.rotation.push_back(upright);
  scene.tracks.push_back(track_of(scene, id, "transform.position", "Position", keys.place));
  scene.tracks.push_back(track_of(scene, id, "transform.rotation", "Rotation", keys.rotation));
  scene = with_key(std::move(scene), id.value, "body.led", 0, true);
  scene = with_key(std::move(scene), id.value, "body.led", end, false);
  for (auto& object : scene.objects)
    if (object->id == id) object = object.edited([](Object& o) { o.body.bends_led = true; });
}

}  // namespace

Scene directed_bounce() {
  Builder b("Directed bounce",
            "Two jellies thrown alike: one goes on as it fell. Of the other two bounces were recorded as keys, and a "
            "flight to the block was added; it is squashed on its way as physics has it.",
            260);
  b.stage(1e7, 0.5, Vec3(0.46, 0.47, 0.52), Vec3(0.70, 0.74, 0.80));
  b.soften();
  const Vec3 block(1.5, kBlock, 0.9), at(1.3, 0.5 * kBlock, 0);
  b.add(b.block("Block of the free one", block, Vec3(at + Vec3(0, 0, -0.7)), Vec3(0.58, 0.58, 0.62)));
  b.add(b.block("Block", block, Vec3(at + Vec3(0, 0, 0.7)), Vec3(0.58, 0.58, 0.62)));
  add_jelly(b, "Free", -0.7, Vec3(0.36, 0.56, 0.80));
  const Id directed = add_jelly(b, "Directed", 0.7, Vec3(0.86, 0.46, 0.24));
  direct(b.scene, directed, Vec3(0.85, kBlock + 0.5 * kSide + 0.01, 0.7));
  b.next = next_id(b.scene).value;
  b.camera(Vec3(0.15, 1.5, 4.9), Vec3(-0.1, 0.6, 0));
  return b.done();
}

}  // namespace hazumi::shipped
