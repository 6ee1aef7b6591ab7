#include "ui/widgets/scroll_page.h"

#include <QEvent>
#include <QScrollBar>

namespace hazumi {

ScrollPage::ScrollPage(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(content);
  content->installEventFilter(this);
}

QSize ScrollPage::minimumSizeHint() const {
  const int width = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
  return {width + verticalScrollBar()->sizeHint().width(), 60};
}

bool ScrollPage::eventFilter(QObject* watched, QEvent* event) {
  // Rows come and go: what is wide enough changes with them.
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace hazumi
