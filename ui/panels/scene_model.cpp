#include "ui/panels/scene_model.h"

#include <algorithm>
#include <set>

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include "ui/model/document_controller.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const char kMime[] = "application/x-hazumi-ids";

QString icon_name(const Object& object) {
  if (object.display.kind == DisplayKind::none) return object.analysis.kind == AnalysisKind::none ? "point" : "truss";
  if (object.display.kind == DisplayKind::metaballs) return "metaballs";
  if (object.display.kind == DisplayKind::mesh) return object.display.mesh.mesh ? "mesh" : "warning";
  switch (object.display.primitive.shape) {
    case PrimitiveShape::box:
      return "box";
    case PrimitiveShape::sphere:
      return "sphere";
    case PrimitiveShape::cylinder:
      return "cylinder";
    case PrimitiveShape::cone:
      return "cone";
    case PrimitiveShape::torus:
      return "torus";
    case PrimitiveShape::plane:
      return "plane";
    case PrimitiveShape::superellipsoid:
      return "superellipsoid";
    case PrimitiveShape::supertorus:
      return "supertorus";
    case PrimitiveShape::hyperboloid_one:
      return "hyperboloid_one";
    case PrimitiveShape::hyperboloid_two:
      return "hyperboloid_two";
    case PrimitiveShape::capsule:
      return "capsule";
    case PrimitiveShape::tube:
      return "tube";
    case PrimitiveShape::wedge:
      return "wedge";
    case PrimitiveShape::rounded_box:
      return "rounded_box";
  }
  return "box";
}

QString kind_text(const Object& object) {
  return SceneModel::tr(std::string(body_kind(object.body.kind).name).c_str());
}

template <class T>
void move_to(std::vector<Shared<T>>& list, const std::set<Id>& ids, std::size_t row) {
  std::vector<Shared<T>> before, moved, after;
  for (std::size_t i = 0; i < list.size(); ++i)
    (ids.count(list[i]->id) ? moved : i < row ? before : after).push_back(list[i]);
  list = std::move(before);
  list.insert(list.end(), moved.begin(), moved.end());
  list.insert(list.end(), after.begin(), after.end());
}

}  // namespace

SceneModel::SceneModel(DocumentController& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &SceneModel::on_change);
  connect(&document, &DocumentController::document_replaced, this, &SceneModel::reload);
  reload();
}

int SceneModel::row(Id id) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, -1));
  return at != rows_.end() && at->first == id ? at->second : -1;
}

int SceneModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(ids_.size());
}
int SceneModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant SceneModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Scene& scene = document_.scene();
  const auto row = static_cast<std::size_t>(index.row());
  // A view may ask between an edit and the signal that tells this model of it.
  const bool is_object = index.row() < object_count_;
  if (is_object ? row >= scene.objects.size() : row - object_count_ >= scene.lights.size()) return {};
  const Object* object = is_object ? scene.objects[row].get() : nullptr;
  const Light* light = is_object ? nullptr : scene.lights[row - static_cast<std::size_t>(object_count_)].get();
  const bool visible = object ? object->visible : light->visible;
  const QString name = QString::fromStdString(object ? object->name : light->name);
  if (role == id_role) return QVariant::fromValue<qulonglong>(object ? object->id.value : light->id.value);
  switch (index.column()) {
    case name_column:
      if (role == Qt::DisplayRole || role == Qt::EditRole) return name;
      if (role == Qt::DecorationRole)
        return theme_icon(object ? icon_name(*object) : light->kind == LightKind::directional ? "sun" : "bulb");
      if (role == Qt::ToolTipRole)
        return object ? tr("%1 (%2)").arg(name, kind_text(*object)) : tr("%1 (light)").arg(name);
      if (role == Qt::ForegroundRole && !visible) return theme_colours().quiet_text;
      break;
    case eye_column:
      if (role == Qt::DecorationRole) return theme_icon(visible ? "show" : "hide");
      if (role == Qt::ToolTipRole)
        return object ? (visible ? tr("Visible. Click to hide.") : tr("Hidden. Click to show."))
                      : (visible ? tr("On. Click to switch off.") : tr("Off. Click to switch on."));
      if (role == Qt::CheckStateRole) return {};
      if (role == Qt::AccessibleTextRole) return visible ? tr("visible") : tr("hidden");
      break;
    case lock_column:
      if (!object) break;
      if (role == Qt::DecorationRole) return theme_icon(object->locked ? "lock" : "unlock");
      if (role == Qt::ToolTipRole)
        return object->locked ? tr("Locked: cannot be clicked in the viewport. Click to unlock.")
                              : tr("Click to lock against clicks in the viewport.");
      if (role == Qt::AccessibleTextRole) return object->locked ? tr("locked") : tr("not locked");
      break;
    default:
      break;
  }
  return {};
}

Qt::ItemFlags SceneModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled;
  if (index.column() == name_column) flags |= Qt::ItemIsEditable;
  return flags;
}

bool SceneModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != name_column) return false;
  const std::string name = value.toString().trimmed().toStdString();
  const Id id = this->id(index.row());
  const Scene& scene = document_.scene();
  const Object* object = find_object(scene, id);
  const Light* light = find_light(scene, id);
  if ((object && object->name == name) || (light && light->name == name)) return false;
  const QString text = tr("Rename %1").arg(index.data().toString());
  // An empty or overlong name is refused by the document, which tells the status bar why.
  return document_
      .edit(text, object ? with_object(scene, id, [&](Object& o) { o.name = name; })
                         : with_light(scene, id, [&](Light& l) { l.name = name; }))
      .ok();
}

void SceneModel::toggle(const std::vector<Id>& ids, Column column) {
  if (ids.empty()) return;
  const std::set<Id> wanted(ids.begin(), ids.end());
  Scene next = document_.scene();
  const Object* first = find_object(next, ids.front());
  const Light* first_light = find_light(next, ids.front());
  if (!first && !first_light) return;
  const bool eye = column == eye_column;
  const bool on = !(eye ? (first ? first->visible : first_light->visible) : first && first->locked);
  for (auto& object : next.objects)
    if (wanted.count(object->id)) object = object.edited([&](Object& o) { (eye ? o.visible : o.locked) = on; });
  if (eye)
    for (auto& light : next.lights)
      if (wanted.count(light->id)) light = light.edited([&](Light& l) { l.visible = on; });
  document_.edit(eye ? (on ? tr("Show") : tr("Hide")) : (on ? tr("Lock") : tr("Unlock")), std::move(next)).ok();
}

QStringList SceneModel::mimeTypes() const { return {kMime}; }

QMimeData* SceneModel::mimeData(const QModelIndexList& indexes) const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  std::set<Id> ids;
  for (const auto& index : indexes) ids.insert(id(index.row()));
  for (Id id : ids) stream << static_cast<quint64>(id.value);
  auto* data = new QMimeData;
  data->setData(kMime, bytes);
  return data;
}

int SceneModel::drop_row(int row, const QModelIndex& parent) const {
  return row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
}

bool SceneModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex&) const {
  return action == Qt::MoveAction && data->hasFormat(kMime);
}

bool SceneModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                              const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  std::set<Id> ids;
  const QByteArray bytes = data->data(kMime);
  QDataStream stream(bytes);
  while (!stream.atEnd()) {
    quint64 value = 0;
    stream >> value;
    ids.insert(Id{value});
  }
  const int to = drop_row(row, parent);
  Scene next = document_.scene();
  move_to(next.objects, ids, static_cast<std::size_t>(std::min(to, object_count_)));
  move_to(next.lights, ids, static_cast<std::size_t>(std::max(0, to - object_count_)));
  document_.edit(tr("Reorder"), std::move(next)).ok();
  return false;  // the rows were moved by the edit; the view must not remove them itself
}

void SceneModel::on_change(const ChangeSet& change) {
  const Scene& scene = document_.scene();
  bool same = scene.objects.size() + scene.lights.size() == ids_.size() &&
              static_cast<int>(scene.objects.size()) == object_count_;
  for (std::size_t i = 0; same && change.structure && i < ids_.size(); ++i)
    same = ids_[i] == (i < scene.objects.size() ? scene.objects[i]->id : scene.lights[i - scene.objects.size()]->id);
  if (!same) return reload();
  for (Id id : change.objects)
    if (const int row = this->row(id); row >= 0) emit dataChanged(index(row, 0), index(row, column_count - 1));
}

void SceneModel::reload() {
  beginResetModel();
  ids_.clear();
  rows_.clear();
  const Scene& scene = document_.scene();
  for (const auto& object : scene.objects) ids_.push_back(object->id);
  for (const auto& light : scene.lights) ids_.push_back(light->id);
  object_count_ = static_cast<int>(scene.objects.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) rows_.emplace_back(ids_[i], static_cast<int>(i));
  std::sort(rows_.begin(), rows_.end());
  endResetModel();
}

}  // namespace hazumi
