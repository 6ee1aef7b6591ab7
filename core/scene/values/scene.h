// A scene is a value: an immutable tree of plain structs that shares what did not change with the version
// before (base/shared.h). Every editable member has one row in the field table (scene/values/fields.h), which drives
// the file format, validation, the property panel, the diff and the documentation; a test compares the table
// with these structs. Units: SI. Angles are quaternions or radians. Colours are linear components 0…1 as in
// the classic OpenGL material table. `kept` is what a file holds beyond these members (base/kept.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/base/shared.h"
#include "core/geometry/mapping/mapping_settings.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/surface.h"
#include "core/geometry/metaball/group.h"
#include "core/geometry/truss/strung.h"
#include "core/geometry/truss/truss.h"
#include "core/import/mesh_settings.h"
#include "core/math/types.h"
#include "core/scene/values/body_kinds.h"
#include "core/scene/values/camera.h"
#include "core/scene/values/curve.h"
#include "core/scene/values/follow.h"
#include "core/scene/values/force.h"
#include "core/scene/values/force_field.h"
#include "core/scene/values/joint.h"
#include "core/scene/values/keying_set.h"
#include "core/scene/values/marker.h"
#include "core/scene/values/motion_node.h"
#include "core/scene/values/particle_source.h"
#include "core/scene/values/solver_parameters.h"
#include "core/scene/values/sound.h"
#include "core/scene/values/take.h"
#include "core/scene/values/track.h"
#include "core/scene/values/transform.h"

namespace hazumi {

struct MeshMeasure;

/// Display model taken from a mesh file that lies beside the scene. The mesh is loaded once (scene_io,
/// import) and shared; null when the file is missing: the scene opens, a placeholder is shown and the
/// diagnostics say what to do.
struct MeshReference {
  std::string file = {};                         ///< relative to the scene file
  std::shared_ptr<const DisplayMesh> mesh = {};  ///< not saved
  std::uint64_t content = 0;                     ///< mesh_hash() of the mesh, set with it; not saved
  std::string source = {};     ///< absolute path it was read from (copied from there on save); not saved
  MeshSettings settings = {};  ///< `mesh` is the file after these
  std::vector<std::string> companions =
      {};  ///< files that it was read with (material libraries, buffers, images), relative to it; not saved
};

/// Hash of everything in a mesh that a simulation can read.
std::uint64_t mesh_hash(const DisplayMesh& mesh);

enum class DisplayKind { none, primitive, mesh, metaballs };

struct DisplayModel {
  DisplayKind kind = DisplayKind::primitive;
  Primitive primitive;
  MeshReference mesh;
  MetaballGroup metaballs;
};

/// Of a node of a pose, how far it is from its place in the analysis model: m, object axes, before the object's scale.
struct PoseNode {
  Vec3 shift = Vec3::Zero();
};

/// A named shape of an analysis model (derived/poses.h): what its nodes are moved to, all of them.
struct AnalysisPose {
  std::uint32_t id = 0;  ///< > 0, of this analysis model
  std::string name = {};
  bool example = true;  ///< solvers that learn from examples take it as one (docs/numerics/shape-matching.md)
  std::vector<PoseNode> nodes = {};  ///< one per node of the analysis model
  Kept kept = {};
};

/// A node that is in a group: groups take examples each by itself. Nodes that are not listed are in group 0.
struct PoseGroupNode {
  std::uint32_t node = 0, group = 0;
};

enum class AnalysisKind { none, plane_grid, box_grid, octahedron, icosahedron, cloth, rope, strung };

struct AnalysisModel {
  std::string name = "Truss";
  AnalysisKind kind = AnalysisKind::none;
  std::array<int, 3> divisions = {1, 1, 1};
  Vec3 size = Vec3(1, 1, 1);   ///< m
  Vec3 offset = Vec3::Zero();  ///< m
  /// Strung by hand or filled with tetrahedra; never null when the kind is strung. Shared: an edit makes a new one.
  std::shared_ptr<const StrungTruss> strung = {};
  std::vector<AnalysisPose> poses = {};
  std::vector<PoseGroupNode> pose_groups = {};  ///< ascending nodes
  bool hollow = false;                          ///< of an octahedron or icosahedron (TrussRecipe)
  double shear = 0.3;                           ///< of a cloth (TrussRecipe)
  double bending = 1e-4;                        ///< of a cloth, N m, also of one from a mesh; of a rope, N m²
  /// Of one that is not in use: the elastic model that the object takes with it (variants.h); empty: the one that it has.
  std::string solver = {};
  Kept kept = {};
};

/// Of a node of a flexible body, what it has at the start beyond place, velocity and spin of the object
/// (sim/body/flexible.cpp); in the object's axes, as it was turned then.
struct StartNode {
  Vec3 shift = Vec3::Zero();     ///< m, from its place in the rest shape
  Vec3 velocity = Vec3::Zero();  ///< m/s
};

/// Of a spring of a flexible body, what it has gone through before the start: what shows neither in places nor in velocities.
struct StartSpring {
  std::uint32_t a = 0, b = 0;  ///< nodes of the analysis model
  double longer = 0;           ///< of its length, for good (negative: shorter)
  bool broken = false;
};

enum class MassSource { given, material };       ///< total mass given, or density × volume (or area × shell)
enum class StiffnessSource { given, material };  ///< spring constant given, or E A / l per spring (3.38)

/// Whose volume a flexible body keeps (sim/elastic/kept_volume.h).
enum class VolumeOf { off, surface, hull };  ///< of the analysis model's surface, of the hull of its nodes
enum class VolumeMethod { exact, optimisation };

struct VolumeSettings {
  VolumeOf of = VolumeOf::off;
  double size = 1;  ///< of the volume at rest; may be keyed
  VolumeMethod method = VolumeMethod::exact;
};

enum class ShapeWay { directed, linear };

/// The rest shape of a flexible body as poses of its analysis model say (derived/shape_keys.h); it may be keyed.
struct ShapeSettings {
  int pose = 0;  ///< id of an AnalysisPose; 0: as the analysis model is
  ShapeWay way = ShapeWay::directed;
  double ease = 1;       ///< 0: evenly from key to key, 1: from rest to rest
  double following = 0;  ///< 0: the rest shape alone drives, 1: exactly at its time
};

struct BodySettings {
  BodyKind kind = kMovingBody;
  std::string solver = "lagrange";   ///< name in the table of elastic solvers
  SolverParameters parameters = {};  ///< of elastic solvers, where they are not as by default
  MassSource mass_source = MassSource::given;
  double mass = 1.0;   ///< kg, total
  double shell = 0.0;  ///< m, mass from the material: 0 solid, else a skin as thick as this over the display model
  StiffnessSource stiffness_source = StiffnessSource::given;
  double stiffness = 800.0;      ///< N/m, every spring
  double cross_section = 1e-4;   ///< m², A of a spring, for stiffness from the material
  double damping = 0.5;          ///< N s/m, every spring
  Vec3 velocity = Vec3::Zero();  ///< m/s at the start
  Vec3 spin = Vec3::Zero();      ///< rad/s at the start, world axes
  /// Flexible: how it is bent at the start, one per node of the analysis model; empty: not at all. The rest shape
  /// stays.
  std::vector<StartNode> start = {};
  /// Flexible: what its springs have gone through at the start, those that are as they were made left out.
  std::vector<StartSpring> start_springs = {};
  bool gravity = true;
  bool fields = true;      ///< it feels fields of force
  double air = 1;          ///< how hard air and water push on its surface: ½ ρ times this times u² on an area across
  double drag_linear = 0;  ///< 1/s, of its own, in any air
  double drag_quadratic = 0;  ///< 1/m, the same
  VolumeSettings volume = {};
  ShapeSettings shape = {};
  /// While place or rotation have keys beyond time 0: whether it goes where they say (derived/tracks.h). May be keyed
  /// itself.
  bool led = true;
  double blend = 0;        ///< s, how long it takes back to its keys when it is led again
  bool bends_led = false;  ///< flexible: keys carry its centre and its turn alone, and it bends as physics has it
  /// Point only: frames before birth and after death are absent.
  double birth = 0.0;  ///< s
  double death = 1e9;  ///< s
};

inline bool can_move(const BodySettings& body) { return body_kind(body.kind).moves; }
inline bool bends(const BodySettings& body) { return body_kind(body.kind).deforms; }
/// It moves and turns, and keeps its shape.
inline bool is_stiff(const BodySettings& body) { return body_kind(body.kind).turns && !bends(body); }

/// Its nodes or springs begin otherwise than as they are made.
inline bool starts_bent(const BodySettings& body) { return !body.start.empty() || !body.start_springs.empty(); }

/// What an object collides as. Beside these two each shape is declared in its file of core/sim/contact/shapes by a line
/// HAZUMI_CONTACT_SHAPE(order, word), as kinds of body are.
enum class ContactShape {
  automatic,
  none,
#define HAZUMI_ROW(order, name) name,
#include "generated/HAZUMI_CONTACT_SHAPE.inc"
#undef HAZUMI_ROW
};
#define HAZUMI_CONTACT_SHAPE(order, name) static_assert(ContactShape::name > ContactShape::none);

struct ContactSettings {
  bool enabled = true;
  ContactShape shape = ContactShape::automatic;
  int triangles = 300;          ///< of `simplified`: about as many are left
  double thickness = 0;         ///< m: others stay this far from its surface
  bool self_collision = false;  ///< of what bends: its surface is solid to itself
  std::string groups = {};      ///< names with commas between them: the collision groups that it is in
  std::string ignores = {};     ///< the groups that it does not touch, and that do not touch it
};

struct Substance {
  double density = 1000.0;  ///< kg/m³
  double young = 1e7;       ///< Pa
  double poisson = 0.3;
  double restitution = 0.6;
  double friction = 0.5;  ///< Coulomb μ
  double rolling = 0;     ///< m: a pair resists rolling with this times its normal force (constraint/turn_row.h)
  double spin = 0;        ///< m: and turning about its normal
};

struct Material {
  std::string preset = "white plastic";  ///< name in materials.h; look and physics were taken from it
  bool substance_follows = true;         ///< physical properties follow the preset; false: set apart
  Surface surface;
  Substance substance;
};

/// A material of one part of the display model (Part::name); parts without one have the object's.
struct PartMaterial {
  std::string part;
  Material material;
  Kept kept = {};
};

struct Object {
  Id id;
  std::string name;
  bool visible = true;
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none. With a parent: where that is
  /// Id of the object that it goes with; 0: none. Only of what does not move by itself (derived/family.h).
  std::uint64_t parent = 0;
  Transform transform;
  ObjectFollow follow;
  DisplayModel display;
  AnalysisModel analysis;
  /// Others to switch to (locality and anisotropy, spec 1.7); switching swaps one of them with `analysis`, order kept
  /// by name.
  std::vector<AnalysisModel> other_analyses;
  MappingSettings mapping;
  BodySettings body;
  ContactSettings contact;
  Material material;
  std::vector<PartMaterial> part_materials;
  Kept kept;
};

enum class LightKind { directional, point };

struct Light {
  Id id;
  std::string name;
  bool visible = true;
  LightKind kind = LightKind::directional;
  Vec3 position = Vec3(3, 6, 4);  ///< m; directional: shines from here towards the target
  Vec3 target = Vec3::Zero();     ///< m
  Vec3 colour = Vec3(1, 1, 1);
  double intensity = 1.0;
  bool shadow = false;           ///< one light of a scene casts a shadow map: the first with this set
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  Kept kept;
};

/// Two objects whose contact is not what their materials say (derived/contact_rules.h).
struct ContactPair {
  Id id;
  std::string name;
  bool visible = true;         ///< the values are used
  std::uint64_t a = 0, b = 0;  ///< ids of two objects
  double restitution = 0.6;
  double friction = 0.5;  ///< Coulomb μ
  Kept kept;
};

/// A group of objects, lights, cameras, curves, joints, forces, fields and particle sources for the eye and the hand (derived/collections.h). Of runs only
/// fields that are felt by what is in it read it.
struct Collection {
  Id id;
  std::string name;
  bool visible = true;                 ///< off: nothing in it is drawn
  bool locked = false;                 ///< nothing in it is selectable in the viewport
  Vec3 colour = Vec3(0.85, 0.7, 0.4);  ///< of its icon
  std::uint64_t collection = 0;        ///< id of the collection that it is in; 0: none
  Kept kept;
};

/// How a collision is done: within the sub-step, or as the thesis's sine pulse over the time that Hertz says.
enum class Impacts { at_once, sine_pulse };

/// What lights the scene: its own lights, or a set of lights with sky and ground (derived/studio.h).
enum class StudioLight { scene, studio, daylight, overcast, evening };
/// How light becomes a picture: a soft shoulder above three quarters, or a film's curve with toe and shoulder.
enum class ToneCurve { shoulder, filmic };

/// How pictures of the scene look, in the view and written. No run reads it.
struct SceneLook {
  StudioLight light = StudioLight::scene;
  ToneCurve curve = ToneCurve::shoulder;
  double exposure = 0;                   ///< stops: light times 2^exposure
  Vec3 sky = Vec3(1, 1, 1);              ///< times the ambient light: what faces up has
  Vec3 ground = Vec3(0.35, 0.35, 0.35);  ///< times the ambient light: what faces down has
  double occlusion = 0;                  ///< 0 … 1: how much corners and contacts are darkened
  double occlusion_reach = 0;            ///< m; 0: of the size of what casts shadows
  double softness = 0;                   ///< rad, angle under which the light that casts shadows is seen
  bool floor_fades = false;              ///< fixed planes fade into the background before their edge
};

struct SceneSettings {
  int first_frame = 0;  ///< of the play and render range; simulation always starts at frame 0
  int last_frame = 240;
  double frame_rate = 60.0;             ///< 1/s
  int substeps = 4;                     ///< per frame; h = 1/(frame_rate substeps)
  Vec3 gravity = Vec3(0, -9.80665, 0);  ///< m/s²
  std::uint64_t seed = 1;
  double rest_speed = 0.05;  ///< m/s, impacts slower than this become resting contacts
  Impacts impacts = Impacts::at_once;
  double time_scale = 1;  ///< seconds of the run per second of the film (derived/run_clock.h)
  std::uint64_t camera =
      0;  ///< id of the one that takes the pictures; 0: the first. Its keys are the cuts (derived/cameras.h)
  Vec3 background = Vec3(0.16, 0.17, 0.19);
  Vec3 ambient = Vec3(0.25, 0.25, 0.25);
  SceneLook look;
  Kept kept;
};

struct Scene {
  std::string name;
  std::string description;  ///< shown in the gallery
  SceneSettings settings;
  // Lists of things (scene/values/scene_lists.h), in list order, which the outliner shows (but for those of time, from
  // tracks on). Ids are unique over all.
  std::vector<Shared<Light>> lights;
  std::vector<Shared<Object>> objects;
  std::vector<Shared<Camera>> cameras;
  std::vector<Shared<Curve>> curves;
  std::vector<Shared<Joint>> joints;
  std::vector<Shared<Force>> forces;
  std::vector<Shared<ForceField>> fields;
  std::vector<Shared<ParticleSource>> particles;
  std::vector<Shared<ContactPair>> pairs;
  std::vector<Shared<Collection>> collections;
  std::vector<Shared<Track>> tracks;
  std::vector<Shared<MotionNode>> motion;
  std::vector<Shared<Marker>> markers;
  std::vector<Shared<Sound>> sounds;
  std::vector<Shared<KeyingSet>> keying_sets;
  std::vector<Shared<Take>> takes;  ///< none, or one of them is current
  std::string layout;               ///< window state of the program, opaque (base64); empty: default
  /// Of the file that it was read from, when a newer Hazumi wrote it; then written back. Else 0.
  int newer_minor = 0;
  Kept kept;
};

const Object* find_object(const Scene& scene, Id id);
const Light* find_light(const Scene& scene, Id id);
const Camera* find_camera(const Scene& scene, Id id);
const Curve* find_curve(const Scene& scene, Id id);
const Joint* find_joint(const Scene& scene, Id id);
const Force* find_force(const Scene& scene, Id id);
const ForceField* find_force_field(const Scene& scene, Id id);
const ParticleSource* find_source(const Scene& scene, Id id);
const Sound* find_sound(const Scene& scene, Id id);
const Marker* find_marker(const Scene& scene, Id id);
/// A fixed object whose bones go with other objects (Bone::carrier): it touches nothing and bends with them.
bool is_skin(const Object& object);
/// Whether it is a skin of metaballs that go with its bones (MetaballGroup::moving): each frame has a surface of its own.
bool has_moving_metaballs(const Object& object);
/// The collection that the object is in: with a parent the one of the eldest that it goes with. No id: none.
Id collection_of(const Scene& scene, const Object& object);
/// One above the largest id in the scene.
Id next_id(const Scene& scene);
/// A name not used yet: "Ball", "Ball 2", "Ball 3"…
std::string unique_name(const Scene& scene, const std::string& wanted);
/// The scene with object `id` changed by change(Object&). Unknown id: the scene unchanged.
Scene with_object(Scene scene, Id id, const std::function<void(Object&)>& change);
Scene with_light(Scene scene, Id id, const std::function<void(Light&)>& change);
Scene with_camera(Scene scene, Id id, const std::function<void(Camera&)>& change);
Scene with_curve(Scene scene, Id id, const std::function<void(Curve&)>& change);
Scene with_joint(Scene scene, Id id, const std::function<void(Joint&)>& change);
Scene with_force(Scene scene, Id id, const std::function<void(Force&)>& change);
Scene with_force_field(Scene scene, Id id, const std::function<void(ForceField&)>& change);
Scene with_source(Scene scene, Id id, const std::function<void(ParticleSource&)>& change);
/// With a thing go its tracks, and with an object the pairs that it is in, the forces that push it and the joints that hold it, with a hinge its gears; cameras and objects no longer look at it (their
/// keys, and cuts to a camera, stay and name what is gone); what rides on a curve stays where it is; fields round a curve that goes, or felt by a collection that goes, name what is gone; bones of skins no longer go with it; its children stay where they are, without a parent. What is in a
/// collection comes to where the collection was.
Scene without(Scene scene, Id id);

/// Nodes of the analysis model, as make_truss lays them out: an upper bound that costs nothing.
std::int64_t node_count(const AnalysisModel& analysis);
/// A cloth from a mesh: a truss by hand with a sheet.
bool is_sheet(const AnalysisModel& analysis);
/// What make_truss() takes for a shape of the catalogue; an icosahedron for the kinds that are none of them.
TrussRecipe truss_recipe(const AnalysisModel& analysis);
/// Analysis model of an object in its object frame, scale applied, masses, stiffness and damping filled in as
/// spec 1.7 says. Empty when the kind is none.
Truss object_truss(const Object& object, const DisplayMesh& mesh);
/// Total mass in kg that the settings give. Material: density × volume, or × area × shell; a mesh that encloses nothing
/// has the given mass.
double object_mass(const Object& object, const DisplayMesh& mesh);
double object_mass(const Object& object, const MeshMeasure& mesh);  // core/geometry/mesh/winding.h
/// A mass that should follow the material and cannot, or only roughly; empty when there is nothing to say.
struct MassNote {
  std::string message, hint;
};
MassNote mass_note(const Object& object, const MeshMeasure& mesh);

}  // namespace hazumi
