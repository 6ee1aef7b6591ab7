#include "ui/model/actions.h"

#include <cassert>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWidget>

#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr bool kCheckable = true;
constexpr bool kPlain = false;
constexpr bool kLine = true;

constexpr ActionRow kRows[] = {
    // id, text, icon, keys, category, tip, checkable, separated
    {"file.new", "&New", "new", "Ctrl+N", "File", "Start a scene with a floor and a light."},
    {"file.open", "&Open…", "open", "Ctrl+O", "File", "Open a scene file."},
    {"file.gallery", "&Gallery", "gallery", "Ctrl+Shift+O", "File", "Shipped scenes and the files you used last."},
    {"file.save", "&Save", "save", "Ctrl+S", "File", "Write the scene to its file.", kPlain, kLine},
    {"file.save_as", "Save &As…", "", "Ctrl+Shift+S", "File", "Write the scene to another file."},
    {"file.import", "&Import Mesh…", "import", "Ctrl+Shift+I", "File",
     "Bring in a mesh file: OBJ, PLY, STL, OFF, glTF, FBX or Collada.", kPlain, kLine},
    {"file.export_images", "&Export Image Sequence…", "export", "Ctrl+E", "File",
     "Write one picture per frame, through the scene's camera."},
    {"file.quit", "&Quit", "", "Ctrl+Q", "File", "Close Hazumi.", kPlain, kLine},

    {"edit.undo", "&Undo", "undo", "Ctrl+Z", "Edit", "Take back the last edit."},
    {"edit.redo", "&Redo", "redo", "Ctrl+Shift+Z;Ctrl+Y", "Edit", "Do again what was taken back."},
    {"edit.duplicate", "&Duplicate", "duplicate", "Shift+D;Ctrl+D", "Edit",
     "Copy the selected objects, slightly moved.", kPlain, kLine},
    {"edit.delete", "De&lete", "delete", "X;Del", "Edit", "Remove what is selected."},
    {"edit.rename", "Re&name…", "rename", "F2", "Edit", "Give the active object another name."},
    {"edit.hide", "&Hide", "hide", "H", "Edit", "Hide what is selected; it still takes part in the motion.", kPlain,
     kLine},
    {"edit.show_all", "Sho&w All", "show", "Alt+H", "Edit", "Show everything that is hidden."},
    {"edit.select_all", "Select &All", "", "A;Ctrl+A", "Edit", "Select every object that is visible and not locked.",
     kPlain, kLine},
    {"edit.select_none", "Select N&one", "", "Alt+A;Ctrl+Shift+A", "Edit", "Clear the selection."},
    {"edit.invert", "&Invert Selection", "", "Ctrl+I", "Edit", "Select what is not selected, and the other way round."},

    {"add.menu", "Add &Menu", "", "Shift+A", "Add", "The Add menu at the mouse."},
    {"add.box", "&Box", "box", "", "Add", "Add a rigid box above the floor.", kPlain, kLine},
    {"add.sphere", "&Sphere", "sphere", "", "Add", "Add a rigid sphere above the floor."},
    {"add.cylinder", "&Cylinder", "cylinder", "", "Add", "Add a rigid cylinder above the floor."},
    {"add.cone", "C&one", "cone", "", "Add", "Add a rigid cone above the floor."},
    {"add.torus", "&Torus", "torus", "", "Add", "Add a rigid torus above the floor."},
    {"add.rounded_box", "&Rounded Box", "rounded_box", "", "Add",
     "Add a rigid box with rounded edges above the floor."},
    {"add.capsule", "C&apsule", "capsule", "", "Add", "Add a rigid capsule above the floor."},
    {"add.tube", "T&ube", "tube", "", "Add", "Add a rigid tube above the floor."},
    {"add.wedge", "&Wedge", "wedge", "", "Add", "Add a rigid wedge above the floor."},
    {"add.plane", "&Plane", "plane", "", "Add", "Add a fixed plane; it collides as an infinite floor."},
    {"add.metaball_ball", "&Ball", "sphere", "", "Add/Metaballs",
     "Add a metaball; several of one group blend into each other."},
    {"add.metaball_ellipsoid", "&Ellipsoid", "ellipsoid", "", "Add/Metaballs", "Add a long metaball."},
    {"add.metaball_box", "Bo&x", "box", "", "Add/Metaballs", "Add a metaball with flat sides and round edges."},
    {"add.metaball_cylinder", "&Cylinder", "cylinder", "", "Add/Metaballs",
     "Add a metaball that is round about its axis and flat at its ends."},
    {"add.metaball_octahedron", "&Octahedron", "octahedron", "", "Add/Metaballs", "Add a metaball with eight faces."},
    {"add.metaball_pinched", "&Pinched", "pinched", "", "Add/Metaballs",
     "Add a metaball that is drawn in between its points."},
    {"add.metaball_torus", "&Torus", "torus", "", "Add/Metaballs", "Add a ring that blends like the other metaballs."},
    {"add.metaball_figure", "&Figure", "figure", "", "Add/Metaballs",
     "Add a figure with head, body and limbs to begin with.", kPlain, kLine},
    {"add.metaball_animal", "&Animal", "animal", "", "Add/Metaballs", "Add an animal on four legs to begin with."},
    {"add.superellipsoid", "Super&ellipsoid", "superellipsoid", "", "Add/Superquadric",
     "Add an ellipsoid with two exponents: boxy, round, octahedral or pinched."},
    {"add.supertorus", "Super&torus", "supertorus", "", "Add/Superquadric",
     "Add a torus with two exponents, of its tube and of its ring."},
    {"add.hyperboloid_one", "&One-Sheet Hyperboloid", "hyperboloid_one", "", "Add/Superquadric",
     "Add a body with a waist, closed above and below."},
    {"add.hyperboloid_two", "T&wo-Sheet Hyperboloid", "hyperboloid_two", "", "Add/Superquadric",
     "Add two bowls, tip to tip, closed above and below."},
    {"add.light_directional", "&Sun", "sun", "", "Add/Light", "Add a light whose rays are parallel."},
    {"add.light_point", "&Point Light", "bulb", "", "Add/Light",
     "Add a light that shines from one place to all sides."},

    {"object.move", "&Move", "move", "G", "Object", "Move with the mouse; X Y Z for an axis, numbers for metres."},
    {"object.rotate", "&Rotate", "rotate", "R", "Object",
     "Rotate with the mouse; X Y Z for an axis, numbers for degrees."},
    {"object.scale", "&Scale", "scale", "S", "Object",
     "Scale with the mouse; X Y Z for an axis, numbers for a factor."},
    {"mode.toggle", "Edit &Inside", "edit_mode", "Ctrl+Tab", "Object",
     "Edit the parts of the active object, or whole objects again. In the view, Tab does the same."},
    {"object.mesh_file", "Mes&h File…", "import", "", "Object",
     "Repair, simplify, turn or scale the mesh file of the active object anew.", kPlain, kLine},
    {"object.variant_next", "Next Analysis &Variant", "truss", "Shift+V", "Object/Analysis Variants",
     "Switch the active object to its next analysis model."},
    {"object.variant_duplicate", "&Duplicate as Variant", "duplicate", "", "Object/Analysis Variants",
     "A copy of the analysis model to string in another way; the other one stays."},
    {"object.variant_compare", "&Compare Side by Side", "compare", "", "Object/Analysis Variants",
     "Put a copy of the object with the next analysis model beside it and play both."},
    {"object.set_flexible", "Make &Flexible", "flexible", "Ctrl+1", "Object",
     "Let the selected objects bend and bounce; an analysis model is added where there is none.", kPlain, kLine},
    {"object.set_rigid", "Make Ri&gid", "rigid", "Ctrl+2", "Object", "Let the selected objects move without bending."},
    {"object.set_point", "Make &Point", "point", "Ctrl+3", "Object",
     "Let the selected objects move as points: no rotation."},
    {"object.set_fixed", "Make Fi&xed", "fixed", "Ctrl+4", "Object", "Keep the selected objects where they are."},

    {"analysis.string", "&String by Hand", "string_spring", "", "Object/Analysis Model",
     "Turn the analysis model into nodes and springs that are edited one by one."},
    {"analysis.fit", "Fit to &Display Model", "frame_selected", "", "Object/Analysis Model",
     "A truss as large as the box around the display model, in its place."},
    {"analysis.fit_axes", "Fit Along &Principal Axes", "fit_axes", "", "Object/Analysis Model",
     "A truss as long, wide and deep as the display model, turned the way that lies."},
    {"analysis.decimate", "From Display &Mesh…", "shade_wire", "", "Object/Analysis Model",
     "Nodes at the simplified vertices of the display model, springs along its edges and through it."},
    {"analysis.fill", "&Fill with Tetrahedra…", "tetra", "", "Object/Analysis Model",
     "Fill the inside of the display model with tetrahedra; their edges become springs."},

    {"view.frame_all", "Frame &All", "frame_all", "Home", "View", "Move the view so that everything is seen."},
    {"view.frame_selected", "Frame &Selected", "frame_selected", ".;Num+.", "View",
     "Move the view so that the selection is seen."},
    {"view.front", "&Front", "", "1;Num+1;Alt+1", "View/Viewpoint", "Look along −z."},
    {"view.back", "&Back", "", "Ctrl+Num+1", "View/Viewpoint", "Look along +z."},
    {"view.right", "&Right", "", "3;Num+3;Alt+3", "View/Viewpoint", "Look along −x."},
    {"view.left", "&Left", "", "Ctrl+Num+3", "View/Viewpoint", "Look along +x."},
    {"view.top", "&Top", "", "7;Num+7;Alt+7", "View/Viewpoint", "Look straight down."},
    {"view.bottom", "B&ottom", "", "Ctrl+Num+7", "View/Viewpoint", "Look straight up."},
    {"view.ortho", "&Parallel View", "ortho", "5;Num+5;Alt+5", "View", "Switch between perspective and parallel view.",
     kCheckable, kLine},
    {"view.camera", "Through the &Camera", "camera", "0;Num+0;Alt+0", "View",
     "Look through the camera that pictures are taken with.", kCheckable},
    {"view.camera_to_view", "Camera to &View", "", "Ctrl+Alt+0;Ctrl+Alt+Num+0", "View",
     "Put the scene's camera where you look from now."},
    {"view.wireframe", "&Wireframe", "shade_wire", "Z", "View", "Switch between surfaces and edges.", kCheckable,
     kLine},
    {"view.shade_both", "Surfaces with &Edges", "shade_solid", "Shift+Z", "View",
     "Draw surfaces and the edges on them.", kCheckable},
    {"view.display_models", "&Display Models", "", "", "View", "Draw what is seen in pictures.", kCheckable},
    {"view.helpers", "&Helpers", "", "", "View", "Draw lights, the camera and arrows of initial velocities.",
     kCheckable},
    {"view.grid", "&Grid", "grid", "Shift+G", "View", "Draw the ground grid and the axes.", kCheckable},
    {"view.analysis", "&All", "", "", "View/Analysis Models", "Draw the nodes and springs of everything.", kCheckable},
    {"view.analysis_selected", "Of the &Selection", "", "", "View/Analysis Models",
     "Draw the nodes and springs of what is selected.", kCheckable},
    {"view.analysis_off", "&None", "", "", "View/Analysis Models", "Do not draw analysis models.", kCheckable},
    {"view.drivers", "Show Dri&vers", "drivers", "Shift+M", "View",
     "Point at the active object to see which nodes and bones move a vertex; click one to see how far it reaches.",
     kCheckable},
    {"view.analysis_cycle", "Analysis Models: &Next", "truss", "M", "View",
     "Analysis models: none, of the selection, all."},

    {"tool.select", "&Select", "select", "W", "Object/Tool",
     "Click or draw a box to select; drag the view with the middle button.", kCheckable},
    {"tool.move", "&Move", "move", "Shift+W", "Object/Tool", "Handles to move the selection.", kCheckable},
    {"tool.rotate", "&Rotate", "rotate", "Shift+R", "Object/Tool", "Handles to rotate the selection.", kCheckable},
    {"tool.scale", "S&cale", "scale", "Shift+S", "Object/Tool", "Handles to scale the selection.", kCheckable},

    {"play.toggle", "&Play", "play", "Space", "Playback", "Play the motion, or stop it.", kCheckable},
    {"play.back", "Step &Back", "step_back", "Left", "Playback", "One frame back.", kPlain, kLine},
    {"play.forward", "Step &Forward", "step_forward", "Right", "Playback", "One frame on."},
    {"play.start", "To &Start", "to_start", "Shift+Left;Ctrl+Home", "Playback", "To the first frame of the range."},
    {"play.end", "To &End", "to_end", "Shift+Right;Ctrl+End", "Playback", "To the last frame of the range."},
    {"play.loop", "&Loop", "loop", "L", "Playback", "Start again at the end of the range.", kCheckable, kLine},

    {"help.shortcuts", "&Keys and Commands", "keys", "F1", "Help", "All commands with their keys, searchable."},
    {"help.gallery", "&Gallery of Scenes", "gallery", "", "Help", "Shipped scenes to open and take apart."},
    {"help.about", "&About Hazumi", "", "", "Help", "Version and what it is built on.", kPlain, kLine},
};

const ActionRow* find_row(std::string_view id) {
  for (const auto& row : kRows)
    if (row.id == id) return &row;
  return nullptr;
}

bool takes_typing(const QObject* widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return !line->isReadOnly();
  if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget)) return !spin->isReadOnly();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
  if (const auto* text = qobject_cast<const QTextEdit*>(widget)) return !text->isReadOnly();
  return false;
}

}  // namespace

std::span<const ActionRow> action_rows() { return kRows; }

QString plain_text(const ActionRow& row) {
  QString text = text_of(row.text);
  text.remove(QLatin1Char('&'));
  text.remove(QChar(0x2026));
  return text;
}

QString action_tooltip(const ActionRow& row, const QAction& action, const QString& reason) {
  QString title = plain_text(row).toHtmlEscaped();
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts()) keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
  QString html = QStringLiteral("<b>%1</b>").arg(title);
  if (!keys.isEmpty()) html += QStringLiteral("&nbsp;&nbsp;<span style='color:#9aa3ad'>%1</span>").arg(keys.first());
  html += QStringLiteral("<br>%1").arg(text_of(row.tip).toHtmlEscaped());
  if (!reason.isEmpty()) html += QStringLiteral("<br><i>%1</i>").arg(reason.toHtmlEscaped());
  return html;
}

ActionSet::ActionSet(QWidget* window) : QObject(window) {
  for (const ActionRow& row : kRows) {
    auto* action = new QAction(text_of(row.text), this);
    action->setObjectName(text_of(row.id));
    action->setCheckable(row.checkable);
    QList<QKeySequence> keys;
    if (!row.keys.empty())
      for (const QString& key : text_of(row.keys).split(QLatin1Char(';')))
        keys << QKeySequence(key, QKeySequence::PortableText);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    if (!row.icon.empty()) action->setIcon(theme_icon(text_of(row.icon)));
    action->setIconVisibleInMenu(!row.icon.empty());
    action->setToolTip(action_tooltip(row, *action, {}));
    action->setStatusTip(text_of(row.tip));
    window->addAction(action);
    actions_.insert(text_of(row.id), action);
  }
  qApp->installEventFilter(this);
}

QAction* ActionSet::operator[](std::string_view id) const {
  QAction* action = actions_.value(text_of(id));
  assert(action && "no such action in the table");
  return action;
}

void ActionSet::enable(std::string_view id, bool enabled, const QString& reason) {
  QAction* action = (*this)[id];
  const ActionRow* row = find_row(id);
  action->setEnabled(enabled);
  const QString why = enabled ? QString() : reason;
  action->setToolTip(action_tooltip(*row, *action, why));
  action->setStatusTip(why.isEmpty() ? text_of(row->tip) : why);
}

bool ActionSet::eventFilter(QObject* watched, QEvent* event) {
  // A key typed into a field is text. Accepting the override keeps the shortcut from firing; the key then arrives as
  // an ordinary key press. Line edits do this themselves for most keys, spin boxes and editors not for all.
  if (event->type() != QEvent::ShortcutOverride || !takes_typing(watched)) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  const auto held = key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
  if (held != Qt::NoModifier) return false;
  const bool function_key = key->key() >= Qt::Key_F1 && key->key() <= Qt::Key_F35;
  if (function_key) return false;
  event->accept();
  return true;
}

}  // namespace hazumi
