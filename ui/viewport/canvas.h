// The two layers of the viewport. The canvas is the OpenGL picture; the overlay (text, gizmos, rectangles) is an ordinary
// transparent widget over it, so that moving the mouse over a handle repaints a few lines and not the scene.
#pragma once

#include <memory>

#include <QOpenGLWidget>

#include "render/renderer.h"

namespace hazumi {

class Viewport;

class ViewCanvas : public QOpenGLWidget {
 public:
  ViewCanvas(Viewport& viewport, int samples);
  ~ViewCanvas() override;
  /// Why OpenGL 3.3 cannot be used on this display; "" when it can. Asked once, before a canvas is made. `samples` becomes
  /// the number of samples a pixel that suits what draws.
  static QString problem(int& samples);

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void release();
  Viewport& viewport_;
  std::unique_ptr<Renderer> renderer_;
};

class ViewOverlay : public QWidget {
 public:
  explicit ViewOverlay(Viewport& viewport);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Viewport& viewport_;
};

}  // namespace hazumi
