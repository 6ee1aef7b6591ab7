#include "ui/modes/metaball_commands.h"

#include <cmath>

#include <QCoreApplication>

#include "core/scene/values/field_rows.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

struct Mirror {
  double plane = 0;  ///< m along the axis, in the object
};
std::span<const Field<Mirror>> mirror_fields() {
  using Owner = Mirror;
  static const std::vector<Field<Mirror>> table = {
      ROW(plane, "Plane at", "", "m", rows::kAny, look, rows::always,
          "Where the plane that mirrors lies, along the axis across it, in the object."),
  };
  return table;
}

struct Grid {
  double step = 0.1;  ///< m
};
std::span<const Field<Grid>> grid_fields() {
  using Owner = Grid;
  static const std::vector<Field<Grid>> table = {
      ROW(step, "Grid", "", "m", rows::kSize, look, rows::always, "From a place where centres may be to the next."),
  };
  return table;
}

/// The mirror images of these, but for what lies in the plane.
Elements add_mirrored(MetaballGroup& group, const Elements& originals, int axis, double plane) {
  Elements copies;
  const std::size_t count = group.primitives.size();
  for (std::size_t i = 0; i < count; ++i) {
    const MetaballPrimitive& p = group.primitives[i];
    if (!originals.count({0, p.id}) || std::abs(p.centre[axis] - plane) < 1e-9) continue;
    MetaballPrimitive copy = mirrored(p, axis);
    copy.centre[axis] += 2 * plane;
    copy.id = next_primitive_id(group);
    std::string name = p.name;
    for (const auto& [from, to] : {std::pair{"left", "right"}, std::pair{"right", "left"}})
      if (const std::size_t at = name.rfind(from); axis == 0 && at != std::string::npos && name == p.name)
        name.replace(at, std::string_view(from).size(), to);
    copy.name = unique_primitive_name(group, name);
    copies.insert({0, copy.id});
    group.primitives.push_back(std::move(copy));
  }
  return copies;
}

/// Beside the active primitive, so far that it is seen and still blends; the middle of an empty group.
Vec3 free_place(const MetaballGroup& group, std::uint32_t active) {
  const MetaballPrimitive* beside = find_primitive(group, active);
  if (!beside && !group.primitives.empty()) beside = &group.primitives.back();
  if (!beside) return Vec3::Zero();
  const double reach = std::max(seen_fraction(beside->weight), 0.3) * effective_extent(*beside).x();
  Vec3 place = beside->centre;
  for (int step = 1; step <= 64; ++step) {
    place.x() = beside->centre.x() + 1.6 * reach * step;
    bool taken = false;
    for (const MetaballPrimitive& p : group.primitives) taken = taken || (p.centre - place).norm() < 0.8 * reach;
    if (!taken) break;
  }
  return place;
}

/// The object of metaball mode.
const Object* edited(const UiContext& context) {
  return context.elements.in("metaballs") ? context.elements.object() : nullptr;
}

Id add_to_group(UiContext& context, MetaballKind kind) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  MetaballPrimitive p = make_metaball(kind);
  const MetaballGroup& group = object->display.metaballs;
  p.id = next_primitive_id(group);
  p.name = unique_primitive_name(group, tr(p.name.c_str()).toStdString());
  if (const MetaballPrimitive* active = find_primitive(group, elements.active().number)) {
    // As large as its neighbour, and of its colour.
    const double size = seen_fraction(active->weight) * active->radii.minCoeff();
    if (size > 0) p.radii *= 0.8 * size / (seen_fraction(p.weight) * make_metaball(MetaballKind::ball).radii.x());
    p.surface = active->surface;
    p.preset = active->preset;
  } else {
    p.surface = object->material.surface;
    p.preset = object->material.preset;
  }
  p.centre = free_place(group, elements.active().number);
  const Id id = object->id;
  const QString text = tr("Add %1 to %2").arg(text_of(p.name), text_of(object->name));
  auto operation = std::make_unique<OperationOf<MetaballPrimitive>>(
      rows_of(metaball_fields(), {"centre", "rotation", "radii", "round_xz", "round_xy", "tube", "weight"}), p,
      [&elements, id](const Scene& before, const MetaballPrimitive& made) {
        const auto select = [&elements, number = made.id] { elements.select_only({0, number}); };
        return Operation::Made{
            with_object(before, id, [&](Object& o) { o.display.metaballs.primitives.push_back(made); }), select, {}};
      });
  return context.document.last_operation().begin(text, std::move(operation)).ok() ? id : Id{};
}

}  // namespace

Id add_metaballs(UiContext& context, MetaballStart start, MetaballKind kind) {
  if (start == MetaballStart::primitive && context.elements.in("metaballs")) return add_to_group(context, kind);
  const Scene& scene = context.document.scene();
  Object object;
  object.id = next_id(scene);
  object.display.kind = DisplayKind::metaballs;
  MetaballGroup& group = object.display.metaballs;
  std::string name = start == MetaballStart::figure ? "Figure" : "Animal";
  if (start == MetaballStart::figure) group = make_figure();
  if (start == MetaballStart::animal) group = make_animal();
  double low = 0;  // of what is seen, so that it stands clear of the floor
  if (start == MetaballStart::primitive) {
    MetaballPrimitive p = make_metaball(kind);
    name = p.name;
    p.id = 1;
    low = -seen_fraction(p.weight) * effective_extent(p).y();
    group.primitives.push_back(std::move(p));
  }
  for (MetaballPrimitive& p : group.primitives) {
    p.name = tr(p.name.c_str()).toStdString();
    p.surface = object.material.surface;
    p.preset = object.material.preset;
  }
  object.name = unique_name(scene, tr(name.c_str()).toStdString());
  object.body.kind = kMovingBody;
  follow_material(object);
  object.transform.position.y() = start == MetaballStart::primitive ? 1 - low : 0;
  // Beside what is there: a step of two metres along x until nothing has its origin near.
  const auto taken = [&](double x) {
    for (const auto& other : scene.objects)
      if (!other->locked && std::abs(other->transform.position.x() - x) < 1.0 &&
          std::abs(other->transform.position.z()) < 1.0)
        return true;
    return false;
  };
  while (taken(object.transform.position.x())) object.transform.position.x() += 2;
  const Id id = object.id;
  const QString text = tr("Add %1").arg(text_of(object.name));
  auto operation = added_operation(
      rows_of(object_fields(), {"transform.position", "transform.rotation", "transform.scale"}), std::move(object),
      &Scene::objects, [&selection = context.selection, id] { selection.select_only(id); });
  if (!context.document.last_operation().begin(text, std::move(operation)).ok()) return {};
  (void)context.elements.enter(*find_mode("metaballs"));
  if (start == MetaballStart::primitive) context.elements.select_only({0, 1});
  return id;
}

void mirror_metaballs(UiContext& context, int axis) {
  const Object* object = edited(context);
  if (!object || context.elements.empty()) return;
  const Elements originals = context.elements.elements();
  const char* planes[] = {"YZ", "ZX", "XY"};
  const QString text = tr("Mirror %1 across %2").arg(elements_text(context), QLatin1String(planes[axis]));
  auto operation = std::make_unique<OperationOf<Mirror>>(
      rows_of(mirror_fields()), Mirror{},
      [&elements = context.elements, id = object->id, originals, axis](const Scene& before, const Mirror& now) {
        Elements copies;
        Operation::Made made;
        made.scene = with_object(
            before, id, [&](Object& o) { copies = add_mirrored(o.display.metaballs, originals, axis, now.plane); });
        if (!copies.empty()) made.select = [&elements, copies] { elements.set(copies); };
        return made;
      });
  (void)context.document.last_operation().begin(text, std::move(operation));
}

void snap_metaballs(UiContext& context) {
  const Object* object = edited(context);
  if (!object) return;
  const ObjectSpace space(*object);
  auto operation = std::make_unique<OperationOf<Grid>>(
      rows_of(grid_fields()), Grid{},
      [space, id = object->id, chosen = context.elements.elements()](const Scene& before, const Grid& now) {
        return Operation::Made{with_object(before, id,
                                           [&](Object& o) {
                                             for (MetaballPrimitive& p : o.display.metaballs.primitives) {
                                               if (!chosen.count({0, p.id})) continue;
                                               Vec3 world = space.world(p.centre);
                                               for (double& x : world) x = snapped(x, now.step);
                                               p.centre = space.local(world);
                                             }
                                           }),
                               {},
                               {}};
      });
  (void)context.document.last_operation().begin(tr("Snap %1 to grid").arg(elements_text(context)),
                                                std::move(operation));
}

void carve_metaballs(UiContext& context, bool carve) {
  const Object* object = edited(context);
  if (!object || context.elements.empty()) return;
  const QString text = (carve ? tr("Carve with %1") : tr("Add with %1")).arg(elements_text(context));
  (void)context.document.edit_object(text, object->id, [&](Object& o) {
    for (MetaballPrimitive& p : o.display.metaballs.primitives)
      if (context.elements.contains({0, p.id})) p.weight = carve ? -std::abs(p.weight) : std::abs(p.weight);
  });
}

void use_own_colours(UiContext& context, bool on) {
  const Object* object = find_object(context.document.scene(), context.selection.active());
  if (!object || object->display.kind != DisplayKind::metaballs) return;
  const QString text =
      (on ? tr("Own colours of %1's metaballs") : tr("One material for %1")).arg(text_of(object->name));
  (void)context.document.edit_object(text, object->id, [&](Object& o) { o.display.metaballs.own_colours = on; });
}

}  // namespace hazumi
