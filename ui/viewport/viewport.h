// The view of the scene: draws extract(scene, frame, camera) with the Renderer, paints overlays over it, navigates,
// selects, and hands the left button and the transform keys to the tools (ui/tools). It changes the scene only through
// DocumentController::edit.
//
// Each part has its own file and state: navigation (the camera), picture (what is drawn), view_gesture (the transform that
// runs), tool_gizmo (tool and handles), mode_input (edit modes), picker (what is under the mouse), driver_view, canvas. The
// viewport puts them together and tells them of mouse, wheel and keys.
//
// A plain widget around a canvas that lets all events through: when OpenGL cannot start there is none (a QOpenGLWidget that
// failed would leave the whole window black) and the sentence that says why is painted instead.
//
// The commands view.*, tool.*, object.move, object.rotate, object.scale and add.menu speak to the viewport. While a transform
// runs all keys are its own: X is an axis then, not "delete".
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QPointF>
#include <QTimer>
#include <QWidget>

#include "core/base/diagnostic.h"
#include "render/extract.h"
#include "ui/model/context.h"
#include "ui/modes/mode.h"

class QMenu;
class QPainter;

namespace hazumi {

class BoxView;
class CameraView;
class Changing;
class ContactView;
class MotionView;
class DriverView;
class HoverKeys;
class ForceView;
class Joining;
class LooksJob;
class ModeBar;
class ModeInput;
class PullView;
class ToolGizmo;
class TransformGesture;
class ViewCanvas;
class ViewGesture;
class ViewNavigation;
class ViewOverlay;
class ViewPicker;
class ViewPicture;
struct GizmoHandle;
struct Preferences;

class Viewport : public QWidget, public ModeStage {
  Q_OBJECT
 public:
  explicit Viewport(UiContext& context, QWidget* parent = nullptr);
  ~Viewport() override;

  /// What is looked through now (a camera of the scene too while through_camera()). Changing it repaints.
  ViewCamera& camera();
  const ViewCamera& camera() const;
  /// Changing them repaints.
  ViewOptions& options();
  const ViewOptions& options() const;
  glm::vec2 view_size() const;  ///< logical pixels

  void frame_all();
  void frame_selected();
  void look(const QString& side);  ///< "front" "back" "right" "left" "top" "bottom"
  void set_orthographic(bool on);
  void set_through_camera(bool on);
  bool through_camera() const;
  /// A camera of the scene, with the cuts not followed.
  void look_through(Id camera);
  const Camera* looked_through() const;  ///< as it is at the frame that is shown; null: the free one
  bool follows_cuts() const;             ///< it looks through the scene's camera
  void lock_to_camera(bool on);
  bool locked_to_camera() const;
  void camera_to_view();
  CameraView& cameras() { return *cameras_; }
  void set_animation_time(int milliseconds);
  void use(const Preferences& preferences);
  QString viewpoint() const;                 ///< as text, to be kept (ui/viewport/viewpoint.h)
  void take_viewpoint(const QString& text);  ///< nothing when it is none

  void set_tool(const QString& id);  ///< "select" "move" "rotate" "scale"
  QString tool() const;
  /// The modal transform of the selection (G, R, S). False when nothing that can be moved is selected.
  bool begin_transform(TransformMode mode, quint64 key = 0) override;
  /// The same by a gizmo handle: ends when the button is released. `one_key`: of a key on a path.
  bool begin_drag(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool one_key = false);
  const TransformGesture* gesture() const;

  // Edit modes (ui/modes/mode.h): what the left button, the transforms and the menus mean while one is on.
  ModeContext mode_context();
  std::optional<ModeView> mode_view() const override;
  std::optional<Vec3> surface_under(QPointF pixel) const override;
  QWidget* widget() override { return this; }
  ModeBar* mode_bar();
  void set_mode_tool(const QString& id);  ///< of the present mode; "" none
  QString mode_tool() const;
  bool elements_shown() const;
  std::optional<Element> element_under(QPointF mouse, std::optional<Vec3>* surface = nullptr);
  bool duplicate_elements_and_move();
  bool duplicate_objects_and_move();
  Id object_under(QPointF mouse);  ///< none: a click there would select none
  bool mouse_inside() const { return mouse_inside_; }
  void toggle_mode();  ///< Tab

  QString hint() const;
  /// "" when OpenGL runs; else what is shown instead.
  QString problem() const { return problem_; }
  /// The picture is drawn with all its samples (a processor that draws takes them only once nothing moves).
  bool resting() const;
  /// Picture and overlays as on the screen, in physical pixels. Null image when OpenGL does not run.
  QImage picture();
  /// The scene as it was drawn last, without overlays: costs no drawing.
  QImage shown();
  /// How often the scene was drawn (tests: nothing is drawn when nothing changed).
  int frames_drawn() const { return frames_drawn_; }
  FramePtr displayed_frame() const;
  const RenderList& render_list();
  /// "Show Drivers".
  DriverView& drivers() { return *drivers_; }
  /// Contacts and collision shapes.
  ContactView& contacts() { return *contacts_; }
  MotionView& motion() { return *motion_; }
  /// "Join by Clicking".
  Joining& joining() { return *joining_; }
  /// "Change from Here".
  Changing& changing() { return *changing_; }
  UiContext& context() { return context_; }
  /// Works out what pictures of big meshes and textures need.
  LooksJob& looks() { return *looks_; }
  /// Where the selection's gizmo stands. False: nothing that can be moved is selected.
  bool selection_pivot(glm::vec3& pivot) const;
  /// Handles of the current tool as they are on the screen now; none while something else has the mouse.
  std::vector<GizmoHandle> gizmo() const;

  void refresh();          ///< scene, selection or view changed: draw again
  void refresh_overlay();  ///< only hover or overlay changed
  QMenu* make_add_menu(QWidget* parent);
  QMenu* make_context_menu(QWidget* parent);
  /// All collections, to move the selection to one of them.
  QMenu* make_collection_menu(QWidget* parent);
  QMenu* make_join_menu(QWidget* parent);
  void show_add_menu();         ///< at the mouse
  void show_collection_menu();  ///< the same
  void show_join_menu();        ///< the same: as what the selection is joined

 signals:
  void hint_changed(const QString& hint);
  void stats_changed(int vertices, double milliseconds);
  void tool_changed(const QString& id);
  void camera_changed();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  enum class Drag { none, orbit, pan, zoom, axis_gizmo, press, box, handle, menu, pull };

  // viewport.cpp
  void make_canvas();
  void make_tool_bar();
  void make_keep_bar();
  void follow_pull();
  void listen();
  void place_bars();
  void tell_of_texture(Diagnostic diagnostic, const std::shared_ptr<const TextureFile>& file);
  void drawn(double milliseconds);
  bool pictured() const;
  void fail(const QString& sentence);
  bool start_gesture(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle,
                     quint64 key = 0, bool one_key = false);
  QPointF mouse_now() const;
  void announce_hint();
  // viewport_input.cpp
  bool press_live(const QMouseEvent& event);
  void begin_press_drag();
  bool begin_pull(Qt::KeyboardModifiers held);
  void finish_click(Drag drag, Qt::MouseButton button, Qt::KeyboardModifiers held);
  void hover();
  void show();  ///< draws what refresh() has spoilt
  void show_context_menu();
  // viewport_overlay.cpp
  void paint_overlay(QPainter& painter);
  QMenu* make_mode_menu(QWidget* parent);

  UiContext context_;
  QWidget* tool_bar_ = nullptr;
  QWidget* keep_bar_ = nullptr;  ///< while a pull is there that is not kept
  std::unique_ptr<ViewNavigation> navigation_;
  std::unique_ptr<ViewGesture> gesture_;
  std::unique_ptr<LooksJob> looks_;
  std::unique_ptr<ViewPicture> picture_;
  std::unique_ptr<ToolGizmo> gizmo_;
  std::unique_ptr<DriverView> drivers_;
  std::unique_ptr<ContactView> contacts_;
  std::unique_ptr<MotionView> motion_;
  std::unique_ptr<CameraView> cameras_;
  std::unique_ptr<ForceView> forces_;
  std::unique_ptr<BoxView> boxes_;
  std::unique_ptr<Joining> joining_;
  std::unique_ptr<Changing> changing_;
  std::unique_ptr<PullView> pull_;
  std::unique_ptr<ModeInput> modes_;
  std::unique_ptr<ViewPicker> picker_;
  std::unique_ptr<ViewCanvas> canvas_;  ///< null when OpenGL cannot start
  std::unique_ptr<ViewOverlay> overlay_;
  QString problem_;
  int frames_drawn_ = 0, frame_drawn_ = -1;
  QTimer hold_;  ///< runs while a picture waits for the surface of what is dragged

  quint64 copied_ = 0;  ///< gesture of the last copies that were made to be moved
  Drag drag_ = Drag::none;
  HoverKeys* keys_;
  QPointF press_, mouse_;
  Qt::KeyboardModifiers box_modifiers_;
  bool mouse_inside_ = false;
  QString last_hint_;
};

}  // namespace hazumi
