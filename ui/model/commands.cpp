#include "ui/model/commands.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QCoreApplication>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/materials.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/camera_commands.h"
#include "ui/model/copies.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kDropHeight = 1.0;               // m, from the floor to the lowest point of an added body
constexpr std::size_t kMostPartMaterials = 1000;  // that a scene file takes
constexpr double kGap = 0.1;                      // of its width, between an added body and its neighbour

struct ShapeDefaults {
  const char* name;
  Vec3 size;
  std::array<int, 3> divisions;
  const char* material;
  double round_along = 1, round_across = 1, ratio = 0.5;
};

ShapeDefaults defaults_of(PrimitiveShape shape) {
  switch (shape) {
    case PrimitiveShape::box:
      return {"Box", Vec3(1, 1, 1), {4, 4, 4}, "cyan plastic"};
    case PrimitiveShape::sphere:
      return {"Sphere", Vec3(1, 1, 1), {32, 16, 1}, "red rubber"};
    case PrimitiveShape::cylinder:
      return {"Cylinder", Vec3(0.8, 1, 0.8), {32, 4, 3}, "yellow plastic"};
    case PrimitiveShape::cone:
      return {"Cone", Vec3(0.9, 1, 0.9), {32, 8, 3}, "green plastic"};
    case PrimitiveShape::torus:
      return {"Torus", Vec3(1.2, 0.3, 1.2), {40, 16, 1}, "copper"};
    case PrimitiveShape::plane:
      return {"Plane", Vec3(10, 1, 10), {10, 1, 10}, "white plastic"};
    case PrimitiveShape::superellipsoid:
      return {"Superellipsoid", Vec3(1, 1, 1), {40, 24, 1}, "turquoise", 0.4, 0.4};
    case PrimitiveShape::supertorus:
      return {"Supertorus", Vec3(1.3, 0.36, 1.3), {40, 20, 1}, "bronze", 0.4, 0.6};
    case PrimitiveShape::hyperboloid_one:
      return {"Hyperboloid", Vec3(0.9, 1.2, 0.9), {40, 24, 3}, "jade", 1, 1, 0.4};
    case PrimitiveShape::hyperboloid_two:
      return {"Hyperboloid", Vec3(0.9, 1.2, 0.9), {40, 16, 3}, "ruby", 1, 1, 0.2};
    case PrimitiveShape::capsule:
      return {"Capsule", Vec3(0.6, 1.4, 0.6), {32, 18, 1}, "white rubber"};
    case PrimitiveShape::tube:
      return {"Tube", Vec3(0.8, 1, 0.8), {40, 4, 2}, "polished copper", 1, 1, 0.6};
    case PrimitiveShape::wedge:
      return {"Wedge", Vec3(1, 0.6, 1.2), {4, 4, 4}, "yellow rubber"};
    case PrimitiveShape::rounded_box:
      return {"Rounded Box", Vec3(1, 1, 1), {4, 4, 4}, "cyan rubber", 1, 1, 0.3};
  }
  return {"Box", Vec3(1, 1, 1), {4, 4, 4}, "white plastic"};
}

/// Bounding box in the world, from the display mesh (scale is in the mesh already).
Box3 world_box(const Object& object, MeshStore& meshes) {
  Box3 box;
  const auto mesh = meshes.mesh(object);
  const Box3 local = bounds(*mesh);
  if (!local.valid()) {
    box.add(object.transform.position);
    return box;
  }
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) ? local.high.x() : local.low.x(), (corner & 2) ? local.high.y() : local.low.y(),
                 (corner & 4) ? local.high.z() : local.low.z());
    box.add(object.transform.position + object.transform.rotation * p);
  }
  return box;
}

bool overlap(const Box3& a, const Box3& b) {
  return (a.low.array() < b.high.array()).all() && (b.low.array() < a.high.array()).all();
}

/// Distance along +x that takes `box` clear of every body in `others`.
double free_shift(const Box3& box, const std::vector<Box3>& others) {
  const double width = box.size().x() * (1 + kGap);
  for (int step = 0; step <= static_cast<int>(others.size()); ++step) {
    Box3 moved = box;
    moved.low.x() += step * width;
    moved.high.x() += step * width;
    if (std::none_of(others.begin(), others.end(), [&](const Box3& other) { return overlap(moved, other); }))
      return step * width;
  }
  return width * static_cast<double>(others.size() + 1);
}

std::vector<Box3> body_boxes(const Scene& scene, MeshStore& meshes) {
  std::vector<Box3> boxes;
  for (const auto& object : scene.objects) boxes.push_back(world_box(*object, meshes));
  return boxes;
}

std::set<Id> selectable_ids(const Scene& scene, const std::set<Id>& aside) {
  const Standing standing(scene, &aside);
  std::set<Id> ids;
  for (const auto& object : scene.objects)
    if (standing.visible(*object) && !standing.locked(*object)) ids.insert(object->id);
  return ids;
}

/// One undo step that puts the thing at the end of its list and selects it. These rows of it can be adjusted.
template <class Thing>
Id add(DocumentController& document, Selection& selection, std::vector<Shared<Thing>> Scene::*list, Thing thing,
       OperationRows<Thing> rows, const QString& step = tr("Add %1")) {
  const Id id = thing.id;
  const QString text = step.arg(QString::fromStdString(thing.name));
  auto operation =
      added_operation(std::move(rows), std::move(thing), list, [&selection, id] { selection.select_only(id); });
  return document.last_operation().begin(text, std::move(operation)).ok() ? id : Id{};
}

}  // namespace

Material material_from(std::string_view preset) {
  Material material;
  if (const MaterialPreset* found = find_material(preset)) material = apply_preset(material, *found);
  return material;
}

void follow_material(Object& object) {
  object.body.mass_source = MassSource::material;
  object.body.stiffness_source = StiffnessSource::material;
}

Scene make_new_scene() {
  Scene scene;
  scene.name = tr("Untitled").toStdString();
  Light sun;
  sun.id = Id{1};
  sun.name = tr("Sun").toStdString();
  sun.position = Vec3(4, 8, 5);
  sun.shadow = true;
  scene.lights.push_back(Shared<Light>(sun));
  Object floor;
  floor.id = Id{2};
  floor.name = tr("Floor").toStdString();
  floor.display.primitive = {PrimitiveShape::plane, Vec3(20, 1, 20), {20, 1, 20}};
  floor.body.kind = kStandingBody;
  floor.locked = true;
  floor.material = material_from("white plastic");
  scene.objects.push_back(Shared<Object>(floor));
  Camera camera;
  camera.id = Id{3};
  camera.name = tr("Camera").toStdString();
  scene.cameras.push_back(Shared<Camera>(camera));
  return scene;
}

Id add_primitive(DocumentController& document, Selection& selection, PrimitiveShape shape) {
  const ShapeDefaults defaults = defaults_of(shape);
  const Scene& scene = document.scene();
  Object object;
  object.id = next_id(scene);
  object.name = unique_name(scene, tr(defaults.name).toStdString());
  object.display.primitive = {
      shape, defaults.size, defaults.divisions, defaults.round_along, defaults.round_across, defaults.ratio};
  object.material = material_from(defaults.material);
  follow_material(object);
  if (shape == PrimitiveShape::plane) {
    object.body.kind = kStandingBody;
  } else {
    object.body.kind = kMovingBody;
    object.transform.position.y() = kDropHeight + 0.5 * defaults.size.y();
    const Box3 box = world_box(object, document.meshes());
    object.transform.position.x() += free_shift(box, body_boxes(scene, document.meshes()));
  }
  return add(document, selection, &Scene::objects, std::move(object),
             rows_of(object_fields(), {"transform.position", "transform.rotation", "display.primitive.size",
                                       "display.primitive.divisions", "display.primitive.round_along",
                                       "display.primitive.round_across", "display.primitive.ratio"}));
}

void behave_as_cloth(Object& object, double area) {
  if (!bends(object.body)) {  // a hundred grams or so and a stiffness of cotton, not of what the surface was made of
    object.body.mass_source = MassSource::given;
    object.body.mass = 0.25 * area;
    object.body.stiffness_source = StiffnessSource::given;
    object.body.stiffness = 400;
    object.body.damping = 0.4;
  }
  object.body.kind = kBendingBody;
  object.body.solver = "springs";
  object.contact.self_collision = true;
  // Air slows it, and it lies a little above what it lies on.
  if (object.body.drag_linear == 0) object.body.drag_linear = 1;
  if (object.contact.thickness == 0) object.contact.thickness = 0.004;
}

void make_cloth(Object& object) {
  constexpr int kSquares = 14;
  object.analysis.kind = AnalysisKind::cloth;
  const double longer = std::max(object.analysis.size.x(), object.analysis.size.z());
  for (const int axis : {0, 2})
    object.analysis.divisions[axis] =
        std::clamp(static_cast<int>(std::lround(kSquares * object.analysis.size[axis] / longer)), 2, kSquares);
  object.analysis.divisions[1] = 1;
  behave_as_cloth(object, object.analysis.size.x() * object.analysis.size.z());
  Primitive& seen = object.display.primitive;
  if (object.display.kind == DisplayKind::primitive && seen.shape == PrimitiveShape::plane)
    for (const int axis : {0, 2})
      seen.divisions[axis] = std::max(seen.divisions[axis], object.analysis.divisions[axis]);
}

Id add_cloth(DocumentController& document, Selection& selection) {
  const Scene& scene = document.scene();
  Object object;
  object.id = next_id(scene);
  object.name = unique_name(scene, tr("Cloth").toStdString());
  object.display.primitive = {PrimitiveShape::plane, Vec3(1.2, 1, 1.2), {14, 1, 14}};
  object.material = material_from("red rubber");
  object.material.substance.restitution = 0;
  object.material.surface.ambient = object.material.surface.diffuse = Vec3(0.72, 0.2, 0.22);
  object.transform.position.y() = 2 * kDropHeight;
  object.analysis = fitting_analysis(object, document.meshes());
  make_cloth(object);
  return add(document, selection, &Scene::objects, std::move(object),
             rows_of(object_fields(), {"transform.position", "transform.rotation", "analysis.divisions",
                                       "analysis.shear", "analysis.bending", "body.mass", "body.stiffness"}));
}

Id add_balloon(DocumentController& document, Selection& selection) {
  const Scene& scene = document.scene();
  Object object;
  object.id = next_id(scene);
  object.name = unique_name(scene, tr("Balloon").toStdString());
  object.display.primitive = {PrimitiveShape::sphere, Vec3::Constant(0.5), {48, 24, 1}};
  object.material = material_from("red rubber");
  object.transform.position.y() = kDropHeight + 0.25;
  object.analysis = fitting_analysis(object, document.meshes());
  object.analysis.hollow = true;
  object.analysis.divisions = {4, 1, 1};
  object.body.kind = kBendingBody;
  object.body.solver = "springs";
  object.body.mass = 0.05;
  object.body.stiffness = 200;
  object.body.damping = 0.2;
  object.body.volume.of = VolumeOf::surface;
  object.body.drag_linear = 0.5;
  const Box3 box = world_box(object, document.meshes());
  object.transform.position.x() += free_shift(box, body_boxes(scene, document.meshes()));
  return add(document, selection, &Scene::objects, std::move(object),
             rows_of(object_fields(),
                     {"transform.position", "analysis.divisions", "body.mass", "body.stiffness", "body.volume.size"}));
}

void take_looks_of_file(Object& object) {
  object.part_materials.clear();
  const DisplayMesh* mesh = object.display.mesh.mesh.get();
  if (!mesh ||
      std::none_of(mesh->parts.begin(), mesh->parts.end(), [](const Part& part) { return part.surface.has_value(); }))
    return;
  // The look of most faces is the object's; only parts that look different have a material of their own.
  const Surface plain = object.material.surface;
  std::vector<std::pair<Surface, std::size_t>> looks;
  for (const Part& part : mesh->parts) {
    const Surface surface = part.surface.value_or(plain);
    auto at = std::find_if(looks.begin(), looks.end(), [&](const auto& look) { return look.first == surface; });
    if (at == looks.end()) at = looks.insert(looks.end(), {surface, 0});
    at->second += part.face_count;
  }
  object.material.surface = std::max_element(looks.begin(), looks.end(), [](const auto& a, const auto& b) {
                              return a.second < b.second;
                            })->first;
  for (const Part& part : mesh->parts) {
    const Surface surface = part.surface.value_or(plain);
    if (surface == object.material.surface || object.part_materials.size() >= kMostPartMaterials) continue;
    object.part_materials.push_back({part.name, object.material});
    object.part_materials.back().material.surface = surface;
  }
}

Id add_mesh(DocumentController& document, Selection& selection, MeshReference mesh) {
  const Scene& scene = document.scene();
  Object object;
  object.id = next_id(scene);
  const std::filesystem::path file(mesh.source);
  object.name = unique_name(scene, file.stem().string());
  mesh.file = document.mesh_name(file);
  object.display.kind = DisplayKind::mesh;
  object.display.mesh = std::move(mesh);
  object.material = material_from("white plastic");
  take_looks_of_file(object);
  follow_material(object);
  object.body.kind = kMovingBody;
  // On the floor, over the origin wherever the file has it, clear of what is there.
  const Box3 local = world_box(object, document.meshes());
  object.transform.position = -Vec3(local.centre().x(), local.low.y(), local.centre().z());
  object.transform.position.x() +=
      free_shift(world_box(object, document.meshes()), body_boxes(scene, document.meshes()));
  return add(document, selection, &Scene::objects, std::move(object),
             rows_of(object_fields(), {"transform.position", "transform.rotation", "transform.scale"}),
             tr("Import %1"));
}

bool replace_mesh(DocumentController& document, Id id, MeshReference mesh, bool keeps_looks) {
  const Object* object = find_object(document.scene(), id);
  if (!object) return false;
  mesh.file = document.mesh_name(mesh.source);
  return document
      .edit_object(
          tr(keeps_looks ? "Change mesh of %1" : "Replace mesh of %1").arg(QString::fromStdString(object->name)), id,
          [&](Object& changed) {
            changed.display.kind = DisplayKind::mesh;
            changed.display.mesh = std::move(mesh);
            if (!keeps_looks) take_looks_of_file(changed);
          })
      .ok();
}

Id add_light(DocumentController& document, Selection& selection, LightKind kind) {
  const Scene& scene = document.scene();
  Light light;
  light.id = next_id(scene);
  light.kind = kind;
  const QString name = kind == LightKind::directional ? tr("Sun") : tr("Light");
  light.name = unique_name(scene, name.toStdString());
  light.position = Vec3(-3, 4, 3);
  light.intensity = 0.6;
  return add(document, selection, &Scene::lights, std::move(light),
             rows_of(light_fields(), {"position", "target", "colour", "intensity", "shadow"}));
}

std::vector<const Object*> selected_objects_of(const Scene& scene, const Selection& selection) {
  std::vector<const Object*> objects;
  for (const auto& object : scene.objects)
    if (selection.contains(object->id)) objects.push_back(object.get());
  return objects;
}

Id add_pair(DocumentController& document, Selection& selection) {
  const Scene& scene = document.scene();
  const auto objects = selected_objects_of(scene, selection);
  if (objects.size() != 2) return {};
  const Object &a = *objects[0], &b = *objects[1];
  for (const auto& pair : scene.pairs)
    if (std::minmax(pair->a, pair->b) == std::minmax(a.id.value, b.id.value)) {
      selection.select_only(pair->id);
      return pair->id;
    }
  ContactPair pair;
  pair.id = next_id(scene);
  constexpr qsizetype kMost = 30;  // letters of each, so that both fit into a name
  const QString both =
      tr("%1 and %2").arg(QString::fromStdString(a.name).left(kMost), QString::fromStdString(b.name).left(kMost));
  pair.name = unique_name(scene, both.toStdString());
  pair.a = a.id.value;
  pair.b = b.id.value;
  pair.restitution = mixed_value(a.material.substance.restitution, b.material.substance.restitution);
  pair.friction = mixed_value(a.material.substance.friction, b.material.substance.friction);
  return add(document, selection, &Scene::pairs, std::move(pair), rows_of(pair_fields(), {"restitution", "friction"}),
             tr("Add Pair %1"));
}

double shift_beside(const Scene& scene, const std::set<Id>& ids, MeshStore& meshes) {
  Box3 group;
  for (const auto& object : scene.objects)
    if (ids.count(object->id)) {
      const Box3 box = world_box(*object, meshes);
      group.add(box.low);
      group.add(box.high);
    }
  const double shift = group.valid() ? free_shift(group, body_boxes(scene, meshes)) : 0.5;
  return shift > 0 ? shift : 0.5;
}

Vec3 free_place_beside(const Scene& scene, Id id, MeshStore& meshes) {
  const Object* object = find_object(scene, id);
  return object ? Vec3(free_shift(world_box(*object, meshes), body_boxes(scene, meshes)), 0, 0) : Vec3(Vec3::Zero());
}

Vec3 free_place_for(const Scene& scene, const Scene& part, MeshStore& meshes) {
  const bool some_move =
      std::any_of(part.objects.begin(), part.objects.end(), [](const auto& object) { return can_move(object->body); });
  const std::vector<Box3> others = body_boxes(scene, meshes);
  Box3 group;
  bool clear = true;
  for (const auto& object : part.objects) {
    if (some_move && !can_move(object->body)) continue;
    Box3 box = world_box(*object, meshes);
    const Vec3 within = 1e-3 * box.size();  // what stands on something only touches it
    box.low += within;
    box.high -= within;
    group.add(box.low);
    group.add(box.high);
    clear = clear && std::none_of(others.begin(), others.end(), [&](const Box3& other) { return overlap(box, other); });
  }
  return clear ? Vec3(Vec3::Zero()) : Vec3(free_shift(group, others), 0, 0);
}

void delete_selected(DocumentController& document, Selection& selection, const QString& step) {
  if (selection.empty()) return;
  Scene scene = document.scene();
  std::set<Id> spared;
  QString names;
  const Scene before = scene;
  const Standing standing(before);
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (std::is_same_v<Thing, Collection>) return;  // goes for itself: what is in it stays
    for (const auto& thing : before.*list.member) {
      if (!selection.contains(thing->id) || !standing.locked(*thing)) continue;
      spared.insert(thing->id);
      if (spared.size() <= 3) names += (names.isEmpty() ? "" : ", ") + QString::fromStdString(thing->name);
    }
  });
  QString last;
  if (const Camera* kept = last_camera(before, selection, spared)) {
    last = QString::fromStdString(kept->name);
    spared.insert(kept->id);
  }
  if (spared.size() > 3) names = tr("%1 and %2 more").arg(names).arg(spared.size() - 3);
  if (spared.size() < selection.ids().size()) {
    Selection going;
    std::set<Id> gone;
    for (Id id : selection.ids())
      if (!spared.contains(id)) gone.insert(id);
    going.set(gone, *gone.begin());
    const QString text = (step.isEmpty() ? tr("Delete %1") : step).arg(selection_text(document.scene(), going));
    for (Id id : gone) scene = without(std::move(scene), id);
    if (!document.edit(text, std::move(scene)).ok()) return;
    if (spared.empty())
      selection.clear();
    else
      selection.set(spared, spared.contains(selection.active()) ? selection.active() : *spared.begin());
  }
  if (!last.isEmpty())
    emit document.refused(
        tr("%1 stays: it is the last camera, and pictures are taken with it. Add another one first.").arg(last));
  else if (!spared.empty())
    emit document.refused(tr("Locked, so not deleted: %1. Unlock it in the outliner first.").arg(names));
}

namespace {

/// Hiding changes no run: a pair is not seen, and is switched off where it stands in the outliner.
template <class Thing>
void show(Thing& thing, bool on) {
  if constexpr (!std::is_same_v<Thing, ContactPair>) thing.visible = on;
}

}  // namespace

void hide_selected(DocumentController& document, Selection& selection) {
  if (selection.empty()) return;
  Scene scene = document.scene();
  const QString text = tr("Hide %1").arg(selection_text(scene, selection));
  for (Id id : selection.ids()) scene = with_thing(std::move(scene), id, [](auto& thing) { show(thing, false); });
  if (document.edit(text, std::move(scene)).ok()) selection.clear();
}

void show_all(DocumentController& document) {
  Scene scene = document.scene();
  visit_scene_lists([&](const auto& list) {
    if (!list.listed) return;
    for (auto& thing : scene.*list.member)
      if (!thing->visible) thing = thing.edited([](auto& changed) { show(changed, true); });
  });
  (void)document.edit(tr("Show all"), std::move(scene));
}

void rename(DocumentController& document, Id id, const QString& name) {
  const std::string wanted = name.trimmed().toStdString();
  Scene scene = document.scene();
  if (wanted.empty() || wanted == name_of(scene, id).toStdString()) return;
  const std::string free_name = unique_name(scene, wanted);
  scene = with_thing(std::move(scene), id, [&](auto& thing) { thing.name = free_name; });
  (void)document.edit(tr("Rename to %1").arg(QString::fromStdString(free_name)), std::move(scene));
}

AnalysisModel fitting_analysis(const Object& object, MeshStore& meshes) {
  AnalysisModel model;
  // The display model's size before scale: both models are scaled by the transform.
  Vec3 size = Vec3::Ones();
  bool round = false, flat = false;
  if (object.display.kind == DisplayKind::primitive) {
    size = object.display.primitive.size;
    const PrimitiveShape shape = object.display.primitive.shape;
    round = shape == PrimitiveShape::sphere || shape == PrimitiveShape::superellipsoid;
    flat = shape == PrimitiveShape::plane;
  } else if (object.display.kind != DisplayKind::none) {
    Object unit = object;
    unit.transform.scale = Vec3::Ones();
    if (const Box3 box = bounds(*meshes.mesh(unit)); box.valid()) {
      size = box.size();
      model.offset = box.centre();
    }
  }
  model.size = size.cwiseMax(Vec3::Constant(1e-3));
  if (flat) {
    model.kind = AnalysisKind::plane_grid;
    model.divisions = {8, 1, 8};
  } else if (round) {
    model.kind = AnalysisKind::icosahedron;
    model.divisions = {1, 1, 1};
  } else {
    model.kind = AnalysisKind::box_grid;
    const double shortest = model.size.minCoeff();
    for (int axis = 0; axis < 3; ++axis)
      model.divisions[axis] = std::clamp(static_cast<int>(std::lround(2 * model.size[axis] / shortest)), 1, 6);
  }
  return model;
}

void set_body_kind(DocumentController& document, Selection& selection, BodyKind kind) {
  set_body_kind(document, {selection.ids().begin(), selection.ids().end()}, kind);
}

void set_body_kind(DocumentController& document, const std::vector<Id>& objects, BodyKind kind) {
  Scene scene = document.scene();
  const std::string word(body_kind(kind).name);
  const QString what = objects.size() == 1 ? name_of(scene, objects[0]) : tr("%1 objects").arg(objects.size());
  const QString text = tr("Make %1 %2").arg(what, tr(word.c_str()));
  for (Id id : objects)
    scene = with_object(std::move(scene), id, [&](Object& object) {
      object.body.kind = kind;
      if (body_kind(kind).deforms && object.analysis.kind == AnalysisKind::none)
        object.analysis = fitting_analysis(object, document.meshes());
    });
  (void)document.edit(text, std::move(scene));
}

void start_unbent(DocumentController& document, const Selection& selection) {
  Scene scene = document.scene();
  const QString text = tr("Start %1 Unbent").arg(selection_text(scene, selection));
  for (const Id id : selection.ids())
    scene = with_object(std::move(scene), id, [](Object& o) {
      o.body.start.clear();
      o.body.start_springs.clear();
    });
  (void)document.edit(text, std::move(scene));
}

void select_all(const Scene& scene, Selection& selection, const std::set<Id>& aside) {
  selection.set(selectable_ids(scene, aside), selection.active());
}

void invert_selection(const Scene& scene, Selection& selection, const std::set<Id>& aside) {
  std::set<Id> ids = selectable_ids(scene, aside);
  for (Id id : selection.ids()) ids.erase(id);
  selection.set(std::move(ids));
}

void drop_missing(const Scene& scene, Selection& selection) {
  std::set<Id> ids = selection.ids();
  for (auto it = ids.begin(); it != ids.end();)
    it = visit_thing(scene, *it, [](const auto&, const auto&) {}) ? std::next(it) : ids.erase(it);
  selection.set(std::move(ids), selection.active());
}

QString name_of(const Scene& scene, Id id) {
  QString name;
  visit_thing(scene, thing_of(id), [&](const auto&, const auto& thing) { name = QString::fromStdString(thing->name); });
  return name;
}

QString selection_text(const Scene& scene, const Selection& selection) {
  if (selection.ids().size() == 1) return name_of(scene, *selection.ids().begin());
  return tr("%1 objects").arg(selection.ids().size());
}

}  // namespace hazumi
