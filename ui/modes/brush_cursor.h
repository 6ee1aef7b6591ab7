// What the brushes of all modes do the same: the circle, where it means and how large it is on the screen, its radius by the wheel
// or by F and the mouse, and strokes of dabs.
#pragma once

#include <optional>

#include <QColor>

#include "ui/modes/mode.h"

namespace hazumi {

class BrushCursor {
 public:
  static constexpr double kLeast = 1e-3, kMost = 1e3;  ///< m

  /// The mouse is at `pixel` over `place` (object frame before the scale; none: beside everything).
  void at(QPointF pixel, std::optional<Vec3> place);
  const std::optional<Vec3>& place() const { return place_; }

  bool sizing() const { return sizing_; }
  /// F: the mouse sets the radius from now on. `radius` m in the world.
  void start_sizing(double radius);
  /// The radius for the mouse at `pixel`.
  double sized(const ModeView& view, QPointF pixel) const;
  /// True: the size holds; false: the one before, which is returned by start_radius().
  void end_sizing() { sizing_ = false; }
  double start_radius() const { return start_radius_; }

  static double wheeled(double radius, double notches);
  void paint(const ModeView& view, QPainter& painter, double radius, const QColor& colour, const QString& text) const;

  /// From the world into the frame of a scaled object (the mean of its axes).
  static double local_radius(const ObjectSpace& space, double radius);

 private:
  double metres_per_pixel(const ModeView& view) const;

  QPointF pixel_, sizing_from_;
  std::optional<Vec3> place_;
  bool sizing_ = false;
  double start_radius_ = 0;
};

/// A brush: dabs lie a quarter of the radius apart however the mouse moves, and a stroke is one undo step.
class BrushTool : public ModeToolRun {
 public:
  bool press(const ModeContext& context, const ModePointer& pointer) override;
  void move(const ModeContext& context, const ModePointer& pointer) override;
  void release(const ModeContext&, const ModePointer&) override { stroke_ = 0; }
  bool key(const ModeContext& context, int key, Qt::KeyboardModifiers held) override;
  bool wheel(const ModeContext& context, double notches, Qt::KeyboardModifiers held) override;
  void paint(const ModeView& view, QPainter& painter) const override;
  QString hint() const override;

 protected:
  virtual double radius() const = 0;  ///< m, world
  virtual void set_radius(double radius) = 0;
  /// False: the press meant something else, no stroke begins.
  virtual bool begins(const ModeContext&, const ModePointer&) { return true; }
  /// Where it paints (object frame before the scale); none: nowhere.
  virtual std::optional<Vec3> place(const ModeContext& context, const ModePointer& pointer) const = 0;
  /// One dab; edits carry `stroke` as their merge key.
  virtual void dab(const ModeContext& context, const Vec3& place, quint64 stroke) = 0;
  virtual QColor colour() const = 0;
  virtual QString about() const = 0;  ///< the hint while it is not being sized
  Qt::KeyboardModifiers held() const { return held_; }

 private:
  BrushCursor cursor_;
  Qt::KeyboardModifiers held_;
  quint64 stroke_ = 0;
  std::optional<Vec3> last_;
};

/// What a brush means without a surface under the mouse: the depth of the nearest of these places on the screen.
std::optional<Vec3> brush_place(const ModeContext& context, const ModePointer& pointer, std::span<const Vec3> places);

}  // namespace hazumi
