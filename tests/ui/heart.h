// How long the event loop does not turn, told apart from drawing.
#pragma once

#include <catch2/catch.hpp>

#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>

#include "ui/viewport/viewport.h"
#include "ui/window/main_window.h"

namespace hazumi::test {

/// Beats with the event loop, and knows which time of it went into drawing.
class Heart : public QObject {
 public:
  explicit Heart(MainWindow& window) : canvas_(window.viewport()->findChild<QWidget*>("canvas")) {
    REQUIRE(canvas_);
    qApp->installEventFilter(this);
    connect(window.viewport(), &Viewport::stats_changed, this, [this] {
      pictured_ = true;
      ++pictures;
    });
    connect(&timer_, &QTimer::timeout, this, [this] { beat(); });
    clock_.start();
    timer_.start(0);
  }
  ~Heart() override { qApp->removeEventFilter(this); }
  void start_over() {
    last_ = now();
    drawn_ = longest_gap = longest_drawing = drawing = 0;
    pictures = 0;
  }
  double longest_gap = 0, longest_drawing = 0, drawing = 0;  ///< ms
  int pictures = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const bool starts = (event->type() == QEvent::UpdateRequest && watched == canvas_->window()) ||
                        (event->type() == QEvent::Paint && watched == canvas_);
    if (starts && began_ < 0) began_ = now();
    return false;
  }

 private:
  double now() const { return 1e-6 * static_cast<double>(clock_.nsecsElapsed()); }
  /// A picture is drawn from the event that asks for it until the window is painted; an update without the canvas is none.
  void beat() {
    if (began_ >= 0 && pictured_) {
      const double spent = now() - began_;
      drawn_ += spent;
      longest_drawing = std::max(longest_drawing, spent);
      drawing += spent;
    }
    began_ = -1;
    pictured_ = false;
    longest_gap = std::max(longest_gap, now() - last_ - drawn_);
    last_ = now();
    drawn_ = 0;
  }
  QWidget* canvas_;
  QTimer timer_;
  QElapsedTimer clock_;
  double last_ = 0, drawn_ = 0, began_ = -1;
  bool pictured_ = false;  ///< since began_
};

}  // namespace hazumi::test
