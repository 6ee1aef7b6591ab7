// The dope sheet: a row for all keys, for each thing and for each of its tracks, each key a mark at its time.
#pragma once

#include <memory>

#include "ui/panels/key_canvas.h"
#include "ui/panels/track_view.h"

namespace hazumi {

class KeyMarks;

class DopeSheet : public KeyCanvas {
  Q_OBJECT
 public:
  DopeSheet(UiContext& context, TrackView& view, QWidget* parent = nullptr);
  ~DopeSheet() override;

  QSize minimumSizeHint() const override { return {200, 40}; }
  /// Where the mark of a time (s) of a row is drawn.
  QPointF place_of_key(int row, double time) const;

 protected:
  std::optional<Hit> key_at(QPointF place) override;
  KeyTimes keys_in(const QRectF& box) override;
  std::set<Id> shown_tracks() override;
  void pan_vertically(double pixels) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_words(QPainter& painter, const Track& track, double top);
  void paint_row(QPainter& painter, int index);
  void paint_holds(QPainter& painter, const Track& track, double middle);
  std::vector<double> selected_times(const TrackRow& row) const;

  TrackView& view_;
  std::unique_ptr<KeyMarks> marks_;  ///< for the screen it was painted on last
};

}  // namespace hazumi
