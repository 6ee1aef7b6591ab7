// The field table of objects.
//
// Effect is what a change can alter at most; scene/diff.cpp narrows it to what the object's present kind reads (the
// spring constant of a rigid body drops no frame). Ranges are inclusive; `above` means that the lower end is excluded.
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
bool stiffness_given(const Object& o) { return flexible(o) && o.body.stiffness_source == StiffnessSource::given; }
bool touches(const Object& o) { return o.contact.enabled; }
bool substance_apart(const Object& o) { return !o.material.substance_follows; }

std::span<const std::string_view> preset_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const MaterialPreset& preset : material_presets()) all.push_back(preset.name);
    return all;
  }();
  return names;
}

// The preset is kept by name, so that files stay readable and presets can be added; here it is a choice by number.
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

// A mesh belongs to its file name: another name lets go of the mesh that was read (see resolve_meshes in scene_io.h).
Field<Object> mesh_file_row(Field<Object> row) {
  row.set = [](Object& o, const FieldValue& v) {
    const auto& file = std::get<std::string>(v);
    if (file != o.display.mesh.file) o.display.mesh = MeshReference{file};
  };
  return row;
}

std::vector<Field<Object>> make_rows() {
  return {
      ROW(name, "Name", "Object", "", "What the object is called in lists, messages and exported files.", kName, look, always),
      ROW(visible, "Visible", "Object", "", "Whether the object is drawn; a hidden object still takes part in the motion.", kNone, look, always),
      ROW(locked, "Locked", "Object", "", "A locked object cannot be selected by clicking in the viewport.", kNone, look, always),
      ROW(transform.position, "Position", "Transform", "m", "Where the object's origin is at the start.", kAny, motion, always),
      ROW(transform.rotation, "Rotation", "Transform", "°", "How the object is turned at the start.", kRotation, motion, always),
      ROW(transform.scale, "Scale", "Transform", "", "Stretches display and analysis model along the object's own axes, before it is turned.", within(1e-6, 1e6, 0.01), motion, always),
      ROW(display.kind, "Kind", "Display model", "", "What is seen: nothing, a primitive from the catalogue, or a mesh file.", kNone, motion, always),
      ROW(display.primitive.shape, "Shape", "Display model", "", "Which primitive from the catalogue.", kNone, motion, primitive),
      ROW(display.primitive.size, "Size", "Display model", "m", "Full width, height and depth of the primitive.", kSize, motion, primitive),
      ROW(display.primitive.divisions, "Divisions", "Display model", "", "Into how many strips the surface is divided in each direction; round shapes need at least 3 around.", within(1, 200, 1), motion, primitive),
      mesh_file_row(ROW(display.mesh.file, "Mesh file", "Display model", "", "Name of the OBJ, PLY, STL or OFF file, which lies beside the scene.", kText, motion, mesh_file)),
      ROW(analysis.kind, "Shape", "Analysis model", "", "What moves: the arrangement of nodes and springs behind the display model.", kNone, motion, always),
      ROW(analysis.divisions, "Divisions", "Analysis model", "", "Cells along x, y and z of a grid; for octahedron and icosahedron how often each face is divided into four (first number).", within(0, 200, 1), motion, analysed),
      ROW(analysis.size, "Size", "Analysis model", "m", "Full width, height and depth of the analysis model, before the object's scale.", kSize, motion, analysed),
      ROW(analysis.offset, "Offset", "Analysis model", "m", "Where the centre of the analysis model is, from the object's origin.", kAny, motion, analysed),
      ROW(body.kind, "Moves as", "Body", "", "Fixed in place, a point, a rigid body, or a flexible body of nodes and springs.", kNone, motion, always),
      ROW(body.solver, "Solver", "Body", "", "Which elastic solver moves the nodes.", kName, motion, flexible),
      ROW(body.method, "Method", "Body", "", "Factored solves at any stiffness; fixed point is the thesis's iteration, for comparison.", kNone, motion, flexible),
      ROW(body.beta, "Newmark β", "Body", "", "1/4 keeps the energy at any stiffness; 1/6 and 0 are for comparison and limited to soft springs.", kNone, motion, flexible),
      ROW(body.mass_source, "Mass from", "Body", "", "The mass is given, or density times the volume of the display model.", kNone, motion, moves),
      ROW(body.mass, "Mass", "Body", "kg", "Mass of the whole object, shared out over its nodes.", above(0, 1e9), motion, mass_given),
      ROW(body.stiffness_source, "Stiffness from", "Body", "", "The spring constant is given, or follows from Young's modulus and each spring's length.", kNone, motion, flexible),
      ROW(body.stiffness, "Stiffness", "Body", "N/m", "Spring constant k of every spring: higher is harder and swings faster.", above(0, 1e12), motion, stiffness_given),
      ROW(body.cross_section, "Cross-section", "Body", "m²", "Cross-section A of a spring: k = E A / l.", above(0, 1e6), motion, flexible),
      ROW(body.damping, "Damping", "Body", "N s/m", "Damping constant c of every spring: higher dies away sooner.", within(0, 1e9, 0), motion, flexible),
      ROW(body.velocity, "Velocity", "Body", "m/s", "Velocity at the start.", within(-1e5, 1e5, 0.05), motion, moves),
      ROW(body.spin, "Spin", "Body", "°/s", "Rate of turn at the start about the world's axes.", within(-1e5, 1e5, 0.05), motion, turns),
      ROW(body.gravity, "Gravity", "Body", "", "Whether the scene's gravity pulls on the object.", kNone, motion, moves),
      ROW(body.birth, "Birth", "Body", "s", "When the point appears.", kTime, motion, point),
      ROW(body.death, "Death", "Body", "s", "When the point disappears.", kTime, motion, point),
      ROW(contact.enabled, "Collides", "Contact", "", "Whether the object touches others.", kNone, motion, always),
      ROW(contact.shape, "Shape", "Contact", "", "What touches: analysis nodes, display vertices, or a sphere, box or plane; automatic picks what fits.", kNone, motion, touches),
      preset_row("Look and physical properties of a known material."),
      ROW(material.substance_follows, "Physics follow the preset", "Material", "", "Density, elasticity, restitution and friction are those of the preset; otherwise they are set apart.", kNone, look, always),
      rows::as_colour(ROW(material.surface.ambient, "Ambient", "Material", "", "Colour under the light that comes from everywhere.", kColour, look, always)),
      rows::as_colour(ROW(material.surface.diffuse, "Diffuse", "Material", "", "Colour under a light.", kColour, look, always)),
      rows::as_colour(ROW(material.surface.specular, "Specular", "Material", "", "Colour of the highlight.", kColour, look, always)),
      ROW(material.surface.shininess, "Shininess", "Material", "", "Phong exponent: higher makes the highlight smaller.", within(0, 128, 0.5), look, always),
      ROW(material.surface.opacity, "Opacity", "Material", "", "1 is opaque, 0 is invisible.", kColour, look, always),
      ROW(material.substance.density, "Density", "Material", "kg/m³", "Mass per volume; used when the mass comes from the material.", above(0, 1e6), motion, substance_apart),
      ROW(material.substance.young, "Young's modulus", "Material", "Pa", "Elasticity of the material: higher makes contacts shorter and harder.", within(1, 1e13, 0), contact, substance_apart),
      ROW(material.substance.poisson, "Poisson's ratio", "Material", "", "How much the material thins when it is stretched.", within(-0.99, 0.499, 0.005), contact, substance_apart),
      ROW(material.substance.restitution, "Restitution", "Material", "", "Part of the approach speed that a bounce gives back.", within(0, 1, 0.01), contact, substance_apart),
      ROW(material.substance.friction, "Friction", "Material", "", "Coulomb's coefficient of friction.", within(0, 10, 0.01), contact, substance_apart),
  };
}

}  // namespace

std::span<const Field<Object>> object_fields() {
  static const std::vector<Field<Object>> table = make_rows();
  return table;
}

}  // namespace hazumi
