// The picture where a processor draws: into an image, when it is to be painted and has changed. One sample a pixel while it
// changes, four once it rests.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QElapsedTimer>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QPaintEvent>
#include <QPainter>
#include <QSurfaceFormat>
#include <QTimer>

#include "ui/viewport/canvas.h"

namespace hazumi {

namespace {

// Mesa's software rasterizer shades every sample with the processor: four take nearly twice the time of one, which a moving
// picture feels and a resting one does not. So long after the last change the picture counts as resting.
constexpr int kRestMilliseconds = 150, kLongestRest = 1000;
constexpr int kSpareMilliseconds = 1000;

class ProcessorCanvas final : public QWidget, public ViewCanvas {
 public:
  ProcessorCanvas(QWidget& parent, CanvasClient client, bool smooth_at_rest);
  ~ProcessorCanvas() override { release(); }
  QWidget& widget() override { return *this; }
  void changed() override;
  bool smooth() const override { return smooth_; }
  QImage shown() override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  using Buffer = std::unique_ptr<QOpenGLFramebufferObject>;
  bool begin();
  void draw(const QSize& size);
  void read(const QSize& size);
  void give_back_samples();
  void release();
  CanvasClient client_;
  QOffscreenSurface surface_;
  QOpenGLContext context_;
  std::unique_ptr<Renderer> renderer_;
  Buffer plain_, samples_;  ///< the latter of the resting picture only
  QImage picture_;
  QTimer rest_;
  QTimer spare_;  ///< samples_ were not drawn to for so long: their memory is given back
  bool smooth_at_rest_, smooth_, stale_ = true, begun_ = false;
};

ProcessorCanvas::ProcessorCanvas(QWidget& parent, CanvasClient client, bool smooth_at_rest)
    : QWidget(&parent), client_(std::move(client)), smooth_at_rest_(smooth_at_rest), smooth_(smooth_at_rest) {
  setObjectName(QStringLiteral("canvas"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_OpaquePaintEvent);
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMilliseconds);
  connect(&rest_, &QTimer::timeout, this, [this] {
    smooth_ = stale_ = true;
    update();
  });
  spare_.setSingleShot(true);
  spare_.setInterval(kSpareMilliseconds);
  connect(&spare_, &QTimer::timeout, this, [this] { give_back_samples(); });
}

void ProcessorCanvas::changed() {
  smooth_ = false;
  stale_ = true;
  if (smooth_at_rest_) rest_.start();
  update();
}

void ProcessorCanvas::give_back_samples() {
  if (!samples_ || !context_.makeCurrent(&surface_)) return;
  samples_.reset();
  {  // the driver holds what it drew to last until it draws elsewhere
    QOpenGLFramebufferObject elsewhere(1, 1);
    elsewhere.bind();
    context_.functions()->glClear(GL_COLOR_BUFFER_BIT);
    context_.functions()->glFinish();
  }
  context_.doneCurrent();
}

void ProcessorCanvas::release() {
  if (!begun_ || !context_.makeCurrent(&surface_)) return;
  samples_.reset();
  plain_.reset();
  renderer_.reset();
  context_.doneCurrent();
}

/// The context is current then. Where it cannot be used that is said once.
bool ProcessorCanvas::begin() {
  if (begun_) return renderer_ && context_.makeCurrent(&surface_);
  begun_ = true;
  context_.setFormat(canvas_format(0));
  context_.setShareContext(QOpenGLContext::globalShareContext());
  std::string problem = "The viewport's OpenGL context cannot be used on this display.";
  if (context_.create()) {
    surface_.setFormat(context_.format());
    surface_.create();
    if (context_.makeCurrent(&surface_)) {
      renderer_ = std::make_unique<Renderer>();
      renderer_->set_texture_source(client_.textures());
      problem = renderer_->initialise();
      if (problem.empty()) return true;
      renderer_.reset();
    }
  }
  // Not from within the painting of the widget that is about to be hidden.
  QMetaObject::invokeMethod(
      this, [this, problem] { client_.failed(QString::fromStdString(problem)); }, Qt::QueuedConnection);
  return false;
}

void ProcessorCanvas::draw(const QSize& size) {
  if (size.isEmpty() || !begin()) return;
  QElapsedTimer clock;
  clock.start();
  const auto fit = [&](Buffer& buffer, int samples) {
    if (buffer && buffer->size() == size) return;
    QOpenGLFramebufferObjectFormat format;
    format.setAttachment(QOpenGLFramebufferObject::Depth);
    format.setSamples(samples);
    buffer = std::make_unique<QOpenGLFramebufferObject>(size, format);
  };
  fit(plain_, 0);
  if (smooth_) {
    fit(samples_, kCanvasSamples);
    spare_.start();
  }
  RenderTarget target;
  target.framebuffer = (smooth_ ? samples_ : plain_)->handle();
  target.width = size.width();
  target.height = size.height();
  target.pixel_ratio = static_cast<float>(devicePixelRatioF());
  target.quick = !smooth_;
  renderer_->draw(client_.list(), target);
  auto* gl = context_.extraFunctions();
  if (smooth_) {
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_->handle());
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain_->handle());
    gl->glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(), GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
  }
  read(size);
  context_.doneCurrent();
  stale_ = false;
  const double milliseconds = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
  // A resting picture that takes long waits until the mouse has really stopped.
  if (smooth_) rest_.setInterval(std::clamp(static_cast<int>(milliseconds), kRestMilliseconds, kLongestRest));
  client_.drawn(milliseconds);
}

/// plain_ → picture_, whose first row is the topmost.
void ProcessorCanvas::read(const QSize& size) {
  const auto width = static_cast<std::size_t>(size.width()), height = static_cast<std::size_t>(size.height());
  std::vector<std::uint32_t> pixels(width * height);
  auto* gl = context_.extraFunctions();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, plain_->handle());
  gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
  gl->glReadPixels(0, 0, size.width(), size.height(), GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels.data());
  if (picture_.size() != size) picture_ = QImage(size, QImage::Format_RGB32);
  picture_.setDevicePixelRatio(devicePixelRatioF());
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint32_t* from = pixels.data() + (height - 1 - y) * width;
    auto* to = reinterpret_cast<std::uint32_t*>(picture_.scanLine(static_cast<int>(y)));
    for (std::size_t x = 0; x < width; ++x) to[x] = from[x] | 0xff000000u;
  }
}

QImage ProcessorCanvas::shown() {
  QImage image = picture_;
  image.setDevicePixelRatio(1);
  return image;
}

void ProcessorCanvas::paintEvent(QPaintEvent* event) {
  const QSize size = (QSizeF(this->size()) * devicePixelRatioF()).toSize();
  if (stale_ || picture_.size() != size) draw(size);
  QPainter painter(this);
  if (picture_.isNull())
    painter.fillRect(event->rect(), palette().color(QPalette::Window));
  else
    painter.drawImage(QPointF(0, 0), picture_);
}

}  // namespace

std::unique_ptr<ViewCanvas> make_processor_canvas(QWidget& parent, CanvasClient client, bool smooth_at_rest) {
  return std::make_unique<ProcessorCanvas>(parent, std::move(client), smooth_at_rest);
}

}  // namespace hazumi
