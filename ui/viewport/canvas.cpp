#include "ui/viewport/canvas.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>

namespace hazumi {

namespace {

constexpr int kSamples = 4;  // of a pixel
// Mesa's software rasterizer shades every sample with the processor: four take nearly twice the time of one, which a moving
// picture feels and a resting one does not. So long after the last change the picture counts as resting.
constexpr int kRestMilliseconds = 150, kLongestRest = 1000;
constexpr int kSpareMilliseconds = 1000;

QSurfaceFormat opengl_3_3() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  return format;
}

QSurfaceFormat wanted_format(int samples) {
  QSurfaceFormat format = opengl_3_3();
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setSamples(samples);
  return format;
}

}  // namespace

void prepare_opengl() {
  // No samples here: the window itself is drawn by Qt; the viewport asks for its own.
  QSurfaceFormat::setDefaultFormat(opengl_3_3());
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

QString ViewCanvas::problem(bool& slow) {
  slow = false;
  QOpenGLContext context;
  context.setFormat(wanted_format(kSamples));
  const QString remedy = QStringLiteral(" Pictures can still be written with hazumi-cli.");
  if (!context.create())
    return QStringLiteral("The viewport needs OpenGL 3.3, and this display offers no OpenGL.") + remedy;
  const QSurfaceFormat got = context.format();
  if (got.version() < qMakePair(3, 3))
    return QStringLiteral("The viewport needs OpenGL 3.3, and this display offers %1.%2.")
               .arg(got.majorVersion())
               .arg(got.minorVersion()) +
           remedy;
  QOffscreenSurface surface;
  surface.setFormat(got);
  surface.create();
  if (!context.makeCurrent(&surface))
    return QStringLiteral("The viewport's OpenGL context cannot be used on this display.") + remedy;
  const auto* name = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
  slow = name && QByteArray(name).contains("llvmpipe");
  context.doneCurrent();
  return {};
}

ViewCanvas::ViewCanvas(QWidget& parent, CanvasClient client, bool slow)
    : QOpenGLWidget(&parent), client_(std::move(client)), slow_(slow) {
  setFormat(wanted_format(slow ? 0 : kSamples));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMilliseconds);
  connect(&rest_, &QTimer::timeout, this, [this] {
    smooth_ = true;
    update();
  });
  spare_.setSingleShot(true);
  spare_.setInterval(kSpareMilliseconds);
  connect(&spare_, &QTimer::timeout, this, [this] {
    makeCurrent();
    samples_.reset();
    {  // the driver holds what it drew to last until it draws elsewhere
      QOpenGLFramebufferObject elsewhere(1, 1);
      elsewhere.bind();
      context()->functions()->glClear(GL_COLOR_BUFFER_BIT);
      context()->functions()->glFinish();
    }
    doneCurrent();
  });
}

void ViewCanvas::changed() {
  if (slow_) {
    smooth_ = false;
    rest_.start();
  }
  update();
}

ViewCanvas::~ViewCanvas() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
  release();
}

void ViewCanvas::release() {
  if (!renderer_) return;
  spare_.stop();
  makeCurrent();
  samples_.reset();
  renderer_.reset();
  doneCurrent();
}

void ViewCanvas::initializeGL() {
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

void ViewCanvas::paintGL() {
  if (!renderer_) return;
  QElapsedTimer clock;
  clock.start();
  RenderTarget target;
  const double ratio = devicePixelRatioF();
  target.framebuffer = defaultFramebufferObject();
  target.width = static_cast<int>(std::lround(width() * ratio));
  target.height = static_cast<int>(std::lround(height() * ratio));
  target.pixel_ratio = static_cast<float>(ratio);
  target.quick = slow_ && !smooth_;
  if (slow_ && smooth_) {
    const QSize size(target.width, target.height);
    if (!samples_ || samples_->size() != size) {
      QOpenGLFramebufferObjectFormat format;
      format.setAttachment(QOpenGLFramebufferObject::Depth);
      format.setSamples(kSamples);
      samples_ = std::make_unique<QOpenGLFramebufferObject>(size, format);
    }
    spare_.start();
    target.framebuffer = samples_->handle();
    renderer_->draw(client_.list(), target);
    auto* gl = context()->extraFunctions();
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_->handle());
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
    gl->glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(), GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  } else {
    renderer_->draw(client_.list(), target);
  }
  const double milliseconds = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
  // A resting picture that takes long waits until the mouse has really stopped.
  if (slow_ && smooth_) rest_.setInterval(std::clamp(static_cast<int>(milliseconds), kRestMilliseconds, kLongestRest));
  client_.drawn(milliseconds);
}

QImage ViewCanvas::shown() {
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

ViewOverlay::ViewOverlay(QWidget& parent, std::function<void(QPainter&)> paint)
    : QWidget(&parent), paint_(std::move(paint)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
}

void ViewOverlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_(painter);
}

}  // namespace hazumi
