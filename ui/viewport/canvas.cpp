#include "ui/viewport/canvas.h"

#include <utility>

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>

namespace hazumi {

namespace {

bool smooth_at_rest = true;

QSurfaceFormat opengl_3_3() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  return format;
}

}  // namespace

QSurfaceFormat canvas_format(int samples) {
  QSurfaceFormat format = opengl_3_3();
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setSamples(samples);
  return format;
}

void prepare_opengl() {
  // No samples here: the window itself is drawn by Qt; the viewport asks for its own.
  QSurfaceFormat::setDefaultFormat(opengl_3_3());
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

QString ViewCanvas::problem(bool& slow) {
  slow = false;
  QOpenGLContext context;
  context.setFormat(canvas_format(kCanvasSamples));
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

void ViewCanvas::smooth_when_at_rest(bool on) { smooth_at_rest = on; }

std::unique_ptr<ViewCanvas> ViewCanvas::make(QWidget& parent, CanvasClient client, bool slow) {
  return slow ? make_processor_canvas(parent, std::move(client), smooth_at_rest)
              : make_card_canvas(parent, std::move(client));
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
