#include "ui/model/isolation.h"

#include <algorithm>

#include "ui/model/document_controller.h"

namespace hazumi {

Isolation::Isolation(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document, &DocumentController::document_replaced, this, &Isolation::end);
}

void Isolation::show_only(const std::set<Id>& ids) {
  aside_.clear();
  for (const auto& object : document_.scene().objects)
    if (!ids.contains(object->id)) aside_.insert(object->id);
  on_ = true;
  emit changed();
}

void Isolation::end() {
  if (!on_) return;
  on_ = false;
  aside_.clear();
  emit changed();
}

int Isolation::shown() const {
  const auto& objects = document_.scene().objects;
  return static_cast<int>(std::count_if(objects.begin(), objects.end(),
                                        [this](const auto& object) { return !aside_.contains(object->id); }));
}

}  // namespace hazumi
