#include "core/playback/frame_cache.h"
#include "core/playback/digest.h"

#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <set>

namespace frame_cache_test {

using namespace hazumi;

namespace {

FramePtr frame(int index, std::size_t vertices = 10) {
  auto f = std::make_shared<Frame>();
  f->index = index;
  f->objects.resize(1);
  f->objects[0].vertices.resize(vertices);
  return f;
}

void fill(FrameCache& cache, int count) {
  const auto generation = cache.generation();
  for (int i = cache.size(); i < count; ++i) REQUIRE(cache.append(generation, frame(i)));
}

}  // namespace

TEST_CASE("copies and lines of a frame are counted, and are in its digest") {
  const auto mesh = std::make_shared<const DisplayMesh>(make_primitive(Primitive{}));
  const Frame plain;
  std::set<std::uint64_t> digests = {digest(plain)};
  const auto differs = [&](const std::function<void(Frame&)>& change) {
    Frame frame;
    frame.instances.push_back({Id{1}, mesh, {Vec3f(1, 2, 3)}, {Eigen::Quaternionf::Identity()}, {1.0f}});
    frame.polylines.push_back({Id{1}, {Vec3f(0, 0, 0), Vec3f(1, 0, 0)}, {2}});
    change(frame);
    CHECK(digests.insert(digest(frame)).second);
    return frame.memory_use();
  };
  const std::size_t small = differs([](Frame&) {});
  CHECK(small > plain.memory_use() + sizeof(InstanceBlock) + sizeof(PolylineBlock));
  Primitive other;
  other.size = Vec3(2, 1, 1);
  const auto larger = std::make_shared<const DisplayMesh>(make_primitive(other));
  differs([&](Frame& f) { f.instances[0].mesh = larger; });
  differs([](Frame& f) { f.instances[0].id = Id{2}; });
  differs([](Frame& f) { f.instances[0].positions[0].x() = 2; });
  differs([](Frame& f) { f.instances[0].rotations[0] = Eigen::Quaternionf(0, 1, 0, 0); });
  differs([](Frame& f) { f.instances[0].scales[0] = 2; });
  differs([](Frame& f) { f.instances.clear(); });
  differs([](Frame& f) { f.polylines[0].id = Id{2}; });
  differs([](Frame& f) { f.polylines[0].points[1].y() = 1; });
  differs([](Frame& f) { f.polylines[0].counts = {1, 1}; });
  differs([](Frame& f) { f.polylines.clear(); });
  CHECK(differs([](Frame& f) { f.instances[0].positions.resize(1000); }) >= small + 999 * sizeof(Vec3f));
  CHECK(differs([](Frame& f) { f.polylines[0].points.resize(1000); }) >= small + 998 * sizeof(Vec3f));
}

TEST_CASE("the frame cache takes frames in order and gives them back") {
  FrameCache cache;
  CHECK(cache.size() == 0);
  CHECK(cache.frame(0) == nullptr);
  fill(cache, 5);
  CHECK(cache.size() == 5);
  CHECK(cache.frame(4)->index == 4);
  CHECK(cache.frame(5) == nullptr);
  CHECK(cache.frame(-1) == nullptr);
  CHECK_FALSE(cache.append(cache.generation(), frame(7)));  // a gap
  CHECK_FALSE(cache.append(cache.generation(), frame(4)));  // there already
  CHECK_FALSE(cache.append(cache.generation(), nullptr));
  CHECK(cache.size() == 5);
}

TEST_CASE("a worker of an old generation cannot write") {
  FrameCache cache;
  const auto old = cache.generation();
  fill(cache, 5);
  const auto now = cache.restart(3);
  CHECK(now != old);
  CHECK(cache.size() == 3);
  CHECK_FALSE(cache.append(old, frame(3)));
  CHECK(cache.size() == 3);
  CHECK(cache.append(now, frame(3)));
  const auto same = cache.restart(std::numeric_limits<int>::max());  // drops nothing, still ends the old worker
  CHECK(cache.size() == 4);
  CHECK_FALSE(cache.append(now, frame(4)));
  CHECK(cache.append(same, frame(4)));
  CHECK(cache.restart(-5) != same);
  CHECK(cache.size() == 0);
}

TEST_CASE("replace puts back the frames of an earlier run") {
  FrameCache cache;
  fill(cache, 6);
  const auto kept = cache.run();
  const auto old = cache.restart(2);
  fill(cache, 4);
  const auto now = cache.replace(kept);
  CHECK(now != old);
  CHECK(cache.size() == 6);
  CHECK(cache.run() == kept);
  CHECK_FALSE(cache.append(old, frame(6)));
}

TEST_CASE("memory of cached frames is counted exactly as they come and go") {
  FrameCache cache;
  const std::size_t small = frame(0, 10)->memory_use(), large = frame(0, 1000)->memory_use();
  CHECK(large - small == 990 * sizeof(Vec3f));
  const auto generation = cache.generation();
  REQUIRE(cache.append(generation, frame(0, 10)));
  REQUIRE(cache.append(generation, frame(1, 1000)));
  const auto use = [&] { return cache.store().use().memory; };
  CHECK(use() == small + large);
  auto kept = cache.run();
  cache.restart(1);
  CHECK(use() == small + large);  // somebody has it
  kept.pop_back();
  CHECK(use() == small);
  cache.restart(0);
  CHECK(use() == small);
  cache.replace(std::move(kept));
  CHECK(use() == small);
  cache.restart(0);
  CHECK(use() == 0);
}

TEST_CASE("a frame finds its objects by id") {
  Frame f;
  for (std::uint64_t id : {2, 5, 9}) {
    f.objects.emplace_back();
    f.objects.back().id = Id{id};
  }
  CHECK(f.find(Id{5}) == &f.objects[1]);
  CHECK(f.find(Id{9}) == &f.objects[2]);
  CHECK(f.find(Id{1}) == nullptr);
  CHECK(f.find(Id{6}) == nullptr);
  CHECK(f.find(Id{10}) == nullptr);
}

}  // namespace frame_cache_test
