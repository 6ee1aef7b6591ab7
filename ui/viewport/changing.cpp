#include "ui/viewport/changing.h"

#include <cmath>

#include <QPainter>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/takes.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/element_selection.h"
#include "ui/viewport/navigation.h"

namespace hazumi {

namespace {

constexpr double kVelocityTime = 0.25;  // s: an arrow is as long as what is passed in it
constexpr double kVelocityReach = 8, kVelocitySize = 5, kShortestArrow = 34;  // logical pixels
const QColor kArrowColour(0x7c, 0xd9, 0x92);

bool can_change(const Object& object) { return body_kind(object.body.kind).moves; }

}  // namespace

QString no_changing(const UiContext& context) {
  const Scene& scene = context.document.scene();
  if (context.elements.mode()) return tr("Go back to objects (Tab) first.");
  if (std::none_of(scene.objects.begin(), scene.objects.end(), [](const auto& o) { return can_change(*o); }))
    return tr("Nothing in the scene moves.");
  if (context.playback.frame() == 0) return tr("This is the start, which is edited as it is; go to a later frame.");
  return context.playback.frame() < context.playback.cache().size() ? QString()
                                                                    : tr("This frame has not been computed yet.");
}

Changing::Changing(UiContext& context, const ViewNavigation& navigation, QObject* parent)
    : QObject(parent), context_(context), navigation_(navigation) {
  connect(&context_.playback, &PlaybackController::frame_changed, this, [this](int frame) {
    if (frame != frame_) end();
  });
  connect(&context_.playback, &PlaybackController::playing_changed, this, [this](bool playing) {
    if (playing) end();
  });
  connect(&context_.document, &DocumentController::document_replaced, this, &Changing::end);
  connect(&context_.elements, &ElementSelection::mode_changed, this, &Changing::end);
  connect(&context_.selection, &Selection::changed, this, &Changing::changed);
}

void Changing::begin() {
  context_.playback.play(false);
  if (!no_changing(context_).isEmpty()) return;
  frame_ = context_.playback.frame();
  seen_ = context_.playback.shown();
  before_ = context_.playback.cache().frame(frame_ - 1);
  takes_.clear();
  for (const auto& take : context_.document.scene().takes) takes_.insert(take->id);
  on_ = true;
  emit switched();
}

void Changing::end() {
  if (!on_) return;
  on_ = false;
  seen_ = before_ = nullptr;
  emit switched();
}

/// The frame as it is by now, where it is computed; else as it was when this began.
ChangePlace Changing::place() const {
  ChangePlace place;
  place.before = context_.document.snapshot();
  place.frame = frame_;
  place.seen = context_.playback.shown();
  if (!place.seen) place.seen = seen_;
  const Take* current = current_take(*place.before);
  // The one that a scene without takes gets is not new either.
  if (current && !takes_.contains(current->id) && (!takes_.empty() || place.before->takes.front()->id != current->id))
    place.take = current->id;
  place.active = context_.selection.active();
  if (!place.seen) return place;
  for (const Id id : ObjectsTarget::movable(*place.before, context_.selection.ids())) {
    const Object* object = find_object(*place.before, id);
    const ObjectFrame* shown = place.seen->find(id);
    if (object && shown && shown->present && can_change(*object)) place.bodies.insert(id);
  }
  return place;
}

std::shared_ptr<const TransformTarget> Changing::target() const {
  auto target = std::make_shared<ChangeTarget>(place());
  if (!target->empty()) return target;
  emit context_.document.told(context_.selection.empty() ? tr("Select what shall be changed at this frame.")
                                                         : tr("Nothing that is selected moves by itself."));
  return nullptr;
}

std::shared_ptr<const TransformTarget> Changing::velocity_target(const Tip& tip) const {
  return std::make_shared<VelocityTarget>(place(), tip.body, tip.velocity, kVelocityTime);
}

/// As it was given, or as it came here.
Vec3 Changing::velocity_of(Id body) const {
  if (const MotionNode* box = change_at(context_.document.scene(), body, frame_)) {
    const auto number = [&](std::string_view name) {
      const MotionParameter* parameter = find_parameter(*box, name);
      return parameter ? parameter->number : 0.0;
    };
    if (number("throws") != 0) return {number("vx"), number("vy"), number("vz")};
  }
  const ObjectFrame *now = seen_ ? seen_->find(body) : nullptr, *was = before_ ? before_->find(body) : nullptr;
  if (!now || !was || !was->present) return Vec3::Zero();
  return context_.document.scene().settings.frame_rate * (now->position - was->position).cast<double>();
}

std::vector<Changing::Tip> Changing::tips() const {
  std::vector<Tip> all;
  if (!on_) return all;
  const ChangePlace here = place();
  for (const Id id : here.bodies) {
    Tip tip{id, here.seen->find(id)->position.cast<double>(), velocity_of(id), {}, {}};
    const glm::vec3 from = navigation_.camera().project(to_float(tip.from), navigation_.size());
    const glm::vec3 to =
        navigation_.camera().project(to_float(Vec3(tip.from + kVelocityTime * tip.velocity)), navigation_.size());
    if (!(from.z > 0 && from.z < 1 && to.z > 0 && to.z < 1)) continue;
    tip.root = QPointF(from.x, from.y);
    tip.at = QPointF(to.x, to.y);
    // A slow one would lie in the middle of the other handles.
    const QPointF way = tip.at - tip.root;
    const double length = std::hypot(way.x(), way.y());
    if (length < kShortestArrow) tip.at = tip.root + (length > 1 ? way * (kShortestArrow / length) : QPointF(-24, 24));
    all.push_back(tip);
  }
  return all;
}

std::optional<Changing::Tip> Changing::tip_at(QPointF mouse) const {
  for (Tip& tip : tips())
    if (std::hypot(tip.at.x() - mouse.x(), tip.at.y() - mouse.y()) <= kVelocityReach) return tip;
  return std::nullopt;
}

QString Changing::hint() const {
  return tr("Move and turn what is selected, or drag the tip of its velocity: it goes on from there · Esc ends it");
}

QString Changing::note() const {
  return tr("Frame %1 is changed, in a take of its own: what comes before stays · Esc ends it").arg(frame_);
}

void Changing::paint(QPainter& painter) const {
  for (const Tip& tip : tips()) {
    for (const auto& [width, colour] : {std::pair(4.0, QColor(0, 0, 0, 150)), std::pair(2.0, kArrowColour)}) {
      painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
      painter.setBrush(Qt::NoBrush);
      painter.drawLine(tip.root, tip.at);
      painter.drawEllipse(tip.at, kVelocitySize, kVelocitySize);
    }
    const QString text = tr("%1 m/s").arg(tip.velocity.norm(), 0, 'f', 2);
    const QRectF box = painter.fontMetrics().boundingRect(text).adjusted(-5, -2, 5, 2);
    const QRectF label = box.translated(tip.at + QPointF(10, -8) - QPointF(box.left(), 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 150));
    painter.drawRoundedRect(label, 4, 4);
    painter.setPen(QColor(0xf4, 0xf5, 0xf7));
    painter.drawText(label, Qt::AlignCenter, text);
  }
}

}  // namespace hazumi
