#include "ui/model/selection.h"

namespace hazumi {

void Selection::set(std::set<Id> ids, Id active) {
  ids.erase(Id{});
  if (!ids.count(active)) active = ids.empty() ? Id{} : *ids.rbegin();
  if (ids == ids_ && active == active_) return;
  ids_ = std::move(ids);
  active_ = active;
  emit changed();
}

void Selection::select_only(Id id) { set({id}, id); }

void Selection::toggle(Id id) {
  std::set<Id> next = ids_;
  if (next.erase(id)) {
    set(std::move(next), id == active_ ? Id{} : active_);
  } else {
    next.insert(id);
    set(std::move(next), id);
  }
}

void Selection::add(const std::set<Id>& ids) {
  std::set<Id> next = ids_;
  next.insert(ids.begin(), ids.end());
  const Id active = ids.empty() ? active_ : *ids.rbegin();
  set(std::move(next), active);
}

void Selection::clear() { set({}); }

}  // namespace hazumi
