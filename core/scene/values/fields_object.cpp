// The field table of objects.
//
// Effect is what a change can alter at most; a run reads a row while it is shown, or as `read_as` says (the spring
// constant of a rigid body drops no frame). Ranges are inclusive; `above` means that the lower end is excluded.
#include <algorithm>

#include "core/base/hash.h"
#include "core/scene/values/field_rows.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/materials.h"

namespace hazumi {

namespace {

using namespace rows;

constexpr Range kText{0, 1000};
constexpr Range kTime{0, rows::kLargest, false, 0.05};

bool primitive(const Object& o) { return o.display.kind == DisplayKind::primitive; }
bool superquadric(const Object& o) { return primitive(o) && is_superquadric(o.display.primitive.shape); }
bool with_ratio(const Object& o) { return primitive(o) && has_ratio(o.display.primitive.shape); }
bool mesh_file(const Object& o) { return o.display.kind == DisplayKind::mesh; }
bool flexible(const Object& o) { return body_kind(o.body.kind).deforms; }
bool metaballs(const Object& o) { return o.display.kind == DisplayKind::metaballs; }
bool mapped(const Object& o) { return flexible(o) && o.analysis.kind != AnalysisKind::none; }
bool by_lattice(const Object& o) { return mapped(o) && o.mapping.kind == MappingKind::lattice; }
bool moves(const Object& o) { return body_kind(o.body.kind).moves; }
bool feels_fields(const Object& o) { return moves(o) && o.body.fields; }
bool turns(const Object& o) { return body_kind(o.body.kind).turns; }
bool lives(const Object& o) { return body_kind(o.body.kind).has_lifetime; }
bool mass_given(const Object& o) { return moves(o) && o.body.mass_source == MassSource::given; }
bool mass_of_material(const Object& o) { return moves(o) && o.body.mass_source == MassSource::material; }
bool keys_shape(const Object& o) { return flexible(o) && !o.analysis.poses.empty(); }
bool keeps_volume(const Object& o) { return flexible(o) && o.body.volume.of != VolumeOf::off; }
bool stiffness_given(const Object& o) { return flexible(o) && o.body.stiffness_source == StiffnessSource::given; }
bool may_touch(const Object& o) { return o.contact.enabled; }
bool simplified(const Object& o) { return may_touch(o) && o.contact.shape == ContactShape::simplified; }
bool may_fold(const Object& o) { return may_touch(o) && flexible(o); }

// When a run reads a row, where that is not while it is shown.

bool touches(const Object& o) { return o.contact.enabled && o.contact.shape != ContactShape::none; }
/// What stands still and touches nothing is only looked at.
bool shape_counts(const Object& o) { return moves(o) || touches(o) || is_skin(o); }
/// Of a fixed plane or box that collides as what it is, only the extents are read, which do not depend on how
/// finely it is divided (sim/contact/proxy.cpp).
bool divisions_count(const Object& o) {
  if (moves(o) || is_skin(o)) return true;
  const PrimitiveShape shape = o.display.primitive.shape;
  const ContactShape contact = o.contact.shape;
  const bool as_itself = contact == ContactShape::automatic ||
                         (shape == PrimitiveShape::plane && contact == ContactShape::plane) ||
                         (shape == PrimitiveShape::box && contact == ContactShape::box);
  return !as_itself || (shape != PrimitiveShape::plane && shape != PrimitiveShape::box);
}

Effect motion_if(bool read) { return read ? Effect::motion : Effect::look; }
Effect at_contacts(const Object& o) { return touches(o) ? Effect::contact : Effect::look; }
Effect to_find_contacts(const Object& o) { return touches(o) ? Effect::touch : Effect::look; }
/// What a run reads of it, it reads of the whole scene (derived/contact_rules.h, derived/family.h): a group that nobody ignores is
/// nothing, and so is a parent that stands.
Effect by_the_rules(const Object&) { return Effect::look; }
Effect with_display(const Object& o) { return motion_if(shape_counts(o)); }
Effect with_primitive(const Object& o) { return motion_if(primitive(o) && shape_counts(o)); }
Effect with_divisions(const Object& o) { return motion_if(primitive(o) && shape_counts(o) && divisions_count(o)); }
Effect with_superquadric(const Object& o) { return motion_if(superquadric(o) && shape_counts(o)); }
Effect with_proportion(const Object& o) { return motion_if(with_ratio(o) && shape_counts(o)); }
Effect with_mesh(const Object& o) { return motion_if(mesh_file(o) && shape_counts(o)); }
Effect with_metaballs(const Object& o) { return motion_if(metaballs(o) && shape_counts(o)); }
bool skin_of_metaballs(const Object& o) { return metaballs(o) && is_skin(o); }
Effect with_moving(const Object& o) { return motion_if(skin_of_metaballs(o)); }
/// Frames have the surface of moving metaballs with its colours.
Effect with_colours(const Object& o) { return motion_if(has_moving_metaballs(o)); }
std::uint64_t colours_of(const Object& o) {
  const MetaballGroup& group = o.display.metaballs;
  Hasher hasher;
  hasher.add(group.own_colours);
  if (!group.own_colours || !has_moving_metaballs(o)) return hasher.value();
  for (const MetaballPrimitive& p : group.primitives) {
    if (!p.visible) continue;
    for (const Vec3& colour : {p.surface.ambient, p.surface.diffuse, p.surface.specular})
      for (const double x : colour) hasher.add(x);
    hasher.add(p.surface.shininess);
  }
  return hasher.value();
}
/// Also with mass from the material: of a mesh that encloses no volume.
Effect with_mass(const Object& o) { return motion_if(moves(o)); }
Effect with_density(const Object& o) { return motion_if(mass_of_material(o)); }
bool stiffness_of_material(const Object& o) {
  return flexible(o) && o.body.stiffness_source == StiffnessSource::material;
}
Effect with_young(const Object& o) { return stiffness_of_material(o) ? Effect::motion : at_contacts(o); }
/// A solver of materials reads it (fem).
Effect with_poisson(const Object& o) { return flexible(o) ? Effect::motion : at_contacts(o); }
/// The modulus at a contact of a flexible body is the mean of l k / A over its springs (3.39).
Effect with_section(const Object& o) {
  return stiffness_of_material(o) ? Effect::motion : flexible(o) ? at_contacts(o) : Effect::look;
}

/// Of a mesh file a run reads the mesh alone, wherever it came from and whatever was done to it.
std::uint64_t mesh_content(const Object& o) {
  const MeshReference& mesh = o.display.mesh;
  return mesh.mesh == nullptr ? std::uint64_t{0} : mesh.content != 0 ? mesh.content : mesh_hash(*mesh.mesh);
}
/// Automatic is one of the others.
std::uint64_t mapping_used(const Object& o) {
  const bool filled =
      o.analysis.kind == AnalysisKind::strung && o.analysis.strung != nullptr && !o.analysis.strung->tetrahedra.empty();
  const MappingKind automatic = filled ? MappingKind::embedding : MappingKind::linear;
  return static_cast<std::uint64_t>(o.mapping.kind == MappingKind::automatic ? automatic : o.mapping.kind);
}

bool rides(const Object& o) { return o.follow.curve != 0; }
bool turned_on_curve(const Object& o) { return rides(o) && o.follow.turned && o.follow.looks_at == 0; }
bool rolls(const Object& o) { return rides(o) && (o.follow.turned || o.follow.looks_at != 0); }

/// Stiffness from the material, and the modulus at a Hertz contact of a flexible body (3.39).
bool section_counts(const Object& o) {
  return flexible(o) && (o.body.stiffness_source == StiffnessSource::material ||
                         (o.contact.enabled && o.contact.shape != ContactShape::none));
}

// A mesh belongs to its file name: another name lets go of the mesh that was read (see resolve_meshes in
// scene_io.h).
Field<Object> mesh_file_row(Field<Object> row) {
  row.set = [](Object& o, const FieldValue& v) {
    const auto& file = std::get<std::string>(v);
    MeshReference& mesh = o.display.mesh;
    if (file != mesh.file) mesh = {.file = file, .settings = mesh.settings};
  };
  row.reads = with_mesh;
  row.content = mesh_content;
  return row;
}

// … and to what is done to the file when it is read: that is read anew then, and a run reads what comes of it.
void let_go_of_mesh(Object& o) {
  o.display.mesh.mesh = nullptr;
  o.display.mesh.content = 0;
}

// clang-format off
#define MESH_SETTING(setting, label, unit, range, effect, tooltip)                                     \
  [] {                                                                                                      \
    Field<Object> row = rows::sparse(                                                                       \
        ROW(display.mesh.settings.setting, label, "Display model", unit, range, effect, mesh_file, tooltip)); \
    row.set = [](Object& o, const FieldValue& v) {                                                          \
      const MeshSettings before = o.display.mesh.settings;                                                  \
      rows::set(o.display.mesh.settings.setting, v);                                                        \
      if (!(before == o.display.mesh.settings)) let_go_of_mesh(o);                                          \
    };                                                                                                      \
    row.reads = [](const Object&) { return Effect::look; };                                                 \
    return row;                                                                                             \
  }()
// clang-format on

std::vector<Field<Object>> make_rows() {
  using Owner = Object;
  // clang-format off
  std::vector<Field<Object>> all = {
      ROW(name, "Name", "Object", "", kName, look, always,
          "What the object is called in lists, messages and exported files."),
      rows::keyed(ROW(visible, "Visible", "Object", "", kNone, look, always,
          "Whether the object is drawn; a hidden object still takes part in the motion.")),
      ROW(locked, "Locked", "Object", "", kNone, look, always,
          "A locked object cannot be selected by clicking in the viewport."),
      rows::sparse(ROW(collection, "Collection", "Object", "", kThing, look, never,
          "Id of the collection that the object is in; with a parent it is where the parent is.")),
      rows::sparse(rows::read_as(ROW(parent, "Parent", "Object", "", kThing, motion, never,
          "Id of the object that this one goes with when that is moved, or moves. Only of fixed objects; what is carried by "
          "something that moves touches nothing."), by_the_rules)),
      rows::keyed(ROW(transform.position, "Position", "Transform", "m", kAny, motion, always,
          "Where the object's origin is at the start; with keys, where it is led.")),
      rows::keyed(ROW(transform.rotation, "Rotation", "Transform", "°", kRotation, motion, always,
          "How the object is turned at the start; with keys, how it is led.")),
      ROW(transform.scale, "Scale", "Transform", "", within(1e-6, 1e6, 0.01), motion, always,
          "Stretches display and analysis model along the object's own axes, before it is turned."),
      rows::sparse(rows::names_a(Refers::curve, ROW(follow.curve, "Curve", "Follow", "", kThing, look, always,
          "A curve that the object is on: its place at the start, and with keys along it where it is led."))),
      rows::keyed(rows::sparse(ROW(follow.along, "Along", "Follow", "", within(0, 1, 0.002), look, rides,
          "Where on the curve, from its start 0 to its end 1; with keys beyond the start the object rides."))),
      rows::sparse(ROW(follow.height, "Height", "Follow", "m", kAny, look, rides,
          "How far above the curve the object's origin is: along up of the curve, which turns with it.")),
      rows::sparse(ROW(follow.turned, "Turned with it", "Follow", "", kNone, look, rides,
          "The object turns with the curve: its z axis points along it.")),
      rows::sparse(ROW(follow.turn, "Own turn", "Follow", "°", kRotation, look, turned_on_curve,
          "How the object is turned on the curve; none, its z axis points along it.")),
      rows::sparse(rows::names_a(Refers::object, ROW(follow.looks_at, "Looks at", "Follow", "", kThing, look, rides,
          "An object that the z axis points to, wherever it goes; stronger than turning with the curve."))),
      rows::keyed(rows::sparse(ROW(follow.roll, "Roll", "Follow", "°", kTurns, look, rolls,
          "How far the object is turned about its z axis besides, as in a curve that it leans into."))),
      rows::read_as(ROW(display.kind, "Kind", "Display model", "", kNone, motion, always,
          "What is seen: nothing, a primitive from the catalogue, a mesh file, or metaballs that blend."), with_display),
      rows::read_as(ROW(display.primitive.shape, "Shape", "Display model", "", kNone, motion, primitive,
          "Which primitive from the catalogue."), with_primitive),
      rows::read_as(ROW(display.primitive.size, "Size", "Display model", "m", kSize, motion, primitive,
          "Full width, height and depth of the primitive."), with_primitive),
      rows::read_as(ROW(display.primitive.divisions, "Divisions", "Display model", "", within(1, 200, 1), motion, primitive,
          "Into how many strips the surface is divided in each direction; round shapes need at least "
          "3 around."), with_divisions),
      rows::read_as(ROW(display.primitive.round_along, "Roundness along", "Display model", "", within(0.1, 3, 0.01), motion, superquadric,
          "Exponent ε₁, the shape of the sections through the upright axis: 0.1 boxy, 1 round, 2 octahedral, 3 pinched."), with_superquadric),
      rows::read_as(ROW(display.primitive.round_across, "Roundness across", "Display model", "", within(0.1, 3, 0.01), motion, superquadric,
          "Exponent ε₂, the shape of the section across the upright axis: 0.1 boxy, 1 round, 2 octahedral, 3 pinched."), with_superquadric),
      rows::read_as(ROW(display.primitive.ratio, "Proportion", "Display model", "", within(0.01, 0.99, 0.005), motion, with_ratio,
          "Waist of a one-sheet hyperboloid, gap of a two-sheet one and bore of a tube, as part of the whole; rounding of a "
          "rounded box, as part of half its least extent."), with_proportion),
      mesh_file_row(ROW(display.mesh.file, "Mesh file", "Display model", "", kText, motion, mesh_file,
          "Name of the mesh file, which lies beside the scene.")),
      MESH_SETTING(piece, "Node", "", kText, motion,
          "Name of the node or bone of the mesh file whose mesh it is, in the frame of that node; empty: the whole file."),
      MESH_SETTING(up, "Up axis", "", kNone, motion,
          "Which axis of the mesh file points up."),
      MESH_SETTING(scale, "Unit", "m", above(0, 1e6), motion,
          "How many metres one unit of the mesh file is."),
      MESH_SETTING(merge_distance, "Merge distance", "", within(0, 0.1, 0.0001), motion,
          "Vertices that are nearer than this part of the mesh's diagonal become one; 0 merges equal ones only."),
      MESH_SETTING(orient, "Orient faces", "", kNone, motion,
          "Turns faces so that neighbours agree and closed pieces face outwards."),
      MESH_SETTING(fill_holes, "Fill holes", "", within(0, 10000, 1), motion,
          "Holes of at most this many edges are closed; 0 closes none."),
      MESH_SETTING(simplify, "Simplify", "", above(0, 1), motion,
          "Part of the triangles that is kept; 1 keeps all."),
      rows::sparse(ROW(display.mesh.settings.textures, "Textures", "Display model", "", kNone, look, mesh_file,
          "Whether the textures of the mesh file are shown.")),
      rows::sparse(rows::read_as(ROW(display.metaballs.final_tolerance, "Tolerance", "Display model", "", within(1e-4, 0.1, 0), motion, metaballs,
          "Largest distance between the triangles and the true surface, as a part of the largest metaball's diameter."), with_metaballs)),
      rows::sparse(ROW(display.metaballs.preview_tolerance, "Preview tolerance", "Display model", "", within(1e-4, 0.1, 0), look, metaballs,
          "The same while metaballs are being changed: coarser follows the mouse faster.")),
      rows::sparse(rows::read_as(ROW(display.metaballs.moving, "Go with bones", "Display model", "", kNone, motion, skin_of_metaballs,
          "Each metaball goes as a whole with its bone, and each frame has the surface that they make then; otherwise the surface bends."),
          with_moving)),
      rows::sparse(rows::read_through(rows::read_as(ROW(display.metaballs.own_colours, "Colours of their own", "Display model", "", kNone, look,
          metaballs, "Shows every metaball in its own material, blended where they meet; otherwise the object's material."),
          with_colours), colours_of)),
  };
  rows::append(all, rows::rows_of_part<Object, AnalysisModel, &Object::analysis, analysis_fields>("analysis."));
  rows::append(all, {
      rows::sparse(rows::read_through(ROW(mapping.kind, "Mapping", "Analysis model", "", kNone, motion, mapped,
          "How the nodes carry the display model along; automatic embeds it in tetrahedra when there are any, else "
          "maps linearly."), mapping_used)),
      rows::sparse(ROW(mapping.lattice, "Lattice", "Analysis model", "", within(1, 8, 1), motion, by_lattice,
          "Degree of the free-form lattice along x, y and z: higher follows the nodes more closely.")),
      rows::sparse(ROW(mapping.linear_blend, "Linear blend", "Analysis model", "", kNone, motion, is_skin,
          "Of a skin: its bones are blended as most programs do, and it gets thin where they twist; otherwise it keeps its thickness.")),
      rows::sparse(ROW(mapping.collides_released, "Collides when released", "Analysis model", "", kNone, look, never,
          "Of a skin: it collided before it was bound, and does so again when it is released.")),
      ROW(body.kind, "Moves as", "Body", "", kNone, motion, always,
          "Fixed in place, a point, a rigid body, or a flexible body of nodes and springs."),
      ROW(body.solver, "Solver", "Body", "", kName, motion, flexible,
          "Which elastic solver moves the nodes; its own parameters are below."),
      ROW(body.mass_source, "Mass from", "Body", "", kNone, motion, moves,
          "The mass is given, or density times the volume of the display model."),
      rows::sparse(ROW(body.shell, "Shell", "Body", "m", within(0, 1e3, 0), motion, mass_of_material,
          "Thickness of the skin where the object is hollow: its mass is density times area times this; 0: it is solid.")),
      rows::read_as(ROW(body.mass, "Mass", "Body", "kg", above(0, 1e9), motion, mass_given,
          "Mass of the whole object, shared out over its nodes."), with_mass),
      ROW(body.stiffness_source, "Stiffness from", "Body", "", kNone, motion, flexible,
          "The spring constant is given, or follows from Young's modulus and each spring's length."),
      ROW(body.stiffness, "Stiffness", "Body", "N/m", above(0, 1e12), motion, stiffness_given,
          "Spring constant k of every spring: higher is harder and swings faster."),
      rows::read_as(ROW(body.cross_section, "Cross-section", "Body", "m²", above(0, 1e6), motion, section_counts,
          "Cross-section A of a spring: k = E A / l; also how hard the body is in the closed form of a collision."), with_section),
      ROW(body.damping, "Damping", "Body", "N s/m", within(0, 1e9, 0), motion, flexible,
          "Damping constant c of every spring: higher dies away sooner."),
      rows::sparse(ROW(body.volume.of, "Volume", "Body", "", kNone, motion, flexible,
          "What keeps its volume while the body bends: nothing, the surface of the analysis model, or the hull of its nodes, which "
          "tetrahedra have too.")),
      rows::keyed(rows::sparse(ROW(body.volume.size, "Size", "Body", "", within(0.01, 100, 0.005), motion, keeps_volume,
          "The volume that is kept, of that at rest: 1 keeps it, more swells, less shrinks. Its keys swell and shrink the body in "
          "time."))),
      rows::sparse(ROW(body.volume.method, "Volume by", "Body", "", kNone, motion, keeps_volume,
          "Exact solves for the pressure within each step; optimisation searches the nearest places after it, as in the thesis, "
          "hundreds of times slower.")),
      rows::keyed(rows::sparse(ROW(body.shape.pose, "Shape", "Body", "", within(0, 1e9, 1), motion, keys_shape,
          "The pose that its rest shape is: the body's own dynamics take it there. 0 is the analysis model as it is. Keys of it "
          "are a performance: the shape goes from key to key."))),
      rows::sparse(ROW(body.shape.way, "Between keys", "Body", "", kNone, motion, keys_shape,
          "How the rest shape goes from one pose to the next: as the body itself would, which keeps its volume, or each node along "
          "a straight line.")),
      rows::sparse(ROW(body.shape.ease, "Ease", "Body", "", within(0, 1, 0.01), motion, keys_shape,
          "0: evenly from key to key; 1: it begins and ends slowly.")),
      rows::keyed(rows::sparse(ROW(body.shape.following, "Following", "Body", "", within(0, 1, 0.01), motion, keys_shape,
          "0: the rest shape alone drives, and the body swings about it; 1: the body has the shape exactly at its time. It still "
          "flies, falls and hits as a whole."))),
      ROW(body.velocity, "Velocity", "Body", "m/s", within(-1e5, 1e5, 0.05), motion, moves,
          "Velocity at the start."),
      ROW(body.spin, "Spin", "Body", "°/s", kSpins, motion, turns,
          "Rate of turn at the start about the world's axes."),
      rows::keyed(ROW(body.gravity, "Gravity", "Body", "", kNone, motion, moves,
          "Whether the scene's gravity pulls on the object.")),
      rows::sparse(ROW(body.fields, "Feels fields", "Body", "", kNone, motion, moves,
          "Whether fields of force act on the object.")),
      rows::sparse(ROW(body.air, "Air and water", "Body", "", within(0, 1000, 0.01), motion, feels_fields,
          "How hard air and water push on its surface: 1 as on a flat board, 0 not at all.")),
      rows::sparse(ROW(body.drag_linear, "Own linear drag", "Body", "1/s", within(0, 1e5, 0.01), motion, moves,
          "The object loses this part of its speed each second, in any air and without any.")),
      rows::sparse(ROW(body.drag_quadratic, "Own quadratic drag", "Body", "1/m", within(0, 1e5, 0.01), motion, moves,
          "And this part on each metre of its way.")),
      rows::keyed(rows::sparse(ROW(body.led, "Led by keys", "Body", "", kNone, look, always,
          "While its place or rotation has keys: whether it goes where they say, as something that nothing can stop. Off, physics "
          "has it, with the speed that it had. Can be keyed itself."))),
      rows::sparse(ROW(body.blend, "Back to keys", "Body", "s", kTime, look, always,
          "How long it takes to come back to its keys when it is led again.")),
      rows::sparse(ROW(body.bends_led, "Bends while led", "Body", "", kNone, look, flexible,
          "Keys carry its middle and its turn alone, and it swings and is squashed on its way as physics has it; otherwise it goes "
          "there in the shape that it has.")),
      ROW(body.birth, "Birth", "Body", "s", kTime, motion, lives,
          "When the point appears."),
      ROW(body.death, "Death", "Body", "s", kTime, motion, lives,
          "When the point disappears."),
      rows::read_as(ROW(contact.enabled, "Collides", "Contact", "", kNone, motion, always,
          "Whether the object touches others."), to_find_contacts),
      rows::read_as(ROW(contact.shape, "Shape", "Contact", "", kNone, motion, may_touch,
          "What touches: the surface that is seen, a simplified one or its convex hull, only its vertices or analysis nodes, or a "
          "sphere, box or plane; automatic picks what fits."), to_find_contacts),
      rows::sparse(rows::read_as(ROW(contact.triangles, "Triangles", "Contact", "", within(4, 100000, 5), motion, simplified,
          "About as many triangles of the surface that is seen are left to collide."), to_find_contacts)),
      rows::read_as(ROW(contact.thickness, "Thickness", "Contact", "m", within(0, 1e3, 0), motion, may_touch,
          "Distance that others keep from the surface."), to_find_contacts),
      rows::sparse(rows::read_as(ROW(contact.self_collision, "Self-collision", "Contact", "", kNone, motion, may_fold,
          "Whether the object touches itself where it folds or closes. Costs time; parts closer to each other than 0.2 % of the "
          "size at the start do not count."), to_find_contacts)),
      rows::sparse(rows::read_as(ROW(contact.groups, "Groups", "Contact", "", kText, touch, may_touch,
          "Collision groups that the object is in: names of your own, with commas between them."), by_the_rules)),
      rows::sparse(rows::read_as(ROW(contact.ignores, "Ignores", "Contact", "", kText, touch, may_touch,
          "Groups whose objects this one does not touch, with commas between them; its own group may be one of them."), by_the_rules)),
  });
  rows::append(all, rows::rows_of_part<Object, Material, &Object::material, material_fields>("material."));
  // clang-format on
  const auto when = [&](std::string_view path, Effect (*reads)(const Object&)) {
    const auto row = std::find_if(all.begin(), all.end(), [&](const auto& field) { return field.path == path; });
    assert(row != all.end());
    row->reads = reads;
  };
  when("material.substance.density", with_density);
  when("material.substance.young", with_young);
  when("material.substance.poisson", with_poisson);
  when("material.substance.restitution", at_contacts);
  when("material.substance.friction", at_contacts);
  when("material.substance.rolling", at_contacts);
  when("material.substance.spin", at_contacts);
  return all;
}

}  // namespace

Effect lists::metaballs_read(const Object& object) { return with_metaballs(object); }
Effect lists::parameters_read(const Object& object) { return motion_if(flexible(object)); }
Effect lists::start_read(const Object& object) { return motion_if(mapped(object)); }
Effect lists::poses_read(const Object& object) { return motion_if(mapped(object)); }
Effect lists::skeleton_read(const Object& object) {
  return motion_if((mapped(object) && object.mapping.kind == MappingKind::skeleton) || is_skin(object));
}

std::span<const Field<Object>> object_fields() {
  static const std::vector<Field<Object>> table = make_rows();
  return table;
}

}  // namespace hazumi
