#include "ui/panels/cut_strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kCutReach = 5, kCutStill = 3;  // logical pixels: around a cut; what a hand moves in a click
constexpr double kCutNameRoom = 6;              // before a name

}  // namespace

CutStrip::CutStrip(UiContext& context, QWidget* parent) : TimeStrip(context, parent) {
  setObjectName(QStringLiteral("cut_strip"));
  setAccessibleName(tr("Cuts"));
  setFocusPolicy(Qt::ClickFocus);
  setStatusTip(tr("Cuts between cameras: drag one, Delete removes it, right click adds; a click selects the camera."));
  connect(&context_.document, &DocumentController::changed, this, &CutStrip::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &CutStrip::refresh);
  connect(&context_.selection, &Selection::changed, this, [this] { update(); });
  connect(&context_.playback, &PlaybackController::fill_changed, this, [this] {
    auto now = context_.playback.cache().cues();
    if (std::exchange(cues_, now) != now) update();
  });
  connect(&context_.keys, &KeySelection::changed, this, [this] { update(); });
  refresh();
}

void CutStrip::refresh() {
  const Scene& scene = context_.document.scene();
  const bool wanted = scene.cameras.size() > 1 || find_track(scene, 0, kCutField) != nullptr;
  if (isHidden() == wanted) setVisible(wanted);
  update();
}

double CutStrip::x_of_time(double time) const { return x_of(time * frame_rate(context_)); }

std::vector<CameraStretch> CutStrip::stretches() const {
  const double rate = frame_rate(context_);
  const double last = std::max(scale().frame_at(width()), 0.0) / rate;
  return filmed_stretches(context_.document.scene(), context_.playback.cache().cues().get(), 0, last);
}

std::optional<CutStrip::Cut> CutStrip::cut_at(QPointF place) const {
  const Track* track = find_track(context_.document.scene(), 0, kCutField);
  if (!track || !track->visible) return std::nullopt;
  std::optional<Cut> best;
  double least = kCutReach;
  for (const Key& key : track->keys)
    if (const double away = std::abs(x_of_time(key.time) - place.x()); away <= least) {
      least = away;
      best = Cut{track->id, key.time};
    }
  return best;
}

std::optional<CameraStretch> CutStrip::stretch_at(QPointF place) const {
  for (const CameraStretch& stretch : stretches())
    if (place.x() >= x_of_time(stretch.from) && place.x() < x_of_time(stretch.to)) return stretch;
  return std::nullopt;
}

bool CutStrip::is_selected(double time) const {
  const Track* track = find_track(context_.document.scene(), 0, kCutField);
  return track && context_.keys.contains({track->id, time});
}

// Mouse and keys ------------------------------------------------------------------------------------------------------

void CutStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return TimeStrip::mousePressEvent(event);
  press_x_ = event->position().x();
  moved_ = false;
  dragged_ = cut_at(event->position());
  if (dragged_) {
    context_.keys.select_only({dragged_->track, dragged_->time});
    before_ = context_.document.snapshot();
    gesture_ = context_.document.new_gesture();
    context_.time.hold(true);
    return;
  }
  begin_scrub(std::max(0, frame_at(press_x_)));
  const auto stretch = stretch_at(event->position());
  if (!stretch) return;
  context_.selection.select_only(stretch->camera);
  if (const Track* track = find_track(context_.document.scene(), 0, kCutField); track && stretch->by_key)
    context_.keys.select_only({track->id, stretch->from});
}

void CutStrip::mouseMoveEvent(QMouseEvent* event) {
  if (!dragged_) {
    TimeStrip::mouseMoveEvent(event);
    return setCursor(cut_at(event->position()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
  }
  moved_ = moved_ || std::abs(event->position().x() - press_x_) > kCutStill;
  if (moved_) drag_to(std::max(0, frame_at(event->position().x())));
}

/// Asked of the scene that the drag began with, so that cuts it passes over come back.
void CutStrip::drag_to(int frame) {
  const double rate = frame_rate(context_);
  Retime to;
  to.by = frame / rate - dragged_->time;
  to.frame_rate = rate;
  const Scene& before = **before_;
  const KeyTimes keys{{dragged_->track, {dragged_->time}}};
  apply_keys(context_, tr("Move Cut"), retimed_keys(before, keys, to), gesture_, {}, &before);
}

void CutStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && dragged_) {
    context_.time.hold(false);
    const double time = dragged_->time;
    dragged_.reset();
    before_.reset();
    if (!moved_) {
      context_.playback.play(false);
      context_.playback.set_frame(static_cast<int>(std::lround(time * frame_rate(context_))));
    }
    return update();
  }
  TimeStrip::mouseReleaseEvent(event);
}

void CutStrip::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

bool CutStrip::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) event->accept();  // not the selected objects
  }
  if (event->type() != QEvent::ToolTip) return TimeStrip::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto stretch = stretch_at(help->pos());
  const Camera* camera = stretch ? find_camera(context_.document.scene(), stretch->camera) : nullptr;
  if (!camera) {
    QToolTip::hideText();
    return true;
  }
  const QString text = tr("%1, from frame %2")
                           .arg(QString::fromStdString(camera->name))
                           .arg(std::lround(stretch->from * frame_rate(context_)));
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void CutStrip::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Delete && event->key() != Qt::Key_Backspace) return TimeStrip::keyPressEvent(event);
  if (!context_.keys.empty()) delete_keys(context_);
}

void CutStrip::delete_cut(const Cut& cut) {
  const KeyTimes keys{{cut.track, {cut.time}}};
  apply_keys(context_, tr("Delete Cut"), without_keys(context_.document.scene(), keys, context_.keying.time()));
}

QMenu* CutStrip::make_menu(QPointF place) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  const Scene& scene = context_.document.scene();
  const int frame = std::max(0, frame_at(place.x()));
  QMenu* cuts = menu->addMenu(tr("Cut at Frame %1 to").arg(frame));
  for (const auto& camera : scene.cameras) {
    const auto dot = [](QPainter& painter) { painter.drawEllipse(QRectF(3, 3, 10, 10)); };
    const QString name = QString::fromStdString(camera->name);
    cuts->addAction(QIcon(colour_pixmap(16, camera->colour, QPen(Qt::NoPen), dot)),
                    QString(name).replace('&', QLatin1String("&&")), this, [this, frame, id = camera->id, name] {
                      (void)context_.document.edit(tr("Cut to %1").arg(name), with_cut(context_.document.scene(), id,
                                                                                       frame / frame_rate(context_)));
                    });
  }
  if (const auto cut = cut_at(place))
    menu->addAction(theme_icon(QStringLiteral("delete")), tr("Delete Cut"), this, [this, cut] { delete_cut(*cut); });
  menu->addSeparator();
  menu->addAction(context_.actions["view.camera"]);
  return menu;
}

void CutStrip::contextMenuEvent(QContextMenuEvent* event) { make_menu(event->pos())->popup(event->globalPos()); }

// Drawing -------------------------------------------------------------------------------------------------------------

void CutStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  const Scene& scene = context_.document.scene();
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  for (const CameraStretch& stretch : stretches()) {
    const Camera* camera = find_camera(scene, stretch.camera);
    const double left = std::max(snap(x_of_time(stretch.from)), -1.0), right = snap(x_of_time(stretch.to));
    if (!camera || right < 0 || left > width()) continue;
    const bool chosen = context_.selection.contains(camera->id);
    const QColor colour = to_qcolor(camera->colour);
    QColor fill = colour;
    fill.setAlpha(chosen ? 190 : 115);
    painter.fillRect(QRectF(left, 2, right - left, height() - 4), fill);
    if (stretch.by_key) {
      const bool selected = is_selected(stretch.from);
      painter.fillRect(QRectF(left, 1, selected ? 3 : 2, height() - 2),
                       selected ? theme_colours().accent.lighter(140) : colour.lighter(135));
    }
    const double room = right - std::max(left, 0.0) - 2 * kCutNameRoom;
    if (room < 12) continue;
    painter.setPen(theme_colours().text);
    painter.drawText(QRectF(std::max(left, 0.0) + kCutNameRoom, 2, room, height() - 4),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(QString::fromStdString(camera->name), Qt::ElideRight, room));
  }
  const double x = snap(x_of(context_.playback.frame()));
  painter.fillRect(QRectF(x - 0.5, 0, 1.5, height()), theme_colours().accent);
}

}  // namespace hazumi
