#include "ui/modes/bone_commands.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kTogether = 1e-9;  // m, ends of parent and child that are one joint

QString bone_name(const Bone& bone) { return QString::fromStdString(bone.name); }

std::string free_name(const std::vector<Bone>& bones, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(bones.begin(), bones.end(), [&](const Bone& b) { return b.name == name; });
  };
  std::string stem = wanted;
  while (!stem.empty() && (stem.back() == ' ' || (stem.back() >= '0' && stem.back() <= '9'))) stem.pop_back();
  if (stem.empty()) stem = "Bone";
  if (!taken(stem)) return stem;
  for (int n = 2;; ++n)
    if (const std::string name = stem + " " + std::to_string(n); !taken(name)) return name;
}

}  // namespace

const Bone* find_bone(const MappingSettings& mapping, std::uint32_t id) {
  for (const Bone& bone : mapping.bones)
    if (bone.id == id) return &bone;
  return nullptr;
}

std::optional<std::uint32_t> active_bone(const ElementSelection& elements) {
  if (!elements.in("bones") || elements.empty()) return std::nullopt;
  return elements.has_active() ? elements.active().number : elements.elements().rbegin()->number;
}

std::vector<std::uint32_t> bones_of(const Elements& elements) {
  std::vector<std::uint32_t> ids;
  for (const Element& element : elements) ids.push_back(element.number);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<std::uint32_t> with_children(const std::vector<Bone>& bones, std::uint32_t id) {
  std::vector<std::uint32_t> found{id};
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const Bone& bone : bones)
      if (bone.parent == found[next] && std::find(found.begin(), found.end(), bone.id) == found.end())
        found.push_back(bone.id);
  std::sort(found.begin(), found.end());
  return found;
}

Vec3& end_of(std::vector<Bone>& bones, const BoneEnd& end) {
  Bone& bone = bones[end.bone];
  return end.tail ? bone.tail : bone.head;
}

std::vector<BoneEnd> moved_ends(const std::vector<Bone>& bones, const Elements& elements) {
  std::set<BoneEnd> ends;
  const auto place = [&](std::uint32_t id) {
    return static_cast<std::size_t>(
        std::find_if(bones.begin(), bones.end(), [&](const Bone& b) { return b.id == id; }) - bones.begin());
  };
  for (const Element& element : elements) {
    const std::size_t at = place(element.number);
    if (at == bones.size()) continue;
    if (element.type != bone_element::bone) {
      ends.insert({at, element.type == bone_element::tail});
      continue;
    }
    for (std::uint32_t id : with_children(bones, element.number))
      for (bool tail : {false, true}) ends.insert({place(id), tail});
  }
  const std::set<BoneEnd> chosen = ends;
  for (const BoneEnd& end : chosen) {
    const Bone& bone = bones[end.bone];
    const Vec3& at = end.tail ? bone.tail : bone.head;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      if (end.tail && bones[i].parent == bone.id && (bones[i].head - at).norm() <= kTogether) ends.insert({i, false});
      if (end.tail) continue;
      if (bones[i].id == bone.parent && (bones[i].tail - at).norm() <= kTogether) ends.insert({i, true});
      // Brothers and sisters that begin at the same joint.
      if (bone.parent != 0 && bones[i].parent == bone.parent && (bones[i].head - at).norm() <= kTogether)
        ends.insert({i, false});
    }
  }
  return {ends.begin(), ends.end()};
}

std::vector<Vec3> model_points(const Object& object, MeshStore& meshes) {
  const auto mesh = meshes.mesh(object);
  std::vector<Vec3> points = mesh->positions;
  if (points.empty()) points = object_truss(object, *mesh).nodes;
  for (Vec3& p : points) p = p.cwiseQuotient(object.transform.scale);
  return points;
}

void give_skeleton(Object& object, MeshStore& meshes) {
  object.mapping.kind = MappingKind::skeleton;
  if (!object.mapping.bones.empty()) return;
  object.mapping.bones = bones_along_longest_axis(model_points(object, meshes), 3);
}

void add_bone(const ModeContext& context, const Vec3& head, const Vec3& tail, bool child) {
  const Object* object = context.object();
  if (!object) return;
  const Bone* parent = nullptr;
  if (child)
    if (const auto active = active_bone(context.elements)) parent = find_bone(object->mapping, *active);
  Bone bone;
  bone.id = next_bone_id(object->mapping.bones);
  bone.name = free_name(object->mapping.bones, parent ? parent->name : "Bone");
  bone.parent = parent ? parent->id : 0;
  bone.head = head;
  bone.tail = tail;
  bone.radius = parent ? parent->radius : std::max(0.3 * (tail - head).norm(), 1e-3);
  if (context.edit(tr("Add %1").arg(bone_name(bone)), [&](Object& o) { o.mapping.bones.push_back(bone); }))
    context.elements.select_only({bone_element::tail, bone.id});
}

void extrude_bone(const ModeContext& context) {
  const Object* object = context.object();
  const auto active = active_bone(context.elements);
  const Bone* from = object && active ? find_bone(object->mapping, *active) : nullptr;
  if (!from) return;
  Bone bone;
  bone.id = next_bone_id(object->mapping.bones);
  bone.name = free_name(object->mapping.bones, from->name);
  bone.parent = from->id;
  bone.head = from->tail;
  bone.tail = from->tail + 0.5 * (from->tail - from->head);
  bone.radius = from->radius;
  const quint64 key = context.ui.document.new_gesture();
  if (!context.edit(
          tr("Extrude %1").arg(bone_name(bone)), [&](Object& o) { o.mapping.bones.push_back(bone); }, key))
    return;
  context.elements.select_only({bone_element::tail, bone.id});
  (void)context.stage.begin_transform(TransformMode::move, key);
}

void parent_bones(const ModeContext& context) {
  const Object* object = context.object();
  const auto parent = active_bone(context.elements);
  if (!object || !parent) return;
  std::vector<std::uint32_t> children = bones_of(context.elements.elements());
  std::erase(children, *parent);
  for (std::uint32_t child : children) {
    const auto below = with_children(object->mapping.bones, child);
    if (!std::binary_search(below.begin(), below.end(), *parent)) continue;
    emit context.ui.document.refused(
        tr("%1 hangs on %2 already; free it first (Alt+P).")
            .arg(bone_name(*find_bone(object->mapping, *parent)), bone_name(*find_bone(object->mapping, child))));
    return;
  }
  (void)context.edit(tr("Parent of %1 bones").arg(children.size()), [&](Object& o) {
    for (Bone& bone : o.mapping.bones)
      if (std::binary_search(children.begin(), children.end(), bone.id)) bone.parent = *parent;
  });
}

void free_bones(const ModeContext& context) {
  const std::vector<std::uint32_t> ids = bones_of(context.elements.elements());
  (void)context.edit(tr("No parent for %1 bones").arg(ids.size()), [&](Object& o) {
    for (Bone& bone : o.mapping.bones)
      if (std::binary_search(ids.begin(), ids.end(), bone.id)) bone.parent = 0;
  });
}

void forget_painted(const ModeContext& context) {
  const std::vector<std::uint32_t> ids = bones_of(context.elements.elements());
  (void)context.edit(tr("Automatic weights"), [&](Object& o) {
    std::erase_if(o.mapping.painted,
                  [&](const PaintedWeight& w) { return std::binary_search(ids.begin(), ids.end(), w.bone); });
  });
}

}  // namespace hazumi
