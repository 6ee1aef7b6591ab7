#include "ui/model/selection.h"

#include <algorithm>

namespace hazumi {

void Selection::set(std::set<Id> ids, Id active) {
  ids.erase(Id{});
  if (!ids.count(active)) active = ids.empty() ? Id{} : *ids.rbegin();
  if (ids == ids_ && active == active_) return;
  ids_ = std::move(ids);
  active_ = active;
  put_in_order();
  emit changed();
}

/// What came alone goes to the end; of several at once nobody knows an order, until one is selected alone again.
void Selection::put_in_order() {
  std::erase_if(order_, [this](Id id) { return ids_.count(id) == 0; });
  std::vector<Id> come;
  for (const Id id : ids_)
    if (std::find(order_.begin(), order_.end(), id) == order_.end()) come.push_back(id);
  if (come.size() > 1)
    order_.clear();
  else
    order_.insert(order_.end(), come.begin(), come.end());
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
