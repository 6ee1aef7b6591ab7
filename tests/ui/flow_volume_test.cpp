// Kept volume as a person sets it, in the real window: chosen in Properties, its size typed and keyed, and what is then seen.
#include <QComboBox>

#include "core/scene/derived/tracks.h"
#include "core/sim/model.h"
#include "tests/ui/flow_support.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/key_button.h"

namespace flow_volume_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct VolumeFlow : Flow {
  FieldWidget* field(const char* path) {
    for (FieldWidget* widget : window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return sight(widget);
    return nullptr;
  }
  void choose(const char* path, const char* word) {
    QComboBox* box = static_cast<ChoiceField*>(field(path))->box();
    box->setFocus();
    for (int k = 0; k < box->count() && box->currentText() != word; ++k) QTest::keyClick(box, Qt::Key_Down);
    REQUIRE(box->currentText() == word);
    QTest::qWait(20);
  }
};

}  // namespace

TEST_CASE("Flow: a fish keeps its volume, and its size is keyed by the diamond", "[ui][flow][volume]") {
  VolumeFlow f;
  f.open(shipped("falling_fish.json"));
  f.playback().set_paused(true);
  f.tab("properties");
  const Id fish = id_of(f.scene(), "Fish of springs alone");
  f.selection().select_only(fish);
  QTest::qWait(20);
  REQUIRE(f.field("body.volume.of"));
  CHECK_FALSE(f.field("body.volume.size"));  // of what is not kept there is no size
  const int before = f.document().undo_stack()->index();
  f.choose("body.volume.of", "Surface");
  CHECK(f.object("Fish of springs alone").body.volume.of == VolumeOf::surface);
  CHECK(f.document().undo_stack()->index() == before + 1);
  REQUIRE(f.field("body.volume.size"));
  REQUIRE(f.field("body.volume.method"));
  CHECK_FALSE(f.field("body.volume.size")->toolTip().isEmpty());
  type_number(number_of(f.field("body.volume.size")), "1.3");
  CHECK(f.object("Fish of springs alone").body.volume.size == Approx(1.3));

  // A key at frame 0 and one at frame 60: between them it swells.
  f.click_in(f.field("body.volume.size")->key(), QPoint(7, 9));
  f.playback().set_frame(60);
  QTest::qWait(20);
  type_number(number_of(f.field("body.volume.size")), "2");
  const Track* track = find_track(f.scene(), fish.value, "body.volume.size");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys[0].value[0] == Approx(1.3));
  CHECK(track->keys[1].value[0] == Approx(2));
  f.shot("volume", f.window.findChild<QDockWidget*>("properties"));
  f.shot("volume-window");
  f.document().undo_stack()->undo();
  CHECK(find_track(f.scene(), fish.value, "body.volume.size")->keys.size() == 1);

  // The thesis's way.
  f.choose("body.volume.method", "Optimisation");
  CHECK(f.object("Fish of springs alone").body.volume.method == VolumeMethod::optimisation);
  f.document().undo_stack()->undo();
  CHECK(f.object("Fish of springs alone").body.volume.method == VolumeMethod::exact);
}

}  // namespace flow_volume_test
