// The field tables of parts of an object that occur more than once: analysis models, materials, metaballs, bones.
#include "core/scene/values/field_rows.h"
#include "core/scene/values/materials.h"

namespace hazumi {

namespace rows {

std::span<const std::string_view> preset_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const MaterialPreset& preset : material_presets()) all.push_back(preset.name);
    return all;
  }();
  return names;
}

}  // namespace rows

using namespace rows;

// clang-format off

namespace {

constexpr Range kSolver{0, 200};

/// Of what has a look of its own as its member `surface`.
template <class Owner>
std::vector<Field<Owner>> surface_rows(std::string_view group) {
  std::vector<Field<Owner>> all = {
      rows::as_colour(ROW(surface.ambient, "Ambient", "", "", kColour, look, always,
          "Colour under the light that comes from everywhere.")),
      rows::as_colour(ROW(surface.diffuse, "Diffuse", "", "", kColour, look, always,
          "Colour under a light.")),
      rows::as_colour(ROW(surface.specular, "Specular", "", "", kColour, look, always,
          "Colour of the highlight.")),
      ROW(surface.shininess, "Shininess", "", "", within(0, 128, 0.5), look, always,
          "Phong exponent: higher makes the highlight smaller."),
      ROW(surface.opacity, "Opacity", "", "", kColour, look, always,
          "1 is opaque, 0 is invisible."),
  };
  for (auto& row : all) {
    row.group = group;
    row.keyable = std::is_same_v<Owner, Material>;
  }
  return all;
}

}  // namespace

std::span<const Field<AnalysisModel>> analysis_fields() {
  using Owner = AnalysisModel;
  static constexpr auto analysed = [](const AnalysisModel& a) { return a.kind != AnalysisKind::none; };
  static constexpr auto solid = [](const AnalysisModel& a) {
    return a.kind == AnalysisKind::octahedron || a.kind == AnalysisKind::icosahedron;
  };
  static constexpr auto cloth = [](const AnalysisModel& a) { return a.kind == AnalysisKind::cloth; };
  static constexpr auto bends = [](const AnalysisModel& a) {
    return a.kind == AnalysisKind::cloth || a.kind == AnalysisKind::rope || is_sheet(a);
  };
  static constexpr auto catalogue = [](const AnalysisModel& a) {
    return a.kind != AnalysisKind::none && a.kind != AnalysisKind::strung;
  };
  static const std::vector<Field<AnalysisModel>> table = {
      rows::sparse(ROW(name, "Name", "Analysis model", "", kName, look, analysed,
          "What this analysis model is called among those that the object can switch between.")),
      ROW(kind, "Shape", "Analysis model", "", kNone, motion, always,
          "What moves: the arrangement of nodes and springs behind the display model."),
      ROW(divisions, "Divisions", "Analysis model", "", within(1, 200, 1), motion, catalogue,
          "Cells along x, y and z of a grid, squares along x and z of a cloth, parts of a rope (first number); for octahedron and icosahedron the number of parts into which "
          "every edge is cut (first number)."),
      ROW(size, "Size", "Analysis model", "m", kSize, motion, catalogue,
          "Full width, height and depth of the analysis model, before the object's scale; a rope is as long as its longest side and "
          "as thick as the others."),
      ROW(offset, "Offset", "Analysis model", "m", kAny, motion, catalogue,
          "Where the centre of the analysis model is, from the object's origin."),
      rows::sparse(ROW(hollow, "Hollow", "Analysis model", "", kNone, motion, solid,
          "A skin alone, with nothing inside: a balloon, with the solver Springs, large deformation, and its Volume kept.")),
      rows::sparse(ROW(shear, "Shear", "Analysis model", "", within(0, 10, 0.01), motion, cloth,
          "Stiffness of the diagonals of the cloth's squares, as a share of that of their sides: little lets it drape, "
          "much keeps it square.")),
      rows::sparse(ROW(bending, "Bending", "Analysis model", "N m", within(0, 1e3, 1e-5), motion, bends,
          "How stiff it is against bending, however finely it is divided. Cloth, N m: silk 1e-6, cotton 1e-5, canvas "
          "1e-4, leather 1e-3. Rope, N m²: string 1e-5, rope 1e-3, cable 0.1.")),
      rows::sparse(ROW(solver, "Solver", "Analysis model", "", kSolver, look, never,
          "Of an analysis model that waits among the variants: the elastic model that the object takes with it; empty: the one that it "
          "has.")),
  };
  return table;
}

std::span<const Field<AnalysisPose>> pose_fields() {
  using Owner = AnalysisPose;
  static const std::vector<Field<AnalysisPose>> table = rows::all_sparse<AnalysisPose>({
      ROW(name, "Name", "Pose", "", kName, look, always,
          "What the pose is called in the list."),
      ROW(example, "Example", "Pose", "", kNone, motion, always,
          "Bodies that learn from examples take the pose as one: pushed a little that way, they go all the way."),
  });
  return table;
}

std::span<const Field<Material>> material_fields() {
  using Owner = Material;
  static constexpr auto set_apart = [](const Material& m) { return !m.substance_follows; };
  static const std::vector<Field<Material>> table = [] {
    std::vector<Field<Material>> all = {
        rows::preset_row<Material, &Material::preset>("Material", "Look and physical properties of a known material."),
        ROW(substance_follows, "Physics follow the preset", "Material", "", kNone, look, always,
            "Density, elasticity, restitution and friction are those of the preset; otherwise they are "
            "set apart."),
    };
    rows::append(all, surface_rows<Material>("Material"));
    rows::append(all, {
        ROW(substance.density, "Density", "Material", "kg/m³", above(0, 1e6), motion, set_apart,
            "Mass per volume; used when the mass comes from the material."),
        ROW(substance.young, "Young's modulus", "Material", "Pa", within(1, 1e13, 0), motion, set_apart,
            "Elasticity of the material: higher makes contacts shorter and harder."),
        ROW(substance.poisson, "Poisson's ratio", "Material", "", within(-0.99, 0.499, 0.005), motion, set_apart,
            "How much the material thins when it is stretched."),
        rows::keyed(ROW(substance.restitution, "Restitution", "Material", "", within(0, 1, 0.01), contact, set_apart,
            "Part of the approach speed that a bounce gives back.")),
        rows::keyed(ROW(substance.friction, "Friction", "Material", "", within(0, 10, 0.01), contact, set_apart,
            "Coulomb's coefficient of friction.")),
        rows::sparse(ROW(substance.rolling, "Rolling resistance", "Material", "m", within(0, 100, 0), contact, set_apart,
            "Lever arm with which the contact force resists rolling; those of the two that touch add up.")),
        rows::sparse(ROW(substance.spin, "Spin resistance", "Material", "m", within(0, 100, 0), contact, set_apart,
            "Lever arm with which the contact force resists turning on the spot; those of the two that touch add up.")),
    });
    return all;
  }();
  return table;
}

std::span<const Field<PartMaterial>> part_material_fields() {
  using Owner = PartMaterial;
  static const std::vector<Field<PartMaterial>> table = [] {
    std::vector<Field<PartMaterial>> all = {
        ROW(part, "Part", "Material", "", kName, look, always,
            "Name of the part of the display model that has this material."),
    };
    rows::append(all, rows::rows_of_part<PartMaterial, Material, &PartMaterial::material, material_fields>("material."));
    // The body as a whole moves by the object's own material.
    for (auto& row : all) {
      row.effect = Effect::look;
      row.reads = nullptr;
      row.keyable = false;
    }
    return all;
  }();
  return table;
}

std::span<const Field<MetaballPrimitive>> metaball_fields() {
  using Owner = MetaballPrimitive;
  static constexpr auto torus = [](const MetaballPrimitive& p) { return p.shape == MetaballShape::torus; };
  static const std::vector<Field<MetaballPrimitive>> table = [] {
    std::vector<Field<MetaballPrimitive>> all = rows::all_sparse<MetaballPrimitive>({
        ROW(name, "Name", "Metaball", "", kName, look, always,
            "What the metaball is called in the list."),
        ROW(visible, "Takes part", "Metaball", "", kNone, motion, always,
            "Whether the metaball takes part in the surface."),
        ROW(shape, "Shape", "Metaball", "", kNone, motion, always,
            "An ellipsoid, which the roundness makes a box, cylinder, octahedron or star, or a torus."),
        ROW(centre, "Centre", "Metaball", "m", kAny, motion, always,
            "Where the metaball's centre is, from the object's origin."),
        ROW(rotation, "Rotation", "Metaball", "°", kRotation, motion, always,
            "How the metaball is turned."),
        ROW(radii, "Radii", "Metaball", "m", kSize, motion, always,
            "How far the metaball reaches along its own x, y and z; the surface lies further inside."),
        ROW(round_xz, "Roundness xz", "Metaball", "", within(0.1, 3, 0.01), motion, always,
            "Shape of the section that contains the z axis: 0.1 boxy, 1 round, 2 octahedral, 3 pinched."),
        ROW(round_xy, "Roundness xy", "Metaball", "", within(0.1, 3, 0.01), motion, always,
            "Shape of the section across the z axis: 0.1 boxy, 1 round, 2 octahedral, 3 pinched."),
        ROW(tube, "Tube", "Metaball", "", within(0.01, 0.99, 0.005), motion, torus,
            "Radius of the tube as a part of the outer radius."),
        ROW(weight, "Weight", "Metaball", "", within(-100, 100, 0.01), motion, always,
            "Strength of the metaball: higher swells the surface, negative carves; a single one shows from 1 on."),
        ROW(bone, "Bone", "Metaball", "", within(0, 4294967295.0, 1), motion, always,
            "Id of the bone that the metaball goes with, where metaballs go with bones; 0: the nearest one."),
        rows::preset_row<MetaballPrimitive, &MetaballPrimitive::preset>("Metaball", "Look of a known material."),
    });
    rows::append(all, rows::all_sparse(surface_rows<MetaballPrimitive>("Metaball")));
    for (auto& row : all) {
      // Of one that takes no part nothing is read, not even that it is there.
      if (row.effect == Effect::motion)
        row.reads = [](const MetaballPrimitive& p) { return p.visible ? Effect::motion : Effect::look; };
      if (row.path == "tube")
        row.reads = [](const MetaballPrimitive& p) {
          return p.visible && p.shape == MetaballShape::torus ? Effect::motion : Effect::look;
        };
    }
    return all;
  }();
  return table;
}

std::span<const Field<Bone>> bone_fields() {
  using Owner = Bone;
  static constexpr auto carried = [](const Bone& bone) { return bone.carrier != 0; };
  static const std::vector<Field<Bone>> table = rows::all_sparse<Bone>({
      ROW(name, "Name", "Bone", "", kName, look, always,
          "What the bone is called in the list."),
      ROW(parent, "Parent", "Bone", "", within(0, 4294967295.0, 1), motion, always,
          "Id of the bone that this one hangs on; 0 for none."),
      ROW(head, "Head", "Bone", "m", kAny, motion, always,
          "Where the bone starts, from the object's origin."),
      ROW(tail, "Tail", "Bone", "m", kAny, motion, always,
          "Where the bone ends, from the object's origin."),
      ROW(radius, "Reach", "Bone", "m", within(1e-6, 1e6, 0), motion, always,
          "How far around the bone its automatic weights reach."),
      rows::names_a(Refers::object, ROW(carrier, "Carried by", "Bone", "", kThing, motion, always,
          "Id of the object that the bone goes with; 0: with the nodes near it. A fixed object with such bones is a skin: it touches "
          "nothing and bends with the objects.")),
      ROW(bound_position, "Bound at", "Bone", "m", kAny, motion, carried,
          "Where the object that carries it was when they were bound, from the origin of the skin."),
      ROW(bound_rotation, "Bound turned", "Bone", "°", kRotation, motion, carried,
          "How the object that carries it was turned when they were bound, from the axes of the skin."),
  });
  return table;
}

std::span<const Field<SolverParameter>> solver_parameter_fields() {
  using Owner = SolverParameter;
  static const std::vector<Field<SolverParameter>> table = rows::all_sparse<SolverParameter>({
      ROW(solver, "Solver", "Parameter", "", kName, motion, always,
          "The elastic solver whose parameter it is."),
      ROW(name, "Name", "Parameter", "", kName, motion, always,
          "The parameter's name in the solver's table; names that the program does not know are kept."),
      ROW(word, "Word", "Parameter", "", (Range{0, 200}), motion, always,
          "Of a parameter that is a choice: what is chosen."),
      ROW(number, "Number", "Parameter", "", (Range{-1e300, 1e300}), motion, always,
          "Of a parameter that is a number: its value in the parameter's unit; 0 and 1 for no and yes."),
  });
  return table;
}

// clang-format on

}  // namespace hazumi
