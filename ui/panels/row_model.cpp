#include "ui/panels/row_model.h"

#include <QAbstractItemView>
#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

namespace hazumi {

RowModel::RowModel(int columns, const char* mime, QObject* parent)
    : QAbstractTableModel(parent), columns_(columns), mime_(QLatin1String(mime)) {}

int RowModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(ids_.size()); }

int RowModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns_; }

Qt::ItemFlags RowModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled;
  if (index.column() == 0) flags |= Qt::ItemIsEditable;
  return flags;
}

QMimeData* RowModel::mimeData(const QModelIndexList& indexes) const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  std::set<RowId> ids;
  for (const auto& index : indexes) ids.insert(row_id(index.row()));
  for (const RowId id : ids) stream << static_cast<quint64>(id);
  auto* data = new QMimeData;
  data->setData(mime_, bytes);
  return data;
}

bool RowModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex&) const {
  return action == Qt::MoveAction && data->hasFormat(mime_);
}

bool RowModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                            const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  std::set<RowId> ids;
  const QByteArray bytes = data->data(mime_);
  QDataStream stream(bytes);
  while (!stream.atEnd()) {
    quint64 value = 0;
    stream >> value;
    ids.insert(value);
  }
  move_rows(ids, row >= 0 ? row : parent.isValid() ? parent.row() : rowCount());
  return false;  // the rows were moved by the edit; the view must not remove them itself
}

void RowModel::reset_rows(std::vector<RowId> ids) {
  beginResetModel();
  ids_ = std::move(ids);
  endResetModel();
}

void select_rows(QAbstractItemView* view, const QItemSelection& rows, const QModelIndex& active) {
  view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (!active.isValid()) return;
  view->selectionModel()->setCurrentIndex(active, QItemSelectionModel::NoUpdate);
  view->scrollTo(active);
}

}  // namespace hazumi
