// The picture where a graphics card draws: all samples, always.
#include <cmath>
#include <utility>

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLWidget>
#include <QSurfaceFormat>

#include "ui/viewport/canvas.h"

namespace hazumi {

namespace {

class CardCanvas final : public QOpenGLWidget, public ViewCanvas {
 public:
  CardCanvas(QWidget& parent, CanvasClient client) : QOpenGLWidget(&parent), client_(std::move(client)) {
    setFormat(canvas_format(kCanvasSamples));
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
  }
  ~CardCanvas() override {
    if (context()) disconnect(context(), nullptr, this, nullptr);
    release();
  }
  QWidget& widget() override { return *this; }
  void changed() override { update(); }
  bool smooth() const override { return true; }
  QImage shown() override;

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void release() {
    if (!renderer_) return;
    makeCurrent();
    renderer_.reset();
    doneCurrent();
  }
  CanvasClient client_;
  std::unique_ptr<Renderer> renderer_;
};

void CardCanvas::initializeGL() {
  // Also after the widget went to another window: its context is a new one then.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] { release(); });
  renderer_ = std::make_unique<Renderer>();
  renderer_->set_texture_source(client_.textures());
  const std::string problem = renderer_->initialise();
  if (problem.empty()) return;
  renderer_.reset();
  // Not from within the painting of the widget that is about to be hidden.
  QMetaObject::invokeMethod(
      this, [this, problem] { client_.failed(QString::fromStdString(problem)); }, Qt::QueuedConnection);
}

void CardCanvas::paintGL() {
  if (!renderer_) return;
  QElapsedTimer clock;
  clock.start();
  RenderTarget target;
  const double ratio = devicePixelRatioF();
  target.framebuffer = defaultFramebufferObject();
  target.width = static_cast<int>(std::lround(width() * ratio));
  target.height = static_cast<int>(std::lround(height() * ratio));
  target.pixel_ratio = static_cast<float>(ratio);
  renderer_->draw(client_.list(), target);
  client_.drawn(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
}

QImage CardCanvas::shown() {
  if (!renderer_) return {};
  makeCurrent();
  const QSize size = QSizeF(QSizeF(this->size()) * devicePixelRatioF()).toSize();
  QOpenGLFramebufferObject copy(size);  // one sample a pixel, where the widget has four
  auto* gl = context()->extraFunctions();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, defaultFramebufferObject());
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copy.handle());
  gl->glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(), GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
  gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  const QImage image = copy.toImage();
  doneCurrent();
  return image;
}

}  // namespace

std::unique_ptr<ViewCanvas> make_card_canvas(QWidget& parent, CanvasClient client) {
  return std::make_unique<CardCanvas>(parent, std::move(client));
}

}  // namespace hazumi
