#include "core/playback/frame_cache.h"

#include <catch2/catch.hpp>
#include <limits>

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
  const auto kept = cache.frames();
  const auto old = cache.restart(2);
  fill(cache, 4);
  const auto now = cache.replace(kept);
  CHECK(now != old);
  CHECK(cache.size() == 6);
  CHECK(cache.frame(5) == kept[5]);
  CHECK_FALSE(cache.append(old, frame(6)));
}

TEST_CASE("memory of cached frames is counted exactly as they come and go") {
  FrameCache cache;
  const std::size_t small = frame(0, 10)->memory_use(), large = frame(0, 1000)->memory_use();
  CHECK(large - small == 990 * sizeof(Vec3f));
  const auto generation = cache.generation();
  REQUIRE(cache.append(generation, frame(0, 10)));
  REQUIRE(cache.append(generation, frame(1, 1000)));
  CHECK(cache.memory_use() == small + large);
  const auto kept = cache.frames();
  cache.restart(1);
  CHECK(cache.memory_use() == small);
  cache.replace(kept);
  CHECK(cache.memory_use() == small + large);
  cache.restart(0);
  CHECK(cache.memory_use() == 0);
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
