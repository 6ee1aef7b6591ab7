// Cameras: looking through them, moving them with the view, and the cuts from one to the next.
#include "core/scene/derived/cameras.h"
#include "ui/model/camera_commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

const char kNoCamera[] = "Select a camera first.";

/// The active thing, when it is a camera.
const Camera* selected_camera(UiContext& c) { return find_camera(c.document.scene(), c.selection.active()); }

QString no_camera(UiContext& c) { return selected_camera(c) ? QString() : tr(kNoCamera); }

/// Whom a cut would go to: the selected camera, else the one that is looked through on its own.
const Camera* camera_to_cut_to(Viewport& v) {
  UiContext& c = v.context();
  if (const Camera* camera = selected_camera(c)) return camera;
  return v.follows_cuts() ? nullptr : v.looked_through();
}

QString no_cut(Viewport& v) {
  return camera_to_cut_to(v) ? QString() : tr("Select a camera, or look through one, to cut to it.");
}

void cut_here(Viewport& v) {
  UiContext& c = v.context();
  const Camera* camera = camera_to_cut_to(v);
  if (!camera) return;
  const QString name = QString::fromStdString(camera->name);
  tell(c, c.document.edit(tr("Cut to %1").arg(name), with_cut(c.document.scene(), camera->id, c.keying.time())));
}

/// Where there are cuts it is one at this frame.
void make_scene_camera(UiContext& c) {
  const Camera* camera = selected_camera(c);
  if (!camera) return;
  const QString text = tr("Take Pictures with %1").arg(QString::fromStdString(camera->name));
  Scene next = c.keying.shown();
  next.settings.camera = camera->id.value;
  tell(c, c.keying.edit(text, std::move(next)));
}

void look_through_selected(Viewport& v) {
  if (const Camera* camera = selected_camera(v.context())) v.look_through(camera->id);
}

void next_camera(Viewport& v) {
  const auto& cameras = v.context().document.scene().cameras;
  if (cameras.empty()) return;
  std::size_t next = 0;
  if (const Camera* through = v.looked_through())
    for (std::size_t i = 0; i < cameras.size(); ++i)
      if (cameras[i]->id == through->id) next = (i + 1) % cameras.size();
  v.look_through(cameras[next]->id);
}

/// As the view looks now, the lens of a camera that is looked through with it.
void add_camera_here(Viewport& v) {
  UiContext& c = v.context();
  const Camera* through = v.looked_through();
  const Camera like = through ? *through : Camera{};
  add_camera(c.document, c.selection, through ? like : to_scene_camera(std::as_const(v).camera(), like));
}

QString no_camera_to_move(Viewport& v) {
  return v.through_camera() ? QString() : tr("Look through a camera first (0).");
}

}  // namespace

const CommandTable& commands_view_cameras() {
  static const Command rows[] = {
      {"camera.through", "Through the &Selected One", "camera", "Ctrl+0;Ctrl+Num+0", "View/Cameras",
       "Look through the selected camera, whatever the cuts say.", &look_through_selected, &no_camera},
      {"camera.next", "&Next Camera", "", "Shift+N", "View/Cameras", "Look through the next camera of the scene.",
       &next_camera,
       [](UiContext& c) { return c.document.scene().cameras.empty() ? tr("The scene has no camera.") : QString(); }},
      {"camera.lock", "&Lock View to Camera", "lock", "Ctrl+Alt+L", "View/Cameras",
       "Navigating moves the camera that is looked through.",
       [](Viewport& v) { v.lock_to_camera(!v.locked_to_camera()); }, &no_camera_to_move,
       [](Viewport& v) { return v.locked_to_camera(); }},
      {"camera.make_scene", "Set as the Scene's Camer&a", "", "", "View/Cameras",
       "Pictures are taken with the selected camera; where there are cuts, from this frame on.", &make_scene_camera,
       &no_camera, nullptr, true},
      {"camera.cut", "&Cut to This Camera Here", "cut", "Shift+K", "View/Cameras",
       "From this frame on pictures are taken with the selected camera, or with the one that is looked through.",
       &cut_here, &no_cut},
      {"camera.add", "C&amera", "camera", "", "Add", "Add a camera that looks from where you look now.",
       &add_camera_here, nullptr, nullptr, true},
  };
  static const CommandTable table{5, rows};
  return table;
}

}  // namespace hazumi
