#include "ui/window/shortcuts_page.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

ShortcutsPage::ShortcutsPage(ActionSet& actions, QWidget* parent) : QDialog(parent), actions_(actions) {
  setObjectName(QStringLiteral("shortcuts_page"));
  setWindowTitle(tr("Keys and Commands"));
  resize(720, 640);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("shortcuts_search"));
  search_->setPlaceholderText(tr("Search: a word, or a key"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("shortcuts_list"));
  list_->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setAllColumnsShowFocus(true);
  column->addWidget(search_);
  column->addWidget(list_, 1);

  QHash<QString, QTreeWidgetItem*> groups;
  for (const Command* command : actions_.rows()) {
    const Command& row = *command;
    const QString category = text_of(row.category).section(QLatin1Char('/'), 0, 0);
    QTreeWidgetItem*& group = groups[category];
    if (!group) {
      group = new QTreeWidgetItem(list_, {tr(category.toUtf8().constData())});
      group->setFlags(Qt::ItemIsEnabled);
      group->setFirstColumnSpanned(true);
      QFont bold = font();
      bold.setWeight(QFont::DemiBold);
      group->setFont(0, bold);
      group->setForeground(0, theme_colours().accent);
    }
    const QAction* action = actions_[row.id];
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    const QString sub = text_of(row.category).section(QLatin1Char('/'), 1);
    const QString name = sub.isEmpty() ? plain_text(row) : sub + QStringLiteral(" › ") + plain_text(row);
    auto* item = new QTreeWidgetItem(group, {name, keys.join(QStringLiteral(", ")), text_of(row.tip)});
    item->setData(0, Qt::UserRole, text_of(row.id));
    item->setIcon(0, action->icon());
    item->setToolTip(2, text_of(row.tip));
  }
  list_->expandAll();
  list_->setIndentation(12);
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  connect(search_, &QLineEdit::textChanged, this, &ShortcutsPage::filter);
  connect(search_, &QLineEdit::returnPressed, this, &ShortcutsPage::run_current);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, &ShortcutsPage::run_current);
  search_->setFocus();
}

void ShortcutsPage::filter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QTreeWidgetItem* first = nullptr;
  for (int g = 0; g < list_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = list_->topLevelItem(g);
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* item = group->child(i);
      const QString all = item->text(0) + QLatin1Char(' ') + item->text(1) + QLatin1Char(' ') + item->text(2);
      const bool fits = std::all_of(words.begin(), words.end(),
                                    [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
      item->setHidden(!fits);
      any |= fits;
      if (fits && !first) first = item;
    }
    group->setHidden(!any);
  }
  if (first && !words.isEmpty()) list_->setCurrentItem(first);
}

void ShortcutsPage::run_current() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (!item || item->isHidden() || item->data(0, Qt::UserRole).isNull()) return;
  QAction* action = actions_[item->data(0, Qt::UserRole).toString().toStdString()];
  if (!action->isEnabled()) return;
  close();
  action->trigger();
}

}  // namespace hazumi
