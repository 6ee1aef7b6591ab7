// Motions that make the film, in the real window: a graph that cuts to a camera and plays a sound as a ball hits the lane.
#include <QComboBox>
#include <QLineEdit>

#include "core/playback/film.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"
#include "tests/ui/motion_support.h"
#include "tests/ui/sound_support.h"
#include "ui/panels/cut_strip.h"
#include "ui/panels/sound_strip.h"
#include "ui/panels/thing_picker.h"
#include "ui/viewport/camera_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/expression_edit.h"
#include "ui/widgets/field_widget.h"

namespace flow_film_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct FilmFlow : MotionFlow {
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
  TemporaryFolder folder;

  FilmFlow() {
    session.sound_player.set_device([heard = heard] { return std::make_unique<FakeDevice>(heard); });
    stage();
    Scene scene = document().scene();
    Camera close = scene.cameras.empty() ? Camera() : *scene.cameras.front();
    close.id = next_id(scene);
    close.name = "Close";
    close.position = Vec3(-1.5, 0.6, 2);
    close.target = Vec3(-1.5, 0.3, 0);
    scene.cameras.push_back(close);
    folder.write("bang.wav", wav_bytes(std::vector<std::int16_t>(48'000, 8000), 1, 48'000));
    Sound bang;
    bang.id = next_id(scene);
    bang.name = "Bang";
    bang.file = (folder / "bang.wav").string();
    bang.waits = true;
    scene.sounds.push_back(bang);
    REQUIRE(document().edit("Stage", std::move(scene)).ok());
    REQUIRE(wait_for([&] { return !session.sounds.busy(); }));
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  Id close() { return scene().cameras.back()->id; }
  /// By the keys of the list.
  void pick(const char* name) {
    REQUIRE(panel().other());
    QComboBox* box = panel().other()->box();
    const int at = box->findText(QString::fromUtf8(name));
    REQUIRE(at >= 0);
    box->setFocus();
    while (box->currentIndex() != at) {
      const int before = box->currentIndex();
      QTest::keyClick(box, before < at ? Qt::Key_Down : Qt::Key_Up);
      REQUIRE(box->currentIndex() != before);
    }
    QTest::qWait(5);
  }
};

}  // namespace

TEST_CASE("Flow: as the ball hits the lane, the film cuts to a camera and a sound is heard",
          "[ui][flow][motion_graph]") {
  FilmFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id contact = f.drag_from_palette(MotionRole::event, "contact", QPointF(0.2 * w, 0.4 * h));
  const Id cut = f.drag_from_palette(MotionRole::procedure, "cut", QPointF(0.6 * w, 0.25 * h));
  CHECK(f.panel().sentence().contains("no camera"));
  f.pick("Close");
  CHECK(f.node(cut).other == f.close().value);
  CHECK(f.undo_text() == "\"Cut\" with Close");
  const Id play = f.drag_from_palette(MotionRole::procedure, "play", QPointF(0.6 * w, 0.65 * h));
  f.pick("Bang");
  CHECK(f.node(play).other == f.scene().sounds.back()->id.value);
  f.drag_on_canvas(f.right(contact), f.middle(cut));
  f.drag_on_canvas(f.right(contact), f.middle(play));
  REQUIRE(f.node(contact).wires.size() == 2);
  REQUIRE(complete(f.playback()));
  const auto cues = f.playback().cache().cues();
  REQUIRE(cues);
  REQUIRE(cues->size() == 2);
  const int hit = static_cast<int>(std::ceil(cues->front().time * f.scene().settings.frame_rate));
  CHECK(hit > 10);

  // The view through the scene's camera follows, and so does the strip under the ruler.
  f.view().setFocus();
  f.key(Qt::Key_0);
  f.playback().set_frame(hit - 1);
  QTest::qWait(20);
  const std::string before = f.view().looked_through()->name;
  CHECK(before != "Close");
  f.playback().set_frame(hit);
  QTest::qWait(50);
  CHECK(f.view().looked_through()->name == "Close");
  const auto stretches = f.window.findChild<CutStrip*>()->stretches();
  REQUIRE(stretches.size() == 2);
  CHECK(stretches[1].camera == f.close());
  f.playback().set_frame(hit + 4);
  QTest::qWait(300);
  f.shot("motion-film");

  // It stands where it is played, too.
  f.tab("timeline");
  auto& strip = *f.window.findChild<SoundStrip*>();
  REQUIRE(wait_for([&] { return strip.isVisible(); }));
  QTest::qWait(50);
  const QImage strip_picture = strip.grab().toImage();
  const double ratio = strip_picture.devicePixelRatio();
  const auto bright = [&](double seconds) {
    const int x = static_cast<int>(strip.x_of(seconds * 60) * ratio);
    int most = 0;
    for (int beside = -1; beside <= 2; ++beside)
      most = std::max(most, strip_picture.pixelColor(x + beside, strip_picture.height() - 4).green());
    return most;
  };
  CHECK(bright(cues->back().time) > 150);
  CHECK(bright(cues->back().time + 0.1) < 120);
  f.shot("motion-film-strip");
  f.tab("motion_graph");

  // Heard from the hit on.
  f.playback().set_frame(0);
  f.heard->takes.clear();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.heard->plays && f.heard->seconds() > cues->front().time + 0.3; }));
  f.key(Qt::Key_Space);
  const std::vector<float>& heard = f.heard->takes.back().stereo;
  const auto first = std::find_if(heard.begin(), heard.end(), [](float x) { return x > 0.1f; });
  REQUIRE(first != heard.end());
  const double began = static_cast<double>(first - heard.begin()) / 2 / 48'000;
  CHECK(began == Approx(cues->back().time).margin(2e-3));

  // Without its wires it does neither.
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.node(contact).wires.empty());
  REQUIRE(complete(f.playback()));
  CHECK(f.playback().cache().cues() == nullptr);
  f.playback().set_frame(hit + 4);
  QTest::qWait(50);
  CHECK(f.view().looked_through()->name == before);
}

TEST_CASE("Flow: a key that is pressed while it plays happens there and then, and each time again",
          "[ui][flow][motion_graph]") {
  FilmFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id press = f.drag_from_palette(MotionRole::event, "marker", QPointF(0.2 * w, 0.4 * h));
  CHECK(f.node(press).loop);
  FieldWidget* key = f.panel().field("key");
  REQUIRE(key);
  auto* choice = key->findChild<QComboBox*>();
  REQUIRE(choice);
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  QTest::keyClick(choice, Qt::Key_Down);
  REQUIRE(find_parameter(f.node(press), "key"));
  CHECK(find_parameter(f.node(press), "key")->word == "2");
  const Id toss = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(press), f.middle(toss));
  f.click_on_canvas(f.middle(press));
  REQUIRE(f.panel().condition());
  REQUIRE(complete(f.playback()));
  const int steps = f.steps();

  // At rest it is the key that it always was; nothing is pressed.
  f.view().setFocus();
  f.key(Qt::Key_2);
  CHECK(f.scene().markers.empty());
  f.playback().set_frame(0);
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.playback().frame() > 5; }));
  f.key(Qt::Key_3);  // of nobody
  CHECK(f.scene().markers.empty());
  // What is typed stays what is typed.
  QLineEdit* words = f.panel().condition()->edit();
  f.sight(words);
  QTest::mouseClick(words, Qt::LeftButton);
  QTest::keyClicks(words, "2");
  CHECK(words->text() == "2");
  CHECK(f.scene().markers.empty());
  QTest::keyClick(words, Qt::Key_Escape);
  f.view().setFocus();
  REQUIRE(f.playback().playing());
  f.key(Qt::Key_2);
  const int first = f.playback().frame();
  REQUIRE(f.scene().markers.size() == 1);
  CHECK(f.undo_text() == "Press 2");
  CHECK(f.scene().markers[0]->name == "Marker 2");
  CHECK(std::abs(f.scene().markers[0]->time * 60 - first) <= 1);
  CHECK(f.node(press).other == f.scene().markers[0]->id.value);
  REQUIRE(wait_for([&] { return f.playback().frame() > first + 10; }));
  f.key(Qt::Key_2);
  CHECK(f.scene().markers.size() == 2);
  f.key(Qt::Key_Space);
  CHECK(f.steps() == steps + 2);
  REQUIRE(complete(f.playback()));
  // Both were heeded by the run, where the markers are.
  std::vector<double> happened;
  for (const auto& [frame, mark] : f.playback().log()->motion)
    if (mark.box == press && mark.turn == MotionTurn::happened) happened.push_back(frame + 1);
  REQUIRE(happened.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(happened[i] == Approx(f.scene().markers[i]->time * 60).margin(0.01));
  f.playback().set_frame(first + 12);
  QTest::qWait(200);
  f.shot("motion-press");
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().markers.empty());
  CHECK(f.node(press).other == 0);
}

}  // namespace flow_film_test
