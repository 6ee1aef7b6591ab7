// The view of the scene: draws extract(scene, frame, camera) with the Renderer, paints overlays over it, navigates,
// selects, and hands the left button and the transform keys to the tools (ui/tools). It changes the scene only through
// DocumentController::edit.
//
// A plain widget around a QOpenGLWidget that lets all events through: when OpenGL cannot start there is no GL widget at
// all (a failed one would leave the whole window black) and the sentence that says why is painted instead.
//
// The commands view.*, tool.*, object.move, object.rotate, object.scale and add.menu speak to the viewport. While a transform
// runs all keys are its own: X is an axis then, not "delete".
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QPointF>
#include <QWidget>

#include "render/extract.h"
#include "ui/model/context.h"
#include "ui/modes/mode.h"

class QMenu;
class QPainter;
class QToolButton;
class QVariantAnimation;

namespace hazumi {

class ModeBar;
class DriverView;
class LooksJob;
class TransformGesture;
class ViewCanvas;
class ViewOverlay;
struct GizmoHandle;
struct ToolInfo;

class Viewport : public QWidget, public ModeStage {
  Q_OBJECT
 public:
  explicit Viewport(UiContext& context, QWidget* parent = nullptr);
  ~Viewport() override;

  /// What is looked through now (the scene's camera too while through_camera()). Changing it repaints.
  ViewCamera& camera();
  const ViewCamera& camera() const { return camera_; }
  /// Changing them repaints.
  ViewOptions& options();
  const ViewOptions& options() const { return options_; }
  glm::vec2 view_size() const;  ///< logical pixels

  void frame_all();
  void frame_selected();
  /// Looks along an axis: "front" "back" "right" "left" "top" "bottom". Goes orthographic, as engineers expect.
  void look(const QString& side);
  void set_orthographic(bool on);
  void set_through_camera(bool on);
  bool through_camera() const { return through_camera_; }
  /// One undo step: the scene's camera takes the present view.
  void camera_to_view();
  /// 0: at once (tests).
  void set_animation_time(int milliseconds) { animation_time_ = milliseconds; }

  void set_tool(const QString& id);  ///< "select" "move" "rotate" "scale"
  QString tool() const;
  /// The modal transform of the selection (G, R, S). False when nothing that can be moved is selected.
  /// `key`: joined to the edit with this merge key, as one undo step.
  bool begin_transform(TransformMode mode, quint64 key = 0) override;
  QWidget* widget() override { return this; }
  /// The same by a gizmo handle: ends when the button is released.
  bool begin_drag(TransformMode mode, const TransformConstraint& constraint, QPointF mouse);
  const TransformGesture* gesture() const { return gesture_.get(); }

  // Edit modes (ui/modes/mode.h): what the left button, the transforms and the menus mean while one is on.
  ModeContext mode_context();
  /// The edited object as it is seen; none in object mode.
  std::optional<ModeView> mode_view() const override;
  ModeBar* mode_bar() { return mode_bar_; }
  void set_mode_tool(const QString& id);  ///< of the present mode; "" none
  QString mode_tool() const;
  /// Elements can be seen and edited: a mode is on and the start pose is shown.
  bool elements_shown() const;
  std::optional<Element> element_under(QPointF mouse, std::optional<Vec3>* surface = nullptr);
  bool duplicate_elements_and_move();
  void toggle_mode();  ///< Tab

  QString hint() const;
  /// "" when OpenGL runs; else what is shown instead.
  QString problem() const;
  /// The picture is drawn with all its samples (a processor that draws takes them only once nothing moves).
  bool resting() const;
  /// Picture and overlays as on the screen, in physical pixels. Null image when OpenGL does not run.
  QImage picture();
  /// How often the scene was drawn (tests: nothing is drawn when nothing changed).
  int frames_drawn() const { return frames_drawn_; }
  /// The frame in the picture: playback.shown(), the newest valid one before it, or null for the authored pose.
  FramePtr displayed_frame() const;
  const RenderList& render_list();
  /// "Show Drivers".
  DriverView& drivers() { return *drivers_; }
  UiContext& context() { return context_; }
  /// Works out what pictures of big meshes and textures need.
  LooksJob& looks() { return *looks_; }
  /// Where the selection's gizmo stands: mean of the shown origins. False: nothing that can be moved is selected.
  bool selection_pivot(glm::vec3& pivot) const;
  /// Handles of the current tool as they are on the screen now.
  std::vector<GizmoHandle> gizmo() const;

  void refresh();          ///< scene, selection or view changed: draw again
  void refresh_overlay();  ///< only hover or overlay changed
  QMenu* make_add_menu(QWidget* parent);
  QMenu* make_context_menu(QWidget* parent);
  void show_add_menu();  ///< at the mouse

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
  friend class ViewCanvas;
  friend class ViewOverlay;
  enum class Drag { none, orbit, pan, zoom, axis_gizmo, press, box, handle, menu };

  void make_tool_bar();
  void show_context_menu();

  void fail(const QString& sentence);
  void drawn(double milliseconds);
  void paint_overlay(QPainter& painter);
  void paint_constraint(QPainter& painter);
  void announce_hint();

  void move_camera(const ViewCamera& goal);
  void stop_animation();
  void leave_camera_view();
  ViewCamera through_scene_camera() const;
  QRectF passepartout() const;  ///< what an exported picture shows, logical pixels
  void frame_box(const Box3& box);
  void orbit_by(glm::vec2 pixels);
  void zoom_at(float factor, QPointF mouse);

  bool start_gesture(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle,
                     quint64 key = 0);
  void end_gesture(bool confirm);
  void drop_gesture();
  void begin_press_drag();
  void finish_click(QPointF mouse, Qt::KeyboardModifiers modifiers);
  void finish_box(Qt::KeyboardModifiers modifiers);
  void set_hover(QPointF mouse);

  // viewport_modes.cpp
  ElementSelection& elements() const;
  void make_modes();
  void place_bars();
  void show_mode_tools();
  void show_start_pose();
  void draw_mode(RenderList& list) const;
  ModePointer mode_pointer(Qt::KeyboardModifiers modifiers);
  bool mode_press(Qt::KeyboardModifiers modifiers);
  bool mode_move(Qt::KeyboardModifiers modifiers);
  bool mode_release(Qt::KeyboardModifiers modifiers);
  void click_element(QPointF mouse, Qt::KeyboardModifiers modifiers);
  void click_ring(QPointF mouse, Qt::KeyboardModifiers modifiers);
  void box_elements(const QRectF& box, Qt::KeyboardModifiers modifiers);
  bool drag_element();
  bool leave_mode_by_key();
  bool takes_mode_key(int key, Qt::KeyboardModifiers held) const;
  bool mode_key(int key, Qt::KeyboardModifiers held);
  QMenu* make_mode_menu(QWidget* parent);
  QString mode_hint() const;
  Box3 selected_elements_box() const;
  static QString tool_button_style();

  UiContext context_;
  ViewCamera camera_, free_camera_;
  ViewOptions options_;
  bool through_camera_ = false;
  bool parallel_by_look_ = false;  ///< orthographic only because a viewpoint was chosen
  int animation_time_ = 160;
  QVariantAnimation* animation_ = nullptr;

  ViewCanvas* canvas_ = nullptr;  ///< null when OpenGL cannot start
  ViewOverlay* overlay_ = nullptr;
  QWidget* tool_bar_ = nullptr;
  ModeBar* mode_bar_ = nullptr;
  QString problem_;
  LooksJob* looks_;
  RenderList list_;
  bool list_dirty_ = true;
  int frames_drawn_ = 0;

  DriverView* drivers_ = nullptr;
  const ToolInfo* tool_info_ = nullptr;
  std::unique_ptr<TransformGesture> gesture_;
  Drag drag_ = Drag::none;
  QPointF press_, mouse_;
  Qt::KeyboardModifiers box_modifiers_;
  bool mouse_inside_ = false;
  int hovered_axis_ = -1;    ///< of the axis gizmo in the corner
  int hovered_handle_ = -1;  ///< of the tool's gizmo
  const ModeTool* mode_tool_ = nullptr;
  std::unique_ptr<ModeToolRun> tool_run_;
  std::vector<std::pair<const ModeTool*, QToolButton*>> mode_tool_buttons_;
  bool tool_pressed_ = false;  ///< the tool has the left button
  std::optional<Element> hovered_element_;
  QString last_hint_;
};

}  // namespace hazumi
