// How long the event loop does not turn, told apart from drawing.
#pragma once

#include <catch2/catch.hpp>

#include <QElapsedTimer>
#include <QEvent>
#include <QOpenGLWidget>
#include <QTimer>

#include "ui/viewport/viewport.h"
#include "ui/window/main_window.h"

namespace hazumi::test {

/// Beats with the event loop, and knows which time of it went into drawing.
class Heart : public QObject {
 public:
  explicit Heart(MainWindow& window) : canvas_(window.viewport()->findChild<QOpenGLWidget*>()) {
    REQUIRE(canvas_);
    qApp->installEventFilter(this);
    // A picture is drawn from the event that asks for it until it is on the screen; one that a change of size
    // asked for ends earlier.
    const auto spend = [this] {
      if (began_ < 0) return;
      const double spent = now() - began_;
      drawn_ += spent;
      picture_ += spent;
      longest_drawing = std::max(longest_drawing, picture_);
      drawing += spent;
      began_ = now();
    };
    connect(window.viewport(), &Viewport::stats_changed, this, [this, spend] {
      spend();
      ++pictures;
    });
    connect(canvas_, &QOpenGLWidget::frameSwapped, this, [this, spend] {
      spend();
      began_ = -1;
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
    if (starts && began_ < 0) {
      began_ = now();
      picture_ = 0;
    }
    return false;
  }

 private:
  double now() const { return 1e-6 * static_cast<double>(clock_.nsecsElapsed()); }
  void beat() {
    began_ = -1;  // an update without the canvas
    longest_gap = std::max(longest_gap, now() - last_ - drawn_);
    last_ = now();
    drawn_ = 0;
  }
  QOpenGLWidget* canvas_;
  QTimer timer_;
  QElapsedTimer clock_;
  double last_ = 0, drawn_ = 0, picture_ = 0, began_ = -1;
};

}  // namespace hazumi::test
