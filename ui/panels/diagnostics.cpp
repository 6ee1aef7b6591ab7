// Problems: what loading complained about, why the run stopped, what overlaps at its start, which edit was refused. A click selects
// the objects; below the words of a problem stand buttons for what may be done about it.
#include <algorithm>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTimer>

#include "core/scene/values/scene_lists.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/panel.h"

namespace hazumi {

namespace {

constexpr int kIcon = 18;
constexpr int kGap = 4;  // px, around the buttons

int button_height() { return QFontMetrics(QApplication::font()).height() + 10; }

int buttons_height(const QModelIndex& index) {
  return index.data(DiagnosticsModel::remedies_role).toInt() == 0 ? 0 : button_height() + 2 * kGap;
}

/// Leaves room below the words for the buttons.
class ProblemDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, buttons_height(index));
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem words = option;
    words.rect.adjust(0, 0, 0, -buttons_height(index));
    QStyledItemDelegate::paint(painter, words, index);
  }
};

/// The buttons of a row, over the whole of it: a click beside them goes to the list.
QWidget* make_buttons(const Problem& problem, DiagnosticsModel* model, QWidget* parent) {
  auto* row = new QWidget(parent);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(kIcon + 2 * kGap, 0, kGap, kGap);
  for (const Remedy& remedy : problem.remedies) {
    auto* button = new QPushButton(remedy.text, row);
    button->setObjectName("remedy");
    button->setToolTip(remedy.tip);
    button->setFixedHeight(button_height());
    // Later, since the list makes its buttons anew when it changes, and the button that is pressed is one of them.
    QObject::connect(button, &QPushButton::clicked, model,
                     [model, remedy] { QTimer::singleShot(0, model, [model, remedy] { model->apply(remedy); }); });
    layout->addWidget(button, 0, Qt::AlignBottom);
  }
  layout->addStretch();
  return row;
}

void select(UiContext& context, const QModelIndex& index) {
  const auto& entries = context.diagnostics.entries();
  if (!index.isValid() || static_cast<std::size_t>(index.row()) >= entries.size()) return;
  const Problem& problem = entries[static_cast<std::size_t>(index.row())];
  std::set<Id> ids;
  for (const Id id : problem.others)
    if (find_object(context.document.scene(), id)) ids.insert(id);
  if (visit_thing(context.document.scene(), problem.object, [](const auto&, const auto&) {}))
    ids.insert(problem.object);
  if (!ids.empty()) context.selection.set(ids, problem.object);
}

QWidget* make(UiContext& context, QWidget* parent) {
  auto* panel = new QWidget(parent);
  DiagnosticsModel* model = &context.diagnostics;
  auto* list = new QListView(panel);
  list->setObjectName("diagnostics_list");
  list->setModel(model);
  list->setItemDelegate(new ProblemDelegate(list));
  list->setWordWrap(true);
  list->setFrameShape(QFrame::NoFrame);
  list->setSpacing(2);
  list->setIconSize(QSize(kIcon, kIcon));
  list->setResizeMode(QListView::Adjust);
  list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* none = new QLabel(QObject::tr("No problems."), panel);
  none->setObjectName("diagnostics_empty");
  none->setAlignment(Qt::AlignCenter);
  none->setForegroundRole(QPalette::PlaceholderText);

  auto* layout = new QStackedLayout(panel);
  layout->addWidget(none);
  layout->addWidget(list);
  const auto show = [layout, list, model] {
    layout->setCurrentIndex(model->rowCount() > 0 ? 1 : 0);
    const auto& entries = model->entries();
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (!entries[k].remedies.empty())
        list->setIndexWidget(model->index(static_cast<int>(k)), make_buttons(entries[k], model, list->viewport()));
  };
  QObject::connect(model, &QAbstractItemModel::modelReset, panel, show);
  show();
  const auto chosen = [&context](const QModelIndex& index) { select(context, index); };
  QObject::connect(list, &QListView::clicked, panel, chosen);
  QObject::connect(list, &QListView::activated, panel, chosen);
  return panel;
}

}  // namespace

const PanelInfo& panel_diagnostics() {
  static const PanelInfo info{"diagnostics", "Problems", Qt::BottomDockWidgetArea, 2, 0, "warning", make};
  return info;
}

}  // namespace hazumi
