// The two layers of the viewport. The canvas is the OpenGL picture; the overlay (text, gizmos, rectangles) is an ordinary
// transparent widget over it, so that moving the mouse over a handle repaints a few lines and not the scene.
#pragma once

#include <functional>
#include <memory>

#include <QOpenGLFramebufferObject>
#include <QOpenGLWidget>
#include <QTimer>

#include "render/renderer.h"

namespace hazumi {

/// Who says what the canvas draws, and hears of it.
struct CanvasClient {
  std::function<const RenderList&()> list;
  std::function<TextureSource()> textures;
  std::function<void(double milliseconds)> drawn;
  std::function<void(const QString& sentence)> failed;  ///< OpenGL did not start: said when nothing is being painted
};

/// To be called before the application is made: contexts share textures and buffers between windows only when asked for then.
void prepare_opengl();

class ViewCanvas : public QOpenGLWidget {
 public:
  /// `slow`: a processor draws, not a graphics card; four samples a pixel are then taken only while the picture rests.
  ViewCanvas(QWidget& parent, CanvasClient client, bool slow);
  ~ViewCanvas() override;
  /// Why OpenGL 3.3 cannot be used on this display; "" when it can. Asked once, before a canvas is made.
  static QString problem(bool& slow);
  /// The picture is another one: draw it.
  void changed();
  /// The last picture was drawn with all its samples.
  bool smooth() const { return smooth_; }
  /// What was drawn last, in physical pixels; nothing is drawn for it.
  QImage shown();

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void release();
  CanvasClient client_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<QOpenGLFramebufferObject> samples_;  ///< of the resting picture, slow drawing only
  QTimer rest_;
  QTimer spare_;  ///< samples_ were not drawn to for so long: their memory is given back
  bool slow_ = false, smooth_ = true;
};

class ViewOverlay : public QWidget {
 public:
  ViewOverlay(QWidget& parent, std::function<void(QPainter&)> paint);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<void(QPainter&)> paint_;
};

}  // namespace hazumi
