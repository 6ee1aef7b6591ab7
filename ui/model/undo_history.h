// The undo steps as rows: the first is the scene before all of them, each of the others the scene after a step. The current
// one is the scene that is open, the saved one the scene that is in the file.
#pragma once

#include <QAbstractListModel>

namespace hazumi {

class DocumentController;

class UndoHistory : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit UndoHistory(DocumentController& document, QObject* parent = nullptr);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  int current() const;
  bool saved(int row) const;
  /// Makes the scene of this row the open one. All steps stay, until the next edit drops those after it.
  void go_to(int row);

 private:
  DocumentController& document_;
};

}  // namespace hazumi
