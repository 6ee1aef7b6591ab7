// Duplicate: copies of what is selected, beside the originals or where they are.
#include <algorithm>

#include "core/scene/derived/collections.h"
#include "ui/model/commands.h"
#include "ui/model/copies.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

bool duplicate_selected(DocumentController& document, Selection& selection, quint64 merge_key, bool beside) {
  const Scene& before = document.scene();
  const std::set<Id> originals = with_contents(before, selection.ids());
  const Vec3 offset(beside ? shift_beside(before, originals, document.meshes()) : 0, 0, 0);
  if (copied(before, originals, offset).of.empty()) return false;
  const QString text = tr("Duplicate %1").arg(selection_text(before, selection));
  const auto selected = selected_objects_of(before, selection);
  const bool follows = std::none_of(selected.begin(), selected.end(), [](const Object* o) { return o->locked; });
  auto operation = shift_operation(
      offset, follows, [&selection, originals, active = selection.active()](const Scene& scene, const Shift& now) {
        Copies copies = copied(scene, originals, now.offset);
        const auto select = [&selection, of = copies.of, active] {
          std::set<Id> made;
          for (const auto& [original, copy] : of) made.insert(copy);
          const auto leads = of.find(active);
          selection.set(std::move(made), leads == of.end() ? Id{} : leads->second);
        };
        return Operation::Made{std::move(copies.scene), select, {}};
      });
  return document.last_operation().begin(text, std::move(operation), merge_key).ok();
}

void put_copies_beside(DocumentController& document, const Selection& selection, quint64 merge_key) {
  const Operation* made = document.last_operation().operation();
  if (!made || document.last_operation().key() != merge_key) return;
  const double shift =
      shift_beside(document.scene(), with_contents(document.scene(), selection.ids()), document.meshes());
  for (std::size_t row = 0; row < made->row_count(); ++row)
    if (made->spec(row).path == QLatin1String("offset"))
      (void)document.last_operation().adjust(row, FieldValue{Vec3(shift, 0, 0)});
}

}  // namespace hazumi
