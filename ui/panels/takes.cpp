// Takes: named versions of the motion as a list. A click goes to one, a double click renames it, the tick says whether it plays on the wall.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/scene/derived/takes.h"
#include "ui/model/document_controller.h"
#include "ui/model/take_commands.h"
#include "ui/model/text.h"
#include "ui/panels/panel.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kRest = 150;  // ms

class TakeList : public QTreeWidget {
 public:
  TakeList(UiContext& context, QWidget* parent) : QTreeWidget(parent), context_(context) {
    setObjectName(QStringLiteral("take_list"));
    setAccessibleName(tr("Takes"));
    setColumnCount(2);
    setHeaderLabels({tr("Take"), tr("Differs in")});
    header()->setStretchLastSection(true);
    header()->resizeSection(0, 150);
    setRootIsDecorated(false);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setUniformRowHeights(true);
    setSelectionMode(SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { use_take(context_, id_of(*item)); });
    connect(this, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) { editItem(item, 0); });
    connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
      if (column == 0) take_edit(*item);
    });
    connect(&context_.document, &DocumentController::changed, this, &TakeList::refresh);
    connect(&context_.document, &DocumentController::document_replaced, this, &TakeList::refresh);
    // In what takes differ is worked out when a drag comes to rest.
    rest_.setSingleShot(true);
    rest_.setInterval(kRest);
    connect(&rest_, &QTimer::timeout, this, &TakeList::tell_differences);
    refresh();
  }

  void rename_current() {
    if (QTreeWidgetItem* item = currentItem()) editItem(item, 0);
  }

 private:
  static Id id_of(const QTreeWidgetItem& item) { return Id{item.data(0, Qt::UserRole).toULongLong()}; }

  void take_edit(const QTreeWidgetItem& item) {
    const Id id = id_of(item);
    const Take* take = find_take(context_.document.scene(), id);
    const bool on = item.checkState(0) == Qt::Checked;
    if (take && on != take->visible)
      put_on_wall(context_, id, on);
    else
      rename_take(context_, id, item.text(0));
    refresh();  // also where nothing came of it
  }

  /// Rows stay: one may be typed into.
  void refresh() {
    const QSignalBlocker quiet(this);
    const Scene& scene = context_.document.scene();
    // A scene without takes has one, which no file names.
    const int count = std::max(1, static_cast<int>(scene.takes.size()));
    while (topLevelItemCount() > count) delete takeTopLevelItem(topLevelItemCount() - 1);
    while (topLevelItemCount() < count) {
      auto* row = new QTreeWidgetItem;
      row->setSizeHint(0, QSize(0, fontMetrics().height() + 8));
      addTopLevelItem(row);
    }
    for (int i = 0; i < count; ++i) {
      QTreeWidgetItem& row = *topLevelItem(i);
      const Take* take = scene.takes.empty() ? nullptr : scene.takes[static_cast<std::size_t>(i)].get();
      const bool current = !take || take->current;
      row.setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable |
                   (take ? Qt::ItemIsUserCheckable : Qt::NoItemFlags));
      row.setText(0, take ? QString::fromStdString(take->name) : tr("Take 1"));
      row.setData(0, Qt::UserRole, QVariant::fromValue<qulonglong>(take ? take->id.value : 0));
      if (take) row.setCheckState(0, take->visible ? Qt::Checked : Qt::Unchecked);
      if (current) row.setText(1, tr("current"));
      row.setForeground(1, theme_colours().quiet_text);
      QFont font = this->font();
      font.setBold(current);
      row.setFont(0, font);
      row.setToolTip(0, current
                            ? tr("The motion that is shown and edited. Double click renames it; the tick puts it on "
                                 "the wall.")
                            : tr("A click goes to this take; what is edited then is its own. Double click renames "
                                 "it; the tick puts it on the wall."));
      row.setToolTip(1, tr("What it has otherwise than the current take."));
      if (current) setCurrentItem(&row);
    }
    rest_.start();
  }

  void tell_differences() {
    const QSignalBlocker quiet(this);
    const Scene& scene = context_.document.scene();
    for (int i = 0; i < topLevelItemCount() && i < static_cast<int>(scene.takes.size()); ++i) {
      const Take& take = *scene.takes[static_cast<std::size_t>(i)];
      if (take.current) continue;
      const QString differs = QString::fromStdString(difference_of(scene, take));
      topLevelItem(i)->setText(1, differs.isEmpty() ? tr("nothing") : differs);
    }
  }

  UiContext context_;
  QTimer rest_;
};

QWidget* make_takes(UiContext& context, QWidget* parent) {
  auto* panel = new QWidget(parent);
  auto* list = new TakeList(context, panel);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(4, 4, 4, 4);
  buttons->setSpacing(2);
  for (const char* id : {"take.new", "take.duplicate", "take.delete", "take.previous", "take.next", "take.vary",
                         "take.change_here", "take.wall"})
    buttons->addWidget(icon_button(context.actions[id], panel));
  auto* rename = new QToolButton(panel);
  rename->setObjectName(QStringLiteral("take_rename"));
  rename->setIcon(theme_icon(QStringLiteral("rename")));
  rename->setToolTip(tr("Rename the current take"));
  rename->setAccessibleName(rename->toolTip());
  rename->setAutoRaise(true);
  rename->setFocusPolicy(Qt::NoFocus);
  QObject::connect(rename, &QToolButton::clicked, list, [list] { list->rename_current(); });
  buttons->insertWidget(2, rename);
  buttons->addStretch();
  auto* said = new QLabel(
      tr("To a take belong keys, motion graph and numbers of the motion; shape and looks are of all takes."), panel);
  said->setWordWrap(true);
  said->setContentsMargins(8, 4, 8, 6);
  said->setForegroundRole(QPalette::PlaceholderText);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(buttons);
  column->addWidget(list, 1);
  column->addWidget(said);
  return panel;
}

}  // namespace

const PanelInfo& panel_takes() {
  static const PanelInfo info{"takes", "Takes", Qt::RightDockWidgetArea, 0, 2, "takes", make_takes, 250};
  return info;
}

}  // namespace hazumi
