#include "ui/model/undo_history.h"

#include "ui/model/document_controller.h"

namespace hazumi {

UndoHistory::UndoHistory(DocumentController& document, QObject* parent)
    : QAbstractListModel(parent), document_(document) {
  const auto again = [this] {
    beginResetModel();
    endResetModel();
  };
  connect(document.undo_stack(), &QUndoStack::indexChanged, this, again);
  connect(document.undo_stack(), &QUndoStack::cleanChanged, this, again);
  connect(&document, &DocumentController::file_changed, this, again);
}

int UndoHistory::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : document_.undo_stack()->count() + 1;
}

int UndoHistory::current() const { return document_.undo_stack()->index(); }

bool UndoHistory::saved(int row) const {
  return !document_.file().empty() && document_.undo_stack()->cleanIndex() == row;
}

QVariant UndoHistory::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int row = index.row();
  if (role == Qt::DisplayRole)
    return row > 0                    ? document_.undo_stack()->text(row - 1)
           : document_.file().empty() ? tr("New scene")
                                      : tr("As opened");
  if (role == Qt::ToolTipRole) {
    const QString is = row == current()  ? tr("This is the scene now.")
                       : row < current() ? tr("Click to take back what came after this.")
                                         : tr("Taken back; click to do it again up to here.");
    return saved(row) ? is + QLatin1Char(' ') + tr("It is what the file holds.") : is;
  }
  return {};
}

void UndoHistory::go_to(int row) {
  if (row >= 0 && row < rowCount()) document_.go_to_step(row);
}

}  // namespace hazumi
