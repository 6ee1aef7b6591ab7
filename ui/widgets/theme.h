// The look of the program: Fusion with a dark, quiet palette, a small style sheet, and the icons of assets/icons
// (one-colour SVG, tinted here so that disabled and checked states follow the palette at every scale).
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;

namespace hazumi {

/// The colours that custom painted widgets use, so that all of them agree.
struct ThemeColours {
  QColor window{0x2b, 0x2d, 0x31};  ///< panels
  QColor base{0x1f, 0x21, 0x24};    ///< fields, lists, time line
  QColor raised{0x3a, 0x3d, 0x43};  ///< buttons
  QColor border{0x17, 0x18, 0x1a};
  QColor text{0xd8, 0xdb, 0xdf};
  QColor quiet_text{0x94, 0x9a, 0xa3};
  QColor accent{0xf0, 0x9a, 0x3e};  ///< selection, play head
  QColor accent_dim{0x8a, 0x5f, 0x33};
  QColor computed{0x4f, 0x9d, 0x8d};  ///< frames that are there
  QColor error{0xe0, 0x6c, 0x64};
  QColor warning{0xe5, 0xc0, 0x6a};
};

const ThemeColours& theme_colours();
/// Of x, y and z: gizmos, the corner of the view, sections.
const QColor& axis_colour(int axis);
void apply_theme(QApplication& application);
/// `name`: file in assets/icons without .svg. An unknown name gives a null icon.
QIcon theme_icon(const QString& name);
/// The same in one colour, whatever the mode.
QIcon theme_icon(const QString& name, const QColor& colour);

}  // namespace hazumi
