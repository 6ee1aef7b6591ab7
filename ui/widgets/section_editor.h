// One section of a metaball, to be shaped by dragging it (spec 4.3, thesis figures 5.5 and 5.10): the curve that would be
// seen of it alone, and faintly how far it reaches. Near an axis the curve is dragged outwards and inwards (radius); between
// the axes it is bent (exponent): pushed out into the corner it turns boxy, pulled in octahedral and pinched. A torus has its
// tube's inner edge to drag as well. Shift drags both radii of the section together; Ctrl snaps.
#pragma once

#include <optional>

#include <QWidget>

#include "core/geometry/metaball/group.h"

namespace hazumi {

class SectionEditor : public QWidget {
  Q_OBJECT
 public:
  /// xy: the section across the z axis, ε₂. xz: the one that holds it, ε₁.
  enum class Plane { xy, xz };
  enum class Handle { none, right, left, top, bottom, corner, inner };

  explicit SectionEditor(Plane plane, QWidget* parent = nullptr);

  /// Empty: nothing is selected. `more`: how many others are selected with it.
  void set_primitive(const std::optional<MetaballPrimitive>& primitive);
  const std::optional<MetaballPrimitive>& primitive() const { return primitive_; }
  void set_size_in_view(double half);  ///< m, half of what the view shows; both sections use the same
  static double fitting_size(const MetaballPrimitive& primitive);

  /// Where a handle is now, pixels of this widget (tests too). Not for none.
  QPointF handle_at(Handle handle) const;
  Handle handle_under(QPointF mouse) const;
  bool dragging() const { return held_ != Handle::none; }

  QSize sizeHint() const override { return {148, 168}; }
  QSize minimumSizeHint() const override { return {104, 128}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return std::min(width, 260) + 20; }

 signals:
  /// A person dragged: the primitive as it should be. `what`: "Shape", "Size". continues: the same gesture.
  void edited(const hazumi::MetaballPrimitive& next, const QString& what, bool continues);
  void finished();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int u() const { return 0; }
  int v() const { return plane_ == Plane::xy ? 1 : 2; }
  double exponent(const MetaballPrimitive& p) const { return plane_ == Plane::xy ? p.round_xy : p.round_xz; }
  QRectF area() const;
  QPointF pixel(double x, double y) const;
  QPointF place(QPointF pixel) const;  ///< m
  /// Centre and half axes of the curve whose corner and top are dragged.
  struct Curve {
    double centre, a, b;
  };
  Curve curve(const MetaballPrimitive& p) const;
  MetaballPrimitive dragged(const MetaballPrimitive& from, Handle handle, QPointF mouse,
                            Qt::KeyboardModifiers held) const;
  void show_cursor(Handle handle);

  Plane plane_;
  std::optional<MetaballPrimitive> primitive_, before_;
  double half_ = 1;
  Handle hovered_ = Handle::none, held_ = Handle::none;
  QPointF grip_;  ///< of the mouse from the handle when it was taken, pixels
  bool changed_ = false;
};

}  // namespace hazumi
