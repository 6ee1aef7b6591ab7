#include "ui/panels/motion_canvas.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_problems.h"
#include "ui/model/motion_text.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/sight.h"
#include "ui/widgets/hover_keys.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kFar = 1e6, kLeastZoom = 0.2, kMostZoom = 2.5, kGridStep = 24;  // logical pixels
constexpr double kRoom = 40;                                                     // pixels around what is framed
constexpr double kFadeFrames = 8;  // how long a box that happened is seen to have
constexpr double kNewBoxHeight = 58, kNextColumn = 64;

QColor colour_of_owner(const Scene& scene, Id id) {
  const auto from = [](const Vec3& c) {
    const auto part = [](double x) { return static_cast<int>(255 * std::clamp(x, 0.0, 1.0)); };
    const QColor own(part(c.x()), part(c.y()), part(c.z()));
    // Bright enough to be read on what is dark.
    return QColor::fromHsv(own.hsvHue(), own.hsvSaturation() * 3 / 4, std::max(own.value(), 215));
  };
  if (const Object* object = find_object(scene, id)) return from(object->material.surface.diffuse);
  if (const Collection* group = find_thing(scene, std::get<SceneList<Collection>>(kSceneLists), id))
    return from(group->colour);
  return theme_colours().error;
}

}  // namespace

MotionCanvas::MotionCanvas(UiContext& context, MotionSelection& chosen, QWidget* parent)
    : QGraphicsView(parent),
      context_(context),
      chosen_(chosen),
      hover_keys_(new HoverKeys(*this)),
      sight_(new Sight(*this)) {
  setObjectName(QStringLiteral("motion_canvas"));
  setScene(new QGraphicsScene(-kFar, -kFar, 2 * kFar, 2 * kFar, this));
  scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setViewportUpdateMode(FullViewportUpdate);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setMinimumSize(160, 60);
  const QString hint =
      tr("Drag from the palette adds a box · drag from its right side wires it, with Alt relates it · L loop, M mute, "
         "Ctrl+G group · wheel zooms, middle button pans");
  setStatusTip(hint);
  viewport()->setStatusTip(hint);
  connect(&chosen_, &MotionSelection::changed, this, &MotionCanvas::refresh_looks);
  connect(&chosen_, &MotionSelection::stops_changed, this, &MotionCanvas::refresh_looks);
  connect(&context_.document, &DocumentController::changed, this, &MotionCanvas::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    drag_ = Drag::none;
    framed_ = touched_ = false;
    refresh();
  });
  connect(&context_.selection, &Selection::changed, this, &MotionCanvas::follow_selection);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &MotionCanvas::refresh_looks);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &MotionCanvas::refresh_looks);
  connect(sight_, &Sight::changed, this, &MotionCanvas::refresh);
  refresh();
}

MotionCanvas::~MotionCanvas() = default;

const MotionBox* MotionCanvas::box(Id id) const {
  const auto at = boxes_.find(id);
  return at == boxes_.end() ? nullptr : at->second;
}

const MotionWireItem* MotionCanvas::wire(Id from, Id to) const {
  const auto at = wires_.find({from, to});
  return at == wires_.end() ? nullptr : at->second;
}

// What is there -------------------------------------------------------------------------------------------------------

bool MotionCanvas::is_shown(const MotionNode& node) const {
  return !only_selected_ || context_.selection.contains(Id{node.object}) || chosen_.contains(node.id);
}

void MotionCanvas::set_only_selected(bool on) {
  only_selected_ = on;
  refresh();
  frame_all();
}

/// A problem that is clicked selects its box; the view has the object that it is of.
void MotionCanvas::follow_selection() {
  if (const MotionNode* node = find_motion(context_.document.scene(), context_.selection.active())) {
    const Id id = node->id, object{node->object};
    chosen_.set({id}, id);
    context_.selection.set(find_object(context_.document.scene(), object) ? std::set<Id>{object} : std::set<Id>{});
    if (const MotionBox* shown = box(id);
        shown && !mapToScene(viewport()->rect()).boundingRect().contains(shown->placed()))
      show_view(shown->placed().center(), zoom_);
    return;
  }
  only_selected_ ? refresh() : refresh_looks();
}

BoxLook MotionCanvas::look_of(const MotionNode& node) const {
  const Scene& now = context_.document.scene();
  BoxLook look;
  look.title = box_title(node);
  look.sentence =
      text_of_parts(sentence_of_box(now, keys_.empty() ? node : keyed_box(node, keys_, context_.keying.time())));
  look.condition = condition_text(node);
  look.owner = owner_text(now, node);
  look.colour = colour_of_owner(now, Id{node.object});
  look.event = node.role == MotionRole::event;
  look.loop = node.loop && look.event;
  look.doubled = !look.event && has_arguments(node);
  look.muted = !node.visible;
  look.unknown = kind_of(node) == nullptr;
  look.stop = chosen_.stops().count(node.id) != 0;
  look.own = context_.selection.contains(Id{node.object});
  look.selected = chosen_.contains(node.id);
  look.active = chosen_.active() == node.id;
  look.hovered = hovered_.part != Part::wire && hovered_.part != Part::group && hovered_.id == node.id;
  if (const auto fault = faults_.find(node.id); fault != faults_.end()) look.fault = fault->second;
  const auto light = lights_.find(node.id);
  if (light == lights_.end() || !node.visible) return look;
  look.lit = light->second.armed > 0;
  look.running = light->second.running > 0;
  look.count = light->second.count;
  const double since = context_.playback.frame() - light->second.last;
  if (light->second.last >= 0 && since < kFadeFrames) look.flash = 1 - since / kFadeFrames;
  return look;
}

WireLook MotionCanvas::look_of_wire(const MotionNode& from, const MotionWire& wire) const {
  const Scene& now = context_.document.scene();
  const MotionNode* to = find_motion(now, Id{wire.to});
  WireLook look;
  look.related = wire.related;
  look.selected = chosen_.wire() == MotionSelection::Wire(from.id, Id{wire.to});
  look.hovered = hovered_ == Hit{Part::wire, from.id, Id{wire.to}};
  look.muted = !from.visible || !to || !to->visible;
  const MotionBox *source = box(from.id), *target = box(Id{wire.to});
  look.lit = !wire.related && source && target && source->look().flash > 0 &&
             (target->look().lit || target->look().running || target->look().flash > 0);
  const auto is_case = [&](const MotionWire& one) {
    const MotionNode* node = find_motion(now, Id{one.to});
    const EventKind* kind = node && node->role == MotionRole::event ? find_event_kind(node->kind) : nullptr;
    return !one.related && kind && kind->is_case;
  };
  if (!is_case(wire)) return look;
  int place = 0, all = 0;
  for (const MotionWire& one : from.wires) {
    if (is_case(one)) ++all;
    if (one.to == wire.to) place = all;
  }
  look.place = place;
  return look;
}

void MotionCanvas::refresh() {
  const Scene& now = context_.document.scene();
  faults_ = faults_of_boxes(now);
  keys_ = BoxTracks(now);
  board_.forget();
  std::map<Id, MotionBox*> old;
  old.swap(boxes_);
  for (const auto& node : now.motion) {
    if (!is_shown(*node)) continue;
    const auto known = old.find(node->id);
    MotionBox* item = known == old.end() ? new MotionBox(node->id) : known->second;
    if (known == old.end())
      scene()->addItem(item);
    else
      old.erase(known);
    item->setPos(node->x, node->y);
    boxes_.emplace(node->id, item);
  }
  for (const auto& [id, item] : old) delete item;
  auto old_wires = std::exchange(wires_, {});
  for (const auto& node : now.motion)
    for (const MotionWire& wire : node->wires) {
      const std::pair key(node->id, Id{wire.to});
      if (!boxes_.count(key.first) || !boxes_.count(key.second) || wires_.count(key)) continue;
      const auto known = old_wires.find(key);
      MotionWireItem* item = known == old_wires.end() ? new MotionWireItem(key.first, key.second) : known->second;
      if (known == old_wires.end())
        scene()->addItem(item);
      else
        old_wires.erase(known);
      wires_.emplace(key, item);
    }
  for (const auto& [key, item] : old_wires) delete item;
  refresh_looks();
}

void MotionCanvas::refresh_looks() {
  if (!sight_->seen()) return;
  const auto log = context_.playback.log();
  lights_ = log ? board_.at(log->motion, context_.playback.frame()) : std::map<Id, BoxLight>();
  const Scene& now = context_.document.scene();
  for (const auto& node : now.motion)
    if (const auto item = boxes_.find(node->id); item != boxes_.end()) item->second->show(look_of(*node));
  place_wires();
  if (!framed_ && viewport()->height() > kNewBoxHeight) {
    framed_ = true;
    frame_all();
  }
  viewport()->update();
}

void MotionCanvas::place_wires() {
  for (const auto& node : context_.document.scene().motion)
    for (const MotionWire& wire : node->wires) {
      const auto item = wires_.find({node->id, Id{wire.to}});
      if (item == wires_.end()) continue;
      const MotionBox &from = *boxes_.at(node->id), &to = *boxes_.at(Id{wire.to});
      item->second->show(look_of_wire(*node, wire),
                         wire.related ? relation_path(from.placed(), to.placed()) : wire_path(from.exit(), to.entry()));
    }
}

std::vector<QRectF> MotionCanvas::places() const {
  std::vector<QRectF> all;
  for (const auto& node : context_.document.scene().motion) {
    const MotionBox* item = box(node->id);
    all.push_back(item ? item->placed() : QRectF(node->x, node->y, MotionBox::kWidth, kNewBoxHeight));
  }
  return all;
}

/// Of the middle of a new box: there, or below.
QPointF MotionCanvas::free_place(QPointF wanted) const {
  const std::vector<QRectF> taken = places();
  const QSizeF size(MotionBox::kWidth + 16, kNewBoxHeight + 20);
  for (int step = 0; step < 200; ++step) {
    const QPointF middle = wanted + QPointF(0, step * 8);
    const QRectF place(middle - QPointF(size.width() / 2, size.height() / 2), size);
    if (std::none_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(place); })) return middle;
  }
  return wanted;
}

// View ----------------------------------------------------------------------------------------------------------------

void MotionCanvas::show_view(QPointF centre, double zoom) {
  zoom_ = std::clamp(zoom, kLeastZoom, kMostZoom);
  centre_ = centre;
  setTransform(QTransform::fromScale(zoom_, zoom_));
  centerOn(centre_);
  viewport()->update();
}

void MotionCanvas::frame(const QRectF& what) {
  const QSizeF room = QSizeF(viewport()->size()) - QSizeF(kRoom, kRoom);
  if (what.isEmpty() || room.isEmpty()) return show_view({}, 1);
  show_view(what.center(), std::min({1.0, room.width() / what.width(), room.height() / what.height()}));
}

void MotionCanvas::frame_all() {
  QRectF all;
  for (const auto& [id, item] : boxes_) all |= item->placed();
  for (const auto& [name, group] : group_frames()) all |= group.frame;
  frame(all);
}

void MotionCanvas::frame_selected() {
  QRectF all;
  for (const auto& [id, item] : boxes_)
    if (chosen_.contains(id)) all |= item->placed();
  all.isEmpty() ? frame_all() : frame(all);
}

void MotionCanvas::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  touched_ ? centerOn(centre_) : frame_all();
  if (!framed_) refresh_looks();
}

void MotionCanvas::drawBackground(QPainter* painter, const QRectF& rect) {
  painter->fillRect(rect, theme_colours().base);
  paint_groups(*painter);
  if (zoom_ < 0.45) return;
  painter->setPen(QPen(QColor(0x33, 0x36, 0x3b), 1.4 / zoom_));
  QPolygonF dots;
  for (double x = std::floor(rect.left() / kGridStep) * kGridStep; x < rect.right(); x += kGridStep)
    for (double y = std::floor(rect.top() / kGridStep) * kGridStep; y < rect.bottom(); y += kGridStep)
      dots << QPointF(x, y);
  painter->drawPoints(dots);
}

void MotionCanvas::drawForeground(QPainter* painter, const QRectF&) {
  const ThemeColours& colours = theme_colours();
  if (drag_ == Drag::wire || drag_ == Drag::relate) {
    const MotionBox* from = box(pressed_.id);
    const MotionBox* to = box(box_at(mapToScene(mouse_)));
    const QPointF end = mapToScene(mouse_);
    const bool related = drag_ == Drag::relate;
    const QRectF there = to && to != from ? to->placed() : QRectF(end, QSizeF(1, 1));
    const bool fits = to && no_wire(context_.document.scene(), pressed_.id, to->id(), related).isEmpty();
    const QColor colour = to && to != from ? (fits ? colours.accent : colours.error) : QColor(0xb9, 0xc0, 0xc9);
    if (from)
      paint_wire(*painter,
                 related ? relation_path(from->placed(), there)
                         : wire_path(from->exit(), to && to != from ? to->entry() : end),
                 colour, 2, related);
  }
  if (preview_) {
    const QRectF place(preview_->middle - QPointF(MotionBox::kWidth / 2, kNewBoxHeight / 2),
                       QSizeF(MotionBox::kWidth, kNewBoxHeight));
    painter->setPen(QPen(colours.accent, 1.5, Qt::DashLine));
    painter->setBrush(QColor(240, 154, 62, 30));
    const double round = preview_->role == MotionRole::event ? 3 : 13;
    painter->drawRoundedRect(place, round, round);
  }
  painter->resetTransform();
  if (drag_ == Drag::band && moved_) {
    QColor fill = colours.accent;
    fill.setAlpha(30);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(colours.accent);
    painter->setBrush(fill);
    painter->drawRect(QRect(press_, mouse_).normalized());
  }
  if (!boxes_.empty() || preview_) return;
  painter->setPen(colours.quiet_text);
  painter->drawText(
      viewport()->rect().adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
      only_selected_ && !context_.document.scene().motion.empty()
          ? tr("What is selected has no boxes.")
          : tr("Say what shall happen when: drag an event and a procedure here, and a wire from one to the other."));
}

bool MotionCanvas::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QGraphicsView::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Hit hit = hit_at(mapToScene(help->pos()));
  const MotionNode* node = hit.part == Part::wire ? nullptr : find_motion(context_.document.scene(), hit.id);
  QString text;
  if (hit.part == Part::wire) text = tr("A wire: click and Delete takes it away.");
  if (hit.part == Part::loop) text = tr("Loop: it happens each time; off, it happens once.");
  if (hit.part == Part::exit) text = tr("Drag to what follows, or to the empty for a list.");
  if (hit.part == Part::group) text = tr("A group: drag moves its boxes, a double click renames it.");
  if (hit.part == Part::relation) text = tr("Drag to another event: when one happens, the other waits no more.");
  if (node && hit.part == Part::box) {
    const MotionKind* kind = kind_of(*node);
    text = text_of_parts(sentence_of_box(context_.document.scene(), *node));
    if (kind)
      text += QLatin1Char('\n') + QString::fromUtf8(kind->tooltip.data(), static_cast<qsizetype>(kind->tooltip.size()));
    if (const auto fault = faults_.find(hit.id); fault != faults_.end()) text = fault->second;
  }
  text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace hazumi
