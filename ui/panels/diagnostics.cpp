// Problems: what loading complained about, why the run stopped, which edit was refused; a double click selects the object.
#include <QLabel>
#include <QListView>
#include <QStackedLayout>

#include "core/scene/values/scene_lists.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/panel.h"

namespace hazumi {

namespace {

QWidget* make(UiContext& context, QWidget* parent) {
  auto* panel = new QWidget(parent);
  DiagnosticsModel* model = &context.diagnostics;
  auto* list = new QListView(panel);
  list->setObjectName("diagnostics_list");
  list->setModel(model);
  list->setWordWrap(true);
  list->setFrameShape(QFrame::NoFrame);
  list->setSpacing(2);
  list->setIconSize(QSize(18, 18));
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
  const auto choose = [layout, model] { layout->setCurrentIndex(model->rowCount() > 0 ? 1 : 0); };
  QObject::connect(model, &QAbstractItemModel::modelReset, panel, choose);
  choose();
  Selection& selection = context.selection;
  DocumentController& document = context.document;
  QObject::connect(list, &QListView::activated, panel, [&selection, &document](const QModelIndex& index) {
    const Id id{index.data(DiagnosticsModel::object_role).toULongLong()};
    if (visit_thing(document.scene(), id, [](const auto&, const auto&) {})) selection.select_only(id);
  });
  return panel;
}

}  // namespace

const PanelInfo& panel_diagnostics() {
  static const PanelInfo info{"diagnostics", "Problems", Qt::BottomDockWidgetArea, 2, 0, "warning", make};
  return info;
}

}  // namespace hazumi
