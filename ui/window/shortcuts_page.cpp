#include "ui/window/shortcuts_page.h"

#include <algorithm>

#include <QEvent>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"

namespace hazumi {

namespace {

enum Column { kName, kKeys, kTip, kWhy };
constexpr int kRow = 21, kRowIcon = 16;  // px

/// Grey where it cannot be done; as wide where there is none, so that names stand below each other.
QIcon picture(const ListedCommand& command, qreal ratio) {
  if (command.icon.isNull()) {
    QPixmap nothing(kRowIcon, kRowIcon);
    nothing.fill(Qt::transparent);
    return QIcon(nothing);
  }
  const QIcon::Mode mode = command.why.isEmpty() ? QIcon::Normal : QIcon::Disabled;
  return QIcon(command.icon.pixmap(QSize(kRowIcon, kRowIcon), ratio, mode));
}

}  // namespace

ShortcutsPage::ShortcutsPage(std::function<std::vector<ListedCommand>()> commands, QWidget* parent)
    : QDialog(parent), ask_(std::move(commands)), commands_(ask_()) {
  setObjectName(QStringLiteral("shortcuts_page"));
  setWindowTitle(tr("Keys and Commands"));
  resize(std::min(1080, parent->width() - 60), std::min(760, parent->height() - 60));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("shortcuts_search"));
  search_->setPlaceholderText(tr("Search: words, their first letters, or a key"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("shortcuts_list"));
  none_ = new QLabel(tr("No command is called that."), this);
  none_->setAlignment(Qt::AlignCenter);
  none_->setForegroundRole(QPalette::PlaceholderText);
  none_->hide();
  column->addWidget(search_);
  column->addWidget(list_, 1);
  column->addWidget(none_, 1);
  make_columns();
  make_rows();
  tell_what_can_be_done();
  list_->resizeColumnToContents(kName);
  list_->resizeColumnToContents(kKeys);
  list_->setColumnWidth(kKeys, std::min(list_->columnWidth(kKeys), 170));
  const int left = width() - 40 - list_->columnWidth(kName) - list_->columnWidth(kKeys);
  list_->setColumnWidth(kTip, std::max(200, left * 3 / 5));
  connect(search_, &QLineEdit::textChanged, this, &ShortcutsPage::filter);
  connect(search_, &QLineEdit::returnPressed, this, &ShortcutsPage::run_current);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, &ShortcutsPage::run_current);
  search_->setFocus();
}

void ShortcutsPage::make_columns() {
  list_->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does"), tr("Not now, because")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setAllColumnsShowFocus(true);
  list_->setIndentation(12);
  list_->header()->setStretchLastSection(true);
}

void ShortcutsPage::make_rows() {
  QHash<QString, QTreeWidgetItem*> groups;
  for (const ListedCommand& command : commands_) {
    QTreeWidgetItem*& group = groups[command.group];
    if (!group) {
      group = new QTreeWidgetItem(list_, {command.group});
      group->setFlags(Qt::ItemIsEnabled);
      group->setFirstColumnSpanned(true);
      QFont bold = font();
      bold.setWeight(QFont::DemiBold);
      group->setFont(kName, bold);
      group->setForeground(kName, theme_colours().accent);
      group->setSizeHint(kName, QSize(0, kRow));
    }
    const QString inside = command.place.section(QStringLiteral(" › "), 1);
    const QString name = inside.isEmpty() ? command.name : inside + QStringLiteral(" › ") + command.name;
    auto* item = new QTreeWidgetItem(group, {name, command.keys, command.tip, {}});
    item->setSizeHint(kName, QSize(fontMetrics().horizontalAdvance(name) + 2 * kRowIcon, kRow));
    item->setToolTip(kTip, command.tip);
    item->setToolTip(kKeys, command.keys);
    items_.push_back(item);
  }
  list_->expandAll();
}

void ShortcutsPage::tell_what_can_be_done() {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const QString& why = commands_[i].why;
    items_[i]->setText(kWhy, why);
    items_[i]->setToolTip(kWhy, why);
    items_[i]->setIcon(kName, picture(commands_[i], devicePixelRatioF()));
    items_[i]->setForeground(kWhy, theme_colours().warning);
    for (const int grey : {kName, kKeys, kTip})
      items_[i]->setForeground(grey, why.isEmpty() ? theme_colours().text : theme_colours().quiet_text);
  }
}

bool ShortcutsPage::event(QEvent* event) {
  if (event->type() == QEvent::WindowActivate) {
    commands_ = ask_();
    tell_what_can_be_done();
  }
  return QDialog::event(event);
}

void ShortcutsPage::filter(const QString& text) {
  std::vector<int> fits;
  for (const ListedCommand& command : commands_) fits.push_back(word_match(text, command.name, command.beside()));
  for (int g = 0; g < list_->topLevelItemCount(); ++g) list_->topLevelItem(g)->setHidden(true);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i]->setHidden(fits[i] == 0);
    if (fits[i] > 0) items_[i]->parent()->setHidden(false);
  }
  const auto best = std::max_element(fits.begin(), fits.end());
  const bool some = best != fits.end() && *best > 0;
  list_->setVisible(some);
  none_->setVisible(!some);
  if (some && !text.trimmed().isEmpty()) {
    QTreeWidgetItem* item = items_[static_cast<std::size_t>(best - fits.begin())];
    list_->setCurrentItem(item);
    list_->scrollToItem(item, QAbstractItemView::PositionAtCenter);
  }
}

void ShortcutsPage::run_current() {
  const auto at = std::find(items_.begin(), items_.end(), list_->currentItem());
  if (at == items_.end() || (*at)->isHidden()) return;
  const ListedCommand command = commands_[static_cast<std::size_t>(at - items_.begin())];
  if (!command.why.isEmpty()) {
    Bubble::show_at(search_, command.why);
    return;
  }
  close();
  command.run();
}

}  // namespace hazumi
