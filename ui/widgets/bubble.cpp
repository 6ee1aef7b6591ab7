#include "ui/widgets/bubble.h"

#include <algorithm>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>

namespace hazumi {

namespace {
constexpr int kArrow = 6;  // logical pixels
constexpr int kWidth = 280;
constexpr int kShownMs = 6000, kQuietMs = 3000;

/// The bubble that is open: found in the windows, so that no global is needed.
Bubble* open_bubble() {
  for (QWidget* window : QApplication::topLevelWidgets())
    for (auto* bubble : window->findChildren<Bubble*>(QString(), Qt::FindDirectChildrenOnly))
      if (!bubble->isHidden()) return bubble;
  return nullptr;
}
}  // namespace

void Bubble::show_at(QWidget* at, const QString& sentence) { put(at, sentence, false); }
void Bubble::tell_at(QWidget* at, const QString& sentence) { put(at, sentence, true); }

void Bubble::put(QWidget* at, const QString& sentence, bool quiet) {
  hide_all();
  auto* bubble = new Bubble(at, sentence, quiet);
  bubble->show();
  bubble->raise();
}

void Bubble::hide_all() {
  if (Bubble* bubble = open_bubble()) {
    bubble->hide();
    bubble->deleteLater();
  }
}

QString Bubble::shown_text() {
  const Bubble* bubble = open_bubble();
  return bubble ? bubble->label_->text() : QString();
}

Bubble::Bubble(QWidget* at, const QString& sentence, bool quiet)
    : QFrame(at->window()), label_(new QLabel(sentence, this)), at_(at), quiet_(quiet) {
  // Inside the window: what lies over a window of its own is for the display to say, and it may take the clicks.
  setAttribute(Qt::WA_TransparentForMouseEvents);
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  QPalette colours = label_->palette();
  colours.setColor(QPalette::WindowText, QColor(255, 245, 238));
  label_->setPalette(colours);
  const int wanted = std::min(kWidth, label_->fontMetrics().horizontalAdvance(sentence) + 4);
  label_->setFixedWidth(wanted);

  const QRect room = at->window()->rect();
  const QPoint below = at->mapTo(at->window(), QPoint(0, at->height()));
  auto* layout = new QHBoxLayout(this);
  const int height = label_->heightForWidth(wanted) + 12;
  above_ = below.y() + height + kArrow > room.bottom();
  layout->setContentsMargins(9, above_ ? 6 : 6 + kArrow, 9, above_ ? 6 + kArrow : 6);
  layout->addWidget(label_);
  adjustSize();
  const int top = above_ ? below.y() - at->height() - this->height() : below.y();
  move(std::clamp(below.x(), 0, std::max(0, room.right() - width())), top);

  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, [this] {
    hide();
    deleteLater();
  });
  timer_.start(quiet ? kQuietMs : kShownMs);
  connect(at, &QObject::destroyed, this, &QObject::deleteLater);
  at->window()->installEventFilter(this);
  at->installEventFilter(this);
  qApp->installEventFilter(this);
}

void Bubble::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box(0.5, above_ ? 0.5 : kArrow + 0.5, width() - 1.0, height() - kArrow - 1.0);
  QPainterPath path;
  path.addRoundedRect(box, 5, 5);
  QPolygonF arrow;
  if (above_)
    arrow << QPointF(12, box.bottom()) << QPointF(12 + kArrow, height() - 0.5)
          << QPointF(12 + 2 * kArrow, box.bottom());
  else
    arrow << QPointF(12, box.top()) << QPointF(12 + kArrow, 0.5) << QPointF(12 + 2 * kArrow, box.top());
  QPainterPath tip;
  tip.addPolygon(arrow);
  painter.setPen(QPen(quiet_ ? QColor(0x6a, 0x6e, 0x76) : QColor(214, 120, 80), 1));
  painter.setBrush(quiet_ ? QColor(0x3c, 0x40, 0x47) : QColor(120, 46, 24));
  painter.drawPath(path.united(tip));
}

bool Bubble::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool of_mine = watched == at_ || (at_ && watched == at_->window());
  // A click goes to a window of the system first. The one that brought the bubble up has been there already.
  const bool clicked = type == QEvent::MouseButtonPress && watched->isWindowType();
  const bool goes = (watched == at_ && type == QEvent::Hide) ||
                    (of_mine && (type == QEvent::Move || type == QEvent::Resize || type == QEvent::WindowDeactivate ||
                                 type == QEvent::Close));
  if ((goes || clicked) && isVisible()) {
    hide();
    deleteLater();
  }
  return false;
}

}  // namespace hazumi
