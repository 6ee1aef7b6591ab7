// The two layers of the viewport. The canvas is the picture that OpenGL draws; the overlay (text, gizmos, rectangles) is an ordinary
// transparent widget over it, so that moving the mouse over a handle repaints a few lines and not the scene.
#pragma once

#include <functional>
#include <memory>

#include <QImage>
#include <QString>
#include <QWidget>

#include "render/renderer.h"

class QSurfaceFormat;

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

/// The picture of the scene. Where a graphics card draws it is a QOpenGLWidget. Where a processor does, it is an image that an
/// ordinary widget paints: Qt would put the whole window together by OpenGL otherwise, with each hint and each button that is
/// painted anew, which is two fifths of what a processor draws.
class ViewCanvas {
 public:
  virtual ~ViewCanvas() = default;
  /// Why OpenGL 3.3 cannot be used on this display; "" when it can. Asked once, before a canvas is made. `slow`: a processor draws.
  static QString problem(bool& slow);
  /// A child of `parent` that lets the mouse through. `slow`: four samples a pixel are taken only while the picture rests.
  static std::unique_ptr<ViewCanvas> make(QWidget& parent, CanvasClient client, bool slow);
  /// Off: a processor that draws takes no smoother picture when nothing moves. On, but in tests that look at no picture: it is
  /// most of what a short one costs.
  static void smooth_when_at_rest(bool on);

  virtual QWidget& widget() = 0;
  /// The picture is another one: draw it.
  virtual void changed() = 0;
  /// The last picture was drawn with all its samples.
  virtual bool smooth() const = 0;
  /// What was drawn last, in physical pixels; nothing is drawn for it.
  virtual QImage shown() = 0;
};

/// As many samples of a pixel as are wanted, of OpenGL 3.3.
QSurfaceFormat canvas_format(int samples);
inline constexpr int kCanvasSamples = 4;

std::unique_ptr<ViewCanvas> make_card_canvas(QWidget& parent, CanvasClient client);
std::unique_ptr<ViewCanvas> make_processor_canvas(QWidget& parent, CanvasClient client, bool smooth_at_rest);

class ViewOverlay : public QWidget {
 public:
  ViewOverlay(QWidget& parent, std::function<void(QPainter&)> paint);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<void(QPainter&)> paint_;
};

}  // namespace hazumi
