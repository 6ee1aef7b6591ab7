#include "ui/widgets/list_keys.h"

#include <QAbstractItemModel>
#include <QKeyEvent>
#include <QListView>
#include <QTreeView>

namespace hazumi {

namespace {

bool goes_sideways(const QAbstractItemView& view) {
  if (const auto* list = qobject_cast<const QListView*>(&view)) return list->viewMode() == QListView::IconMode;
  const auto* tree = qobject_cast<const QTreeView*>(&view);
  if (!tree) return true;  // a table
  if (!tree->itemsExpandable()) return false;
  const QAbstractItemModel* model = view.model();
  for (int row = 0; row < model->rowCount(); ++row)
    if (model->hasChildren(model->index(row, 0))) return true;
  return false;
}

}  // namespace

bool walks_list(const QWidget* at, const QKeyEvent& key) {
  const auto* view = qobject_cast<const QAbstractItemView*>(at);
  const Qt::KeyboardModifiers with = key.modifiers() & ~Qt::KeypadModifier;
  if (!view || !view->model() || (with & ~Qt::ShiftModifier)) return false;
  switch (key.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
      return with == Qt::NoModifier && goes_sideways(*view);
    default:
      return false;
  }
}

}  // namespace hazumi
