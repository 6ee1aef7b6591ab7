// The page of a panel: scrolls up and down, and is never so narrow that its content would be cut off at the side.
#pragma once

#include <QScrollArea>

namespace hazumi {

class ScrollPage : public QScrollArea {
  Q_OBJECT
 public:
  explicit ScrollPage(QWidget* content, QWidget* parent = nullptr);
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace hazumi
