// The field table of objects.
//
// Effect is what a change can alter at most; scene/diff.cpp narrows it to what the object's present kind
// reads (the spring constant of a rigid body drops no frame). Ranges are inclusive; `above` means that the
// lower end is excluded.
#include "core/scene/field_rows.h"
#include "core/scene/materials.h"

namespace hazumi {

namespace {

using Owner = Object;
using rows::Range;

constexpr Range kAny{-rows::kLargest, rows::kLargest, false, 0.01};
constexpr Range kSize{1e-6, 1e6, false, 0.01};
constexpr Range kColour{0, 1, false, 0.01};
constexpr Range kRotation{-1, 1, false, 0.01};
constexpr Range kNone{};
constexpr Range kName{1, 200};
constexpr Range kText{0, 1000};
constexpr Range kTime{0, rows::kLargest, false, 0.05};

constexpr Range above(double low, double high) { return {low, high, true, 0}; }
constexpr Range within(double low, double high, double step) { return {low, high, false, step}; }

bool always(const Object&) { return true; }
bool primitive(const Object& o) { return o.display.kind == DisplayKind::primitive; }
bool mesh_file(const Object& o) { return o.display.kind == DisplayKind::mesh; }
bool analysed(const Object& o) { return o.analysis.kind != AnalysisKind::none; }
bool flexible(const Object& o) { return o.body.kind == BodyKind::flexible; }
bool moves(const Object& o) { return o.body.kind != BodyKind::fixed; }
bool turns(const Object& o) { return moves(o) && o.body.kind != BodyKind::point; }
bool point(const Object& o) { return o.body.kind == BodyKind::point; }
bool mass_given(const Object& o) { return moves(o) && o.body.mass_source == MassSource::given; }
bool stiffness_given(const Object& o) {
  return flexible(o) && o.body.stiffness_source == StiffnessSource::given;
}
bool touches(const Object& o) { return o.contact.enabled; }
bool set_apart(const Object& o) { return !o.material.substance_follows; }

std::span<const std::string_view> preset_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const MaterialPreset& preset : material_presets()) all.push_back(preset.name);
    return all;
  }();
  return names;
}

// The preset is kept by name, so that files stay readable and presets can be added; here it is a choice by
// number.
Field<Object> preset_row(std::string_view tooltip) {
  Field<Object> row{"material.preset",
                    "Preset",
                    "Material",
                    "",
                    tooltip,
                    FieldType::choice,
                    Effect::look,
                    0,
                    static_cast<double>(preset_names().size()) - 1,
                    false,
                    1,
                    preset_names(),
                    [](const Object& o) -> FieldValue {
                      const auto names = preset_names();
                      for (std::size_t i = 0; i < names.size(); ++i)
                        if (names[i] == o.material.preset) return static_cast<std::int64_t>(i);
                      return std::int64_t{-1};
                    },
                    [](Object& o, const FieldValue& v) {
                      o.material.preset = preset_names()[static_cast<std::size_t>(std::get<std::int64_t>(v))];
                    },
                    always};
  return row;
}

// A mesh belongs to its file name: another name lets go of the mesh that was read (see resolve_meshes in
// scene_io.h).
Field<Object> mesh_file_row(Field<Object> row) {
  row.set = [](Object& o, const FieldValue& v) {
    const auto& file = std::get<std::string>(v);
    if (file != o.display.mesh.file) o.display.mesh = MeshReference{file};
  };
  return row;
}

std::vector<Field<Object>> make_rows() {
  // clang-format off
  return {
      ROW(name, "Name", "Object", "", kName, look, always,
          "What the object is called in lists, messages and exported files."),
      ROW(visible, "Visible", "Object", "", kNone, look, always,
          "Whether the object is drawn; a hidden object still takes part in the motion."),
      ROW(locked, "Locked", "Object", "", kNone, look, always,
          "A locked object cannot be selected by clicking in the viewport."),
      ROW(transform.position, "Position", "Transform", "m", kAny, motion, always,
          "Where the object's origin is at the start."),
      ROW(transform.rotation, "Rotation", "Transform", "°", kRotation, motion, always,
          "How the object is turned at the start."),
      ROW(transform.scale, "Scale", "Transform", "", within(1e-6, 1e6, 0.01), motion, always,
          "Stretches display and analysis model along the object's own axes, before it is turned."),
      ROW(display.kind, "Kind", "Display model", "", kNone, motion, always,
          "What is seen: nothing, a primitive from the catalogue, or a mesh file."),
      ROW(display.primitive.shape, "Shape", "Display model", "", kNone, motion, primitive,
          "Which primitive from the catalogue."),
      ROW(display.primitive.size, "Size", "Display model", "m", kSize, motion, primitive,
          "Full width, height and depth of the primitive."),
      ROW(display.primitive.divisions, "Divisions", "Display model", "", within(1, 200, 1), motion, primitive,
          "Into how many strips the surface is divided in each direction; round shapes need at least "
          "3 around."),
      mesh_file_row(ROW(display.mesh.file, "Mesh file", "Display model", "", kText, motion, mesh_file,
          "Name of the OBJ, PLY, STL or OFF file, which lies beside the scene.")),
      ROW(analysis.kind, "Shape", "Analysis model", "", kNone, motion, always,
          "What moves: the arrangement of nodes and springs behind the display model."),
      ROW(analysis.divisions, "Divisions", "Analysis model", "", within(1, 200, 1), motion, analysed,
          "Cells along x, y and z of a grid; for octahedron and icosahedron the number of parts into which "
          "every edge is cut (first number)."),
      ROW(analysis.size, "Size", "Analysis model", "m", kSize, motion, analysed,
          "Full width, height and depth of the analysis model, before the object's scale."),
      ROW(analysis.offset, "Offset", "Analysis model", "m", kAny, motion, analysed,
          "Where the centre of the analysis model is, from the object's origin."),
      ROW(body.kind, "Moves as", "Body", "", kNone, motion, always,
          "Fixed in place, a point, a rigid body, or a flexible body of nodes and springs."),
      ROW(body.solver, "Solver", "Body", "", kName, motion, flexible,
          "Which elastic solver moves the nodes."),
      ROW(body.method, "Method", "Body", "", kNone, motion, flexible,
          "Factored solves at any stiffness; fixed point is the thesis's iteration, for comparison."),
      ROW(body.beta, "Newmark β", "Body", "", kNone, motion, flexible,
          "1/4 keeps the energy at any stiffness; 1/6 and 0 are for comparison and limited to soft springs."),
      ROW(body.mass_source, "Mass from", "Body", "", kNone, motion, moves,
          "The mass is given, or density times the volume of the display model."),
      ROW(body.mass, "Mass", "Body", "kg", above(0, 1e9), motion, mass_given,
          "Mass of the whole object, shared out over its nodes."),
      ROW(body.stiffness_source, "Stiffness from", "Body", "", kNone, motion, flexible,
          "The spring constant is given, or follows from Young's modulus and each spring's length."),
      ROW(body.stiffness, "Stiffness", "Body", "N/m", above(0, 1e12), motion, stiffness_given,
          "Spring constant k of every spring: higher is harder and swings faster."),
      ROW(body.cross_section, "Cross-section", "Body", "m²", above(0, 1e6), motion, flexible,
          "Cross-section A of a spring: k = E A / l."),
      ROW(body.damping, "Damping", "Body", "N s/m", within(0, 1e9, 0), motion, flexible,
          "Damping constant c of every spring: higher dies away sooner."),
      ROW(body.velocity, "Velocity", "Body", "m/s", within(-1e5, 1e5, 0.05), motion, moves,
          "Velocity at the start."),
      ROW(body.spin, "Spin", "Body", "°/s", within(-1e5, 1e5, 0.05), motion, turns,
          "Rate of turn at the start about the world's axes."),
      ROW(body.gravity, "Gravity", "Body", "", kNone, motion, moves,
          "Whether the scene's gravity pulls on the object."),
      ROW(body.birth, "Birth", "Body", "s", kTime, motion, point,
          "When the point appears."),
      ROW(body.death, "Death", "Body", "s", kTime, motion, point,
          "When the point disappears."),
      ROW(contact.enabled, "Collides", "Contact", "", kNone, motion, always,
          "Whether the object touches others."),
      ROW(contact.shape, "Shape", "Contact", "", kNone, motion, touches,
          "What touches: analysis nodes, display vertices, or a sphere, box or plane; automatic "
          "picks what fits."),
      preset_row("Look and physical properties of a known material."),
      ROW(material.substance_follows, "Physics follow the preset", "Material", "", kNone, look, always,
          "Density, elasticity, restitution and friction are those of the preset; otherwise they are "
          "set apart."),
      rows::as_colour(ROW(material.surface.ambient, "Ambient", "Material", "", kColour, look, always,
          "Colour under the light that comes from everywhere.")),
      rows::as_colour(ROW(material.surface.diffuse, "Diffuse", "Material", "", kColour, look, always,
          "Colour under a light.")),
      rows::as_colour(ROW(material.surface.specular, "Specular", "Material", "", kColour, look, always,
          "Colour of the highlight.")),
      ROW(material.surface.shininess, "Shininess", "Material", "", within(0, 128, 0.5), look, always,
          "Phong exponent: higher makes the highlight smaller."),
      ROW(material.surface.opacity, "Opacity", "Material", "", kColour, look, always,
          "1 is opaque, 0 is invisible."),
      ROW(material.substance.density, "Density", "Material", "kg/m³", above(0, 1e6), motion, set_apart,
          "Mass per volume; used when the mass comes from the material."),
      ROW(material.substance.young, "Young's modulus", "Material", "Pa", within(1, 1e13, 0), contact, set_apart,
          "Elasticity of the material: higher makes contacts shorter and harder."),
      ROW(material.substance.poisson, "Poisson's ratio", "Material", "", within(-0.99, 0.499, 0.005), contact, set_apart,
          "How much the material thins when it is stretched."),
      ROW(material.substance.restitution, "Restitution", "Material", "", within(0, 1, 0.01), contact, set_apart,
          "Part of the approach speed that a bounce gives back."),
      ROW(material.substance.friction, "Friction", "Material", "", within(0, 10, 0.01), contact, set_apart,
          "Coulomb's coefficient of friction."),
  };
  // clang-format on
}

}  // namespace

std::span<const Field<Object>> object_fields() {
  static const std::vector<Field<Object>> table = make_rows();
  return table;
}

}  // namespace hazumi
