// Frames beyond the budget of memory: on the disk and back, the same bits; newest wish first; what happens when the disk takes
// nothing or gives back something else.
#include "core/playback/frame_store.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/scratch_file.h"
#include "core/playback/digest.h"
#include "core/playback/frame_bytes.h"
#include "tests/support/fill_run.h"
#include "tests/support/full_disk.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace frame_store_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Any bits: what is not a number too.
float any_float(std::mt19937& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}
Vec3f any_point(std::mt19937& random) { return {any_float(random), any_float(random), any_float(random)}; }
std::vector<Vec3f> any_points(std::mt19937& random, unsigned most) {
  std::vector<Vec3f> points(random() % (most + 1));
  for (Vec3f& p : points) p = any_point(random);
  return points;
}
Eigen::Quaternionf any_rotation(std::mt19937& random) {
  return {any_float(random), any_float(random), any_float(random), any_float(random)};
}

/// A mesh of one frame alone, as moving metaballs have it.
std::shared_ptr<const DisplayMesh> any_surface(std::mt19937& random) {
  DisplayMesh mesh;
  for (const Vec3f& p : any_points(random, 9)) {
    mesh.positions.push_back(p.cast<double>());
    mesh.normals.push_back(any_point(random).cast<double>());
    mesh.looks.push_back({any_point(random), any_point(random), any_point(random), any_float(random)});
  }
  if (!mesh.positions.empty()) {
    mesh.faces.push_back({0, 0, static_cast<std::uint32_t>(random())});
    mesh.parts.push_back({"Surface", 0, 1});
  }
  return std::make_shared<const DisplayMesh>(std::move(mesh));
}

std::shared_ptr<Frame> any_frame(std::mt19937& random, int index, unsigned most = 40) {
  static const auto mesh = std::make_shared<const DisplayMesh>(make_primitive(Primitive{}));
  auto frame = std::make_shared<Frame>();
  frame->index = index;
  frame->state_hash = (std::uint64_t{random()} << 32) + random();
  for (std::uint64_t id = 1; id <= random() % 5; ++id)
    frame->objects.push_back({Id{id}, random() % 2 == 0, any_point(random), any_rotation(random), random() % 2 == 0,
                              any_points(random, most), any_points(random, most),
                              random() % 2 == 0 ? any_surface(random) : nullptr, any_points(random, most)});
  for (std::uint64_t id = 1; id <= random() % 3; ++id) {
    frame->instances.push_back({Id{id}, mesh, any_points(random, most), {any_rotation(random)}, {any_float(random)}});
    frame->polylines.push_back({Id{id}, any_points(random, most), {static_cast<std::uint32_t>(random())}});
    frame->contacts.push_back({Id{id}, Id{random()}, any_point(random), any_point(random), any_point(random)});
  }
  return frame;
}

/// All members, by their bits.
bool equal(const Frame& a, const Frame& b) {
  return digest(a) == digest(b) && a.state_hash == b.state_hash && a.shapes == b.shapes &&
         frame_bytes(a) == frame_bytes(b);
}

/// The limit is for a hung test only.
bool comes(const std::function<bool()>& condition) {
  for (int i = 0; i < 30000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

FramePtr frame_of_size(int index, std::size_t bytes) {
  auto frame = std::make_shared<Frame>();
  frame->index = index;
  frame->state_hash = 77 + static_cast<std::uint64_t>(index);
  frame->objects.resize(1);
  frame->objects[0].vertices.assign(bytes / sizeof(Vec3f), Vec3f::Constant(static_cast<float>(index)));
  return frame;
}

FrameLimits limits(const TemporaryFolder& folder, std::size_t memory, std::size_t disk = 1'000'000'000) {
  return {memory, disk, folder / "frames", 0};
}

/// What is written into files without names in the folder becomes zeros.
int spoil_files(const std::filesystem::path& folder) {
  int spoilt = 0;
  for (const auto& handle : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(handle.path(), gone).string();
    if (gone || !target.starts_with(folder.string() + "/") || !target.ends_with("(deleted)")) continue;
    const int file = ::open(handle.path().c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    const std::vector<char> nothing(static_cast<std::size_t>(std::filesystem::file_size(handle.path())));
    REQUIRE(::pwrite(file, nothing.data(), nothing.size(), 0) == static_cast<ssize_t>(nothing.size()));
    ::close(file);
    ++spoilt;
  }
  return spoilt;
}

}  // namespace

TEST_CASE("a frame as bytes and back has the same bits; damaged bytes are refused") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    const auto frame = any_frame(random, i);
    std::vector<std::byte> bytes = frame_bytes(*frame);
    const FramePtr back = frame_from_bytes(bytes, shared_parts(*frame));
    REQUIRE(back);
    CHECK(equal(*frame, *back));
    bytes[random() % bytes.size()] ^= std::byte{1} << (random() % 8);
    CHECK_FALSE(frame_from_bytes(bytes, shared_parts(*frame)));
    bytes.resize(random() % bytes.size());
    CHECK_FALSE(frame_from_bytes(bytes, shared_parts(*frame)));
  }
}

TEST_CASE("a scratch file has no name, and what could not be appended leaves nothing") {
  const TemporaryFolder folder;
  int error = 0;
  const auto file = ScratchFile::make(folder / "a" / "b", error);
  REQUIRE(file);
  CHECK(std::filesystem::is_empty(folder / "a" / "b"));
  const std::vector<std::byte> some(1000, std::byte{7}), more(2000, std::byte{9});
  CHECK(file->append(some, error) == 0u);
  {
    const FullDisk full;
    CHECK_FALSE(file->append(more, error));
    CHECK(error != 0);
  }
  CHECK(file->append(more, error) == 1000u);
  std::vector<std::byte> back(2000);
  CHECK(file->read(1000, back));
  CHECK(back == more);
  CHECK_FALSE(file->read(1001, back));
  folder.write("no folder", "");
  CHECK_FALSE(ScratchFile::make(folder / "no folder", error));
  CHECK(error != 0);
}

TEST_CASE("random frames beyond the budget go to the disk, are wished for and come back the same", "[threads]") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const TemporaryFolder folder;
  FrameCache cache;
  constexpr std::size_t kMemory = 60'000;
  cache.store().set_limits(limits(folder, kMemory));
  std::vector<std::shared_ptr<Frame>> made;
  for (int i = 0; i < 300; ++i) {
    made.push_back(any_frame(random, i));
    REQUIRE(cache.append(cache.generation(), made.back()));
    if (random() % 20 == 0) cache.wish({static_cast<int>(random() % made.size())});
  }
  REQUIRE(comes([&] { return cache.store().use().memory <= kMemory; }));
  const FrameUse use = cache.store().use();
  CHECK(use.frames == 300);
  CHECK(use.frames_on_disk > 200);
  CHECK(use.disk > 0);
  CHECK(use.problem.empty());
  CHECK(std::filesystem::is_empty(folder / "frames"));  // a killed program leaves nothing
  for (int i = 0; i < 200; ++i) {
    const int wanted = static_cast<int>(random() % made.size());
    // As a hand on the time line: the frame, and some around it.
    cache.wish({wanted, wanted + 1, wanted - 1, wanted + 2});
    if (random() % 3 != 0) continue;  // somewhere else already
    FramePtr there;
    REQUIRE(comes([&] { return (there = cache.frame(wanted)) != nullptr; }));
    CHECK(equal(*there, *made[static_cast<std::size_t>(wanted)]));
  }
  for (int i = 0; i < 300; ++i) {
    const FramePtr there = cache.fetch(i);
    REQUIRE(there);
    CHECK(equal(*there, *made[static_cast<std::size_t>(i)]));
  }
  CHECK(comes([&] { return cache.store().use().memory <= kMemory; }));
  const FramePtr nearest = cache.nearest(150);
  REQUIRE(nearest);
  CHECK(equal(*nearest, *made[static_cast<std::size_t>(nearest->index)]));
  // No frame, no file.
  cache.restart(0);
  CHECK(comes([&] { return cache.store().use().disk == 0; }));
}

TEST_CASE("what is furthest from where one looks goes first, earlier runs before all", "[threads]") {
  const TemporaryFolder folder;
  FrameCache cache;
  constexpr std::size_t kFrame = 10'000;
  cache.store().set_limits(limits(folder, 100 * kFrame));
  for (int i = 0; i < 20; ++i) cache.append(cache.generation(), frame_of_size(i, kFrame));
  const std::vector<StoredFrame> earlier = cache.run();
  cache.restart(10);
  for (int i = 10; i < 40; ++i) cache.append(cache.generation(), frame_of_size(i, kFrame));
  cache.wish({20});
  cache.store().set_limits(limits(folder, 30 * kFrame));
  REQUIRE(comes([&] { return cache.store().use().memory <= 29 * kFrame; }));
  for (std::size_t i = 10; i < 20; ++i) CHECK_FALSE(cache.store().here(earlier[i]));
  CHECK(cache.frame(20));
  CHECK(cache.frame(30));
  CHECK_FALSE(cache.frame(0));
  // What has been on the disk needs no second writing.
  const std::size_t disk = cache.store().use().disk;
  cache.wish({0});
  REQUIRE(comes([&] { return cache.frame(0) != nullptr; }));
  cache.wish({20});
  cache.store().set_limits(limits(folder, 10 * kFrame));
  REQUIRE(comes([&] { return cache.store().use().memory <= 10 * kFrame; }));
  CHECK_FALSE(cache.frame(0));
  CHECK(cache.store().use().disk < disk + 30 * kFrame);
}

TEST_CASE("a disk that takes nothing: frames stay, the reason is told, and it is tried again", "[threads]") {
  const TemporaryFolder folder;
  FrameCache cache;
  constexpr std::size_t kFrame = 10'000, kMemory = 10 * kFrame;
  cache.store().set_limits(limits(folder, kMemory));
  {
    const FullDisk full;
    for (int i = 0; i < 15; ++i) cache.append(cache.generation(), frame_of_size(i, kFrame));
    REQUIRE(comes([&] { return !cache.store().use().problem.empty(); }));
    CHECK(cache.store().room() == FrameStore::Room::none);
    CHECK(cache.store().use().frames_on_disk == 0);
    for (int i = 0; i < 15; ++i) CHECK(cache.frame(i));
  }
  REQUIRE(comes([&] { return cache.store().room() == FrameStore::Room::there; }));
  CHECK(cache.store().use().problem.empty());
  CHECK(cache.store().use().frames_on_disk > 0);
  // The disk's own budget, and the part of it that is spared for others.
  FrameLimits less = limits(folder, kMemory / 2, cache.store().use().disk);
  cache.store().set_limits(less);
  CHECK(comes([&] { return cache.store().room() == FrameStore::Room::none; }));
  less.disk = 1'000'000'000;
  less.disk_spared = std::size_t{1} << 60;
  cache.store().set_limits(less);
  CHECK(comes([&] { return cache.store().use().problem == "it is nearly full"; }));
}

TEST_CASE("a fill beyond its memory computes all frames, the same, and undo finds them on the disk", "[threads]") {
  constexpr int kLast = 200;
  const TemporaryFolder folder;
  const Scene a = busy_scene();
  Scene b = a;
  b.settings.gravity = Vec3(0, -5, 0);
  const auto fresh = fresh_run(a, kLast);
  FillRun run(2);
  run.fill.set_limits(limits(folder, 60'000));
  run.fill.start(Shared<Scene>(a), 0, kLast);
  REQUIRE(run.settle().phase == FillStatus::Phase::complete);
  const auto check = [&] {
    REQUIRE(run.cache.size() == kLast + 1);
    for (int i = 0; i <= kLast; ++i) {
      const FramePtr frame = run.cache.fetch(i);
      REQUIRE(frame);
      REQUIRE(same_bits(*frame, fresh[static_cast<std::size_t>(i)]));
    }
  };
  check();
  CHECK(run.cache.store().use().frames_on_disk > kLast / 2);
  const auto stored = run.cache.run();
  run.start(a, b, kLast);
  REQUIRE(run.settle().phase == FillStatus::Phase::complete);
  run.start(b, a, kLast);
  CHECK(run.cache.run() == stored);  // without waiting for anything
  check();
  // What the disk gives back otherwise is found out and computed again.
  CHECK(spoil_files(folder / "frames") > 0);
  int lost = -1;
  for (int i = 0; i <= kLast && lost < 0; ++i)
    if (!run.cache.frame(i)) lost = i;
  REQUIRE(lost >= 0);
  CHECK_FALSE(run.cache.fetch(lost));
  CHECK(run.cache.first_lost() == -1);  // nobody who would show it has looked
  run.cache.wish({lost});
  REQUIRE(comes([&] { return run.cache.first_lost() == lost; }));
  for (; lost >= 0; lost = run.cache.first_lost()) {
    run.fill.start(Shared<Scene>(a), lost, kLast);
    REQUIRE(run.settle().phase == FillStatus::Phase::complete);
    for (int i = 0; i <= kLast; ++i) {
      run.cache.wish({i});
      REQUIRE(comes([&] { return run.cache.frame(i) || run.cache.first_lost() == i; }));
      if (run.cache.first_lost() == i) break;
    }
  }
  check();
}

TEST_CASE("a fill without room gives up what undo would find, then stops, and goes on by itself", "[threads]") {
  constexpr int kLast = 200;
  const TemporaryFolder folder;
  const Scene a = busy_scene();
  FillRun run(1);
  run.fill.set_limits(limits(folder, 60'000));
  {
    const FullDisk full;
    run.fill.start(Shared<Scene>(a), 0, kLast);
    const FillStatus status = run.settle();
    REQUIRE(status.phase == FillStatus::Phase::stopped);
    REQUIRE(status.failure);
    INFO(status.failure->message);
    CHECK(status.failure->message.find("the disk takes no more (") != std::string::npos);
    CHECK(status.computed > 0);
    CHECK(run.cache.frame(status.computed - 1));
  }
  REQUIRE(comes([&] { return run.fill.status().phase == FillStatus::Phase::complete; }));
  CHECK_FALSE(run.fill.status().failure);
  CHECK(run.cache.size() == kLast + 1);
}

TEST_CASE("another document: nothing of the runs before is kept", "[threads]") {
  constexpr int kLast = 40;
  const Scene a = busy_scene();
  Scene b = a;
  b.settings.gravity = Vec3(0, -5, 0);
  FillRun run(1);
  run.fill.start(Shared<Scene>(a), 0, kLast);
  run.settle();
  run.start(a, b, kLast);
  run.settle();
  const std::weak_ptr<const Frame> frame = run.cache.frame(5);
  const int before = run.cache.store().use().frames;
  CHECK(before > kLast + 1);
  run.fill.forget();
  CHECK(run.cache.size() == 0);
  run.fill.start(Shared<Scene>(b), 0, 3);  // the very same, anew
  run.settle();
  CHECK(comes([&] { return run.cache.store().use().frames == 4 && frame.expired(); }));
}

}  // namespace frame_store_test
