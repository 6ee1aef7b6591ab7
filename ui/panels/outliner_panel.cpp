#include "ui/panels/outliner_panel.h"

#include <map>

#include <QDrag>
#include <QDropEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/panel.h"
#include "ui/panels/row_model.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

Id id_at(const QModelIndex& index) { return Id{index.data(SceneModel::id_role).toULongLong()}; }

/// "Cup", "3 things", on a plate beside the mouse: the rows themselves would cover what they are dropped on.
QPixmap drag_picture(const QModelIndexList& names, const QWidget& view) {
  const QString text =
      names.size() == 1 ? names.front().data().toString() : OutlinerPanel::tr("%1 things").arg(names.size());
  constexpr int kMost = 200;  // pixels
  const QString shown = view.fontMetrics().elidedText(text, Qt::ElideRight, kMost);
  const QSize size(view.fontMetrics().horizontalAdvance(shown) + 16, view.fontMetrics().height() + 8);
  QPixmap picture(size * view.devicePixelRatio());
  picture.setDevicePixelRatio(view.devicePixelRatio());
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme_colours().accent);
  painter.setBrush(theme_colours().raised);
  painter.drawRoundedRect(QRectF(QPointF(), size).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(theme_colours().text);
  painter.drawText(QRect(QPoint(), size), Qt::AlignCenter, shown);
  return picture;
}

class OutlinerView : public QTreeView {
 public:
  using QTreeView::QTreeView;

 protected:
  void startDrag(Qt::DropActions actions) override {
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty()) return;
    auto* drag = new QDrag(this);
    drag->setMimeData(model()->mimeData(rows));
    drag->setPixmap(drag_picture(rows, *this));
    drag->setHotSpot(QPoint(-14, -12));
    drag->exec(actions, Qt::MoveAction);  // the edit that the drop makes moves the rows
  }
  /// Between an open branch and its first row is in the branch; Qt takes it for behind the branch.
  void dropEvent(QDropEvent* event) override {
    const QModelIndex index = indexAt(event->position().toPoint()).siblingAtColumn(0);
    const bool into =
        index.isValid() && dropIndicatorPosition() == BelowItem && isExpanded(index) && model()->hasChildren(index);
    if (!into) return QTreeView::dropEvent(event);
    model()->dropMimeData(event->mimeData(), Qt::MoveAction, 0, 0, index);
    event->accept();
    stopAutoScroll();
    setState(NoState);
    viewport()->update();
  }
};

/// An open branch looks like any other row: the state would tint its icons, eye and lock.
class RowLook : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->state &= ~QStyle::State_Open;
  }
};

}  // namespace

OutlinerPanel::OutlinerPanel(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new SceneModel(context.document, this)),
      proxy_(new QSortFilterProxyModel(this)),
      view_(new OutlinerView(this)),
      filter_(new QLineEdit(this)),
      empty_(new QLabel(view_->viewport())) {
  proxy_->setSourceModel(model_);
  proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_->setFilterKeyColumn(SceneModel::name_column);
  proxy_->setDynamicSortFilter(true);
  proxy_->setRecursiveFilteringEnabled(true);  // what is found is shown in its place
  proxy_->setAutoAcceptChildRows(true);

  make_view();
  filter_->setObjectName("outliner_filter");
  filter_->setPlaceholderText(tr("Filter by name"));
  filter_->setClearButtonEnabled(true);
  filter_->addAction(theme_icon("search"), QLineEdit::LeadingPosition);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 4, 4, 4);
  top->addWidget(filter_);

  empty_->setObjectName("outliner_empty");
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  empty_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(empty_, &QLabel::linkActivated, this, [this](const QString& id) {
    if (QAction* action = context_.actions.all().value(id))
      action->trigger();
    else
      filter_->clear();
  });

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(view_, 1);
  setMinimumWidth(180);

  listen();
  show_branches();
  show_selection(false);
  show_empty_state();
}

void OutlinerPanel::make_view() {
  view_->setObjectName("outliner_view");
  view_->setModel(proxy_);
  view_->setItemDelegate(new RowLook(view_));
  view_->setUniformRowHeights(true);
  view_->setHeaderHidden(true);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setIconSize(QSize(16, 16));
  view_->setAllColumnsShowFocus(true);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  view_->setDragDropMode(QAbstractItemView::InternalMove);
  view_->setDragDropOverwriteMode(false);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QHeaderView* header = view_->header();
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(24);
  header->setSectionResizeMode(SceneModel::name_column, QHeaderView::Stretch);
  for (int column : {SceneModel::eye_column, SceneModel::lock_column}) {
    header->setSectionResizeMode(column, QHeaderView::Fixed);
    header->resizeSection(column, 26);
  }
  view_->installEventFilter(this);
  view_->viewport()->installEventFilter(this);
}

void OutlinerPanel::listen() {
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_->setFilterFixedString(text);
    // Dragging among what a filter lets through would put things somewhere between what it hides.
    view_->setDragEnabled(text.isEmpty());
    show_branches();
    show_selection(false);
    show_empty_state();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OutlinerPanel::take_selection);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &OutlinerPanel::take_selection);
  connect(view_, &QTreeView::customContextMenuRequested, this, &OutlinerPanel::context_menu);
  connect(&context_.selection, &Selection::changed, this, [this] { show_selection(true); });
  connect(view_, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
    if (!branching_) closed_.insert(id_at(index));
  });
  connect(view_, &QTreeView::expanded, this, [this](const QModelIndex& index) {
    if (!branching_) closed_.erase(id_at(index));
  });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { closed_.clear(); });
  connect(proxy_, &QAbstractItemModel::modelReset, this, [this] {
    show_branches();
    show_selection(false);
    show_empty_state();
  });
}

OutlinerPanel::~OutlinerPanel() {
  // The models go before the view does and say so; nobody may answer any more.
  proxy_->disconnect(this);
  view_->selectionModel()->disconnect(this);
}

QModelIndex OutlinerPanel::index_of(Id id) const { return proxy_->mapFromSource(model_->index_of(id)); }

/// All but what a person closed; what a filter finds is never hidden. A scene without branches is a plain list.
void OutlinerPanel::show_branches() {
  constexpr int kBranch = 15, kPlain = 4;  // pixels
  const bool tree = model_->is_tree();
  view_->setRootIsDecorated(tree);
  view_->setIndentation(tree ? kBranch : kPlain);
  if (!tree) return;
  branching_ = true;
  view_->expandAll();
  if (filter_->text().isEmpty())
    for (Id id : closed_)
      if (const QModelIndex index = index_of(id); index.isValid()) view_->collapse(index);
  branching_ = false;
}

void OutlinerPanel::show_selection(bool reveal) {
  if (syncing_) return;
  syncing_ = true;
  // Neighbouring rows as one range: selecting a thousand things stays quick.
  QItemSelection ranges;
  std::map<QModelIndex, std::vector<int>> branches;
  for (Id id : context_.selection.ids())
    if (const QModelIndex index = index_of(id); index.isValid()) branches[index.parent()].push_back(index.row());
  for (auto& [branch, rows] : branches) {
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t end = i + 1;
      while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
      ranges.select(proxy_->index(rows[i], 0, branch),
                    proxy_->index(rows[end - 1], SceneModel::column_count - 1, branch));
      i = end;
    }
  }
  QModelIndex active = index_of(context_.selection.active());
  for (QModelIndex up = active.parent(); up.isValid() && !reveal && active.isValid(); up = up.parent())
    if (!view_->isExpanded(up)) active = {};
  select_rows(view_, ranges, active);
  syncing_ = false;
}

void OutlinerPanel::take_selection() {
  if (syncing_) return;
  syncing_ = true;
  std::set<Id> ids;
  for (const QItemSelectionRange& range : view_->selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom(); ++row) ids.insert(id_at(proxy_->index(row, 0, range.parent())));
  // What a filter hides stays selected only as long as nothing else is chosen here.
  const QModelIndex current = view_->selectionModel()->currentIndex();
  const Id active = current.isValid() ? id_at(current) : Id{};
  context_.selection.set(std::move(ids), active);
  syncing_ = false;
}

void OutlinerPanel::show_empty_state() {
  QString text;
  const QString link = QStringLiteral("<a href='%1' style='color:%2'>%3</a>");
  const QString accent = theme_colours().accent.name();
  if (model_->rowCount() == 0) {
    text = tr("The scene is empty.<br><br>%1 or %2, or take another shape from the Add menu.")
               .arg(link.arg("add.box", accent, tr("Add a box")), link.arg("add.sphere", accent, tr("add a sphere")));
  } else if (proxy_->rowCount() == 0) {
    text = tr("Nothing is called “%1”.<br><br>%2")
               .arg(filter_->text().toHtmlEscaped(), link.arg("clear", accent, tr("Show all")));
  }
  empty_->setText(text);
  empty_->setVisible(!text.isEmpty());
  empty_->setGeometry(view_->viewport()->rect().adjusted(12, 0, -12, 0));
}

void OutlinerPanel::rename_active() {
  const QModelIndex index = index_of(context_.selection.active());
  if (!index.isValid()) return;
  view_->setCurrentIndex(index);
  view_->edit(index);
}

void OutlinerPanel::click(const QModelIndex& index) {
  const Id id = id_at(index);
  const auto column = static_cast<SceneModel::Column>(index.column());
  if (column == SceneModel::lock_column && !index.data(Qt::DecorationRole).isValid()) return;  // has none
  std::vector<Id> ids{id};
  // A click on one of several selected rows means all of them.
  if (context_.selection.contains(id))
    for (Id other : context_.selection.ids())
      if (other != id) ids.push_back(other);
  model_->toggle(ids, column);
}

bool OutlinerPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_->viewport()) {
    if (event->type() == QEvent::Resize) show_empty_state();
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
      auto* mouse = static_cast<QMouseEvent*>(event);
      const QModelIndex index = view_->indexAt(mouse->position().toPoint());
      if (mouse->button() == Qt::LeftButton && index.isValid() && index.column() != SceneModel::name_column) {
        click(index);
        return true;  // the selection stays as it is
      }
    }
  }
  if (watched == view_ && event->type() == QEvent::ShortcutOverride) {
    // F2 renames in place here; elsewhere it is the command with the dialog.
    if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
      event->accept();
      return true;
    }
  }
  if (watched == view_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
    rename_active();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void OutlinerPanel::context_menu(const QPoint& at) {
  QMenu menu(this);
  menu.setObjectName("outliner_menu");
  if (view_->indexAt(at).isValid()) {
    connect(menu.addAction(theme_icon("rename"), tr("Rename")), &QAction::triggered, this,
            &OutlinerPanel::rename_active);
    menu.addSeparator();
  }
  const char* groups[][7] = {
      {"collection.new", "collection.move", "collection.select", "collection.delete_contents", nullptr},
      {"object.parent", "object.clear_parent", nullptr},
      {"edit.duplicate", "edit.delete", nullptr},
      {"edit.hide", "edit.show_all", "view.isolate", "view.frame_selected", nullptr},
      {"object.set_flexible", "object.set_rigid", "object.set_point", "object.set_fixed", "object.pair", nullptr},
      {"edit.select_all", "edit.select_none", "edit.invert", nullptr}};
  for (const auto& group : groups) {
    for (const char* const* id = group; *id; ++id)
      if (QAction* action = context_.actions.all().value(*id)) menu.addAction(action);
    menu.addSeparator();
  }
  menu.exec(view_->viewport()->mapToGlobal(at));
}

const PanelInfo& panel_outliner_panel() {
  static const PanelInfo info{"outliner", "Outliner", Qt::RightDockWidgetArea,  0,
                              0,          "search",   make_panel<OutlinerPanel>};
  return info;
}

}  // namespace hazumi
