// Things with ids as the rows of a table. The first column is the name, which can be edited; rows are dragged to other
// places of the list. Renaming and dragging are ordinary edits: the derived model makes them.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <QAbstractTableModel>

class QAbstractItemView;
class QItemSelection;

namespace hazumi {

class RowModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override { return {mime_}; }
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 protected:
  using RowId = std::uint64_t;
  /// `mime`: of dragged rows; only rows of the same kind can be dropped.
  RowModel(int columns, const char* mime, QObject* parent);

  const std::vector<RowId>& row_ids() const { return ids_; }
  RowId row_id(int row) const { return ids_[static_cast<std::size_t>(row)]; }
  void reset_rows(std::vector<RowId> ids);
  /// Rows were dropped before what is at `row` now; the edit moves them.
  virtual void move_rows(const std::set<RowId>& ids, int row) = 0;

 private:
  int columns_;
  QString mime_;
  std::vector<RowId> ids_;
};

/// The list with its moved things, in their order, before what is at `row` now. `moves(thing)`: it is one of them.
template <class Thing, class Moves>
void move_before(std::vector<Thing>& list, std::size_t row, const Moves& moves) {
  std::vector<Thing> before, moved, after;
  for (std::size_t i = 0; i < list.size(); ++i) (moves(list[i]) ? moved : i < row ? before : after).push_back(list[i]);
  list = std::move(before);
  list.insert(list.end(), moved.begin(), moved.end());
  list.insert(list.end(), after.begin(), after.end());
}

/// Selects these rows alone; an `active` that is valid becomes the current one and is scrolled to.
void select_rows(QAbstractItemView* view, const QItemSelection& rows, const QModelIndex& active);

}  // namespace hazumi
