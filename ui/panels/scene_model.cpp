#include "ui/panels/scene_model.h"

#include <algorithm>
#include <set>

#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const char kMime[] = "application/x-hazumi-ids";

template <class Thing>
QString visible_tip(const Thing& thing) {
  if constexpr (!std::is_same_v<Thing, Object>)
    return thing.visible ? SceneModel::tr("On. Click to switch off.") : SceneModel::tr("Off. Click to switch on.");
  else
    return thing.visible ? SceneModel::tr("Visible. Click to hide.") : SceneModel::tr("Hidden. Click to show.");
}

template <class Thing>
constexpr bool kHasLock = requires(Thing thing) {
  thing.locked;
};

QVariant lock_data(bool locked, int role) {
  if (role == Qt::DecorationRole) return theme_icon(locked ? "lock" : "unlock");
  if (role == Qt::ToolTipRole)
    return locked ? SceneModel::tr("Locked: cannot be clicked in the viewport. Click to unlock.")
                  : SceneModel::tr("Click to lock against clicks in the viewport.");
  if (role == Qt::AccessibleTextRole) return locked ? SceneModel::tr("locked") : SceneModel::tr("not locked");
  return {};
}

template <class Thing>
QVariant name_data(const SceneList<Thing>& list, const Thing& thing, int role) {
  const QString name = QString::fromStdString(thing.name);
  if (role == Qt::DisplayRole || role == Qt::EditRole) return name;
  if (role == Qt::DecorationRole) return theme_icon(text_of(list.icon(thing)));
  if (role == Qt::ToolTipRole)
    return SceneModel::tr("%1 (%2)").arg(name, SceneModel::tr(std::string(list.label(thing)).c_str()));
  if (role == Qt::ForegroundRole && !thing.visible) return theme_colours().quiet_text;
  return {};
}

template <class Thing>
QVariant eye_data(const Thing& thing, int role) {
  if (role == Qt::DecorationRole) return theme_icon(thing.visible ? "show" : "hide");
  if (role == Qt::ToolTipRole) return visible_tip(thing);
  if (role == Qt::AccessibleTextRole) return thing.visible ? SceneModel::tr("visible") : SceneModel::tr("hidden");
  return {};
}

/// Calls visit(list, Shared<Thing>) with the thing of a row.
template <class Visit>
void visit_row(const Scene& scene, std::size_t row, const Visit& visit) {
  std::size_t first = 0;
  visit_scene_lists([&](const auto& list) {
    const auto& things = scene.*list.member;
    if (row >= first && row < first + things.size()) visit(list, things[row - first]);
    first += things.size();
  });
}

/// Ids in the order of the rows.
std::vector<std::uint64_t> ids_of(const Scene& scene) {
  std::vector<std::uint64_t> ids;
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member) ids.push_back(thing->id.value);
  });
  return ids;
}

}  // namespace

SceneModel::SceneModel(DocumentController& document, QObject* parent)
    : RowModel(column_count, kMime, parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &SceneModel::on_change);
  connect(&document, &DocumentController::document_replaced, this, &SceneModel::reload);
  reload();
}

int SceneModel::row(Id id) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, -1));
  return at != rows_.end() && at->first == id ? at->second : -1;
}

QVariant SceneModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  // A view may ask between an edit and the signal that tells this model of it: then the thing may be gone.
  const Id id = this->id(index.row());
  if (role == id_role) return QVariant::fromValue<qulonglong>(id.value);
  QVariant answer;
  const auto row = static_cast<std::size_t>(index.row());
  visit_row(document_.scene(), row, [&]<class Thing>(const SceneList<Thing>& list, const Shared<Thing>& thing) {
    if (thing->id != id) return;
    if (index.column() == name_column) answer = name_data(list, *thing, role);
    if (index.column() == eye_column) answer = eye_data(*thing, role);
    if constexpr (kHasLock<Thing>)
      if (index.column() == lock_column) answer = lock_data(thing->locked, role);
  });
  return answer;
}

bool SceneModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != name_column) return false;
  const std::string name = value.toString().trimmed().toStdString();
  const Id id = this->id(index.row());
  const Scene& scene = document_.scene();
  bool same = true;
  visit_thing(scene, id, [&](const auto&, const auto& thing) { same = thing->name == name; });
  if (same) return false;
  const QString text = tr("Rename %1").arg(index.data().toString());
  // An empty or overlong name is refused by the document, which tells the status bar why.
  return document_.edit(text, with_thing(scene, id, [&](auto& thing) { thing.name = name; })).ok();
}

void SceneModel::toggle(const std::vector<Id>& ids, Column column) {
  if (ids.empty()) return;
  const bool eye = column == eye_column;
  const auto flag = [eye]<class Thing>(Thing& thing) -> bool* {
    if constexpr (kHasLock<Thing>) return eye ? &thing.visible : &thing.locked;
    return eye ? &thing.visible : nullptr;
  };
  Scene next = document_.scene();
  bool on = true;
  const bool known = visit_thing(next, ids.front(), [&](const auto&, const auto& thing) {
    auto first = *thing;
    if (const bool* now = flag(first)) on = !*now;
  });
  if (!known) return;
  const std::set<Id> wanted(ids.begin(), ids.end());
  visit_scene_lists([&](const auto& list) {
    for (auto& thing : next.*list.member)
      if (wanted.count(thing->id))
        thing = thing.edited([&](auto& changed) {
          if (bool* value = flag(changed)) *value = on;
        });
  });
  document_.edit(eye ? (on ? tr("Show") : tr("Hide")) : (on ? tr("Lock") : tr("Unlock")), std::move(next)).ok();
}

void SceneModel::move_rows(const std::set<RowId>& ids, int row) {
  Scene next = document_.scene();
  int first = 0;  // row of the list
  visit_scene_lists([&](const auto& list) {
    auto& things = next.*list.member;
    const int count = static_cast<int>(things.size());
    move_before(things, static_cast<std::size_t>(std::clamp(row - first, 0, count)),
                [&](const auto& thing) { return ids.count(thing->id.value) > 0; });
    first += count;
  });
  document_.edit(tr("Reorder"), std::move(next)).ok();
}

void SceneModel::on_change(const ChangeSet& change) {
  if (change.structure && ids_of(document_.scene()) != row_ids()) return reload();
  for (Id id : change.objects)
    if (const int row = this->row(id); row >= 0) emit dataChanged(index(row, 0), index(row, column_count - 1));
}

void SceneModel::reload() {
  std::vector<RowId> ids = ids_of(document_.scene());
  rows_.clear();
  for (std::size_t i = 0; i < ids.size(); ++i) rows_.emplace_back(Id{ids[i]}, static_cast<int>(i));
  std::sort(rows_.begin(), rows_.end());
  reset_rows(std::move(ids));
}

}  // namespace hazumi
