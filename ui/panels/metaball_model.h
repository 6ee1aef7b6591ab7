// The metaballs of one object as a list: name, colour, weight, eye. Renaming, eyes and dragging are ordinary edits.
#pragma once

#include <vector>

#include "core/scene/diff.h"
#include "ui/model/document_controller.h"
#include "ui/panels/row_model.h"

namespace hazumi {

class MetaballModel : public RowModel {
  Q_OBJECT
 public:
  enum Column { name_column, weight_column, colour_column, eye_column, column_count };
  enum Role { id_role = Qt::UserRole + 1 };

  explicit MetaballModel(DocumentController& document, QObject* parent = nullptr);

  /// None: an empty list.
  void set_object(Id object);
  const Object* object() const;
  std::uint32_t id(int row) const { return static_cast<std::uint32_t>(row_id(row)); }
  int row(std::uint32_t id) const;  ///< −1: not there

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  /// Eyes of several at once, one undo step: all get the opposite of what the first one has.
  void toggle(const std::vector<std::uint32_t>& ids);

 private:
  void move_rows(const std::set<RowId>& ids, int row) override;
  void follow();
  const MetaballPrimitive* primitive(int row) const;

  DocumentController& document_;
  Id object_;
};

}  // namespace hazumi
