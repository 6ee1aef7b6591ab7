// What the dope sheet and the curves have in common: keys that are clicked, boxed, dragged, moved by G and scaled by S, with the keys
// of the window's commands over it; wheel and middle button move the window of time. Who draws says where keys are.
#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "ui/model/context.h"
#include "ui/model/key_edits.h"
#include "ui/model/key_selection.h"
#include "ui/model/time_window.h"
#include "ui/panels/key_gesture.h"

class QMenu;

namespace hazumi {

class HoverKeys;
class Sight;

class KeyCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit KeyCanvas(UiContext& context, QWidget* parent = nullptr);
  ~KeyCanvas() override;

  bool moving() const { return gesture_ != nullptr; }
  TimeScale scale() const;
  double x_of(double seconds) const;
  /// Frame All and Frame Selected of this editor.
  virtual void frame_all();
  virtual void frame_selected();
  QMenu* make_menu(QWidget* parent);

 protected:
  struct Hit {
    KeyTimes keys;       ///< one, or of a row of several tracks all that are at its time
    KeyRef which;        ///< becomes active
    int component = -1;  ///< of a curve
  };
  virtual std::optional<Hit> key_at(QPointF place) = 0;
  virtual KeyTimes keys_in(const QRectF& box) = 0;
  /// Tracks that can be seen: "all" means theirs. None: no track is.
  virtual std::set<Id> shown_tracks() = 0;
  /// A key was pressed, or by a box none in particular.
  virtual void took(const Hit* /*hit*/) {}
  /// Something else than a key is taken hold of, dragged, let go of or given up. True: it was.
  virtual bool press_other(QPointF, Qt::KeyboardModifiers) { return false; }
  virtual bool drag_other(QPointF, Qt::KeyboardModifiers) { return false; }
  virtual bool release_other(bool /*take*/) { return false; }
  /// What else than a key the mouse is over, nothing: it is not here. Says it in a sentence, or nothing.
  virtual QString hover(std::optional<QPointF>) { return {}; }
  /// Of the curves.
  virtual KeyGesture::Values values_of_drag() { return {}; }
  virtual double height_at(double /*y*/) { return 0; }
  virtual QString value_unit() { return {}; }
  virtual void pan_vertically(double pixels) = 0;
  virtual void zoom_vertically(double /*factor*/, double /*y*/) {}

  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

  /// What the status bar says while the mouse is here and nothing special is under it.
  void set_hint(const QString& hint);
  /// Keys that can be seen no longer are selected no longer: what is selected is what is seen.
  void tell_shown();
  void paint_box(QPainter& painter);
  double snap(double x) const;  ///< to whole physical pixels
  void update_head();

  UiContext context_;
  QPointF mouse_;

 private:
  enum class Drag { none, key, box, other, pan, menu };

  bool begin(KeyGesture::Kind kind, bool copies, bool by_drag, QPointF from);
  void end(bool take);
  void tell();
  void look(std::optional<QPointF> place);
  void click(const Hit& hit, bool adds);
  void take_box();
  bool takes(const QKeyEvent& event);
  bool do_key(const QKeyEvent& event);
  void popup(const char* category);
  void say(const QString& sentence);
  KeyGesture::Place place_of(QPointF mouse);
  bool is(const QKeyEvent& event, const char* command) const;

  std::unique_ptr<KeyGesture> gesture_;
  Drag drag_ = Drag::none;
  QPointF press_;
  std::optional<Hit> pressed_;
  bool was_selected_ = false, mouse_inside_ = false;
  Qt::KeyboardModifiers press_keys_;
  HoverKeys* hover_keys_;
  Sight* sight_;
  QString hint_, hovered_;  ///< what the status bar says here; of what is under the mouse
  int shown_head_ = 0;
};

}  // namespace hazumi
