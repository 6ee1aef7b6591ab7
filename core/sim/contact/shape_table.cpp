#include "core/sim/contact/shape_table.h"

#include <algorithm>

namespace hazumi {

const ContactShapeInfo* find_contact_shape(ContactShape choice) {
  for (const ContactShapeInfo* info : contact_shapes())
    if (std::find(info->choices.begin(), info->choices.end(), choice) != info->choices.end()) return info;
  return nullptr;
}

FoundPair find_pair(const ContactShapeInfo& a, const ContactShapeInfo& b) {
  for (const PairRow& row : a.pairs)
    if (row.other == b.name) return {&row, false};
  for (const PairRow& row : b.pairs)
    if (row.other == a.name) return {&row, true};
  return {};
}

}  // namespace hazumi
