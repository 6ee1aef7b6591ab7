// Fusion with the icons of the tree wherever Qt shows one of its own: in message boxes, in file dialogs, on their buttons. What
// message boxes say can be selected.
#pragma once

#include <QProxyStyle>

namespace hazumi {

class ThemeStyle : public QProxyStyle {
  Q_OBJECT
 public:
  ThemeStyle();
  QIcon standardIcon(StandardPixmap which, const QStyleOption* option = nullptr,
                     const QWidget* widget = nullptr) const override;
  QPixmap standardPixmap(StandardPixmap which, const QStyleOption* option = nullptr,
                         const QWidget* widget = nullptr) const override;
  int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                QStyleHintReturn* data = nullptr) const override;
};

}  // namespace hazumi
