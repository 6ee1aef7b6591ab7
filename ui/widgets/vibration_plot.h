// The curve over time that a spring constant, a damping and a mass give: let go at 1, how does it come to rest?
#pragma once

#include <optional>

#include <QWidget>

#include "core/sim/elastic/vibration.h"

namespace hazumi {

class VibrationPlot : public QWidget {
  Q_OBJECT
 public:
  explicit VibrationPlot(QWidget* parent = nullptr);
  void set_vibration(std::optional<Vibration> vibration);
  /// What to say while there is no curve.
  void set_reason(const QString& sentence);
  const std::optional<Vibration>& vibration() const { return vibration_; }
  double time_range() const;  ///< s, right end of the axis
  QSize sizeHint() const override { return {260, 130}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<Vibration> vibration_;
  QString reason_;
};

/// "0.21 s", "3.4 ms", "about 2 min".
QString time_text(double seconds);
/// "Period 0.21 s (4.8 Hz), halves in 0.4 s." `frame`: s; a swing too fast for it is said to look rigid.
QString vibration_text(const Vibration& vibration, double frame);

}  // namespace hazumi
