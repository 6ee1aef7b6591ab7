// The collisions of one frame, over the time line at its tick: a row each, force, time and squash by the closed form and as
// measured. A click on a row selects the two and goes to the frame. It stays until Escape, its cross, a click into the time
// line, or another scene; it follows the computation, so that it never shows what an edit made out of date.
#pragma once

#include <set>
#include <vector>

#include <QFrame>
#include <QPointer>

#include "ui/model/collisions.h"
#include "ui/model/context.h"

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace hazumi {

class CollisionReadout : public QFrame {
  Q_OBJECT
 public:
  CollisionReadout(UiContext& context, QWidget* window);

  /// Stands over `tick`, in the window.
  void open(int frame, QPoint tick);
  int frame() const { return frame_; }
  const std::vector<CollisionRow>& rows() const { return rows_; }
  QTreeWidget* list() { return list_; }
  /// Where the mouse clicks to choose a row, in the list.
  QRect row_place(int row) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void leave();
  void refresh();
  void fill();
  void place();
  void choose(const QTreeWidgetItem* item);

  UiContext context_;
  QLabel* title_;
  QTreeWidget* list_;
  int frame_ = -1;
  bool computed_ = false;
  std::set<Id>
      of_;  ///< was selected when it opened: a click selects others, and nothing may move under the mouse by that
  QPoint tick_;
  std::vector<CollisionRow> rows_;
  QPointer<QWidget> before_;  ///< had the focus
};

}  // namespace hazumi
