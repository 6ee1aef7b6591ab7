#include "ui/widgets/theme_style.h"

#include <QGuiApplication>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kSmallIcon = 16, kBoxIcon = 40;  // px, where only a pixmap is asked for

/// Null: Qt's own will do.
QIcon own_icon(QStyle::StandardPixmap which) {
  const ThemeColours& colours = theme_colours();
  switch (which) {
    case QStyle::SP_MessageBoxQuestion:
      return theme_icon(QStringLiteral("question"), colours.accent);
    case QStyle::SP_MessageBoxWarning:
      return theme_icon(QStringLiteral("warning"), colours.warning);
    case QStyle::SP_MessageBoxCritical:
      return theme_icon(QStringLiteral("error"), colours.error);
    case QStyle::SP_MessageBoxInformation:
      return theme_icon(QStringLiteral("info"), colours.computed);
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirLinkIcon:
      return theme_icon(QStringLiteral("folder"));
    case QStyle::SP_DirHomeIcon:
    case QStyle::SP_DesktopIcon:
      return theme_icon(QStringLiteral("home"));
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon:
      return theme_icon(QStringLiteral("file"));
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DriveHDIcon:
    case QStyle::SP_DriveFDIcon:
    case QStyle::SP_DriveCDIcon:
    case QStyle::SP_DriveDVDIcon:
    case QStyle::SP_DriveNetIcon:
      return theme_icon(QStringLiteral("drive"));
    case QStyle::SP_FileDialogNewFolder:
      return theme_icon(QStringLiteral("folder_new"));
    case QStyle::SP_FileDialogToParent:
    case QStyle::SP_ArrowUp:
      return theme_icon(QStringLiteral("arrow_up"));
    case QStyle::SP_FileDialogBack:
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft:
      return theme_icon(QStringLiteral("arrow_left"));
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight:
      return theme_icon(QStringLiteral("arrow_right"));
    case QStyle::SP_FileDialogListView:
      return theme_icon(QStringLiteral("view_list"));
    case QStyle::SP_FileDialogDetailedView:
      return theme_icon(QStringLiteral("view_detail"));
    default:
      return {};
  }
}

}  // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

QIcon ThemeStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  const QIcon own = own_icon(which);
  return own.isNull() ? QProxyStyle::standardIcon(which, option, widget) : own;
}

QPixmap ThemeStyle::standardPixmap(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  const QIcon own = own_icon(which);
  if (own.isNull()) return QProxyStyle::standardPixmap(which, option, widget);
  const bool large = which >= SP_MessageBoxInformation && which <= SP_MessageBoxQuestion;
  return own.pixmap(QSize(large ? kBoxIcon : kSmallIcon, large ? kBoxIcon : kSmallIcon));
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;  // words say it
  if (hint == SH_MessageBox_TextInteractionFlags) return Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse;
  return QProxyStyle::styleHint(hint, option, widget, data);
}

}  // namespace hazumi
