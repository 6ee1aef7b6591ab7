#include "ui/window/recovery_page.h"

#include <algorithm>
#include <cmath>

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kWidth = 860, kPictureWidth = 240, kPictureHeight = 150;  // pixels

QLabel* text_label(const QString& text, QWidget* parent, double size = 1, bool strong = false) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * size);
  if (strong) font.setWeight(QFont::DemiBold);
  label->setFont(font);
  return label;
}

void colour(QLabel* label, const QColor& colour) {
  label->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
}

/// "3 minutes", of one unit only: nobody compares seconds with hours.
QString span(qint64 seconds) {
  const auto count = [&](qint64 unit) {
    return static_cast<int>(std::llround(static_cast<double>(seconds) / static_cast<double>(unit)));
  };
  const auto say = [](int n, const QString& one, const QString& many) { return n == 1 ? one : many.arg(n); };
  if (seconds < 90) return say(static_cast<int>(seconds), RecoveryPage::tr("1 second"), RecoveryPage::tr("%1 seconds"));
  if (seconds < 90 * 60) return say(count(60), RecoveryPage::tr("1 minute"), RecoveryPage::tr("%1 minutes"));
  if (seconds < 36 * 3600) return say(count(3600), RecoveryPage::tr("1 hour"), RecoveryPage::tr("%1 hours"));
  return say(count(86400), RecoveryPage::tr("1 day"), RecoveryPage::tr("%1 days"));
}

QString name_of(const Autosave::Remains& remains) {
  return remains.origin.isEmpty() ? RecoveryPage::tr("Untitled") : QFileInfo(remains.origin).completeBaseName();
}

/// Its part in the middle, with round corners.
QPixmap picture_of(const QString& file, qreal ratio) {
  const QSize size = QSize(kPictureWidth, kPictureHeight) * ratio;
  QPixmap pixmap(size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  QPainterPath round;
  round.addRoundedRect(QRectF(QPointF(0, 0), size), 3 * ratio, 3 * ratio);
  painter.setClipPath(round);
  painter.fillRect(QRect(QPoint(0, 0), size), theme_colours().base);
  const QImage image(file);
  if (image.isNull()) {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(12 * ratio));
    painter.setFont(font);
    painter.setPen(theme_colours().quiet_text);
    painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, RecoveryPage::tr("No picture"));
  } else {
    const QImage fit = image.scaled(size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    painter.drawImage((size.width() - fit.width()) / 2, (size.height() - fit.height()) / 2, fit);
  }
  painter.end();
  pixmap.setDevicePixelRatio(ratio);
  return pixmap;
}

}  // namespace

RecoveryPage::RecoveryPage(const QString& root, const Autosave& autosave, QWidget* parent)
    : QWidget(parent), root_(root), autosave_(autosave) {
  setObjectName(QStringLiteral("recovery_page"));
  setFocusPolicy(Qt::StrongFocus);
  auto* title = text_label(tr("Unsaved work"), this, 1.9);
  said_ = text_label(QString(), this);
  colour(said_, theme_colours().quiet_text);
  area_ = new QScrollArea(this);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setStyleSheet(QStringLiteral("QScrollArea { background: transparent; }"));
  later_ = new QPushButton(tr("Later"), this);
  later_->setObjectName(QStringLiteral("recovery_later"));
  later_->setMinimumSize(110, 32);
  later_->setToolTip(tr("Nothing is lost: File > Unsaved Work and the next start show this page again (Esc)."));
  auto* foot = new QHBoxLayout;
  auto* note =
      text_label(tr("What you leave for later is kept; File > Unsaved Work… shows this page at any time."), this);
  colour(note, theme_colours().quiet_text);
  foot->addWidget(note, 1);
  foot->addWidget(later_);

  auto* column = new QVBoxLayout;
  column->setSpacing(6);
  column->addWidget(title);
  column->addWidget(said_);
  column->addSpacing(14);
  column->addWidget(area_, 1);
  column->addSpacing(8);
  column->addLayout(foot);
  auto* centre = new QWidget(this);
  centre->setMaximumWidth(kWidth);
  centre->setLayout(column);
  column->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(36, 40, 36, 28);
  row->addStretch(1);
  row->addWidget(centre, 100);
  row->addStretch(1);
  connect(later_, &QPushButton::clicked, this, &RecoveryPage::closed);
}

int RecoveryPage::refresh() {
  const auto left = Autosave::left_behind(root_), thrown = Autosave::trash(root_, autosave_.trash_limits());
  auto* inner = new QWidget(area_);
  inner->setObjectName(QStringLiteral("recovery_list"));
  inner->setStyleSheet(QStringLiteral("QWidget#recovery_list { background: transparent; }"));
  list_ = new QVBoxLayout(inner);
  list_->setContentsMargins(0, 0, 0, 0);
  list_->setSpacing(10);
  area_->setWidget(inner);  // the cards before go with theirs
  for (const auto& remains : left) list_->addWidget(card(remains));
  if (!thrown.empty()) add_heading(tr("Discarded"));
  for (const auto& remains : thrown) list_->addWidget(card(remains));
  list_->addStretch(1);
  const int count = static_cast<int>(left.size());
  said_->setText(
      count == 0 ? tr("Nothing is left behind: every scene was saved or closed in order.")
      : count == 1
          ? tr("Hazumi ended before this scene was saved.")
          : tr("Hazumi ended before these %1 scenes were saved. Bring back one now; the rest is kept.").arg(count));
  later_->setText(count == 0 ? tr("Close") : tr("Later"));
  return count;
}

void RecoveryPage::add_heading(const QString& text) {
  auto* heading = text_label(text, area_->widget(), 1, true);
  colour(heading, theme_colours().quiet_text);
  heading->setContentsMargins(0, 12, 0, 0);
  list_->addWidget(heading);
}

QWidget* RecoveryPage::card(const Autosave::Remains& remains) {
  auto* frame = new QFrame(area_->widget());
  frame->setObjectName(QStringLiteral("recovery_card"));
  frame->setProperty("folder", remains.folder);
  frame->setStyleSheet(
      QStringLiteral("QFrame#recovery_card { background: #2f3136; border: 1px solid %1; border-radius: 5px; }")
          .arg(theme_colours().border.name()));
  auto* row = new QHBoxLayout(frame);
  row->setContentsMargins(10, 10, 14, 10);
  row->setSpacing(16);
  auto* picture = new QLabel(frame);
  picture->setPixmap(picture_of(remains.picture, devicePixelRatioF()));
  picture->setFixedSize(kPictureWidth, kPictureHeight);
  row->addWidget(picture);

  auto* column = new QVBoxLayout;
  column->setSpacing(4);
  auto* name = text_label(name_of(remains), frame, 1.25, true);
  name->setObjectName(QStringLiteral("recovery_name"));
  const qint64 seconds = remains.time.secsTo(QDateTime::currentDateTime());
  const QString ago = seconds < 60 ? tr("a moment ago") : tr("%1 ago").arg(span(seconds));
  auto* when = text_label(
      tr("Last change %1, %2").arg(QLocale::c().toString(remains.time, QStringLiteral("d MMM yyyy, hh:mm")), ago),
      frame);
  auto* file = text_label(compared_with_file(remains), frame);
  file->setObjectName(QStringLiteral("recovery_age"));
  column->addWidget(name);
  column->addWidget(when);
  column->addWidget(file);
  if (!remains.origin.isEmpty()) {
    auto* place = text_label(QDir::toNativeSeparators(remains.origin), frame, 0.9);
    colour(place, theme_colours().quiet_text);
    column->addWidget(place);
  }
  auto* problem = text_label(QString(), frame);
  problem->setObjectName(QStringLiteral("recovery_problem"));
  colour(problem, theme_colours().error);
  problem->hide();
  column->addWidget(problem);
  column->addStretch(1);
  column->addWidget(buttons(remains, problem));
  row->addLayout(column, 1);
  return frame;
}

QWidget* RecoveryPage::buttons(const Autosave::Remains& remains, QLabel* problem) {
  auto* bar = new QWidget(area_->widget());
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  const auto button = [&](const QString& text, const char* name, const QString& tip) {
    auto* made = new QPushButton(text, bar);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setMinimumHeight(28);
    row->addWidget(made);
    return made;
  };
  const auto moved = [this, problem](bool done) {
    // The button that was pressed goes with its card; not before it has told of it.
    if (done)
      QTimer::singleShot(0, this, [this] { refresh(); });
    else {
      problem->setText(tr("It cannot be moved: another Hazumi has it, or the folder may not be written to."));
      problem->show();
    }
  };
  const QString folder = remains.folder;
  if (remains.discarded.isValid()) {
    auto* back = button(tr("Put Back"), "recovery_put_back", tr("Among what can be brought back again."));
    connect(back, &QPushButton::clicked, this, [folder, moved] { moved(Autosave::put_back(folder)); });
    const QDateTime end = remains.discarded.addDays(autosave_.trash_limits().days);
    auto* note =
        text_label(tr("Deleted for good on %1.").arg(QLocale::c().toString(end, QStringLiteral("d MMM yyyy"))), bar);
    colour(note, theme_colours().quiet_text);
    row->addWidget(note, 1);
    return bar;
  }
  auto* bring =
      button(tr("Bring Back"), "recovery_bring_back", tr("Open it as it was; its file is not touched until you save."));
  bring->setStyleSheet(
      QStringLiteral("QPushButton { background: #5c4530; border-color: #c9823a; }"
                     "QPushButton:hover { background: #6d5239; }"));  // as what is chosen elsewhere
  auto* discard = button(tr("Discard"), "recovery_discard",
                         tr("Only this one. It can be put back for %1 days.").arg(autosave_.trash_limits().days));
  row->addStretch(1);
  connect(bring, &QPushButton::clicked, this, [this, folder] { emit wanted(folder); });
  connect(discard, &QPushButton::clicked, this, [folder, moved] { moved(Autosave::discard(folder)); });
  return bar;
}

QString RecoveryPage::compared_with_file(const Autosave::Remains& remains) {
  if (remains.origin.isEmpty()) return tr("Never saved to a file");
  const QFileInfo file(remains.origin);
  if (!file.isFile()) return tr("Its file is gone");
  const qint64 newer = file.lastModified().secsTo(remains.time);
  if (newer >= 0) return tr("%1 newer than its file").arg(span(std::max<qint64>(1, newer)));
  return tr("Its file has changed since: it is %1 newer than this").arg(span(-newer));
}

QLabel* RecoveryPage::problem_of(const QString& folder) const {
  for (const QFrame* frame : findChildren<QFrame*>(QStringLiteral("recovery_card")))
    if (frame->property("folder").toString() == folder)
      return frame->findChild<QLabel*>(QStringLiteral("recovery_problem"));
  return nullptr;
}

void RecoveryPage::show_problem(const QString& folder, const QString& sentence) {
  QLabel* problem = problem_of(folder);
  if (!problem) return;
  problem->setText(sentence);
  problem->show();
}

/// Keys of commands would change the scene under the page.
bool RecoveryPage::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void RecoveryPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    emit closed();
  else
    QWidget::keyPressEvent(event);
}

void RecoveryPage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), QColor(0x26, 0x28, 0x2c)); }

}  // namespace hazumi
