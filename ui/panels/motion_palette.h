// The palette of motion graphs: kinds of events and procedures by groups, with a field that looks for one. An entry is dragged onto the canvas, or
// double-clicked.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <QPoint>
#include <QWidget>

#include "core/scene/values/motion_node.h"

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace hazumi {

class MotionCanvas;

class MotionPalette : public QWidget {
  Q_OBJECT
 public:
  MotionPalette(MotionCanvas& canvas, QWidget* parent);

  QTreeWidget* list() { return list_; }
  QLineEdit* search() { return search_; }
  /// Where the mouse takes hold of an entry, in the list's viewport.
  QRect place_of(MotionRole role, std::string_view kind) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  using Kind = std::pair<MotionRole, std::string>;
  void fill();
  void filter(const QString& typed);
  std::optional<Kind> kind_of_item(const QTreeWidgetItem* item) const;

  MotionCanvas& canvas_;
  QLineEdit* search_;
  QTreeWidget* list_;
  std::optional<Kind> held_;
  QPoint press_;
  bool dragging_ = false;
};

}  // namespace hazumi
