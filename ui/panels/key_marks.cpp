#include "ui/panels/key_marks.h"

#include <QPainter>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

QColor colour_of(KeyMarks::Look look) {
  const QColor accent = theme_colours().accent;
  return look == KeyMarks::plain      ? QColor(0xc4, 0xc9, 0xd0)
         : look == KeyMarks::quiet    ? QColor(0x66, 0x6b, 0x73)
         : look == KeyMarks::selected ? accent
                                      : accent.lighter(145);
}

}  // namespace

KeyMarks::KeyMarks(double ratio) : ratio_(ratio) {
  for (const bool square : {false, true})
    for (int look = 0; look < count; ++look) {
      QPixmap picture(QSize(qRound(kSize * ratio), qRound(kSize * ratio)));
      picture.setDevicePixelRatio(ratio);
      picture.fill(Qt::transparent);
      QPainter painter(&picture);
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(QPen(QColor(0x14, 0x15, 0x17), 1));
      painter.setBrush(colour_of(static_cast<Look>(look)));
      const double m = kSize / 2, r = m - 0.75, side = r * 0.72;
      if (square)
        painter.drawRect(QRectF(m - side, m - side, 2 * side, 2 * side));
      else
        painter.drawPolygon(QPolygonF({{m, m - r}, {m + r, m}, {m, m + r}, {m - r, m}}));
      pictures_[square ? 1 : 0][static_cast<std::size_t>(look)] = picture;
    }
}

}  // namespace hazumi
