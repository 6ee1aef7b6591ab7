#include "ui/panels/time_strip.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include "ui/model/document_controller.h"
#include "ui/model/markers.h"
#include "ui/model/playback_controller.h"
#include "ui/panels/time_marks.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kLabelRoom = 64;        // logical pixels: least distance of two numbers
constexpr double kTickRoom = 5;          // the same of two ticks
constexpr int kLargestStep = 1'000'000;  // frames
const QColor kRangeColour(0x2a, 0x2c, 0x30), kTickColour(0x55, 0x59, 0x61), kLineColour(255, 255, 255, 9),
    kPartColour(0xe5, 0xc0, 0x6a, 20);

int step_of(double pixels, double room) {
  for (int power = 1; power < kLargestStep; power *= 10)
    for (int digit : {1, 2, 5})
      if (digit * power * pixels >= room) return digit * power;
  return kLargestStep;
}

/// The multiple of `step` at or below.
int floored(double frame, int step) { return static_cast<int>(std::floor(frame / step)) * step; }

double snapped(const QWidget& at, double x) {
  const double ratio = at.devicePixelRatioF();
  return std::round(x * ratio) / ratio;
}

void paint_range_of(QPainter& painter, const UiContext& context, const QWidget& at, double top) {
  const SceneSettings& settings = context.document.scene().settings;
  const TimeScale scale = context.time.scale(at.width());
  const double left = snapped(at, scale.x_of(settings.first_frame)),
               right = snapped(at, scale.x_of(settings.last_frame));
  painter.fillRect(QRectF(left, top, right - left, at.height() - top), kRangeColour);
  if (const auto part = context.playback.part()) {
    const double from = snapped(at, scale.x_of(part->first)), to = snapped(at, scale.x_of(part->last));
    painter.fillRect(QRectF(from, top, to - from, at.height() - top), kPartColour);
  }
}

QFont head_font(const QWidget& at) {
  QFont font = at.font();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace

TimeStrip::TimeStrip(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), marks_(std::make_unique<TimeMarks>(context_, *this)) {
  setObjectName(QStringLiteral("time_strip"));
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setStatusTip(
      tr("Drag to scrub, with Shift: the part that is played; wheel zooms; middle button pans; right click: markers."));
  connect(&context_.playback, &PlaybackController::frame_changed, this, &TimeStrip::update_head);
  const auto repaint = [this] { update(); };
  connect(&context_.time, &TimeWindow::changed, this, repaint);
  connect(&context_.document, &DocumentController::changed, this, repaint);
  connect(&context_.document, &DocumentController::document_replaced, this, repaint);
  connect(&context_.playback, &PlaybackController::manner_changed, this, repaint);
}

TimeStrip::~TimeStrip() = default;

TimeScale TimeStrip::scale() const { return context_.time.scale(width()); }
double TimeStrip::x_of(double frame) const { return scale().x_of(frame); }
int TimeStrip::frame_at(double x) const { return static_cast<int>(std::lround(scale().frame_at(x))); }
double TimeStrip::snap(double x) const { return snapped(*this, x); }
int TimeStrip::label_step() const { return step_of(scale().pixels(), kLabelRoom); }

double TimeStrip::head_width() const {
  const QString text = QString::number(context_.playback.frame());
  return std::max(22.0, QFontMetricsF(head_font(*this)).horizontalAdvance(text) + 10);
}

void TimeStrip::update_head() {
  // Only the two columns of the play head: playing must not repaint the whole ruler at frame rate.
  for (int frame : {shown_head_, context_.playback.frame()})
    if (marker_at_frame(context_, frame))
      update();  // its flag is another one at the head
    else
      update(static_cast<int>(x_of(frame)) - 30, 0, 61, height());
  shown_head_ = context_.playback.frame();
}

// Mouse ---------------------------------------------------------------------------------------------------------------

void TimeStrip::begin_scrub(int frame) {
  scrubs_ = true;
  resume_ = context_.playback.playing();
  context_.playback.play(false);
  context_.playback.set_frame(frame);
}

void TimeStrip::end_scrub(bool goes_on) {
  if (scrubs_ && resume_ && goes_on) context_.playback.play(true);
  scrubs_ = resume_ = false;
}

void TimeStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton) pan_x_ = event->position().x();
  if (event->button() != Qt::LeftButton || marks_->press(event->position(), event->modifiers())) return;
  begin_scrub(frame_at(event->position().x()));
}

void TimeStrip::mouseMoveEvent(QMouseEvent* event) {
  hover_ = event->position().x();
  if (marks_->move(event->position())) return update();
  if (!scrubs_)
    setCursor(marks_->sideways_at(event->position()) ? Qt::SizeHorCursor
              : marks_->marker_at(event->position()) ? Qt::PointingHandCursor
                                                     : Qt::ArrowCursor);
  if (pan_x_ >= 0) context_.time.pan((pan_x_ - hover_) / scale().pixels());
  if (pan_x_ >= 0) pan_x_ = std::max(0.0, hover_);
  if (scrubs_) context_.playback.set_frame(frame_at(hover_));
  update();
}

void TimeStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton) pan_x_ = -1;
  if (event->button() == Qt::LeftButton && !marks_->release()) end_scrub();
  update();
}

void TimeStrip::mouseDoubleClickEvent(QMouseEvent* event) {
  const bool taken = event->button() == Qt::LeftButton && marks_->double_click(event->position());
  if (!taken) mousePressEvent(event);
}

void TimeStrip::contextMenuEvent(QContextMenuEvent* event) {
  marks_->make_menu(event->pos())->popup(event->globalPos());
}

void TimeStrip::leaveEvent(QEvent*) {
  hover_ = -1;
  update();
}

void TimeStrip::wheelEvent(QWheelEvent* event) { zoom_time(context_, *event, width()); }

// Drawing -------------------------------------------------------------------------------------------------------------

void TimeStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  paint_range(painter);
  paint_ticks(painter, 0);
  paint_marks(painter);
  paint_head(painter);
}

void TimeStrip::paint_marks(QPainter& painter) {
  marks_->paint_part(painter);
  marks_->paint_markers(painter);
}

void TimeStrip::paint_range(QPainter& painter) { paint_range_of(painter, context_, *this, 0); }

void TimeStrip::paint_ticks(QPainter& painter, double below) {
  const ThemeColours& colours = theme_colours();
  const int step = label_step();
  int small = step;
  for (int parts : {10, 5, 2})
    if (step % parts == 0 && step / parts * scale().pixels() >= kTickRoom) {
      small = step / parts;
      break;
    }
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  const int last = frame_at(width());
  for (int frame = floored(frame_at(0), small); frame <= last; frame += small) {
    const double x = snap(x_of(frame));
    const bool labelled = frame % step == 0;
    const double top = labelled ? kRulerHeight - 7 : kRulerHeight - 4;
    painter.fillRect(QRectF(x, top, 1, kRulerHeight - top), labelled ? colours.quiet_text : kTickColour);
    if (!labelled) continue;
    painter.fillRect(QRectF(x, kRulerHeight, 1, height() - kRulerHeight - below), kLineColour);
    painter.setPen(colours.quiet_text);
    painter.drawText(QRectF(x - 40, 1, 80, kRulerHeight - 8), Qt::AlignCenter, QString::number(frame));
  }
  painter.fillRect(QRectF(0, kRulerHeight, width(), 1), colours.border);
}

void TimeStrip::paint_head(QPainter& painter) {
  const ThemeColours& colours = theme_colours();
  if (hover_line()) {
    const double x = snap(x_of(frame_at(hover_)));
    painter.fillRect(QRectF(x, kRulerHeight, 1, height() - kRulerHeight), QColor(255, 255, 255, 60));
  }
  const int frame = context_.playback.frame();
  const double x = snap(x_of(frame));
  const QFont font = head_font(*this);
  const QString text = QString::number(frame);
  const double wide = head_width();
  if (x < -wide || x > width() + wide) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(x - 0.5, kRulerHeight - 6, 1.5, height() - kRulerHeight + 6), colours.accent);
  const QRectF tag(std::clamp(x - wide / 2, 0.0, width() - wide), 1, wide, kRulerHeight - 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.accent);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setFont(font);
  painter.setPen(QColor(0x1b, 0x1c, 0x1f));
  painter.drawText(tag, Qt::AlignCenter, text);
}

void zoom_time(UiContext& context, QWheelEvent& event, double width) {
  const TimeScale scale = context.time.scale(width);
  const double notches = event.angleDelta().y() / 120.0;
  context.time.zoom(std::pow(0.88, notches), scale.frame_at(event.position().x()));
  event.accept();
}

void paint_time_lines(QPainter& painter, UiContext& context, const QWidget& at, double top) {
  paint_range_of(painter, context, at, top);
  const TimeScale scale = context.time.scale(at.width());
  const int step = step_of(scale.pixels(), kLabelRoom);
  for (int frame = floored(scale.frame_at(0), step); frame <= scale.frame_at(at.width()); frame += step)
    painter.fillRect(QRectF(snapped(at, scale.x_of(frame)), top, 1, at.height() - top), kLineColour);
}

void paint_head_line(QPainter& painter, UiContext& context, const QWidget& at) {
  const double x = snapped(at, context.time.scale(at.width()).x_of(context.playback.frame()));
  painter.fillRect(QRectF(x - 0.5, 0, 1.5, at.height()), theme_colours().accent);
}

}  // namespace hazumi
