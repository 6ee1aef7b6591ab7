// What the selected objects met last, up to the frame that is shown, as the tick of the time line tells it (collision_readout.h):
// closed form beside what was measured. A click goes there and opens the tick's list. Follows playing, scrubbing and the computation.
#pragma once

#include <memory>
#include <optional>
#include <set>

#include <QFrame>

#include "ui/model/collisions.h"
#include "ui/model/context.h"

class QGridLayout;
class QLabel;

namespace hazumi {

class CollisionLine : public QFrame {
  Q_OBJECT
 public:
  CollisionLine(UiContext& context, QWidget* parent);

  /// What is shown; empty: there is none, and why() says so.
  const std::optional<CollisionRow>& row() const { return row_; }
  QString why() const;
  /// The panel's least height is its form's: the layout of docks, kept with a scene, does not depend on what is selected.
  QSize minimumSizeHint() const override { return {0, 0}; }

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refresh(bool anew);
  void show_row();
  void go();

  static constexpr int kFigures = 4;
  UiContext context_;
  QLabel* title_;
  QWidget* table_;
  QLabel* closed_[kFigures];
  QLabel* measured_[kFigures];
  std::optional<CollisionRow> row_;
  std::shared_ptr<const RunLog> log_;  ///< that the row is of
  std::set<Id> of_;
};

}  // namespace hazumi
