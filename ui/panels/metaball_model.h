// The metaballs of one object as a list: name, colour, weight, eye. Renaming, eyes and dragging are ordinary edits.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/scene/diff.h"
#include "ui/model/document_controller.h"

namespace hazumi {

class MetaballModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { name_column, weight_column, colour_column, eye_column, column_count };
  enum Role { id_role = Qt::UserRole + 1 };

  explicit MetaballModel(DocumentController& document, QObject* parent = nullptr);

  /// None: an empty list.
  void set_object(Id object);
  const Object* object() const;
  std::uint32_t id(int row) const { return ids_[static_cast<std::size_t>(row)]; }
  int row(std::uint32_t id) const;  ///< −1: not there

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

  /// Eyes of several at once, one undo step: all get the opposite of what the first one has.
  void toggle(const std::vector<std::uint32_t>& ids);

 private:
  void follow();
  const MetaballPrimitive* primitive(int row) const;

  DocumentController& document_;
  Id object_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace hazumi
