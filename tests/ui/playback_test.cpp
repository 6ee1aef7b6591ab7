#include <catch2/catch.hpp>

#include <QSignalSpy>

#include "tests/ui/support.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace playback_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Playing {
  DocumentController document;
  PlaybackController playback{document, 1};
  explicit Playing(int last_frame = 40) { document.reset(ball_scene(last_frame), {}); }
  Id ball() const { return id_of(document.scene(), "Ball"); }
};

}  // namespace

TEST_CASE("The range is computed in the background and the ball falls", "[ui][playback]") {
  Playing p;
  REQUIRE(complete(p.playback));
  REQUIRE(p.playback.cache().size() == 41);
  const Id ball = p.ball();
  p.playback.set_frame(0);
  const float start = p.playback.shown()->find(ball)->position.y();
  p.playback.set_frame(12);
  REQUIRE(p.playback.shown());
  CHECK(p.playback.shown()->index == 12);
  CHECK(p.playback.shown()->find(ball)->position.y() < start - 0.1f);
}

TEST_CASE("Frames are clamped to the range", "[ui][playback]") {
  Playing p;
  QSignalSpy moved(&p.playback, &PlaybackController::frame_changed);
  p.playback.set_frame(1000);
  CHECK(p.playback.frame() == 40);
  p.playback.set_frame(-5);
  CHECK(p.playback.frame() == 0);
  p.playback.step(-1);
  CHECK(p.playback.frame() == 0);
  CHECK(moved.count() == 2);
}

TEST_CASE("A colour drops no frame, a velocity drops all, undo brings them back", "[ui][playback]") {
  Playing p;
  REQUIRE(complete(p.playback));
  p.playback.set_frame(20);
  const auto generation = p.playback.cache().generation();
  const FramePtr before = p.playback.shown();

  REQUIRE(
      p.document.edit_object("Colour", p.ball(), [](Object& o) { o.material.surface.diffuse = Vec3(1, 0, 0); }).ok());
  CHECK(p.playback.cache().generation() == generation);
  CHECK(p.playback.cache().size() == 41);
  CHECK(p.playback.shown() == before);

  REQUIRE(p.document.edit_object("Velocity", p.ball(), [](Object& o) { o.body.velocity = Vec3(1, 0, 0); }).ok());
  CHECK(p.playback.cache().generation() != generation);
  CHECK(p.playback.frame() == 20);
  REQUIRE(complete(p.playback));
  const FramePtr moved = p.playback.shown();
  REQUIRE(moved);
  CHECK(moved->state_hash != before->state_hash);

  p.document.undo_stack()->undo();
  REQUIRE(complete(p.playback));
  REQUIRE(p.playback.shown());
  CHECK(p.playback.shown()->state_hash == before->state_hash);
}

TEST_CASE("Contact settings keep the frames before the first contact", "[ui][playback]") {
  Playing p;
  REQUIRE(complete(p.playback));
  const auto log = p.playback.log();
  REQUIRE_FALSE(log->contacts.empty());
  const int first = log->first_frame({p.ball(), Reading::contact});
  REQUIRE(first > 5);
  const std::vector<FramePtr> before = p.playback.cache().frames();
  REQUIRE(p.document
              .edit_object("Restitution", p.ball(),
                           [](Object& o) {
                             o.material.substance_follows = false;
                             o.material.substance.restitution = 0.95;
                           })
              .ok());
  REQUIRE(complete(p.playback));
  const std::vector<FramePtr> after = p.playback.cache().frames();
  REQUIRE(after.size() == before.size());
  CHECK(after[static_cast<std::size_t>(first - 1)] == before[static_cast<std::size_t>(first - 1)]);
  CHECK(after.back()->state_hash != before.back()->state_hash);
}

TEST_CASE("Playing without loop runs to the end and stops there", "[ui][playback]") {
  Playing p(20);
  REQUIRE(complete(p.playback));
  p.playback.set_ending(Ending::once);
  QSignalSpy playing(&p.playback, &PlaybackController::playing_changed);
  p.playback.play(true);
  REQUIRE(wait_for([&] { return !p.playback.playing(); }));
  CHECK(p.playback.frame() == 20);
  CHECK(playing.count() == 2);
  p.playback.play(true);  // from the end: starts again
  CHECK(p.playback.frame() == 0);
}

TEST_CASE("Playing with loop begins again", "[ui][playback]") {
  Playing p(10);
  REQUIRE(complete(p.playback));
  bool wrapped = false;
  int last = 0;
  QObject::connect(&p.playback, &PlaybackController::frame_changed, [&](int frame) {
    wrapped |= frame < last;
    last = frame;
  });
  p.playback.play(true);
  CHECK(wait_for([&] { return wrapped; }));
  CHECK(p.playback.playing());
}

TEST_CASE("Playing never shows a frame that is not computed, and goes on after an edit", "[ui][playback]") {
  Playing p(120);
  bool missing = false;
  QObject::connect(&p.playback, &PlaybackController::frame_changed,
                   [&](int frame) { missing |= !p.playback.cache().frame(frame); });
  p.playback.play(true);
  REQUIRE(wait_for([&] { return p.playback.frame() > 5; }));
  const int reached = p.playback.frame();
  REQUIRE(p.document.edit_object("Push", p.ball(), [](Object& o) { o.body.velocity = Vec3(0, 2, 0); }).ok());
  CHECK(p.playback.playing());
  CHECK(p.playback.frame() == reached);
  REQUIRE(wait_for([&] { return p.playback.frame() > reached + 5 || p.playback.frame() < reached; }));
  CHECK_FALSE(missing);
}

TEST_CASE("Behind the computation playing waits and says so", "[ui][playback]") {
  Playing p(120);
  REQUIRE(complete(p.playback));
  p.playback.set_paused(true);
  Scene longer = p.document.scene();
  longer.settings.last_frame = 200;
  REQUIRE(p.document.edit("Last frame", longer).ok());
  p.playback.set_frame(115);
  p.playback.play(true);
  REQUIRE(wait_for([&] { return p.playback.waiting(); }));
  CHECK(p.playback.frame() == 120);
  CHECK(p.playback.playing());
  p.playback.set_paused(false);
  CHECK(wait_for([&] { return !p.playback.waiting() && p.playback.frame() > 125; }));
}

TEST_CASE("A longer range keeps what is there and computes the rest", "[ui][playback]") {
  Playing p(20);
  REQUIRE(complete(p.playback));
  const FramePtr kept = p.playback.cache().frame(10);
  Scene longer = p.document.scene();
  longer.settings.last_frame = 50;
  REQUIRE(p.document.edit("Last frame", longer).ok());
  REQUIRE(wait_for([&] { return p.playback.cache().size() == 51; }));
  CHECK(p.playback.cache().frame(10) == kept);
}

}  // namespace playback_test
