// Which rows an editor of keys shows and where they are: the list at the left and what is drawn beside it go by it.
#pragma once

#include <set>
#include <utility>

#include <QColor>
#include <QObject>

#include "ui/model/context.h"
#include "ui/model/track_rows.h"

namespace hazumi {

class TrackView : public QObject {
  Q_OBJECT
 public:
  static constexpr int kRowHeight = 20;  ///< logical pixels

  explicit TrackView(UiContext& context, QObject* parent = nullptr);

  const std::vector<TrackRow>& rows();
  void fold(std::uint64_t target, bool on);
  void set_only_selected(bool on);
  bool only_selected() const { return choice_.only; }

  /// Of a colour or a vector numbers may be left out of the curves.
  bool shows(Id track, int component) const { return hidden_.count({track, component}) == 0; }
  void show(Id track, int component, bool on);

  double y_of(int row) const { return row * kRowHeight - scroll_; }
  int row_at(double y);  ///< -1: none
  void scroll_by(double pixels, double height);

 signals:
  void changed();

 private:
  void renew();

  UiContext context_;
  RowChoice choice_;
  std::vector<TrackRow> rows_;
  std::set<std::pair<Id, int>> hidden_;
  bool stale_ = true;
  double scroll_ = 0;
};

/// Which colour stands for a kind of track, and for one of its numbers.
QColor track_colour(FieldType type);
QColor component_colour(FieldType type, TurnBy turn, int component);

}  // namespace hazumi
