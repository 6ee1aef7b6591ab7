#include "ui/window/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/jobs/thumbnail_job.h"
#include "ui/model/settings.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"

namespace hazumi {

namespace {

constexpr int kFile = Qt::UserRole, kDescription = Qt::UserRole + 1, kPictures = Qt::UserRole + 2,
              kPicture = Qt::UserRole + 3;
constexpr int kPad = 8, kTextHeight = 58, kNarrowest = 240, kGap = 8;
/// Picture to show at rest: far enough in that something has happened.
constexpr int kRestPicture = 7;

/// Wrapped, the second line elided; the tooltip has the rest.
void draw_two_lines(QPainter* painter, QRect room, const QFontMetrics& metrics, const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QString first;
  qsizetype used = 0;
  for (; used < words.size(); ++used) {
    const QString longer = first.isEmpty() ? words[used] : first + QLatin1Char(' ') + words[used];
    if (!first.isEmpty() && metrics.horizontalAdvance(longer) > room.width()) break;
    first = longer;
  }
  painter->drawText(room, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(first, Qt::ElideRight, room.width()));
  room.setTop(room.top() + metrics.lineSpacing());
  const QString rest = words.mid(used).join(QLatin1Char(' '));
  painter->drawText(room, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(rest, Qt::ElideRight, room.width()));
}

class CardDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// As many cards in a row as find room, and as wide as fills it.
  void fit(QListWidget& list) {
    const int room = list.viewport()->width() - kGap;  // the view breaks a row before its last pixels
    const int cell = room / std::max(1, room / (kNarrowest + kGap));
    picture_ = QSize(cell - kGap - 2 * kPad, (cell - kGap - 2 * kPad) * kThumbnailHeight / kThumbnailWidth);
    list.setGridSize(card() + QSize(kGap, kGap));
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return card(); }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& colours = theme_colours();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    const QRect card = option.rect.adjusted(3, 3, -3, -3);
    const bool hot = option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus) &&
                     option.state & (QStyle::State_MouseOver | QStyle::State_Selected);
    QPainterPath outline;
    outline.addRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter->fillPath(outline, hot ? colours.raised : QColor(0x2f, 0x31, 0x36));
    painter->setPen(hot ? colours.accent_dim : colours.border);
    painter->drawPath(outline);

    const QRect picture_place(card.left() + kPad - 3, card.top() + kPad - 3, card.width() - 2 * (kPad - 3),
                              picture_.height());
    const auto pictures = index.data(kPictures).value<QVector<QImage>>();
    if (pictures.isEmpty()) {
      painter->fillRect(picture_place, colours.base);
      painter->setPen(colours.quiet_text);
      painter->drawText(picture_place, Qt::AlignCenter, QStringLiteral("…"));
    } else {
      const int wanted = hot && index.data(kPicture).isValid() ? index.data(kPicture).toInt() : kRestPicture;
      QPainterPath round;
      round.addRoundedRect(picture_place, 3, 3);
      painter->setClipPath(round);
      painter->drawImage(picture_place, pictures[wanted % static_cast<int>(pictures.size())]);
      painter->setClipping(false);
    }
    QRect text(picture_place.left() + 2, picture_place.bottom() + 6, picture_place.width() - 4, kTextHeight - 6);
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    painter->setFont(bold);
    painter->setPen(colours.text);
    const QFontMetrics metrics(bold);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop,
                      metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, text.width()));
    text.setTop(text.top() + metrics.height() + 2);
    QFont small = option.font;
    small.setPointSizeF(small.pointSizeF() * 0.9);
    painter->setFont(small);
    painter->setPen(colours.quiet_text);
    draw_two_lines(painter, text, QFontMetrics(small), index.data(kDescription).toString());
    painter->restore();
  }

 private:
  QSize card() const { return picture_ + QSize(2 * kPad, kTextHeight + 2 * kPad); }

  QSize picture_{kThumbnailWidth, kThumbnailHeight};
};

QPushButton* big_button(const QString& text, const QString& icon, QWidget* parent) {
  auto* button = new QPushButton(theme_icon(icon), text, parent);
  button->setIconSize(QSize(20, 20));
  button->setMinimumHeight(34);
  button->setStyleSheet(QStringLiteral("text-align: left; padding-left: 10px;"));
  return button;
}

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  QFont font = label->font();
  font.setWeight(QFont::DemiBold);
  label->setFont(font);
  label->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  return label;
}

}  // namespace

StartPage::StartPage(Settings& settings, std::shared_ptr<MeshStore> meshes, QWidget* parent)
    : QWidget(parent), settings_(settings), meshes_(std::move(meshes)) {
  setObjectName(QStringLiteral("start_page"));
  setFocusPolicy(Qt::StrongFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(36, 28, 20, 20);
  row->setSpacing(36);
  row->addWidget(make_side());
  row->addLayout(make_gallery(), 1);
  column->addLayout(row, 1);

  const auto open_item = [this](QListWidgetItem* item) {
    problem_->hide();
    emit open_wanted(item->data(kFile).toString());
  };
  // A click opens. itemActivated alone would want a double click on most desktops, and both together would open twice.
  for (QListWidget* list : {gallery_, recent_}) connect(list, &QListWidget::itemClicked, this, open_item);
  for (QListWidget* list : {gallery_, recent_}) list->installEventFilter(this);
  search_->installEventFilter(this);
  gallery_->viewport()->installEventFilter(this);
  timer_.setInterval(1000 / kThumbnailRate);
  connect(&timer_, &QTimer::timeout, this, &StartPage::animate);
}

/// Name, New, Open, the files used last.
QWidget* StartPage::make_side() {
  auto* left = new QVBoxLayout;
  left->setSpacing(8);
  auto* logo = new QHBoxLayout;
  auto* picture = new QLabel(this);
  picture->setPixmap(QIcon(QStringLiteral(":/hazumi/icons/hazumi.svg")).pixmap(QSize(44, 44), devicePixelRatioF()));
  auto* title = new QLabel(QStringLiteral("Hazumi"), this);
  QFont big = title->font();
  big.setPointSizeF(big.pointSizeF() * 2.1);
  big.setWeight(QFont::Light);
  title->setFont(big);
  logo->addWidget(picture);
  logo->addWidget(title);
  logo->addStretch();
  left->addLayout(logo);
  left->addWidget(heading(tr("Animation by physics"), this));
  left->addSpacing(14);
  auto* create = big_button(tr("New Scene"), QStringLiteral("new"), this);
  create->setObjectName(QStringLiteral("start_new"));
  auto* open = big_button(tr("Open…"), QStringLiteral("open"), this);
  open->setObjectName(QStringLiteral("start_open"));
  left->addWidget(create);
  left->addWidget(open);
  left->addSpacing(14);
  recent_title_ = heading(tr("Recent"), this);
  left->addWidget(recent_title_);
  recent_ = new QListWidget(this);
  recent_->setObjectName(QStringLiteral("start_recent"));
  recent_->setFrameShape(QFrame::NoFrame);
  recent_->setStyleSheet(QStringLiteral("background: transparent;"));
  recent_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  recent_->setTextElideMode(Qt::ElideMiddle);
  left->addWidget(recent_, 1);
  problem_ = new QLabel(this);
  problem_->setObjectName(QStringLiteral("start_problem"));
  problem_->setWordWrap(true);
  problem_->setTextFormat(Qt::PlainText);
  problem_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().error.name()));
  problem_->hide();
  left->addWidget(problem_);
  auto* side = new QWidget(this);
  side->setFixedWidth(250);
  side->setLayout(left);
  left->setContentsMargins(0, 0, 0, 0);
  connect(create, &QPushButton::clicked, this, &StartPage::new_wanted);
  connect(open, &QPushButton::clicked, this, &StartPage::browse_wanted);
  return side;
}

QLayout* StartPage::make_gallery() {
  auto* right = new QVBoxLayout;
  right->setSpacing(8);
  auto* top = new QHBoxLayout;
  QLabel* gallery_heading = heading(tr("Gallery"), this);
  gallery_heading->setContentsMargins(8, 0, 0, 0);  // in line with the cards
  top->addWidget(gallery_heading);
  top->addStretch();
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("start_count"));
  count_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  top->addWidget(count_);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("start_search"));
  search_->setPlaceholderText(tr("Find a scene: rope, bounce, cloth"));
  search_->setToolTip(
      tr("Words of a scene's name or description. Whatever is typed here goes into it; Enter opens the one that fits "
         "best"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setFixedWidth(260);
  top->addWidget(search_);
  top->addSpacing(12);
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("start_close"));
  close->setIcon(theme_icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setToolTip(tr("Back to the scene (Esc)"));
  top->addWidget(close);
  right->addLayout(top);
  gallery_ = new QListWidget(this);
  gallery_->setObjectName(QStringLiteral("start_gallery"));
  gallery_->setViewMode(QListView::IconMode);
  gallery_->setMovement(QListView::Static);
  gallery_->setResizeMode(QListView::Adjust);
  gallery_->setUniformItemSizes(true);
  gallery_->setMouseTracking(true);
  gallery_->setFrameShape(QFrame::NoFrame);
  gallery_->setStyleSheet(QStringLiteral("background: transparent;"));
  gallery_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  gallery_->setItemDelegate(new CardDelegate(gallery_));
  empty_ = new QLabel(this);
  empty_->setObjectName(QStringLiteral("start_empty"));
  empty_->setTextFormat(Qt::PlainText);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->hide();
  right->addWidget(gallery_, 1);
  right->addWidget(empty_, 1);
  connect(close, &QToolButton::clicked, this, &StartPage::closed);
  connect(search_, &QLineEdit::textChanged, this, &StartPage::filter);
  return right;
}

StartPage::~StartPage() = default;

QListWidgetItem* StartPage::item_of(const QString& file) const {
  for (int i = 0; i < gallery_->count(); ++i)
    if (gallery_->item(i)->data(kFile).toString() == file) return gallery_->item(i);
  return nullptr;
}

void StartPage::refresh() {
  problem_->hide();
  recent_->clear();
  for (const QString& file : settings_.recent_files()) {
    auto* item = new QListWidgetItem(theme_icon(QStringLiteral("recent")), QFileInfo(file).completeBaseName(), recent_);
    item->setData(kFile, file);
    item->setToolTip(QDir::toNativeSeparators(file));
  }
  recent_title_->setVisible(recent_->count() > 0);

  const QString folder = scenes_folder();
  QStringList files;
  if (!folder.isEmpty())
    for (const QFileInfo& info : QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
      files << info.absoluteFilePath();
  gallery_->clear();
  for (const QString& file : files) {
    QString name = QFileInfo(file).completeBaseName().replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    auto* item = new QListWidgetItem(name, gallery_);
    item->setData(kFile, file);
  }
  search_->clear();
  filter();
  if (!thumbnails_) {
    thumbnails_ = new ThumbnailJob(thumbnail_folder(), meshes_, this);
    connect(thumbnails_, &ThumbnailJob::described, this,
            [this](const QString& file, const QString& name, const QString& description) {
              QListWidgetItem* item = item_of(file);
              if (!item) return;
              if (!name.isEmpty()) item->setText(name);
              item->setData(kDescription, description);
              item->setToolTip(description);
              if (!search_->text().isEmpty()) filter();
            });
    connect(thumbnails_, &ThumbnailJob::unreadable, this, [this](const QString& file, const QString& sentence) {
      if (QListWidgetItem* item = item_of(file)) item->setData(kDescription, sentence);
    });
    connect(thumbnails_, &ThumbnailJob::ready, this, [this](const QString& file, const QVector<QImage>& pictures) {
      if (QListWidgetItem* item = item_of(file)) item->setData(kPictures, QVariant::fromValue(pictures));
    });
  }
  thumbnails_->request(files);
  timer_.start();
}

/// By word_match().
int StartPage::how_it_fits(const QListWidgetItem& item) const {
  const QString beside =
      item.data(kDescription).toString() + QLatin1Char(' ') + QFileInfo(item.data(kFile).toString()).baseName();
  return word_match(search_->text(), item.text(), beside);
}

/// Shows what has the words that were typed.
void StartPage::filter() {
  const QString typed = search_->text();
  int shown = 0;
  for (int i = 0; i < gallery_->count(); ++i) {
    const bool fits = how_it_fits(*gallery_->item(i)) > 0;
    gallery_->item(i)->setHidden(!fits);
    shown += fits;
  }
  if (const QListWidgetItem* at = gallery_->currentItem(); at && at->isHidden()) gallery_->setCurrentItem(nullptr);
  const int all = gallery_->count();
  count_->setText(shown < all ? tr("%1 of %2").arg(shown).arg(all) : QString());
  empty_->setText(all == 0 ? tr("The shipped scenes were not found. Set HAZUMI_SCENES to their folder.")
                           : tr("No scene has the words “%1”. Esc shows all.").arg(typed.simplified()));
  search_->setVisible(all > 0);
  gallery_->setVisible(shown > 0);
  empty_->setVisible(shown == 0);
}

/// Of those shown the one that fits what was typed best, of several the first.
QListWidgetItem* StartPage::best_fit() const {
  QListWidgetItem* best = nullptr;
  int most = 0;
  for (int i = 0; i < gallery_->count(); ++i)
    if (const int fits = how_it_fits(*gallery_->item(i)); fits > most) {
      best = gallery_->item(i);
      most = fits;
    }
  return best;
}

/// Letters go into the search wherever the focus is, arrows and Enter from there into the gallery.
bool StartPage::search_key(const QObject* watched, QKeyEvent* event) {
  const int key = event->key();
  if (watched != search_) {
    const QString text = event->text();
    const bool letter = !text.isEmpty() && text[0].isPrint() && !text[0].isSpace() &&
                        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!letter || !search_->isVisible()) return false;
    search_->setFocus();
    search_->insert(text);
    return true;
  }
  QListWidgetItem* const best = best_fit();
  if (key == Qt::Key_Escape && !search_->text().isEmpty()) {
    search_->clear();
    return true;
  }
  if (!best) return false;
  if (key == Qt::Key_Down) {
    gallery_->setFocus();
    gallery_->setCurrentItem(best);
    return true;
  }
  if (key != Qt::Key_Return && key != Qt::Key_Enter) return false;
  problem_->hide();
  emit open_wanted(best->data(kFile).toString());
  return true;
}

void StartPage::stop() {
  timer_.stop();
  if (thumbnails_) thumbnails_->stop();
  // Two seconds of pictures of every scene are tens of megabytes; refresh() takes them from the disk again.
  gallery_->clear();
}

void StartPage::show_problem(const QString& sentence) {
  problem_->setText(sentence);
  problem_->show();
}

void StartPage::animate() {
  const QModelIndex under = gallery_->indexAt(gallery_->viewport()->mapFromGlobal(QCursor::pos()));
  QListWidgetItem* item =
      under.isValid() && gallery_->underMouse() ? gallery_->item(under.row()) : gallery_->currentItem();
  if (item) item->setData(kPicture, ++picture_);
}

void StartPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    emit closed();
    return;
  }
  if (search_key(this, event)) return;
  QWidget::keyPressEvent(event);
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == gallery_->viewport())
    static_cast<CardDelegate*>(gallery_->itemDelegate())->fit(*gallery_);
  if (event->type() == QEvent::KeyPress) {
    if (search_key(watched, static_cast<QKeyEvent*>(event))) return true;
    auto* list = qobject_cast<QListWidget*>(watched);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (list && list->currentItem() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
      problem_->hide();
      emit open_wanted(list->currentItem()->data(kFile).toString());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void StartPage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), QColor(0x26, 0x28, 0x2c)); }

}  // namespace hazumi
