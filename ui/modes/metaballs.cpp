// Edit mode of metaballs: elements are the primitives of the group (type 0, number: their id).
#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "core/geometry/metaball/catalogue.h"
#include "ui/model/text.h"
#include "ui/modes/metaball_commands.h"
#include "ui/modes/mode.h"
#include "ui/modes/mode_look.h"

namespace hazumi {

namespace {

using namespace mode_look;

constexpr int kPieces = 48;
constexpr float kDot = 8;  // logical pixels
constexpr glm::vec4 kCarves{0.96f, 0.38f, 0.62f, 0.9f};

const MetaballGroup& group_of(const Object& object) { return object.display.metaballs; }

QString balls_why_not(const Object& object) {
  if (object.display.kind == DisplayKind::metaballs) return {};
  return tr("%1 is not shown by metaballs.").arg(QString::fromStdString(object.name));
}

QString ball_remedy(const Object& object) {
  const bool shape =
      object.display.kind == DisplayKind::primitive && object.display.primitive.shape != PrimitiveShape::plane;
  return shape || object.display.kind == DisplayKind::none ? tr("Turn into metaballs") : QString();
}

/// One primitive that looks like the catalogue shape.
void apply_ball_remedy(Object& object, MeshStore&) {
  MetaballKind kind = MetaballKind::ball;
  Vec3 size = Vec3::Ones();
  if (object.display.kind == DisplayKind::primitive) {
    size = object.display.primitive.size;
    const PrimitiveShape shape = object.display.primitive.shape;
    if (shape == PrimitiveShape::box) kind = MetaballKind::box;
    if (shape == PrimitiveShape::cylinder || shape == PrimitiveShape::cone) kind = MetaballKind::cylinder;
    if (shape == PrimitiveShape::torus) kind = MetaballKind::torus;
  }
  MetaballPrimitive p = make_metaball(kind);
  const double fraction = seen_fraction(p.weight);
  if (kind == MetaballKind::torus) {
    // Size of a catalogue torus: outer diameters, and the tube's along y.
    const double tube = 0.5 * size.y() / fraction, ring = 0.5 * std::min(size.x(), size.z()) - 0.5 * size.y();
    p.radii = Vec3(std::max(ring, 0.01) + tube, std::max(ring, 0.01) + tube, tube);
    p.tube = tube / p.radii.x();
  } else {
    Vec3 half = 0.5 * size;
    if (kind == MetaballKind::cylinder) half = Vec3(half.x(), half.z(), half.y());  // its own z stands up
    p.radii = (half / fraction).cwiseMax(Vec3::Constant(1e-3));
  }
  p.id = 1;
  p.surface = object.material.surface;
  p.preset = object.material.preset;
  object.display.kind = DisplayKind::metaballs;
  object.display.metaballs = MetaballGroup{};
  object.display.metaballs.primitives = {p};
}

Elements ball_elements(const Object& object) {
  Elements all;
  for (const MetaballPrimitive& p : group_of(object).primitives)
    if (p.visible) all.insert({0, p.id});
  return all;
}

QString ball_name(const Object& object, const Elements& chosen) {
  if (chosen.size() == 1)
    if (const MetaballPrimitive* p = find_primitive(group_of(object), chosen.begin()->number))
      return QString::fromStdString(p->name);
  return tr("%1 metaballs").arg(chosen.size());
}

/// Radius at which the outline of a primitive is drawn and taken hold of: where it would be seen alone.
double outline_fraction(const MetaballPrimitive& p) { return std::max(seen_fraction(p.weight), 0.25); }

void ball_shapes(const ModeView& view, ElementShapes& list) {
  std::vector<glm::vec3> points;
  for (const MetaballPrimitive& p : group_of(view.object).primitives) {
    if (!p.visible) continue;
    const Element element{0, p.id};
    points.clear();
    for (int across = 0; across < 3; ++across)
      for (const auto& line : section_lines(p, across, outline_fraction(p), 16))
        for (const Vec3& q : line) points.push_back(view.space.at(p.centre + p.rotation * q));
    list.add(element, ElementShapes::Kind::hull, points, 2, 0);
    list.add_point(element, view.space.at(p.centre), 8, 1);
  }
}

/// The primitive that has most to say at a place of the blended surface.
std::optional<Element> at_surface(const ModeView& view, const Vec3& place) {
  std::optional<Element> best;
  double largest = 0;
  for (const MetaballPrimitive& p : group_of(view.object).primitives) {
    if (!p.visible) continue;
    const double here = std::abs(density(p, place));
    if (here <= largest) continue;
    largest = here;
    best = Element{0, p.id};
  }
  return best;
}

void add_lines(const ModeView& view, const MetaballPrimitive& p, double fraction, const glm::vec4& colour,
               std::vector<LineVertex>& lines) {
  for (int across = 0; across < 3; ++across)
    for (const auto& line : section_lines(p, across, fraction, kPieces))
      for (std::size_t i = 0; i < line.size(); ++i) {
        lines.push_back({view.space.at(p.centre + p.rotation * line[i]), colour});
        lines.push_back({view.space.at(p.centre + p.rotation * line[(i + 1) % line.size()]), colour});
      }
}

void draw_balls(const ModeView& view, RenderList& list) {
  DrawLines seams, outlines, reach;
  for (const MetaballPrimitive& p : group_of(view.object).primitives) {
    if (!p.visible) continue;
    const Element element{0, p.id};
    const bool selected = view.selected.count(element) != 0, active = selected && view.active == element;
    const bool hovered = view.hovered == element, carves = p.weight < 0;
    const glm::vec4 colour = colour_of(view, element, carves ? kCarves : glm::vec4(to_float(p.surface.diffuse), 1.0f));
    if (selected || hovered || carves) {
      add_lines(view, p, outline_fraction(p), colour, outlines.vertices);
      if (selected) add_lines(view, p, outline_fraction(p), kSeam, seams.vertices);
    }
    // How far it reaches into its neighbours: where its influence ends.
    if (active) {
      glm::vec4 faint = carves ? kCarves : kActive;
      faint.a = 0.28f;
      add_lines(view, p, 1.0, faint, reach.vertices);
    }
    add_dot(list, view.space.at(p.centre), colour, kDot, selected || hovered ? 4.0f : 2.0f);
  }
  seams.width = 4;
  outlines.width = 1.8f;
  reach.width = 1;
  add_on_top(list, {&reach, &seams, &outlines});
}

std::optional<ElementPlace> ball_place(const Object& object, const Elements& chosen, Element active) {
  std::vector<Vec3> places;
  for (const Element& element : chosen)
    if (const MetaballPrimitive* p = find_primitive(group_of(object), element.number)) places.push_back(p->centre);
  if (places.empty()) return std::nullopt;
  ElementPlace result = middle_of(places);
  if (const MetaballPrimitive* p = find_primitive(group_of(object), active.number))
    result.axes = p->rotation.normalized().toRotationMatrix();
  return result;
}

void move_balls(Object& object, const Elements& chosen, const ElementMotion& motion) {
  for (MetaballPrimitive& p : object.display.metaballs.primitives) {
    if (!chosen.count({0, p.id})) continue;
    Transform own;
    own.position = p.centre;
    own.rotation = p.rotation;
    own.scale = p.radii;
    const Transform moved = motion.place(own);
    p.centre = moved.position;
    p.rotation = moved.rotation;
    p.radii = moved.scale;
  }
}

void remove_balls(Object& object, const Elements& chosen) {
  std::erase_if(object.display.metaballs.primitives, [&](const auto& p) { return chosen.count({0, p.id}) != 0; });
}

Elements duplicate(Object& object, const Elements& chosen) {
  MetaballGroup& group = object.display.metaballs;
  Elements copies;
  const std::size_t count = group.primitives.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!chosen.count({0, group.primitives[i].id})) continue;
    MetaballPrimitive copy = group.primitives[i];
    copy.id = next_primitive_id(group);
    copy.name = unique_primitive_name(group, copy.name);
    copies.insert({0, copy.id});
    group.primitives.push_back(std::move(copy));
  }
  return copies;
}

void hide(Object& object, const Elements& chosen) {
  for (MetaballPrimitive& p : object.display.metaballs.primitives)
    if (chosen.count({0, p.id})) p.visible = false;
}

void show_all(Object& object) {
  for (MetaballPrimitive& p : object.display.metaballs.primitives) p.visible = true;
}

QString needs_selection(const ModeContext& context) {
  return context.elements.empty() ? tr("Select a metaball first.") : QString();
}

bool all_carve(const ModeContext& context) {
  const Object* object = context.object();
  if (context.elements.empty()) return false;
  for (const Element& element : context.elements.elements()) {
    const MetaballPrimitive* p = find_primitive(group_of(*object), element.number);
    if (!p || p->weight >= 0) return false;
  }
  return true;
}

bool own_colours(const ModeContext& context) { return group_of(*context.object()).own_colours; }

constexpr ModeAction kBallActions[] = {
    {"metaballs.carve", "&Carve", "metaball_carve", "V",
     "Let the selected metaballs take away from the others instead of adding to them.", "", false, true,
     [](const ModeContext& c) { carve_metaballs(c.ui, !all_carve(c)); }, &needs_selection, &all_carve},
    {"metaballs.mirror_x", "Across the &YZ Plane (x)", "mirror", "Ctrl+M",
     "Mirrored copies of the selected metaballs on the other side of x = 0 of the object.", "Mirror", false, true,
     [](const ModeContext& c) { mirror_metaballs(c.ui, 0); }, &needs_selection},
    {"metaballs.mirror_y", "Across the Z&X Plane (y)", "", "",
     "Mirrored copies of the selected metaballs on the other side of y = 0 of the object.", "Mirror", false, false,
     [](const ModeContext& c) { mirror_metaballs(c.ui, 1); }, &needs_selection},
    {"metaballs.mirror_z", "Across the X&Y Plane (z)", "", "",
     "Mirrored copies of the selected metaballs on the other side of z = 0 of the object.", "Mirror", false, false,
     [](const ModeContext& c) { mirror_metaballs(c.ui, 2); }, &needs_selection},
    {"metaballs.snap", "Snap to &Grid", "snap", "Ctrl+G", "Centres go to the nearest tenth of a metre of the world.",
     "", false, true, [](const ModeContext& c) { snap_metaballs(c.ui); }, &needs_selection},
    {"metaballs.own_colours", "Use &Own Colours", "own_colours", "",
     "Show the colours of the metaballs, blended over the surface, instead of the object's material.", "", true, true,
     [](const ModeContext& c) { use_own_colours(c.ui, !own_colours(c)); }, nullptr, &own_colours},
};

constexpr std::string_view kAdd[] = {"add.metaball_ball",     "add.metaball_ellipsoid",  "add.metaball_box",
                                     "add.metaball_cylinder", "add.metaball_octahedron", "add.metaball_pinched",
                                     "add.metaball_torus"};

QString ball_hint(const ModeContext& context) {
  if (group_of(*context.object()).primitives.empty()) return tr("The group is empty · Shift+A adds a metaball");
  if (context.elements.empty())
    return tr("Click a metaball · drag moves it · Shift+A adds one · A selects all · Tab back to objects");
  return tr(
      "Drag or G moves · R turns · S scales · Shift+D copies · V carves · Ctrl+M mirrors · X deletes · Tab back to "
      "objects");
}

}  // namespace

const ModeInfo& mode_metaballs() {
  static const ModeInfo info{
      .id = "metaballs",
      .title = "Metaballs",
      .icon = "metaballs",
      .tip = "Move, shape, copy and carve the metaballs that the object's surface is blended from.",
      .order = 1,
      .panel = "metaballs",
      .why_not = &balls_why_not,
      .remedy = &ball_remedy,
      .apply_remedy = &apply_ball_remedy,
      .elements = &ball_elements,
      .name = &ball_name,
      .shapes = &ball_shapes,
      .at_surface = &at_surface,
      .draw = &draw_balls,
      .place = &ball_place,
      .apply = &move_balls,
      .can_turn = true,
      .remove = &remove_balls,
      .duplicate = &duplicate,
      .hide = &hide,
      .show_all = &show_all,
      .actions = kBallActions,
      .add_actions = kAdd,
      .hint = &ball_hint,
  };
  return info;
}

}  // namespace hazumi
