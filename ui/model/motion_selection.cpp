#include "ui/model/motion_selection.h"

#include <algorithm>

#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"

namespace hazumi {

MotionSelection::MotionSelection(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &MotionSelection::drop_missing);
  connect(&document, &DocumentController::document_replaced, this, [this] {
    stops_.clear();
    clear();
  });
}

void MotionSelection::set(std::set<Id> ids, Id active) {
  if (!ids.count(active)) active = ids.empty() ? Id{} : *ids.rbegin();
  if (ids == ids_ && active == active_ && !wire_) return;
  ids_ = std::move(ids);
  active_ = active;
  wire_.reset();
  emit changed();
}

void MotionSelection::toggle(Id id) {
  std::set<Id> next = ids_;
  if (next.erase(id) == 0) next.insert(id);
  set(std::move(next), id);
}

void MotionSelection::set_wire(Wire wire) {
  if (wire_ == wire) return;
  ids_.clear();
  active_ = {};
  wire_ = wire;
  emit changed();
}

void MotionSelection::set_stop(Id id, bool on) {
  if ((stops_.count(id) != 0) == on) return;
  if (on)
    stops_.insert(id);
  else
    stops_.erase(id);
  emit stops_changed();
}

void MotionSelection::drop_missing() {
  const Scene& scene = document_.scene();
  std::erase_if(stops_, [&](Id id) { return !find_motion(scene, id); });
  std::set<Id> there = ids_;
  std::erase_if(there, [&](Id id) { return !find_motion(scene, id); });
  if (there != ids_) return set(std::move(there), active_);
  if (!wire_) return;
  const MotionNode* from = find_motion(scene, wire_->first);
  if (from && std::any_of(from->wires.begin(), from->wires.end(),
                          [&](const MotionWire& wire) { return wire.to == wire_->second.value; }))
    return;
  wire_.reset();
  emit changed();
}

}  // namespace hazumi
