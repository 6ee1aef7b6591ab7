// The scene as a list for the outliner: the things of its lists, objects first (scene/values/scene_lists.h). Columns: name, eye, lock. Renaming, ticking and
// dragging go through the document as ordinary edits.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/base/id.h"
#include "core/scene/diff.h"
#include "ui/model/document_controller.h"

namespace hazumi {

class SceneModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { name_column, eye_column, lock_column, column_count };
  enum Role { id_role = Qt::UserRole + 1 };

  explicit SceneModel(DocumentController& document, QObject* parent = nullptr);

  Id id(int row) const { return ids_[static_cast<std::size_t>(row)]; }
  int row(Id id) const;  ///< −1: not there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

  /// Eye or lock of several rows at once: one undo step. All get the opposite of what the first one has.
  void toggle(const std::vector<Id>& ids, Column column);

 private:
  void on_change(const ChangeSet& change);
  void reload();
  int drop_row(int row, const QModelIndex& parent) const;

  DocumentController& document_;
  std::vector<Id> ids_;
  std::vector<std::pair<Id, int>> rows_;  ///< ascending id
};

}  // namespace hazumi
