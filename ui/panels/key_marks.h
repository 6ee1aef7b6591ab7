// The marks of keys, drawn once and then copied: ten thousand polygons take longer than a picture may.
#pragma once

#include <array>

#include <QPixmap>

namespace hazumi {

class KeyMarks {
 public:
  static constexpr double kSize = 11;  ///< logical pixels
  enum Look { plain, quiet, selected, active, count };

  /// For a screen with so many physical pixels in a logical one.
  explicit KeyMarks(double ratio);
  double ratio() const { return ratio_; }
  /// Square: the value stays until the next key.
  const QPixmap& of(bool square, Look look) const { return pictures_[square ? 1 : 0][static_cast<std::size_t>(look)]; }

 private:
  double ratio_;
  std::array<std::array<QPixmap, count>, 2> pictures_;
};

}  // namespace hazumi
