// Contacts as a person reads them, in the real window by mouse: ticks of the time line, and what is drawn on demand.
#include <QComboBox>
#include <QLabel>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>
#include <QTreeWidget>

#include "core/playback/collision_shape.h"
#include "tests/ui/flow_support.h"
#include "ui/panels/collision_line.h"
#include "ui/panels/collision_readout.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/viewport/contact_view.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/section.h"

namespace flow_contacts_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A soft and a rigid ball that land on the floor in the same frame, and a box that lies on it from the start.
Scene landing_scene() {
  Scene scene = make_new_scene();
  scene.name = "Landing";
  scene.settings.last_frame = 90;
  const auto add = [&](Object object) {
    object.id = next_id(scene);
    scene.objects.push_back(object);
    return object.id;
  };
  Object soft = World::jelly(0.4, Vec3(-1, 1, 0), 1500);
  soft.name = "Jelly";
  add(soft);
  Object hard = World::sphere(0.4, Vec3(1, 1, 0));
  hard.name = "Marble";
  add(hard);
  Object box = World::box(Vec3(0.6, 0.6, 0.6), Vec3(0, 0.3, 1), 2);
  box.name = "Crate";
  add(box);
  return scene;
}

struct ContactFlow : Flow {
  TimelineRuler* ruler = nullptr;
  ContactFlow() {
    document().reset(landing_scene(), {});
    QTest::qWait(20);
    REQUIRE(complete(playback()));
    QTest::qWait(60);
    ruler = window.findChild<TimelineRuler*>();
    REQUIRE(ruler);
  }
  int first_tick() { return playback().log()->contacts.front().first; }
  QPoint tick_place(int frame) { return QPoint(qRound(ruler->x_of(frame)), ruler->height() - 14); }
  void click_tick(int frame) {
    click_in(ruler, tick_place(frame));
    QTest::qWait(20);
  }
  CollisionReadout& readout() {
    REQUIRE(ruler->readout());
    return *ruler->readout();
  }
  void click_row(int row) {
    QTest::mouseClick(readout().list()->viewport(), Qt::LeftButton, {}, readout().row_place(row).center());
    QTest::qWait(10);
  }
  const CollisionRow& row_with(const char* name) {
    for (const CollisionRow& row : readout().rows())
      if (row.objects.contains(QLatin1String(name))) return row;
    FAIL("no row with " << name);
    return readout().rows().front();
  }
  void show_frame(int frame) {
    playback().set_frame(frame);
    QTest::qWait(20);
    REQUIRE(wait_for([&] { return view().displayed_frame() && view().displayed_frame()->index == frame; }));
  }
};

std::size_t lines_in(Viewport& view) {
  std::size_t count = 0;
  for (const DrawLines& lines : view.render_list().lines) count += lines.vertices.size();
  return count;
}

}  // namespace

TEST_CASE("Flow: a click on a tick reads its collisions, closed form and measured", "[ui][flow][contact]") {
  ContactFlow f;
  const std::string before = scene_to_text(f.scene());
  const int frame = f.first_tick();
  REQUIRE(frame > 5);
  f.selection().select_only(id_of(f.scene(), "Marble"));
  f.click_tick(frame);
  CollisionReadout& readout = f.readout();
  REQUIRE(readout.isVisible());
  CHECK(f.playback().frame() == frame);
  CHECK(readout.findChild<QLabel*>("collision_title")->text().startsWith(QString("Collisions in frame %1").arg(frame)));
  REQUIRE(readout.rows().size() == 2);
  CHECK(readout.rows()[0].objects == "Marble – Floor");  // the selected one first
  CHECK(readout.rows()[1].objects == "Jelly – Floor");
  // Over the time line, inside the window, and nothing cut off.
  const QRect place(readout.mapTo(&f.window, QPoint(0, 0)), readout.size());
  CHECK(f.window.rect().contains(place));
  CHECK(place.bottom() <= f.ruler->parentWidget()->mapTo(&f.window, QPoint(0, 0)).y());
  QTreeWidget* list = readout.list();
  CHECK(list->topLevelItemCount() == 2);
  for (int k = 1; k < list->columnCount(); ++k)
    for (const QString& line : list->topLevelItem(1)->text(k).split('\n'))
      CHECK(list->fontMetrics().horizontalAdvance(line) <= list->columnWidth(k));

  const auto log = f.playback().log();
  const auto measured = log->measured();
  for (std::size_t k = 0; k < log->contacts.size() && log->contacts[k].first == frame; ++k) {
    const ContactEvent& event = log->contacts[k].second;
    const bool soft = event.measured;
    const CollisionRow& row = f.row_with(soft ? "Jelly" : "Marble");
    CHECK(row.impulse.closed == figure_text(event.impulse, "N s"));
    CHECK(row.force.closed == figure_text(event.peak_force, "N"));
    CHECK(row.time.closed.startsWith(figure_text(event.duration, "s") + " · "));
    CHECK(row.time.closed.endsWith(" frames"));
    CHECK(row.squash.closed.endsWith("m"));
    if (soft) {
      REQUIRE(measured[k]);
      CHECK(row.force.measured == figure_text(measured[k]->force, "N"));
      CHECK(row.squash.measured == figure_text(measured[k]->squash, "m"));
      CHECK(row.time.measured.contains("frames"));
      CHECK(row.time.tip.contains("sub-steps"));
    } else {
      for (const CollisionFigure* figure : {&row.impulse, &row.force, &row.time, &row.squash}) {
        CHECK(figure->measured == "–");
        CHECK(figure->tip.contains("both are rigid"));
      }
    }
  }
  f.shot("collision-readout");

  f.playback().set_frame(frame + 20);
  f.click_row(1);
  // Word of the fill comes at any time: memory of the scene before is given back half a second after it was closed.
  f.playback().fill_changed();
  CHECK(f.playback().frame() == frame);
  CHECK(f.selection().ids() == std::set<Id>{id_of(f.scene(), "Jelly"), id_of(f.scene(), "Floor")});
  CHECK(f.selection().active() == id_of(f.scene(), "Jelly"));
  CHECK(readout.isVisible());
  CHECK(readout.rows()[0].objects == "Marble – Floor");  // nothing jumps under the mouse
  CHECK(readout.rows()[1].objects == "Jelly – Floor");
  CHECK(list->currentItem() == list->topLevelItem(1));
  QTest::keyClick(list, Qt::Key_Escape);
  CHECK_FALSE(readout.isVisible());
  CHECK(f.document().undo_stack()->count() == 0);
  CHECK(scene_to_text(f.scene()) == before);
}

TEST_CASE("Figures of collisions are in the units that one counts in", "[ui][contact]") {
  CHECK(figure_text(16800, "N") == "16.8 kN");
  CHECK(figure_text(171.2, "N") == "171 N");
  CHECK(figure_text(0.0351, "N") == "0.0351 N");
  CHECK(figure_text(0.000749, "s") == "0.749 ms");
  CHECK(figure_text(0.2167, "s") == "217 ms");
  CHECK(figure_text(1.5, "s") == "1.50 s");
  CHECK(figure_text(0.000874, "m") == "0.874 mm");
  CHECK(figure_text(0.99999, "m") == "1.00 m");
  CHECK(figure_text(0, "m") == "0 m");
}

TEST_CASE("Flow: the read-out goes with a scrub, its cross and an edit that undoes the collision",
          "[ui][flow][contact]") {
  ContactFlow f;
  const int frame = f.first_tick();
  f.click_tick(frame);
  CHECK(f.readout().isVisible());
  QTest::mouseClick(f.ruler, Qt::LeftButton, {}, QPoint(qRound(f.ruler->x_of(2)), 6));
  CHECK_FALSE(f.readout().isVisible());
  f.click_tick(frame);
  QTest::mouseClick(f.readout().findChild<QToolButton*>("collision_close"), Qt::LeftButton);
  CHECK_FALSE(f.readout().isVisible());
  // A press on a tick that becomes a drag scrubs as ever.
  const QPoint at = f.tick_place(frame);
  QTest::mousePress(f.ruler, Qt::LeftButton, {}, at);
  QTest::mouseMove(f.ruler, at + QPoint(40, 0));
  QTest::mouseRelease(f.ruler, Qt::LeftButton, {}, at + QPoint(40, 0));
  CHECK(f.playback().frame() == f.ruler->frame_at(at.x() + 40));
  CHECK_FALSE(f.readout().isVisible());

  f.click_tick(frame);
  f.playback().set_paused(true);
  const QString closed = f.readout().rows()[0].force.closed;
  for (const char* name : {"Jelly", "Marble"})
    REQUIRE(f.document().edit_object("Push", id_of(f.scene(), name), [](Object& o) { o.body.velocity.y() = -2; }).ok());
  QTest::qWait(60);
  CHECK(f.readout().rows().empty());  // out of date: nothing is shown of it
  CHECK(f.readout().findChild<QLabel*>("collision_title")->text().contains("being computed"));
  f.playback().set_paused(false);
  REQUIRE(complete(f.playback()));
  CHECK(wait_for([&] { return !f.readout().isVisible(); }));  // they meet in an earlier frame now
  f.document().undo_stack()->undo();
  f.document().undo_stack()->undo();
  REQUIRE(complete(f.playback()));
  QTest::qWait(60);
  f.click_tick(frame);
  CHECK(f.readout().rows()[0].force.closed == closed);
}

TEST_CASE("Flow: an open read-out follows what changes its figures or names at once", "[ui][flow][contact]") {
  ContactFlow f;
  const int frame = f.first_tick();
  f.click_tick(frame);
  const QString closed = f.row_with("Marble").impulse.closed;
  const Id marble = id_of(f.scene(), "Marble");
  REQUIRE(f.document().edit_object("Rename", marble, [](Object& o) { o.name = "Alley"; }).ok());
  CHECK(f.readout().isVisible());
  CHECK(f.row_with("Alley").objects == "Alley – Floor");
  f.playback().set_paused(true);
  REQUIRE(f.document().edit_object("Heavier", marble, [](Object& o) { o.body.mass *= 2; }).ok());
  CHECK(f.readout().rows().empty());
  f.playback().set_paused(false);
  REQUIRE(complete(f.playback()));
  REQUIRE(wait_for([&] { return !f.readout().rows().empty(); }));
  const QString heavier = f.row_with("Alley").impulse.closed;
  CHECK(heavier != closed);
  f.document().undo_stack()->undo();  // its frames are there again in the same moment
  REQUIRE(complete(f.playback()));
  CHECK(f.row_with("Alley").impulse.closed == closed);
  f.document().undo_stack()->redo();
  CHECK(f.row_with("Alley").impulse.closed == heavier);
}

TEST_CASE("Flow: the list of collisions covers neither the time line nor its tabs, however low the window is",
          "[ui][flow][contact]") {
  for (const int height : {800, 620, 540, 460}) {
    INFO("window " << height);
    ContactFlow f;
    f.window.resize(1000, height);
    QTest::qWait(80);
    const int frame = f.first_tick();
    f.click_tick(frame);
    CollisionReadout& readout = f.readout();
    REQUIRE(readout.isVisible());
    const QRect place(readout.mapTo(&f.window, QPoint(0, 0)), readout.size());
    int tabs = 0;
    for (QTabBar* bar : f.window.findChildren<QTabBar*>())
      for (int i = 0; i < bar->count(); ++i)
        if (bar->isVisible() && bar->tabText(i) == "Dope Sheet") {
          ++tabs;
          CHECK_FALSE(place.intersects(QRect(bar->mapTo(&f.window, QPoint(0, 0)), bar->size())));
        }
    CHECK(tabs == 1);
    const QWidget* panel = f.ruler->parentWidget();
    CHECK_FALSE(place.intersects(QRect(panel->mapTo(&f.window, QPoint(0, 0)), panel->size())));
    CHECK(f.window.rect().contains(place));
  }
}

TEST_CASE("Flow: Last Collision reads what the selected object hit", "[ui][flow][contact]") {
  ContactFlow f;
  CHECK_FALSE(f.action("play.last_collision")->isEnabled());
  f.selection().select_only(id_of(f.scene(), "Marble"));
  CHECK(f.action("play.last_collision")->isEnabled());
  f.playback().set_frame(3);
  f.view().setFocus();
  f.key(Qt::Key_C, Qt::AltModifier);
  CHECK(Bubble::shown_text().contains("Marble"));
  Bubble::hide_all();
  f.playback().set_frame(f.first_tick() + 3);
  f.menu("Playback", "play.last_collision");
  QTest::qWait(20);
  CHECK(f.readout().isVisible());
  CHECK(f.playback().frame() == f.first_tick());
  CHECK(f.readout().rows()[0].objects == "Marble – Floor");
}

TEST_CASE("Flow: Properties tell what the selected object met last, and a click opens its tick",
          "[ui][flow][contact]") {
  ContactFlow f;
  auto* line = f.window.findChild<CollisionLine*>();
  REQUIRE(line);
  f.selection().clear();
  CHECK(line->isHidden());
  const int frame = f.first_tick();
  const auto words = [&] { return line->findChild<QLabel*>("properties_collision_title")->text(); };
  f.selection().select_only(id_of(f.scene(), "Jelly"));
  f.tab("properties");
  f.playback().set_frame(frame - 1);
  CHECK_FALSE(line->row());
  CHECK(words() == QString("No collision up to frame %1.").arg(frame - 1));
  // Scrubbed over the tick: the figures of the tick.
  QTest::mouseClick(f.ruler, Qt::LeftButton, {}, QPoint(qRound(f.ruler->x_of(frame + 2)), 6));
  REQUIRE(f.playback().frame() == frame + 2);
  REQUIRE(line->row());
  CHECK(words().startsWith(QString("Last collision: frame %1, Jelly – Floor").arg(line->row()->frame)));
  f.playback().set_frame(frame);
  REQUIRE(line->row());
  CHECK(line->row()->frame == frame);
  QTest::qWait(60);
  CHECK(line->isVisible());
  for (const QLabel* label : line->findChildren<QLabel*>())
    if (!label->wordWrap()) CHECK(label->sizeHint().width() <= label->width());
  f.shot("collision-line");
  f.playback().set_frame(frame + 1);
  const CollisionRow shown = *line->row();
  f.click_in(line, QPoint(line->width() / 2, 6));
  QTest::qWait(30);
  REQUIRE(f.readout().isVisible());
  CHECK(f.playback().frame() == shown.frame);
  CHECK(f.readout().rows()[0] == shown);
  // Another object, and an edit that is being computed.
  f.selection().select_only(id_of(f.scene(), "Marble"));
  REQUIRE(line->row());
  CHECK(line->row()->objects == "Marble – Floor");
  f.playback().set_paused(true);
  REQUIRE(f.document().edit_object("Push", id_of(f.scene(), "Marble"), [](Object& o) { o.body.mass *= 2; }).ok());
  CHECK_FALSE(line->row());
  CHECK(words().contains("being computed"));
  f.playback().set_paused(false);
  REQUIRE(complete(f.playback()));
  CHECK(wait_for([&] { return line->row().has_value(); }));
}

TEST_CASE("Flow: contacts and forces of the frame are drawn, and only those", "[ui][flow][contact][viewport]") {
  ContactFlow f;
  ContactView& contacts = f.view().contacts();
  CHECK_FALSE(contacts.contacts());  // off at the start
  f.selection().select_only(id_of(f.scene(), "Crate"));
  f.show_frame(f.first_tick() - 2);
  const auto view_of = [&] {
    return ContactView::View{std::as_const(f.view()).camera(), f.view().view_size(), f.view().displayed_frame()};
  };
  CHECK(contacts.marks(view_of()).empty());
  const QImage plain = f.view().picture();
  f.view().setFocus();
  f.key(Qt::Key_C);
  CHECK(contacts.contacts());
  CHECK(f.action("view.contacts")->isChecked());
  QTest::qWait(30);
  CHECK(f.view().picture() != plain);
  auto marks = contacts.marks(view_of());
  REQUIRE(marks.size() == 4);  // the corners of the crate; the balls are in the air
  double weight = 0;
  for (const ContactView::Mark& mark : marks) {
    CHECK(mark.selected);
    CHECK(mark.up.y() == Approx(1).margin(1e-3));  // on the crate
    CHECK(mark.tip.y() < mark.at.y());             // upwards
    weight += mark.newton;
  }
  CHECK(weight == Approx(2 * f.scene().settings.gravity.norm()).epsilon(1e-3));
  CHECK(contacts.summary(*f.view().displayed_frame()).startsWith("Crate: 19.6 N from Floor"));
  f.shot("contact-forces");
  f.show_frame(f.first_tick() + 1);
  marks = contacts.marks(view_of());
  CHECK(marks.size() >= 6);
  f.shot("contact-impact");
  // In the start pose nothing has touched yet; an edit takes the frame away, and with it what belonged to it.
  f.show_frame(0);
  CHECK(contacts.marks(view_of()).empty());
  f.show_frame(f.first_tick() + 1);
  f.playback().set_paused(true);
  REQUIRE(f.document()
              .edit_object("Lift", id_of(f.scene(), "Crate"), [](Object& o) { o.transform.position.y() = 2; })
              .ok());
  QTest::qWait(30);
  CHECK(contacts.marks(view_of()).empty());
  f.playback().set_paused(false);
  // By the button of the tool bar it goes away again.
  QToolBar* bar = f.window.findChild<QToolBar*>("tool_bar");
  REQUIRE(bar);
  QWidget* button = bar->widgetForAction(f.action("view.contacts"));
  REQUIRE(button);
  CHECK(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK_FALSE(contacts.contacts());
  CHECK(f.document().undo_stack()->count() == 1);
}

TEST_CASE("Flow: collision shapes of the selection, of all, of none", "[ui][flow][contact][viewport]") {
  ContactFlow f;
  f.show_frame(20);
  f.selection().select_only(id_of(f.scene(), "Crate"));
  const std::size_t none = lines_in(f.view());
  f.view().setFocus();
  f.key(Qt::Key_C, Qt::ShiftModifier);
  CHECK(f.view().contacts().shapes() == ContactView::Shapes::selected);
  CHECK(f.action("view.collision_shapes_selected")->isChecked());
  CHECK(lines_in(f.view()) == none + 2 * 2 * 12);  // twelve edges, seen and through things
  f.selection().select_only(id_of(f.scene(), "Marble"));
  CHECK(lines_in(f.view()) == none + 2 * 2 * 3 * 48);
  f.submenu("View", "view.collision_shapes");
  CHECK(f.view().contacts().shapes() == ContactView::Shapes::all);
  const FramePtr frame = f.view().displayed_frame();
  std::size_t edges = 0;
  for (const CollisionShape& shape : *frame->shapes) edges += shape.edges.size();
  REQUIRE(edges > 12 + 200);  // those of the jelly are many: what is behind other things is not drawn of them
  CHECK(lines_in(f.view()) == none + 4 * (12 + 3 * 48 + 2 * 9) + 2 * (edges - 12));
  f.shot("collision-shapes");
  REQUIRE(f.document().edit_object("Hide", id_of(f.scene(), "Jelly"), [](Object& o) { o.visible = false; }).ok());
  QTest::qWait(20);
  CHECK(lines_in(f.view()) == none + 4 * (12 + 3 * 48 + 2 * 9));
  f.key(Qt::Key_C, Qt::ShiftModifier);
  CHECK(f.view().contacts().shapes() == ContactView::Shapes::off);
  CHECK(lines_in(f.view()) == none);
}

TEST_CASE("Flow: a ring collides as it is seen, simplified, and as its hull", "[ui][flow][contact]") {
  ContactFlow f;
  Scene scene = f.scene();
  Object ring = make_object(0, "Ring", {PrimitiveShape::torus, Vec3(1.2, 0.3, 1.2), {32, 16, 1}}, Vec3(0, 0.15, -2),
                            BodyKind::fixed);
  ring.id = next_id(scene);
  scene.objects.emplace_back(ring);
  Object ball = World::sphere(0.2, Vec3(0.01, 1, -2));
  ball.id = next_id(scene);
  ball.name = "Thrown";
  scene.objects.emplace_back(ball);
  f.document().reset(scene, {});
  REQUIRE(complete(f.playback()));
  f.selection().select_only(ring.id);
  f.tab("properties");
  QTest::qWait(20);
  f.window.findChild<PropertiesPanel*>()->form("objects")->section("Contact")->set_open(true);
  QTest::qWait(20);
  const auto field = [&](const char* path) -> FieldWidget* {
    for (FieldWidget* widget : f.window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return widget;
    return nullptr;
  };
  const auto choose = [&](const char* word) {
    REQUIRE(field("contact.shape"));
    QComboBox* box = static_cast<ChoiceField*>(field("contact.shape"))->box();
    box->setFocus();
    while (box->currentIndex() > 0) QTest::keyClick(box, Qt::Key_Up);
    for (int k = 0; k < box->count() && box->currentText() != word; ++k) QTest::keyClick(box, Qt::Key_Down);
    REQUIRE(box->currentText() == word);
    QTest::qWait(20);
    REQUIRE(complete(f.playback()));
  };
  const auto edges = [&] {
    f.show_frame(30);
    for (const CollisionShape& shape : *f.view().displayed_frame()->shapes)
      if (shape.id == ring.id) return shape.edges.size();
    return std::size_t{0};
  };
  const auto rests_at = [&] {
    f.show_frame(f.scene().settings.last_frame);
    for (const ObjectFrame& object : f.view().displayed_frame()->objects)
      if (object.id == ball.id) return object.position.y();
    return 0.0F;
  };
  f.view().setFocus();
  f.key(Qt::Key_C, Qt::ShiftModifier);  // drawn
  const std::size_t seen = edges();
  CHECK(rests_at() == Approx(0.2).margin(0.02));  // it has fallen through the middle
  CHECK_FALSE(field("contact.triangles"));
  choose("Simplified");
  REQUIRE(field("contact.triangles"));
  CHECK_FALSE(field("contact.triangles")->toolTip().isEmpty());
  const std::size_t fewer = edges();
  CHECK(fewer < seen);
  CHECK(rests_at() == Approx(0.2).margin(0.02));
  f.shot("collision-simplified");
  type_number(number_of(field("contact.triangles")), "120");
  REQUIRE(complete(f.playback()));
  CHECK(edges() < fewer);
  choose("Hull");
  CHECK_FALSE(field("contact.triangles"));
  CHECK(rests_at() > 0.3F);
  f.shot("collision-hull");
  f.document().undo_stack()->undo();
  REQUIRE(complete(f.playback()));
  CHECK(rests_at() == Approx(0.2).margin(0.02));
}

}  // namespace flow_contacts_test
