// The curves of tracks: a line for each of their numbers, keys as points on it, tangents as handles of those that are selected.
// Shown are the tracks whose rows are chosen in the list, or all of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QColor>

#include "ui/panels/curve_lines.h"
#include "ui/panels/key_canvas.h"
#include "ui/panels/track_view.h"

namespace hazumi {

class KeyMarks;

class CurveView : public KeyCanvas {
  Q_OBJECT
 public:
  CurveView(UiContext& context, TrackView& view, QWidget* parent = nullptr);
  ~CurveView() override;

  QSize minimumSizeHint() const override { return {200, 60}; }
  /// Each curve as high as the others, from −1 to 1.
  void set_normalised(bool on);
  bool normalised() const { return normalised_; }

  void frame_all() override;
  void frame_selected() override;
  /// Of a key, and of the end of one of its handles; nothing: it is not drawn.
  std::optional<QPointF> place_of_key(const KeyRef& key, int component);
  std::optional<QPointF> place_of_handle(const KeyRef& key, int component, bool out);
  /// The handle that is under the mouse, or that is pulled.
  struct Handle {
    KeyRef key;
    int component = 0;
    bool out = false;
    friend bool operator==(const Handle&, const Handle&) = default;
  };
  const std::optional<Handle>& hot_handle() const { return handle_ ? handle_ : hot_; }
  double low() const { return low_; }
  double high() const { return high_; }

 protected:
  std::optional<Hit> key_at(QPointF place) override;
  KeyTimes keys_in(const QRectF& box) override;
  std::set<Id> shown_tracks() override;
  void took(const Hit* hit) override { component_ = hit ? hit->component : -1; }
  bool press_other(QPointF place, Qt::KeyboardModifiers held) override;
  bool drag_other(QPointF place, Qt::KeyboardModifiers held) override;
  bool release_other(bool take) override;
  QString hover(std::optional<QPointF> place) override;
  KeyGesture::Values values_of_drag() override;
  double height_at(double y) override;
  QString value_unit() override;
  void pan_vertically(double pixels) override;
  void zoom_vertically(double factor, double y) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Line {
    const Track* track;  ///< of the present scene
    FieldType type;
    int component;
    QColor colour;
    double factor, offset;  ///< shown value = factor · value + offset
  };
  const std::vector<Line>& lines();
  CurvePlace place_of(const Line& line) const;
  void renew();
  void fit_values(double from, double to);
  void show_values(double low, double high);
  std::optional<QPointF> handle_place(const Line& line, std::size_t key, bool out) const;
  template <class Visit>
  void visit_handles(Visit&& visit);
  std::vector<Handle> handles_at(QPointF place);
  std::optional<Handle> handle_at(QPointF place);
  void pull(QPointF place, Qt::KeyboardModifiers held);
  QString text_of_handle(const Handle& handle) const;
  void paint_axis(QPainter& painter);
  void paint_lines(QPainter& painter);
  void paint_values(QPainter& painter);
  void paint_handles(QPainter& painter);
  void paint_keys(QPainter& painter);
  using KeyIterator = std::vector<Key>::const_iterator;
  void paint_dots(QPainter& painter, const Line& line, KeyIterator first, KeyIterator last, bool selected);
  void paint_marks(QPainter& painter, const Line& line, KeyIterator first, KeyIterator last, bool selected);
  bool is_selected(const Line& line, const Key& key) const;

  TrackView& view_;
  std::unique_ptr<KeyMarks> marks_;
  std::vector<Line> lines_;
  bool stale_ = true;
  bool normalised_ = false;
  bool follows_ = true;  ///< the axis shows all values, until it is moved by hand
  double low_ = -1, high_ = 1;
  int component_ = -1;                  ///< that was taken hold of last; −1: all
  std::optional<Handle> handle_, hot_;  ///< that is held; under the mouse
  bool pulls_ = false;                  ///< it was moved, so that letting go of it is no click
  QPointF pressed_at_;
  std::vector<Handle> stack_;  ///< that lie on each other where one was clicked
  std::size_t turn_ = 0;       ///< which of them is next
  Shared<Scene> start_;
  quint64 gesture_ = 0;
};

}  // namespace hazumi
