// What boxes of motion graphs did in the run, a line each: "1.250 s · frame 75 · ball hits lane → bounce". A click goes to the frame and selects the
// box; lines of the frame that is shown are marked, and what the run has not come to yet is quiet.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "core/playback/simulator.h"
#include "ui/model/context.h"
#include "ui/model/motion_log.h"

class QListView;

namespace hazumi {

class MotionSelection;
class Sight;

class MotionLogList : public QWidget {
  Q_OBJECT
 public:
  MotionLogList(UiContext& context, MotionSelection& chosen, QWidget* parent);

  QListView* list() { return list_; }
  int count() const { return static_cast<int>(lines_.size()); }
  QString text(int row) const;
  int frame(int row) const { return lines_[static_cast<std::size_t>(row)].frame; }

 private:
  class Model;
  void refresh();
  void follow();
  void choose(int row);

  UiContext context_;
  MotionSelection& chosen_;
  QListView* list_;
  Model* model_;
  std::shared_ptr<const RunLog> log_;
  std::vector<MotionLine> lines_;
  std::size_t marks_ = 0;
};

}  // namespace hazumi
