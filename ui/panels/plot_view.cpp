#include "ui/panels/plot_view.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <qcustomplot.h>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/model/time_window.h"
#include "ui/panels/sight.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kMargin = 0.08;        // of the height, above and below what is fitted
constexpr double kLeastHeight = 1e-9;   // of a range of values
constexpr std::size_t kMostLines = 24;  // more nobody can tell apart
constexpr double kZoom = 0.88;          // of a notch of the wheel
const QColor kShade(0x17, 0x18, 0x1a, 150);

/// Told apart on a dark ground, and by those who see no red.
QColor line_colour(std::size_t number) {
  static const QColor colours[] = {QColor(0x5a, 0xb4, 0xe6), QColor(0xf0, 0x9a, 0x3e), QColor(0x6f, 0xc9, 0x8b),
                                   QColor(0xcc, 0x8b, 0xd8), QColor(0xe5, 0xd0, 0x6a), QColor(0xe0, 0x6c, 0x64),
                                   QColor(0xa0, 0xa8, 0xb4), QColor(0x7c, 0x8c, 0xf0)};
  return colours[number % std::size(colours)];
}

bool is_second(const PlotSeries& series) { return series.unit == QLatin1String("°"); }

}  // namespace

PlotView::PlotView(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), plot_(new QCustomPlot(this)) {
  setObjectName(QStringLiteral("plot_view"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(plot_);
  const ThemeColours& colours = theme_colours();
  plot_->setBackground(colours.base);
  plot_->setMinimumSize(60, 40);
  plot_->setNoAntialiasingOnDrag(true);
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis, plot_->yAxis2}) style(axis);
  plot_->xAxis->setLabel(tr("Frame"));
  plot_->xAxis->grid()->setPen(QPen(QColor(255, 255, 255, 14)));
  plot_->yAxis->grid()->setPen(QPen(QColor(255, 255, 255, 14)));
  plot_->yAxis->grid()->setZeroLinePen(QPen(QColor(255, 255, 255, 60)));
  plot_->legend->setBrush(QColor(0x1f, 0x21, 0x24, 210));
  plot_->legend->setBorderPen(QPen(colours.border));
  plot_->legend->setTextColor(colours.text);
  plot_->legend->setVisible(true);
  shade_ = new QCPItemRect(plot_);
  shade_->setPen(Qt::NoPen);
  shade_->setBrush(QBrush(kShade));
  shade_->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  shade_->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  shade_said_ = new QCPItemText(plot_);
  said_ = new QCPItemText(plot_);
  for (QCPItemText* text : {shade_said_, said_}) {
    text->setColor(colours.quiet_text);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setAxisRect(plot_->axisRect());
  }
  shade_said_->setText(tr("not computed yet"));
  shade_said_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  said_->position->setType(QCPItemPosition::ptAxisRectRatio);
  said_->position->setCoords(0.5, 0.45);
  head_ = new QCPItemStraightLine(plot_);
  head_->setPen(QPen(colours.accent, 1.5));
  plot_->installEventFilter(this);
  plot_->setMouseTracking(true);
  plot_->setStatusTip(
      tr("Drag to scrub; wheel zooms the frames, with Ctrl the values; middle button pans; double click shows all."));
  sight_ = new Sight(*this);
  const auto anew = [this] { rebuild(); };
  connect(sight_, &Sight::changed, this, anew);
  connect(&context_.selection, &Selection::changed, this, anew);
  connect(&context_.document, &DocumentController::changed, this, anew);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    own_values_ = false;
    rebuild();
  });
  connect(&context_.playback, &PlaybackController::fill_changed, this, &PlotView::refill);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &PlotView::show_head);
  connect(&context_.time, &TimeWindow::changed, this, &PlotView::show_time);
  rebuild();
}

void PlotView::style(QCPAxis* axis) const {
  const ThemeColours& colours = theme_colours();
  axis->setBasePen(QPen(colours.quiet_text));
  axis->setTickPen(QPen(colours.quiet_text));
  axis->setSubTickPen(QPen(QColor(0x55, 0x59, 0x61)));
  axis->setTickLabelColor(colours.quiet_text);
  axis->setLabelColor(colours.text);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.9);
  axis->setTickLabelFont(small);
  axis->setLabelFont(small);
  axis->setLabelPadding(2);
}

PlotQuantity PlotView::quantity() const {
  if (quantity_) return *quantity_;
  if (context_.document.scene().joints.empty()) return BodyQuantity::speed;
  return JointQuantity::force;
}

void PlotView::set_quantity(const PlotQuantity& quantity) {
  if (quantity_ == quantity) return;
  quantity_ = quantity;
  own_values_ = false;
  rebuild();
}

void PlotView::set_legend(bool on) {
  plot_->legend->setVisible(on);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::gather() {
  const FrameCache& cache = context_.playback.cache();
  const std::uint64_t generation = cache.generation();
  const int size = cache.size();
  // Frames of a generation that stay are the same; what came is added.
  if (generation != generation_ || size < static_cast<int>(frames_.size())) frames_.clear();
  generation_ = generation;
  frames_.add_from(cache);
  const Scene& scene = context_.document.scene();
  things_ = plotted_things(scene, context_.selection, quantity(), frames_);
  if (things_.size() > kMostLines) things_.resize(kMostLines);
  series_ = plot_series(scene, things_, quantity(), frames_);
  if (series_.size() > kMostLines) series_.resize(kMostLines);
}

QString PlotView::why() const {
  return series_.empty() ? why_no_series(context_.document.scene(), things_, quantity()) : QString();
}

/// Other lines than before.
void PlotView::rebuild() {
  if (!sight_->seen()) return;
  gather();
  make_lines();
  show_values();
}

/// More frames than before, or others; with them lines may come.
void PlotView::refill() {
  if (!sight_->seen()) return;
  const std::vector<PlotSeries> before = std::move(series_);
  gather();
  const auto same = [](const PlotSeries& a, const PlotSeries& b) { return a.thing == b.thing && a.name == b.name; };
  if (!std::equal(before.begin(), before.end(), series_.begin(), series_.end(), same)) make_lines();
  show_values();
}

void PlotView::make_lines() {
  plot_->clearGraphs();
  bool first = false, second = false;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const bool right = is_second(series_[i]);
    (right ? second : first) = true;
    QCPGraph* graph = plot_->addGraph(plot_->xAxis, right ? plot_->yAxis2 : plot_->yAxis);
    graph->setPen(QPen(line_colour(i), 1.6));
    graph->setLineStyle(QCPGraph::lsLine);
    graph->setAdaptiveSampling(true);
  }
  const auto label = [&](bool right) {
    for (const PlotSeries& series : series_)
      if (is_second(series) == right)
        return series.unit.isEmpty() ? name_of(quantity())
                                     : QStringLiteral("%1, %2").arg(name_of(quantity()), series.unit);
    return QString();
  };
  plot_->yAxis->setLabel(label(false));
  plot_->yAxis2->setLabel(label(true));
  plot_->yAxis->setVisible(first || !second);
  plot_->yAxis2->setVisible(second);
  said_->setText(why());
  said_->setVisible(series_.empty());
}

void PlotView::show_values() {
  for (int i = 0; i < plot_->graphCount() && i < static_cast<int>(series_.size()); ++i) {
    const std::vector<double>& values = series_[static_cast<std::size_t>(i)].values;
    QVector<double> at(static_cast<qsizetype>(values.size())), what(at.size());
    for (qsizetype f = 0; f < at.size(); ++f) {
      at[f] = static_cast<double>(f);
      what[f] = values[static_cast<std::size_t>(f)];
    }
    plot_->graph(i)->setData(at, what, true);
  }
  if (!own_values_) fit_values();
  show_time();
  emit changed();
}

void PlotView::fit_values() {
  for (const bool right : {false, true}) {
    double low = 0, high = 0;
    for (const PlotSeries& series : series_)
      for (const double value : series.values)
        if (is_second(series) == right && !std::isnan(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
    if (high - low < kLeastHeight) high = low + 1;
    const double room = kMargin * (high - low);
    (right ? plot_->yAxis2 : plot_->yAxis)->setRange(low < 0 ? low - room : low, high + room);
  }
}

void PlotView::fit() {
  own_values_ = false;
  fit_values();
  context_.time.fit();
  show_time();
}

double PlotView::uncomputed_from() const { return std::max<double>(0, static_cast<double>(frames_.size()) - 1); }

void PlotView::show_time() {
  if (!sight_->seen()) return;
  plot_->xAxis->setRange(context_.time.first(), context_.time.last());
  const int last = context_.document.scene().settings.last_frame;
  const bool lacks = static_cast<int>(frames_.size()) <= last;
  shade_->setVisible(lacks);
  shade_said_->setVisible(lacks && context_.time.last() > uncomputed_from());
  shade_->topLeft->setCoords(uncomputed_from(), 0);
  shade_->bottomRight->setCoords(std::max<double>(last, context_.time.last()) + 1, 1);
  shade_said_->position->setTypeX(QCPItemPosition::ptPlotCoords);
  shade_said_->position->setCoords(
      std::max(uncomputed_from(), context_.time.first()) + 0.01 * (context_.time.last() - context_.time.first()), 0.02);
  show_head();
}

/// The legend says what each line has at the frame that is shown.
void PlotView::show_head() {
  if (!sight_->seen()) return;
  const int frame = context_.playback.frame();
  head_->point1->setCoords(frame, 0);
  head_->point2->setCoords(frame, 1);
  for (int i = 0; i < plot_->graphCount() && i < static_cast<int>(series_.size()); ++i) {
    const PlotSeries& series = series_[static_cast<std::size_t>(i)];
    const double value = frame < static_cast<int>(series.values.size()) ? series.values[static_cast<std::size_t>(frame)]
                                                                        : std::numeric_limits<double>::quiet_NaN();
    plot_->graph(i)->setName(QStringLiteral("%1: %2").arg(series.name, value_text(value, series.unit)));
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

std::pair<double, double> PlotView::value_range(bool second) const {
  const QCPRange range = (second ? plot_->yAxis2 : plot_->yAxis)->range();
  return {range.lower, range.upper};
}

QString PlotView::value_label(bool second) const { return (second ? plot_->yAxis2 : plot_->yAxis)->label(); }

QPointF PlotView::place_of(double frame, double value) const {
  return plot_->mapTo(this, QPointF(plot_->xAxis->coordToPixel(frame), plot_->yAxis->coordToPixel(value)));
}

void PlotView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  show_time();
}

// The mouse -------------------------------------------------------------------------------------------------------------

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Wheel:
      return wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::MouseButtonPress:
      return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
      return drag(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
      drag_ = Drag::none;
      return true;
    case QEvent::MouseButtonDblClick:
      fit();
      return true;
    default:
      return QWidget::eventFilter(watched, event);
  }
}

bool PlotView::wheel(QWheelEvent& event) {
  event.accept();
  const double factor = std::pow(kZoom, event.angleDelta().y() / 120.0);
  if (event.modifiers() & Qt::ControlModifier) {
    own_values_ = true;
    for (QCPAxis* axis : {plot_->yAxis, plot_->yAxis2})
      axis->scaleRange(factor, axis->pixelToCoord(event.position().y()));
    plot_->replot(QCustomPlot::rpQueuedReplot);
    return true;
  }
  context_.time.zoom(factor, plot_->xAxis->pixelToCoord(event.position().x()));
  return true;
}

bool PlotView::press(QMouseEvent& event) {
  last_ = event.position();
  drag_ = event.button() == Qt::LeftButton ? Drag::scrub : event.button() == Qt::MiddleButton ? Drag::pan : Drag::none;
  if (drag_ == Drag::scrub) scrub(last_.x());
  return drag_ != Drag::none;
}

bool PlotView::drag(QMouseEvent& event) {
  if (drag_ == Drag::none) return false;
  if (drag_ == Drag::scrub) {
    scrub(event.position().x());
    return true;
  }
  const QCPAxis& time = *plot_->xAxis;
  context_.time.pan(time.pixelToCoord(last_.x()) - time.pixelToCoord(event.position().x()));
  const double down = event.position().y() - last_.y();
  if (down != 0) {
    own_values_ = true;
    for (QCPAxis* axis : {plot_->yAxis, plot_->yAxis2})
      axis->moveRange(axis->pixelToCoord(last_.y()) - axis->pixelToCoord(event.position().y()));
    plot_->replot(QCustomPlot::rpQueuedReplot);
  }
  last_ = event.position();
  return true;
}

void PlotView::scrub(double x) {
  context_.playback.play(false);
  context_.playback.set_frame(static_cast<int>(std::lround(plot_->xAxis->pixelToCoord(x))));
}

}  // namespace hazumi
