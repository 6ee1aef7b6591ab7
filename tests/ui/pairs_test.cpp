// Collision groups and pairs by mouse and keys: a pair is made of two selected objects, its numbers are dragged, every step is
// undone by name; with objects their pairs are deleted and copied.
#include <catch2/catch.hpp>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QUndoStack>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/ui/panels_support.h"
#include "ui/model/commands.h"
#include "ui/panels/outliner_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/scene_model.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/section.h"

namespace pairs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

NumberField* number_in(FieldForm* form, const char* path) {
  return static_cast<SingleNumberField*>(form->widget(path))->field();
}

QString undo_name(Bench& b) { return b.document.undo_stack()->undoText(); }

}  // namespace

TEST_CASE("A pair is made of the two selected objects, dragged, taken off and undone", "[ui][pairs]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  QAction* make = b.actions["object.pair"];
  for (const std::set<Id>& ids :
       {std::set<Id>{}, std::set<Id>{Id{1}}, std::set<Id>{Id{1}, Id{4}}, std::set<Id>{Id{1}, Id{2}, Id{3}}}) {
    b.selection.set(ids);
    b.actions.refresh();
    CHECK_FALSE(make->isEnabled());
  }
  CHECK(make->statusTip().contains("two objects"));
  b.selection.set({Id{1}, Id{3}}, Id{3});
  b.actions.refresh();
  REQUIRE(make->isEnabled());
  const std::string before = scene_to_text(b.document.scene());
  make->trigger();
  REQUIRE(b.document.scene().pairs.size() == 1);
  const Shared<ContactPair> made = b.document.scene().pairs[0];
  CHECK(made->name == "Ball and Floor");
  CHECK((made->a == 1 && made->b == 3));
  CHECK(made->restitution == Approx(0.6));
  CHECK(made->friction == Approx(0.5));
  CHECK(undo_name(b) == "Add Pair Ball and Floor");
  CHECK(b.selection.ids() == std::set<Id>{made->id});

  FieldForm* form = panel->form("pairs");
  REQUIRE(form->isVisible());
  auto* line = panel->findChild<QLabel*>("properties_pair");
  REQUIRE(line->isVisible());
  CHECK(line->text() == "Of Ball and Floor");
  CHECK_FALSE(form->widget("a")->isVisible());
  drag(number_in(form, "restitution"), 20);
  CHECK(b.document.scene().pairs[0]->restitution > 0.65);
  CHECK(undo_name(b) == "Restitution of Ball and Floor");
  CHECK(b.steps() == 2);
  type_into(number_in(form, "friction"), "0.25");
  CHECK(b.document.scene().pairs[0]->friction == 0.25);
  type_into(number_in(form, "friction"), "-1");
  CHECK(b.document.scene().pairs[0]->friction == 0.25);

  // Hiding changes no run; the eye in the outliner switches it off.
  b.actions["edit.hide"]->trigger();
  CHECK(b.document.scene().pairs[0]->visible);
  SceneModel rows(b.document, nullptr);
  rows.toggle({made->id}, SceneModel::eye_column);
  CHECK_FALSE(b.document.scene().pairs[0]->visible);
  CHECK(pair_values(b.document.scene()).empty());
  b.selection.set({Id{1}});
  b.actions["edit.hide"]->trigger();
  b.actions["edit.show_all"]->trigger();
  CHECK(b.object(1).visible);
  CHECK_FALSE(b.document.scene().pairs[0]->visible);

  // The same two again: the pair that there is.
  b.selection.set({Id{1}, Id{3}});
  make->trigger();
  CHECK(b.document.scene().pairs.size() == 1);
  CHECK(b.selection.ids() == std::set<Id>{made->id});
  REQUIRE(b.document.edit_object("Rename", Id{1}, [](Object& o) { o.name = "Round thing"; }).ok());
  CHECK(line->text() == "Of Round thing and Floor");

  b.actions["edit.delete"]->trigger();
  CHECK(b.document.scene().pairs.empty());
  CHECK(undo_name(b) == "Delete Ball and Floor");
  while (b.document.undo_stack()->canUndo()) b.document.undo_stack()->undo();
  CHECK(scene_to_text(b.document.scene()) == before);
}

TEST_CASE("With objects their pairs go, come back and are copied", "[ui][pairs]") {
  Bench b;
  b.show(new OutlinerPanel(b.context, nullptr));
  for (const std::set<Id>& ids : {std::set<Id>{Id{1}, Id{2}}, std::set<Id>{Id{2}, Id{3}}}) {
    b.selection.set(ids);
    b.actions["object.pair"]->trigger();
  }
  const std::string both = scene_to_text(b.document.scene());
  REQUIRE(b.document.scene().pairs.size() == 2);
  b.selection.set({Id{1}});
  b.actions["edit.delete"]->trigger();
  REQUIRE(b.document.scene().pairs.size() == 1);
  CHECK(b.document.scene().pairs[0]->name == "Jelly and Floor");
  b.document.undo_stack()->undo();
  CHECK(scene_to_text(b.document.scene()) == both);

  b.selection.set({Id{1}, Id{2}});
  duplicate_selected(b.document, b.selection);
  const auto& pairs = b.document.scene().pairs;
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[2]->name == "Ball and Jelly 2");
  const Object *ball = find_object(b.document.scene(), Id{pairs[2]->a}),
               *jelly = find_object(b.document.scene(), Id{pairs[2]->b});
  REQUIRE((ball && jelly));
  CHECK(ball->name == "Ball 2");
  CHECK(jelly->name == "Jelly 2");
  CHECK(b.selection.ids() == std::set<Id>{ball->id, jelly->id});
  CHECK(validate(b.document.scene()).empty());
  // Of a pair alone there is no copy.
  b.selection.set({pairs[0]->id});
  duplicate_selected(b.document, b.selection);
  CHECK(b.document.scene().pairs.size() == 3);
}

TEST_CASE("Groups are typed, for all that is selected", "[ui][pairs]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}, Id{2}});
  Section* section = panel->form("objects")->section("Contact");
  if (!section->is_open()) QTest::mouseClick(section->header(), Qt::LeftButton);
  REQUIRE(section->is_open());
  const auto type = [&](const char* path, const char* text) {
    auto* edit = panel->form("objects")->widget(path)->findChild<QLineEdit*>();
    REQUIRE(edit);
    REQUIRE(edit->isVisible());
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
  };
  type("contact.groups", "toys");
  CHECK(undo_name(b) == "Groups of 2 objects");
  CHECK(collision_groups(b.document.scene()).empty());
  type("contact.ignores", "toys");
  CHECK(undo_name(b) == "Ignores of 2 objects");
  const auto groups = collision_groups(b.document.scene());
  REQUIRE(groups.size() == 2);
  CHECK(ignore_each_other(groups[0].mask, groups[1].mask));
  b.document.undo_stack()->undo();
  CHECK(collision_groups(b.document.scene()).empty());
  QTest::mouseClick(section->header(), Qt::LeftButton);
}

}  // namespace pairs_test
