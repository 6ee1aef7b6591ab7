// Edit mode of the skeleton that skins an object: elements are bones (type 0), their heads (1) and tails (2), by Bone::id.
#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "ui/model/text.h"
#include "ui/modes/bone_commands.h"
#include "ui/modes/bone_options.h"
#include "ui/modes/bone_tools.h"
#include "ui/modes/mode_look.h"

namespace hazumi {

namespace {

using namespace mode_look;

constexpr glm::vec4 kBone{0.80f, 0.84f, 0.88f, 0.95f};
constexpr glm::vec4 kTie{0.62f, 0.66f, 0.72f, 0.6f};
constexpr std::size_t kMostDots = 60'000;  // of the weights that are shown

QString why_not(const Object& object) {
  const QString name = QString::fromStdString(object.name);
  if (object.mapping.kind == MappingKind::skeleton) return {};
  return tr("%1 is not moved by bones.").arg(name);
}

QString remedy(const Object& object) {
  if (object.display.kind == DisplayKind::none) return {};
  return object.mapping.bones.empty() ? tr("Give it a skeleton") : tr("Use its skeleton");
}

void apply_remedy(Object& object, MeshStore& meshes) { give_skeleton(object, meshes); }

Elements elements(const Object& object) {
  Elements all;
  for (const Bone& bone : object.mapping.bones)
    for (std::uint8_t type : {bone_element::bone, bone_element::head, bone_element::tail}) all.insert({type, bone.id});
  return all;
}

QString name(const Object& object, const Elements& chosen) {
  const std::vector<std::uint32_t> ids = bones_of(chosen);
  const Bone* bone = ids.size() == 1 ? find_bone(object.mapping, ids.front()) : nullptr;
  if (!bone) return tr("%1 bones").arg(ids.size());
  const QString own = QString::fromStdString(bone->name);
  if (chosen.size() > 1 || chosen.begin()->type == bone_element::bone) return own;
  return (chosen.begin()->type == bone_element::head ? tr("Head of %1") : tr("Tail of %1")).arg(own);
}

void shapes(const ModeView& view, ElementShapes& list) {
  for (const Bone& bone : view.object.mapping.bones) {
    const glm::vec3 head = view.space.at(bone.head), tail = view.space.at(bone.tail);
    list.add_segment({bone_element::bone, bone.id}, head, tail, 9);
    list.add_point({bone_element::tail, bone.id}, tail, 9,
                   3);  // where child and parent meet the parent's tail is meant
    list.add_point({bone_element::head, bone.id}, head, 9, 2);
  }
}

/// Two pyramids on a common base near the head, so that one sees which way the bone points.
void add_bone_lines(const ModeView& view, const Bone& bone, const glm::vec4& colour, std::vector<LineVertex>& lines) {
  const Vec3 way = bone.tail - bone.head;
  const double length = way.norm();
  if (length <= 0) return;
  const Vec3 along = way / length;
  const Vec3 side = along.unitOrthogonal(), other = along.cross(side);
  const Vec3 base = bone.head + 0.14 * way;
  std::array<glm::vec3, 4> ring;
  for (std::size_t i = 0; i < 4; ++i) {
    const double angle = 0.5 * kPi * static_cast<double>(i);
    ring[i] = view.space.at(base + 0.09 * length * (std::cos(angle) * side + std::sin(angle) * other));
  }
  const glm::vec3 head = view.space.at(bone.head), tail = view.space.at(bone.tail);
  const auto add = [&](const glm::vec3& a, const glm::vec3& b) {
    lines.push_back({a, colour});
    lines.push_back({b, colour});
  };
  for (std::size_t i = 0; i < 4; ++i) {
    add(ring[i], ring[(i + 1) % 4]);
    add(head, ring[i]);
    add(ring[i], tail);
  }
}

/// 0 blue, ½ green, 1 red, as other programs show weights.
glm::vec4 heat(float weight) {
  const float t = std::clamp(weight, 0.0f, 1.0f);
  const glm::vec3 cold(0.13f, 0.27f, 0.85f), middle(0.25f, 0.80f, 0.35f), hot(0.95f, 0.20f, 0.12f);
  return {t < 0.5f ? cold + 2 * t * (middle - cold) : middle + (2 * t - 1) * (hot - middle), 1.0f};
}

/// Weights of the bone as coloured dots on the display model.
void draw_weights(const ModeView& view, std::uint32_t id, RenderList& list) {
  const auto mesh = view.meshes.mesh(view.object);
  const auto& weights = BoneOptions::of(view.owner).weights(view.object, mesh);
  const auto& bones = view.object.mapping.bones;
  const auto at = std::find_if(bones.begin(), bones.end(), [&](const Bone& b) { return b.id == id; });
  if (at == bones.end() || weights.size() != mesh->positions.size()) return;
  const auto number = static_cast<std::uint16_t>(at - bones.begin());
  const Transform& transform = view.object.transform;
  const Vec3 eye = to_double(view.camera.position());
  const std::size_t step = 1 + mesh->positions.size() / kMostDots;
  for (std::size_t v = 0; v < mesh->positions.size(); v += step) {
    float weight = 0;
    for (std::size_t k = 0; k < weights[v].bones.size(); ++k)
      if (weights[v].bones[k] == number && weights[v].weights[k] > 0) weight = weights[v].weights[k];
    const Vec3 p = transform.position + transform.rotation * mesh->positions[v];
    // A little towards the eye, so that the surface does not swallow half of each dot.
    list.points.push_back({to_float(Vec3(p + 0.004 * (eye - p))), heat(weight), 5});
  }
}

void draw(const ModeView& view, RenderList& list) {
  const auto& bones = view.object.mapping.bones;
  if (view.selected.count(view.active)) draw_weights(view, view.active.number, list);
  DrawLines seams, shafts, ties;
  for (const Bone& bone : bones) {
    const Element element{bone_element::bone, bone.id};
    add_bone_lines(view, bone, colour_of(view, element, kBone), shafts.vertices);
    add_bone_lines(view, bone, kSeam, seams.vertices);
    const Bone* parent = bone.parent ? find_bone(view.object.mapping, bone.parent) : nullptr;
    if (parent && (parent->tail - bone.head).norm() > 1e-9) {
      ties.vertices.push_back({view.space.at(parent->tail), kTie});
      ties.vertices.push_back({view.space.at(bone.head), kTie});
    }
    for (const auto& [type, place] :
         {std::pair{bone_element::head, bone.head}, std::pair{bone_element::tail, bone.tail}}) {
      const Element end{type, bone.id};
      const bool large = view.selected.count(end) != 0 || view.hovered == end;
      add_dot(list, view.space.at(place), colour_of(view, end, kBone), large ? 10.0f : 6.5f, large ? 3.0f : 2.5f);
    }
  }
  seams.width = 3.6f;
  shafts.width = 1.5f;
  add_on_top(list, {&ties, &seams, &shafts});
}

std::optional<ElementPlace> place(const Object& object, const Elements& chosen, Element active) {
  std::vector<Vec3> places;
  for (const Element& element : chosen)  // a bone turns about its head, as a limb about its joint
    if (const Bone* bone = find_bone(object.mapping, element.number))
      places.push_back(element.type == bone_element::tail ? bone->tail : bone->head);
  if (places.empty()) return std::nullopt;
  ElementPlace result = middle_of(places);
  if (const Bone* bone = find_bone(object.mapping, active.number); bone && (bone->tail - bone->head).norm() > 0) {
    const Vec3 along = (bone->tail - bone->head).normalized();
    const Vec3 side = along.unitOrthogonal();
    result.axes.col(0) = side;
    result.axes.col(1) = along;
    result.axes.col(2) = side.cross(along);
  }
  return result;
}

void apply(Object& object, const Elements& chosen, const ElementMotion& motion) {
  const std::vector<BoneEnd> ends = moved_ends(object.mapping.bones, chosen);
  for (const BoneEnd& end : ends) {
    Vec3& at = end_of(object.mapping.bones, end);
    at = motion.point(at);
  }
}

void remove(Object& object, const Elements& chosen) {
  for (std::uint32_t id : bones_of(chosen)) {
    remove_bone(object.mapping, id);
    leave_bone(object.display.metaballs, id);
  }
}

/// Alt and a click: the bone with all that hang on it.
Elements chain(const ModeView& view, Element element) {
  Elements all;
  for (std::uint32_t id : with_children(view.object.mapping.bones, element.number))
    all.insert({bone_element::bone, id});
  return all;
}

QString needs_bone(const ModeContext& context) {
  return active_bone(context.elements) ? QString() : tr("Select a bone first.");
}
QString needs_two(const ModeContext& context) {
  return bones_of(context.elements.elements()).size() > 1 ? QString()
                                                          : tr("Select the children, then with Shift the parent.");
}

constexpr ModeAction kActions[] = {
    {"bones.extrude", "&Extrude", "extrude", "E",
     "A new bone from the tail of the selected one; the mouse puts its tail.", "", false, true, &extrude_bone,
     &needs_bone},
    {"bones.parent", "Set &Parent", "connect", "Ctrl+P", "The selected bones hang on the active one.", "", false, true,
     &parent_bones, &needs_two},
    {"bones.free", "&Clear Parent", "", "Alt+P", "The selected bones hang on nothing.", "", false, false, &free_bones,
     &needs_bone},
    {"bones.automatic", "&Automatic Weights", "", "", "Forget what was painted for the selected bones.", "", true,
     false, &forget_painted, &needs_bone},
};

constexpr ModeTool kTools[] = {
    {"bones.draw", "Draw Bones", "bones", "N",
     "Drag draws a bone from head to tail; Shift begins at the tail of the selected bone.", &start_draw_bones},
    {"bones.weights", "Paint Weights", "weights", "B",
     "Paint how much the selected bone moves the surface; Ctrl takes away.", &start_weight_brush},
};

QString hint(const ModeContext& context) {
  if (context.object()->mapping.bones.empty()) return tr("There are no bones · N draws them");
  if (context.elements.empty())
    return tr(
        "Click a bone or a joint · Alt+click a whole limb · N draws bones · B paints weights · Tab back to objects");
  return tr(
      "Drag or G moves, children follow · R turns · E extrudes · Ctrl+P sets the parent · X deletes · B paints "
      "weights");
}

}  // namespace

const ModeInfo& mode_bones() {
  static const ModeInfo info{
      .id = "bones",
      .title = "Bones",
      .icon = "bones",
      .tip = "Move, add and join the bones that carry the surface, and paint their weights.",
      .order = 4,
      .panel = "mapping",
      .why_not = &why_not,
      .remedy = &remedy,
      .apply_remedy = &apply_remedy,
      .elements = &elements,
      .name = &name,
      .shapes = &shapes,
      .draw = &draw,
      .place = &place,
      .apply = &apply,
      .can_turn = true,
      .remove = &remove,
      .actions = kActions,
      .tools = kTools,
      .hint = &hint,
      .ring = &chain,
  };
  return info;
}

}  // namespace hazumi
