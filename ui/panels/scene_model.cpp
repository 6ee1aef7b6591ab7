#include "ui/panels/scene_model.h"

#include <algorithm>
#include <map>

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include "core/scene/derived/family.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/arrangement.h"
#include "ui/model/commands.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/panels/row_model.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const char kMime[] = "application/x-hazumi-ids";

template <class Thing>
constexpr bool kIsSeen =
    std::is_same_v<Thing, Object> || std::is_same_v<Thing, Collection> || std::is_same_v<Thing, Camera> ||
    std::is_same_v<Thing, Curve> || std::is_same_v<Thing, Joint> || std::is_same_v<Thing, Force> ||
    std::is_same_v<Thing, ForceField> || std::is_same_v<Thing, ParticleSource>;

/// `hidden_by`: a collection that hides it, whatever its own eye says.
template <class Thing>
QString visible_tip(const Thing& thing, const QString& hidden_by) {
  if (!hidden_by.isEmpty() && thing.visible) return SceneModel::tr("Hidden by the collection %1.").arg(hidden_by);
  if constexpr (!kIsSeen<Thing>)
    return thing.visible ? SceneModel::tr("On. Click to switch off.") : SceneModel::tr("Off. Click to switch on.");
  else
    return thing.visible ? SceneModel::tr("Visible. Click to hide.") : SceneModel::tr("Hidden. Click to show.");
}

template <class Thing>
constexpr bool kHasLock = requires(Thing thing) {
  thing.locked;
};

/// Fainter where something else says the same louder.
QIcon switch_icon(const char* name, bool faint) {
  static const QColor kFaint(0x62, 0x66, 0x6d);
  return theme_icon(QLatin1String(name), faint ? kFaint : QColor());
}

QVariant lock_data(bool locked, bool by_collection, int role) {
  if (role == Qt::DecorationRole)
    return switch_icon(locked || by_collection ? "lock" : "unlock", by_collection && !locked);
  if (role == Qt::ToolTipRole)
    return locked          ? SceneModel::tr("Locked: cannot be clicked in the viewport. Click to unlock.")
           : by_collection ? SceneModel::tr("Locked by its collection.")
                           : SceneModel::tr("Click to lock against clicks in the viewport.");
  if (role == Qt::AccessibleTextRole)
    return locked || by_collection ? SceneModel::tr("locked") : SceneModel::tr("not locked");
  return {};
}

template <class Thing>
QVariant name_data(const SceneList<Thing>& list, const Thing& thing, bool seen, int role) {
  const QString name = QString::fromStdString(thing.name);
  if (role == Qt::DisplayRole || role == Qt::EditRole) return name;
  if (role == Qt::DecorationRole) {
    if constexpr (std::is_same_v<Thing, Collection>) {
      const auto part = [](double c) { return static_cast<int>(255 * std::clamp(c, 0.0, 1.0)); };
      return theme_icon(text_of(list.icon(thing)),
                        QColor(part(thing.colour.x()), part(thing.colour.y()), part(thing.colour.z())));
    }
    return theme_icon(text_of(list.icon(thing)));
  }
  if (role == Qt::ToolTipRole)
    return SceneModel::tr("%1 (%2)").arg(name, SceneModel::tr(std::string(list.label(thing)).c_str()));
  if (role == Qt::ForegroundRole && !seen) return theme_colours().quiet_text;
  return {};
}

template <class Thing>
QVariant eye_data(const Thing& thing, bool seen, const QString& hidden_by, int role) {
  if (role == Qt::DecorationRole) return switch_icon(thing.visible ? "show" : "hide", thing.visible && !seen);
  if (role == Qt::ToolTipRole) return visible_tip(thing, hidden_by);
  if (role == Qt::AccessibleTextRole) return seen ? SceneModel::tr("visible") : SceneModel::tr("hidden");
  return {};
}

/// Calls visit(list, number of the list).
template <class Visit>
void visit_numbered(const Visit& visit) {
  std::size_t number = 0;
  visit_scene_lists([&](const auto& list) {
    if (list.listed) visit(list, number);
    ++number;
  });
}

std::set<Id> ids_of(const QMimeData& data) {
  std::set<Id> ids;
  QDataStream stream(data.data(QLatin1String(kMime)));
  while (!stream.atEnd()) {
    quint64 value = 0;
    stream >> value;
    ids.insert(Id{value});
  }
  return ids;
}

}  // namespace

SceneModel::SceneModel(DocumentController& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &SceneModel::on_change);
  connect(&document, &DocumentController::document_replaced, this, &SceneModel::reload);
  reload();
}

// The tree --------------------------------------------------------------------------------------------------------------

std::vector<SceneModel::Node> SceneModel::nodes_of(const Scene& scene, std::vector<int>& top) {
  std::vector<Node> nodes;
  std::vector<Id> aboves;
  // The families of a thousand objects are looked up in a table, not in the list each time.
  std::set<std::uint64_t> objects;
  for (const auto& object : scene.objects) objects.insert(object->id.value);
  const auto add = [&]<class Thing>(const SceneList<Thing>& list, std::size_t number) {
    const auto& things = scene.*list.member;
    for (std::size_t i = 0; i < things.size(); ++i) {
      Node node;
      node.id = things[i]->id;
      node.place = {number, i};
      node.takes = std::is_same_v<Thing, Object> || std::is_same_v<Thing, Collection>;
      nodes.push_back(std::move(node));
      Id up{};
      if constexpr (requires { things[i]->collection; }) up = Id{things[i]->collection};
      if constexpr (requires { things[i]->parent; })
        if (things[i]->parent != 0 && objects.count(things[i]->parent)) up = Id{things[i]->parent};
      aboves.push_back(up);
    }
  };
  visit_numbered([&]<class Thing>(const SceneList<Thing>& list, std::size_t number) {
    if constexpr (std::is_same_v<Thing, Collection>) add(list, number);
  });
  visit_numbered([&]<class Thing>(const SceneList<Thing>& list, std::size_t number) {
    if constexpr (!std::is_same_v<Thing, Collection>) add(list, number);
  });
  std::map<Id, int> numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) numbers.emplace(nodes[i].id, static_cast<int>(i));
  top.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto up = numbers.find(aboves[i]);
    nodes[i].above = up == numbers.end() || !aboves[i] ? -1 : up->second;
    std::vector<int>& rows = nodes[i].above < 0 ? top : nodes[static_cast<std::size_t>(nodes[i].above)].rows;
    nodes[i].row = static_cast<int>(rows.size());
    rows.push_back(static_cast<int>(i));
  }
  return nodes;
}

const std::vector<int>& SceneModel::rows_in(int node) const {
  return node < 0 ? top_ : nodes_[static_cast<std::size_t>(node)].rows;
}

int SceneModel::node_of(Id id) const {
  const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(id, -1));
  return at != numbers_.end() && at->first == id ? at->second : -1;
}

bool SceneModel::is_tree() const { return top_.size() < nodes_.size(); }

Id SceneModel::id(const QModelIndex& index) const {
  return index.isValid() && index.internalId() < nodes_.size() ? nodes_[index.internalId()].id : Id{};
}

QModelIndex SceneModel::index_of(Id id) const {
  const int node = node_of(id);
  if (node < 0) return {};
  return createIndex(nodes_[static_cast<std::size_t>(node)].row, 0, static_cast<quintptr>(node));
}

QModelIndex SceneModel::index(int row, int column, const QModelIndex& parent) const {
  const std::vector<int>& rows = rows_in(parent.isValid() ? static_cast<int>(parent.internalId()) : -1);
  if (row < 0 || row >= static_cast<int>(rows.size()) || column < 0 || column >= column_count) return {};
  return createIndex(row, column, static_cast<quintptr>(rows[static_cast<std::size_t>(row)]));
}

QModelIndex SceneModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() >= nodes_.size()) return {};
  const int above = nodes_[child.internalId()].above;
  return above < 0 ? QModelIndex()
                   : createIndex(nodes_[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int SceneModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  return static_cast<int>(rows_in(parent.isValid() ? static_cast<int>(parent.internalId()) : -1).size());
}

int SceneModel::columnCount(const QModelIndex&) const { return column_count; }

// What the rows say -----------------------------------------------------------------------------------------------------

Qt::ItemFlags SceneModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled;
  if (index.column() == name_column) flags |= Qt::ItemIsEditable;
  if (index.internalId() < nodes_.size() && nodes_[index.internalId()].takes) flags |= Qt::ItemIsDropEnabled;
  return flags;
}

QString SceneModel::hidden_by(const Scene& scene, Id id) const {
  Id at;
  if (const Object* object = find_object(scene, id))
    at = collection_of(scene, *object);
  else
    visit_thing(scene, id, [&]<class Thing>(const SceneList<Thing>&, const Shared<Thing>& thing) {
      if constexpr (requires { thing->collection; }) at = Id{thing->collection};
    });
  const auto& list = std::get<SceneList<Collection>>(kSceneLists);
  for (std::size_t step = 0; at && step <= scene.collections.size(); ++step) {
    const Collection* collection = find_thing(scene, list, at);
    if (!collection) break;
    if (!collection->visible) return QString::fromStdString(collection->name);
    at = Id{collection->collection};
  }
  return {};
}

QVariant SceneModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.internalId() >= nodes_.size()) return {};
  const Node& node = nodes_[index.internalId()];
  if (role == id_role) return QVariant::fromValue<qulonglong>(node.id.value);
  QVariant answer;
  const Scene& scene = document_.scene();
  visit_numbered([&]<class Thing>(const SceneList<Thing>& list, std::size_t number) {
    if (number != node.place.first || node.place.second >= (scene.*list.member).size()) return;
    const Thing& thing = *(scene.*list.member)[node.place.second];
    // A view may ask between an edit and the signal that tells this model of it: then something else may be there.
    if (thing.id != node.id) return;
    const bool seen = standing_->visible(thing);
    if (index.column() == name_column) answer = name_data(list, thing, seen, role);
    if (index.column() == eye_column)
      answer = eye_data(thing, seen, role == Qt::ToolTipRole && !seen ? hidden_by(scene, thing.id) : QString(), role);
    if constexpr (kHasLock<Thing>)
      if (index.column() == lock_column) answer = lock_data(thing.locked, standing_->locked(thing), role);
  });
  return answer;
}

bool SceneModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != name_column) return false;
  const std::string name = value.toString().trimmed().toStdString();
  const Id id = this->id(index);
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

// Dragging --------------------------------------------------------------------------------------------------------------

QStringList SceneModel::mimeTypes() const { return {QLatin1String(kMime)}; }

QMimeData* SceneModel::mimeData(const QModelIndexList& indexes) const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  std::set<Id> ids;
  for (const auto& index : indexes) ids.insert(id(index));
  for (const Id id : ids) stream << static_cast<quint64>(id.value);
  auto* data = new QMimeData;
  data->setData(QLatin1String(kMime), bytes);
  return data;
}

bool SceneModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex&) const {
  return action == Qt::MoveAction && data->hasFormat(QLatin1String(kMime));
}

bool SceneModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                              const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  put(ids_of(*data), parent.isValid() ? static_cast<int>(parent.internalId()) : -1, row);
  return false;  // the rows were moved by the edit; the view must not remove them itself
}

/// Before what is at `row` in the node now; −1: at its end.
void SceneModel::put(const std::set<Id>& dragged, int node, int row) {
  const Scene& scene = document_.scene();
  // What lies in something that is dragged comes with it.
  std::set<Id> ids;
  for (Id id : dragged) {
    const int own = node_of(id);
    bool along = own < 0;
    for (int up = along ? -1 : nodes_[static_cast<std::size_t>(own)].above; up >= 0 && !along;
         up = nodes_[static_cast<std::size_t>(up)].above)
      along = dragged.count(nodes_[static_cast<std::size_t>(up)].id) > 0;
    if (!along) ids.insert(id);
  }
  if (ids.empty()) return;
  const Id to = node < 0 ? Id{} : nodes_[static_cast<std::size_t>(node)].id;
  Scene next = scene;
  QString text = tr("Reorder");
  const bool elsewhere = std::any_of(
      ids.begin(), ids.end(), [&](Id id) { return nodes_[static_cast<std::size_t>(node_of(id))].above != node; });
  if (elsewhere && find_object(scene, to)) {
    if (const QString why = no_parent(scene, ids, to); !why.isEmpty()) {
      emit document_.refused(why);
      return;
    }
    next = with_parent(std::move(next), ids, to);
  } else if (elsewhere) {
    next = put_in(without_parent(std::move(next), ids), ids, to);
  }
  if (elsewhere) {
    Selection some;
    some.set(ids);
    const QString what = selection_text(scene, some);
    text = !to                      ? tr("Move %1 out").arg(what)
           : find_object(scene, to) ? tr("Parent %1 to %2").arg(what, name_of(scene, to))
                                    : tr("Move %1 to %2").arg(what, name_of(scene, to));
  }
  // In each list before the first of those that come after the place, else at the end.
  const std::vector<int>& rows = rows_in(node);
  visit_numbered([&](const auto& list, std::size_t number) {
    auto& things = next.*list.member;
    std::size_t before = things.size();
    for (std::size_t i = static_cast<std::size_t>(row); row >= 0 && i < rows.size(); ++i) {
      const Node& after = nodes_[static_cast<std::size_t>(rows[i])];
      if (after.place.first != number) continue;
      before = after.place.second;
      break;
    }
    move_before(things, before, [&](const auto& thing) { return ids.count(thing->id) > 0; });
  });
  document_.edit(text, std::move(next)).ok();
}

// Following the scene ---------------------------------------------------------------------------------------------------

void SceneModel::on_change(const ChangeSet& change) {
  const bool was_open = seen_->collections.empty();
  look_anew();
  if (change.structure) {
    std::vector<int> top;
    const std::vector<Node> nodes = nodes_of(document_.scene(), top);
    const auto same = [](const Node& a, const Node& b) {
      return a.id == b.id && a.above == b.above && a.row == b.row && a.place == b.place;
    };
    if (!std::equal(nodes.begin(), nodes.end(), nodes_.begin(), nodes_.end(), same)) return reload();
  }
  const auto tell = [this](int node) {
    const Node& told = nodes_[static_cast<std::size_t>(node)];
    emit dataChanged(createIndex(told.row, 0, static_cast<quintptr>(node)),
                     createIndex(told.row, column_count - 1, static_cast<quintptr>(node)));
  };
  bool collection = false;
  for (Id id : change.objects) {
    const int node = node_of(id);
    if (node < 0) continue;
    tell(node);
    collection = collection || !nodes_[static_cast<std::size_t>(node)].rows.empty();
  }
  // The eye of a collection is that of everything in it.
  if (collection && !was_open)
    for (std::size_t node = 0; node < nodes_.size(); ++node) tell(static_cast<int>(node));
}

void SceneModel::look_anew() {
  seen_ = document_.snapshot();
  standing_ = std::make_unique<Standing>(*seen_);
}

void SceneModel::reload() {
  beginResetModel();
  look_anew();
  nodes_ = nodes_of(*seen_, top_);
  numbers_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) numbers_.emplace_back(nodes_[i].id, static_cast<int>(i));
  std::sort(numbers_.begin(), numbers_.end());
  endResetModel();
}

}  // namespace hazumi
