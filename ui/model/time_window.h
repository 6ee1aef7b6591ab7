// Which frames are seen in the time line, the dope sheet and the curves: one window of time for the three of them. A state of the
// view, as the viewpoint is: no step of undo, nothing of it in the file. Frames are real numbers here, since keys may lie between
// two and zooming is smooth.
#pragma once

#include <QObject>

namespace hazumi {

class DocumentController;

/// A window over so many logical pixels.
struct TimeScale {
  static constexpr double kMargin = 14;  ///< logical pixels left and right
  double first = 0, last = 250;          ///< frames at the margins
  double width = 1;

  double x_of(double frame) const { return kMargin + (frame - first) / (last - first) * (width - 2 * kMargin); }
  double frame_at(double x) const { return first + (x - kMargin) / (width - 2 * kMargin) * (last - first); }
  double pixels() const { return (width - 2 * kMargin) / (last - first); }  ///< of a frame
};

class TimeWindow : public QObject {
  Q_OBJECT
 public:
  explicit TimeWindow(DocumentController& document, QObject* parent = nullptr);

  double first() const { return first_; }
  double last() const { return last_; }
  TimeScale scale(double width) const;

  void show(double first, double last);  ///< as near to it as may be
  void zoom(double factor, double centre);
  void pan(double frames);
  void fit();  ///< the range of the scene
  /// While the range is dragged the window stays.
  void hold(bool on) { held_ = on; }

 signals:
  void changed();

 private:
  void follow();

  DocumentController& document_;
  double first_ = 0, last_ = 250;
  int range_first_ = 0, range_last_ = 0;  ///< of the scene, as it was last
  bool held_ = false;
};

}  // namespace hazumi
