// The scene as a list for the outliner: the things of its lists, objects first (scene/values/scene_lists.h). Columns: name, eye, lock. Renaming, ticking and
// dragging go through the document as ordinary edits.
#pragma once

#include <vector>

#include "core/base/id.h"
#include "core/scene/diff.h"
#include "ui/model/document_controller.h"
#include "ui/panels/row_model.h"

namespace hazumi {

class SceneModel : public RowModel {
  Q_OBJECT
 public:
  enum Column { name_column, eye_column, lock_column, column_count };
  enum Role { id_role = Qt::UserRole + 1 };

  explicit SceneModel(DocumentController& document, QObject* parent = nullptr);

  Id id(int row) const { return Id{row_id(row)}; }
  int row(Id id) const;  ///< −1: not there

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  /// Eye or lock of several rows at once: one undo step. All get the opposite of what the first one has.
  void toggle(const std::vector<Id>& ids, Column column);

 private:
  void move_rows(const std::set<RowId>& ids, int row) override;
  void on_change(const ChangeSet& change);
  void reload();

  DocumentController& document_;
  std::vector<std::pair<Id, int>> rows_;  ///< ascending id
};

}  // namespace hazumi
