// Copy, cut and paste of objects, within a scene, between scenes and between windows, and appending from a scene file.
#include <QClipboard>
#include <QLabel>
#include <QListWidget>

#include "tests/ui/flow_support.h"
#include "ui/editors/append_dialog.h"
#include "ui/widgets/message_bar.h"

namespace flow_copy_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Two balls that are a pair, a lamp, and a floor.
Scene pair_scene() {
  Scene scene = ball_scene();
  scene.objects.push_back(make_object(next_id(scene).value, "Other",
                                      {PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), {12, 6, 1}}, Vec3(2, 0.5, 0)));
  scene.objects.back() = scene.objects.back().edited([](Object& o) {
    o.material.preset = "copper";
    o.material.surface.diffuse = Vec3(0.1, 0.2, 0.3);
    o.body.velocity = Vec3(1, 2, 3);
    o.contact.groups = "balls";
  });
  ContactPair pair;
  pair.id = next_id(scene);
  pair.name = "Ball and Other";
  pair.a = id_of(scene, "Ball").value;
  pair.b = id_of(scene, "Other").value;
  pair.restitution = 0.9;
  scene.pairs.push_back(Shared<ContactPair>(pair));
  return scene;
}

const Object& named(const Scene& scene, const std::string& name) {
  const Object* found = find_object(scene, id_of(scene, name));
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("Flow: copied objects are pasted with what they refer to, as one undo step", "[ui][flow][copy]") {
  Flow f;
  f.Window::open(pair_scene());
  f.view().setFocus();
  const std::string start = scene_to_text(f.scene());
  CHECK_FALSE(f.action("edit.copy")->isEnabled());
  CHECK(f.action("edit.copy")->statusTip() == "Select an object first.");
  f.selection().set({id_of(f.scene(), "Ball"), id_of(f.scene(), "Other")});
  f.key(Qt::Key_C, Qt::ControlModifier);
  CHECK(f.document().undo_stack()->count() == 0);
  f.key(Qt::Key_V, Qt::ControlModifier);
  CHECK(f.document().undo_stack()->count() == 1);
  CHECK(f.document().undo_stack()->text(0) == "Paste 2 objects");
  REQUIRE(f.scene().objects.size() == 5);
  REQUIRE(f.scene().pairs.size() == 2);
  const Object &ball = named(f.scene(), "Ball 2"), &other = named(f.scene(), "Other 2");
  const ContactPair& pair = *f.scene().pairs.back();
  CHECK(pair.a == ball.id.value);
  CHECK(pair.b == other.id.value);
  CHECK(pair.restitution == 0.9);
  CHECK(other.material.preset == "copper");
  CHECK(other.material.surface.diffuse == Vec3(0.1, 0.2, 0.3));
  CHECK(other.body.velocity == Vec3(1, 2, 3));
  CHECK(other.contact.groups == "balls");
  CHECK(f.selection().contains(ball.id));
  CHECK(f.selection().contains(other.id));
  std::set<std::uint64_t> ids;
  for (const auto& object : f.scene().objects) CHECK(ids.insert(object->id.value).second);
  // Beside the originals, as far from each other as these.
  const Vec3 way = ball.transform.position - named(f.scene(), "Ball").transform.position;
  CHECK(way.x() > 0.4);
  CHECK((other.transform.position - named(f.scene(), "Other").transform.position - way).norm() < 1e-12);
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: cut here, pasted in another window's scene at the same place", "[ui][flow][copy]") {
  std::string material;
  Vec3 place;
  {
    Flow f;
    f.Window::open(pair_scene());
    const Object& other = named(f.scene(), "Other");
    material = other.material.preset;
    place = other.transform.position;
    f.selection().select_only(other.id);
    f.view().setFocus();
    f.key(Qt::Key_X, Qt::ControlModifier);
    CHECK_FALSE(id_of(f.scene(), "Other"));
    CHECK(f.document().undo_stack()->count() == 1);
    CHECK(f.document().undo_stack()->text(0) == "Cut Other");
    CHECK(f.scene().pairs.empty());
  }
  Flow g;
  g.Window::open(make_new_scene());
  g.view().setFocus();
  g.key(Qt::Key_V, Qt::ControlModifier);
  CHECK(g.window.messages()->text().isEmpty());
  const Object& here = named(g.scene(), "Other");
  CHECK(here.transform.position == place);
  CHECK(here.material.preset == material);
  CHECK(g.scene().pairs.empty());  // the other half of the pair stayed behind
  CHECK(g.selection().active() == here.id);
  CHECK(g.document().undo_stack()->text(0) == "Paste Other");
}

TEST_CASE("Flow: a pasted mesh is found where it was read, and named as the scene names it", "[ui][flow][copy]") {
  QTemporaryDir a, b;
  write_file(a.filePath("tri.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  Scene scene = make_new_scene();
  Object mesh = make_object(next_id(scene).value, "Mesh", {PrimitiveShape::box}, Vec3(0, 2, 0));
  mesh.display.kind = DisplayKind::mesh;
  mesh.display.mesh.file = "tri.obj";
  scene.objects.push_back(Shared<Object>(mesh));
  REQUIRE(save_scene(scene, a.filePath("a.json").toStdString()).ok());
  REQUIRE(save_scene(make_new_scene(), b.filePath("b.json").toStdString()).ok());
  Flow f;
  f.open(a.filePath("a.json"));
  REQUIRE(f.object("Mesh").display.mesh.mesh);
  f.selection().select_only(f.object("Mesh").id);
  f.view().setFocus();
  f.key(Qt::Key_C, Qt::ControlModifier);
  f.key(Qt::Key_V, Qt::ControlModifier);
  CHECK(f.object("Mesh 2").display.mesh.file == "tri.obj");
  CHECK(f.object("Mesh 2").display.mesh.mesh == f.object("Mesh").display.mesh.mesh);  // not read again
  f.document().mark_saved(f.document().file());
  f.open(b.filePath("b.json"));
  f.view().setFocus();
  f.key(Qt::Key_V, Qt::ControlModifier);
  REQUIRE(id_of(f.scene(), "Mesh"));
  REQUIRE(wait_for([&] { return f.object("Mesh").display.mesh.mesh != nullptr; }));
  CHECK(f.object("Mesh").display.mesh.mesh->positions.size() >= 4);
  CHECK(f.window.save_to(b.filePath("b.json")));  // brings the file beside the scene
  CHECK(QFile::exists(b.filePath("tri.obj")));
}

TEST_CASE("Flow: what is no objects is refused in one sentence, and nothing changes", "[ui][flow][copy]") {
  Flow f;
  f.Window::open(pair_scene());
  const std::string start = scene_to_text(f.scene());
  f.view().setFocus();
  for (const char* text : {"", "hello", "{", "{}", "{\"a\": 1}", "[1, 2]", "{\"format\": \"hazumi scene\"}",
                           "{\"format\": \"hazumi scene\", \"version\": 99}", "\xff\xfe{"}) {
    INFO(text);
    f.window.messages()->dismiss();
    QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
    f.key(Qt::Key_V, Qt::ControlModifier);
    CHECK(f.window.messages()->text().startsWith("Nothing was pasted"));
    CHECK(scene_to_text(f.scene()) == start);
    CHECK(f.document().undo_stack()->count() == 0);
  }
  f.shot("paste-refused");
  // Text keys stay text keys.
  f.selection().select_only(id_of(f.scene(), "Ball"));
  QLineEdit field(&f.window);
  field.setText("words");
  field.show();
  field.setFocus();
  field.selectAll();
  f.key(Qt::Key_C, Qt::ControlModifier);
  CHECK(QGuiApplication::clipboard()->text() == "words");
}

TEST_CASE("Flow: objects of another scene file come in from its list", "[ui][flow][copy]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("pairs.json"), bad = folder.filePath("bad.json");
  REQUIRE(save_scene(pair_scene(), file.toStdString()).ok());
  write_file(bad, "{ no scene");
  Flow f;
  f.Window::open(ball_scene());
  const std::string start = scene_to_text(f.scene());
  answer_file_dialog(bad);
  f.menu("File", "file.append");
  auto* dialog = f.window.findChild<AppendDialog*>();
  REQUIRE(dialog);
  auto* said = dialog->findChild<QLabel*>("append_said");
  REQUIRE(wait_for([&] { return said->text().contains("cannot be read"); }, 4000));
  CHECK_FALSE(dialog->findChild<QPushButton*>("append_button")->isEnabled());
  f.shot("append-bad");
  dialog->reject();
  REQUIRE(wait_for([&] { return !f.window.findChild<AppendDialog*>(); }, 2000));

  answer_file_dialog(file);
  f.menu("File", "file.append");
  dialog = f.window.findChild<AppendDialog*>();
  REQUIRE(dialog);
  QListWidget* list = dialog->list();
  REQUIRE(wait_for([&] { return list->count() > 0 && list->isVisible(); }, 4000));
  CHECK(list->count() == 5);  // floor, two balls, the sun, the camera
  auto* button = dialog->findChild<QPushButton*>("append_button");
  CHECK_FALSE(button->isEnabled());
  for (const char* name : {"Ball", "Other"}) {
    const auto found = list->findItems(name, Qt::MatchExactly);
    REQUIRE(found.size() == 1);
    f.click_in(list->viewport(), list->visualItemRect(found[0]).center());
  }
  CHECK(button->text() == "Append 2");
  f.shot("append");
  QTest::mouseClick(button, Qt::LeftButton);
  REQUIRE(f.scene().objects.size() == 4);
  REQUIRE(wait_for([&] { return !f.window.findChild<AppendDialog*>(); }, 2000));
  CHECK(f.document().undo_stack()->count() == 1);
  f.window.activateWindow();
  QApplication::setActiveWindow(&f.window);
  CHECK(f.document().undo_stack()->text(0) == "Append 2 objects");
  CHECK(named(f.scene(), "Other").material.preset == "copper");
  REQUIRE(f.scene().pairs.size() == 1);
  CHECK(f.scene().pairs[0]->a == id_of(f.scene(), "Ball 2").value);
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: a command's keys while copies follow the mouse let them go there and do it", "[ui][flow][copy]") {
  Flow f;
  f.Window::open(ball_scene());
  const auto over_view = [&] {
    QTest::mouseMove(&f.view(), QPoint(400, 300));
    QTest::qWait(20);
    f.view().setFocus();
  };
  for (const bool camera : {false, true}) {
    INFO((camera ? "camera" : "ball"));
    f.Window::open(ball_scene());
    f.selection().select_only(camera ? f.scene().cameras.front()->id : id_of(f.scene(), "Ball"));
    over_view();
    f.key(Qt::Key_D, Qt::ControlModifier);
    REQUIRE(f.view().gesture());
    f.key(Qt::Key_G, Qt::ControlModifier);
    CHECK_FALSE(f.view().gesture());
    REQUIRE(f.scene().collections.size() == 1);
    const Id collection = f.scene().collections.front()->id;
    const std::uint64_t in = camera ? f.scene().cameras.back()->collection : f.scene().objects.back()->collection;
    CHECK(in == collection.value);
    CHECK((camera ? f.scene().cameras.size() : f.scene().objects.size()) == (camera ? 2u : 3u));
  }
  // Ctrl snaps: axes and numbers are the transform's with it too. Keys of no command change nothing.
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  over_view();
  f.key(Qt::Key_G);
  REQUIRE(f.view().gesture());
  f.key(Qt::Key_X, Qt::ControlModifier);
  f.key(Qt::Key_2, Qt::ControlModifier);
  CHECK(f.view().gesture());
  CHECK(find_object(f.scene(), id_of(f.scene(), "Ball"))->transform.position.x() == Approx(2));
  f.key(Qt::Key_Escape);
  CHECK(find_object(f.scene(), id_of(f.scene(), "Ball"))->transform.position.x() == 0);
}

TEST_CASE("Flow: keys of a command that cannot be done now say why", "[ui][flow][copy]") {
  Flow f;
  f.Window::open(ball_scene());
  f.selection().clear();
  f.view().setFocus();
  REQUIRE_FALSE(f.action("edit.duplicate")->isEnabled());
  f.key(Qt::Key_D, Qt::ControlModifier);
  CHECK(f.window.messages()->isVisible());
  bool said = false;
  for (const QLabel* label : f.window.messages()->findChildren<QLabel*>())
    said = said || label->text().contains(f.action("edit.duplicate")->statusTip());
  CHECK(said);
  f.key(Qt::Key_F12);  // nobody's
}

}  // namespace flow_copy_test
