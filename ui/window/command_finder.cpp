#include "ui/window/command_finder.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"

namespace hazumi {

namespace {

constexpr int kFinderWidth = 640, kMargin = 8, kIcon = 18;  // px
constexpr int kTop = 84;                                    // px below the window's top: under menus and tool bar
constexpr int kMostRows = 9;                                // without scrolling
constexpr int kCommand = Qt::UserRole;                      // index in the list

/// Two lines: name, place and keys; below them what it does, or in another colour why not now.
class CommandDelegate : public QStyledItemDelegate {
 public:
  CommandDelegate(const std::vector<ListedCommand>& commands, QObject* parent)
      : QStyledItemDelegate(parent), commands_(commands) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, 2 * option.fontMetrics.height() + 12};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ListedCommand& command = commands_[static_cast<std::size_t>(index.data(kCommand).toInt())];
    const ThemeColours& colours = theme_colours();
    const bool marked = option.state & QStyle::State_Selected, can = command.why.isEmpty();
    const QRect row = option.rect;
    if (marked) {
      painter->fillRect(row, QColor(0x3a, 0x46, 0x56));
      painter->fillRect(QRect(row.left(), row.top(), 3, row.height()), colours.accent);
    }
    const int line = option.fontMetrics.height(), top = row.top() + 6, left = row.left() + kIcon + 24;
    command.icon.paint(painter, row.left() + 12, row.center().y() - kIcon / 2, kIcon, kIcon, Qt::AlignCenter,
                       can ? QIcon::Normal : QIcon::Disabled);
    const int right = row.right() - 12, keys = option.fontMetrics.horizontalAdvance(command.keys);
    painter->setPen(can ? colours.text : colours.quiet_text);
    painter->drawText(QRect(right - keys, top, keys, line), Qt::AlignVCenter | Qt::AlignRight, command.keys);
    const int room = right - keys - 16 - left;
    const QString name = option.fontMetrics.elidedText(command.name, Qt::ElideRight, room);
    QFont strong = option.font;
    strong.setWeight(QFont::DemiBold);
    painter->setFont(strong);
    painter->setPen(can ? QColor(Qt::white) : colours.quiet_text);
    painter->drawText(QRect(left, top, room, line), Qt::AlignVCenter | Qt::AlignLeft, name);
    const int taken = QFontMetrics(strong).horizontalAdvance(name) + 10;
    painter->setFont(option.font);
    painter->setPen(colours.quiet_text);
    if (room > taken)
      painter->drawText(QRect(left + taken, top, room - taken, line), Qt::AlignVCenter | Qt::AlignLeft,
                        option.fontMetrics.elidedText(command.place, Qt::ElideRight, room - taken));
    painter->setPen(can ? QColor(0xa9, 0xaf, 0xb7) : colours.warning);
    painter->drawText(QRect(left, top + line, right - left, line), Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(can ? command.tip : command.why, Qt::ElideRight, right - left));
  }

 private:
  const std::vector<ListedCommand>& commands_;
};

}  // namespace

CommandFinder::CommandFinder(std::vector<ListedCommand> commands, QWidget* window)
    : QFrame(window), commands_(std::move(commands)), focus_before_(QApplication::focusWidget()) {
  setObjectName(QStringLiteral("command_finder"));
  setAttribute(Qt::WA_DeleteOnClose);
  setStyleSheet(
      QStringLiteral("#command_finder { background: #26282c; border: 1px solid #4a4d54; border-radius: 6px; }"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  column->setSpacing(kMargin);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("finder_search"));
  search_->setPlaceholderText(tr("Find a command: its words, their first letters, or a key"));
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setMinimumHeight(30);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("finder_list"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setUniformItemSizes(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setItemDelegate(new CommandDelegate(commands_, list_));
  none_ = new QLabel(tr("No command is called that. Try fewer letters, or F1 for all of them."), this);
  none_->setObjectName(QStringLiteral("finder_none"));
  none_->setAlignment(Qt::AlignCenter);
  none_->setMinimumHeight(56);
  none_->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(search_);
  column->addWidget(list_);
  column->addWidget(none_);
  connect(search_, &QLineEdit::textChanged, this, &CommandFinder::filter);
  connect(list_, &QListWidget::itemClicked, this, &CommandFinder::run_current);
  qApp->installEventFilter(this);
  filter({});
  search_->setFocus();
}

CommandFinder::~CommandFinder() = default;

void CommandFinder::filter(const QString& text) {
  std::vector<std::pair<int, int>> found;  // how well it fits, place in the list
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (const int fits = word_match(text, commands_[i].name, commands_[i].beside()))
      found.emplace_back(fits, static_cast<int>(i));
  // Of equally good ones those first that can be done now.
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    const auto can = [&](int i) { return commands_[static_cast<std::size_t>(i)].why.isEmpty(); };
    return can(a.second) && !can(b.second);
  });
  list_->clear();
  for (const auto& [fits, index] : found) {
    auto* item = new QListWidgetItem(list_);
    item->setData(kCommand, index);
    const ListedCommand& command = commands_[static_cast<std::size_t>(index)];
    item->setText(command.name);
    item->setToolTip(command.why.isEmpty() ? command.tip : command.tip + QLatin1Char('\n') + command.why);
  }
  list_->setVisible(!found.empty());
  none_->setVisible(found.empty());
  if (!found.empty()) list_->setCurrentRow(0);
  Bubble::hide_all();
  place();
}

void CommandFinder::place() {
  const QWidget* window = parentWidget();
  const int width = std::min(kFinderWidth, window->width() - 40), top = std::min(kTop, window->height() / 8);
  int height = 2 * kMargin + search_->minimumHeight() + kMargin;
  if (list_->count() == 0) {
    height += none_->minimumHeight();
  } else {
    const int row = std::max(1, list_->sizeHintForRow(0));
    const int room = std::max(1, (window->height() - top - height - 60) / row);
    const int rows = std::min({kMostRows, list_->count(), room}) * row;
    list_->setFixedHeight(rows);
    height += rows;
  }
  // Over the view where that is wide enough: what the panels say stays readable.
  const auto* main = qobject_cast<const QMainWindow*>(window);
  QRect over = main && main->centralWidget() ? main->centralWidget()->geometry() : window->rect();
  if (over.width() < width + 40) over = window->rect();
  setGeometry(over.center().x() - width / 2, top, width, height);
}

void CommandFinder::step(int rows) {
  if (list_->count() > 0) list_->setCurrentRow(std::clamp(list_->currentRow() + rows, 0, list_->count() - 1));
}

bool CommandFinder::key(int key) {
  switch (key) {
    case Qt::Key_Up:
      step(-1);
      return true;
    case Qt::Key_Down:
      step(1);
      return true;
    case Qt::Key_PageUp:
      step(-kMostRows);
      return true;
    case Qt::Key_PageDown:
      step(kMostRows);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      run_current();
      return true;
    case Qt::Key_Escape:
      leave();
      return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;  // it would take the focus away
    default:
      return false;
  }
}

bool CommandFinder::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) return key(static_cast<QKeyEvent*>(event)->key());
  if (watched == search_ && event->type() == QEvent::ShortcutOverride) {
    // What is a key of the list here is no key of a command.
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Escape:
      case Qt::Key_Tab:
      case Qt::Key_PageUp:
      case Qt::Key_PageDown:
      case Qt::Key_Return:
      case Qt::Key_Enter:
        event->accept();
        return true;
      default:
        break;
    }
  }
  if (event->type() == QEvent::MouseButtonPress) {
    auto* pressed = qobject_cast<QWidget*>(watched);
    if (pressed && pressed->window() == window() && pressed != this && !isAncestorOf(pressed)) leave();
  }
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  return QFrame::eventFilter(watched, event);
}

void CommandFinder::leave() {
  qApp->removeEventFilter(this);
  hide();
  if (focus_before_) focus_before_->setFocus();
  deleteLater();
}

void CommandFinder::run_current() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item) return;
  const ListedCommand command = commands_[static_cast<std::size_t>(item->data(kCommand).toInt())];
  if (!command.why.isEmpty()) {
    Bubble::show_at(search_, command.why);
    return;
  }
  leave();
  // Later: the list that was clicked has to come to its end first.
  QTimer::singleShot(0, parentWidget(), command.run);
}

}  // namespace hazumi
