// One binding for every kind of owner: mixed values, joined drags, undo texts, refusals, hidden rows.
#include <catch2/catch.hpp>

#include "tests/ui/panels_support.h"
#include "ui/panels/owners.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"

namespace binding_test {

using namespace hazumi;
using namespace hazumi::test;

/// Two suns and a lamp.
Scene lit_scene() {
  Scene scene = small_scene();
  for (int i = 0; i < 2; ++i) {
    Light light = *scene.lights.front();
    light.id = Id{static_cast<std::uint64_t>(10 + i)};
    light.name = i == 0 ? "Second" : "Lamp";
    light.kind = i == 0 ? LightKind::directional : LightKind::point;
    light.intensity = 0.25 * (i + 1);
    scene.lights.push_back(light);
  }
  return scene;
}

NumberField* number(FieldWidget* widget) { return static_cast<SingleNumberField*>(widget)->field(); }

TEST_CASE("A binding shows what several owners have in common and sets all in one step", "[ui][binding]") {
  Bench b(lit_scene());
  auto* binding = new Binding<Light>(b.context, light_fields(),
                                     selected_things(b.context, std::get<SceneList<Light>>(kSceneLists)), &b.window);
  auto* grid = new QGridLayout;
  auto* page = new QWidget;
  page->setLayout(grid);
  FieldWidget* intensity = binding->add_row("intensity", grid, page);
  FieldWidget* target = binding->add_row("target", grid, page);  // of a sun, not of a lamp
  b.show(page);
  CHECK_FALSE(binding->active());
  CHECK(intensity->isHidden());

  b.selection.set({Id{4}, Id{10}}, Id{10});
  REQUIRE(binding->owners().size() == 2);
  CHECK(binding->active()->name == "Second");
  CHECK(binding->subject() == "2 lights");
  CHECK(number(intensity)->mixed());
  CHECK_FALSE(target->isHidden());
  type_into(number(intensity), "3");
  CHECK(find_light(b.document.scene(), Id{4})->intensity == 3);
  CHECK(find_light(b.document.scene(), Id{10})->intensity == 3);
  CHECK(find_light(b.document.scene(), Id{11})->intensity == 0.5);
  CHECK_FALSE(number(intensity)->mixed());
  CHECK(b.steps() == 1);
  CHECK(b.document.undo_stack()->undoText() == "Intensity of 2 lights");

  drag(number(intensity), 9);
  CHECK(b.steps() == 2);  // a drag is one step
  b.document.undo_stack()->undo();
  CHECK(number(intensity)->value() == 3);

  b.selection.select_only(Id{11});
  CHECK(target->isHidden());
  CHECK(number(intensity)->value() == 0.5);
  CHECK(binding->subject() == "Lamp");
  b.selection.select_only(Id{1});  // an object is no light
  CHECK_FALSE(binding->active());
  CHECK_FALSE(binding->set("intensity", 1.0, false, nullptr));
  CHECK(b.steps() == 1);
}

TEST_CASE("A refused edit leaves the scene and goes back in the widget", "[ui][binding]") {
  Bench b(lit_scene());
  auto* settings = new Binding<SceneSettings>(b.context, settings_fields(), scene_settings(b.context), &b.window);
  double shown = 0;
  settings->bind("frame_rate", [&](std::span<const FieldValue> values) { shown = std::get<double>(values.front()); });
  settings->refresh();
  const double before = b.document.scene().settings.frame_rate;
  CHECK(shown == before);
  shown = -1;
  CHECK_FALSE(settings->set("frame_rate", -5.0, false, nullptr));
  CHECK(shown == before);
  CHECK(b.steps() == 0);
  CHECK(settings->set("frame_rate", 50.0, false, nullptr));
  CHECK(shown == 50);
  CHECK(b.document.undo_stack()->undoText() == "Frame rate of scene");
  // The same gesture goes on, until it is ended.
  CHECK(settings->set("frame_rate", 51.0, true, nullptr));
  CHECK(b.steps() == 1);
  settings->end_gesture();
  CHECK(settings->set("frame_rate", 52.0, true, nullptr));
  CHECK(b.steps() == 2);
}

}  // namespace binding_test
