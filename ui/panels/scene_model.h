// The scene as a tree for the outliner: the things of its lists (scene/values/scene_lists.h), collections first, each where it is:
// in its collection, below its parent, or at the top. Columns: name, eye, lock. Renaming, ticking and dragging go through the
// document as ordinary edits.
//
// Dropped onto a collection, things come into it; onto an object, they get it as their parent; between two rows, they come to
// where these are, in that order.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QAbstractItemModel>

#include "core/base/id.h"
#include "core/scene/derived/collections.h"
#include "core/scene/diff.h"
#include "ui/model/document_controller.h"

namespace hazumi {

class SceneModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { name_column, eye_column, lock_column, column_count };
  enum Role { id_role = Qt::UserRole + 1 };

  explicit SceneModel(DocumentController& document, QObject* parent = nullptr);

  Id id(const QModelIndex& index) const;
  Id id(int row) const { return id(index(row, 0)); }  ///< of a row at the top
  QModelIndex index_of(Id id) const;                  ///< invalid: not there
  bool is_tree() const;                               ///< something is in something

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
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
  /// A row. `place`: of its list in the order of visit_scene_lists, and in that list.
  struct Node {
    Id id;
    int above = -1;  ///< node that it is in; −1: at the top
    int row = 0;     ///< there
    std::pair<std::size_t, std::size_t> place;
    bool takes = false;     ///< others can be dropped onto it
    std::vector<int> rows;  ///< nodes in it
  };
  static std::vector<Node> nodes_of(const Scene& scene, std::vector<int>& top);
  int node_of(Id id) const;  ///< −1: not there
  const std::vector<int>& rows_in(int node) const;
  QString hidden_by(const Scene& scene, Id id) const;
  void put(const std::set<Id>& ids, int node, int row);
  void on_change(const ChangeSet& change);
  void reload();
  void look_anew();

  DocumentController& document_;
  std::vector<Node> nodes_;
  std::vector<int> top_;
  std::vector<std::pair<Id, int>> numbers_;  ///< of nodes, ascending id
  Shared<Scene> seen_;                       ///< what `standing_` is of
  std::unique_ptr<Standing> standing_;
};

}  // namespace hazumi
