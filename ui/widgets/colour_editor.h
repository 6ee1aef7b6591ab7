// Colours by hue, saturation and value: an editor (square, hue strip, numbers, #rrggbb) and a swatch that opens it.
// Colours are components 0…1 as stored; what is shown is the same numbers as screen colours.
#pragma once

#include <functional>

#include <QAbstractButton>
#include <QFrame>
#include <QImage>
#include <QPen>
#include <QPixmap>

#include "core/math/types.h"

class QLineEdit;
class QPainter;

namespace hazumi {

class NumberField;

QColor to_qcolor(const Vec3& colour);
/// A square of `side` pixels in which `draw` has a pen for the edge and a brush of the colour.
QPixmap colour_pixmap(int side, const Vec3& colour, const QPen& edge, const std::function<void(QPainter&)>& draw);
Vec3 from_hsv(const Vec3& hsv);  ///< h in degrees 0…360, s and v 0…1
/// `like`: hue and saturation to keep where the colour does not say (grey, black).
Vec3 to_hsv(const Vec3& rgb, const Vec3& like = Vec3::Zero());

/// The square of saturation (right) and value (up) for a hue, and the strip of hues beside it.
class HueSquare : public QWidget {
  Q_OBJECT
 public:
  explicit HueSquare(QWidget* parent = nullptr);
  void set_hsv(const Vec3& hsv);
  QSize sizeHint() const override { return {220, 150}; }
  QRect square() const;
  QRect strip() const;

 signals:
  void edited(const hazumi::Vec3& hsv, bool continues);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void pick(const QPointF& at, bool continues);
  Vec3 hsv_ = Vec3::Zero();
  enum class Part { none, square, strip } held_ = Part::none;
  QImage shade_;
  double shade_hue_ = -1;
};

class ColourEditor : public QFrame {
  Q_OBJECT
 public:
  explicit ColourEditor(QWidget* parent = nullptr);
  void set_colour(const Vec3& rgb);
  Vec3 colour() const { return rgb_; }
  HueSquare* square() const { return square_; }
  NumberField* number(int i) const { return numbers_[i]; }  ///< hue, saturation, value
  QLineEdit* hex() const { return hex_; }

 signals:
  void edited(const hazumi::Vec3& rgb, bool continues);

 private:
  void set_hsv(const Vec3& hsv, bool continues);
  void show_numbers();

  Vec3 rgb_ = Vec3::Zero(), hsv_ = Vec3::Zero();
  HueSquare* square_;
  NumberField* numbers_[3];
  QLineEdit* hex_;
};

/// A button that shows a colour; pressing opens the editor under it.
class ColourSwatch : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ColourSwatch(QWidget* parent = nullptr);
  void set_colour(const Vec3& rgb);
  void set_mixed(bool mixed);
  void set_title(const QString& title) { title_ = title; }
  void set_with_text(bool with_text);
  Vec3 colour() const { return rgb_; }
  QSize sizeHint() const override;

 signals:
  void edited(const hazumi::Vec3& rgb, bool continues);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void open_editor();
  Vec3 rgb_ = Vec3::Zero();
  bool mixed_ = false, with_text_ = true;
  QString title_;
  ColourEditor* editor_ = nullptr;
};

}  // namespace hazumi
