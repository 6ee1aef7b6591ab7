// What a body is in a run. Each kind is one file of this folder: it defines `const BodyInfo& body_NAME()` beside a class
// derived from Body, and a generated table finds it. What all kinds have is a member here; what only one kind has is a
// member of its class. Constant while running; everything that changes is in BodyState::values (State), whose layout is
// the kind's own.
//
// The rest of the simulation asks no body for its kind. It asks whether it `moves` or `deforms`, and calls what is below.
// A body that deforms has nodes that move on their own: a contact takes hold of nodes (ContactAnchor::nodal), and its
// display mesh follows them by `mapping`. Every other body carries mesh and nodes along with its body frame.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/mapping/mapping.h"
#include "core/scene/derived/leading.h"
#include "core/scene/values/scene.h"
#include "core/sim/contact/anchor.h"
#include "core/sim/contact/proxy.h"
#include "core/sim/elastic/body_parts.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/volume_reading.h"
#include "core/sim/particles/burst.h"
#include "core/sim/state.h"

namespace hazumi {

struct BodyMotion;

/// What a body is made from.
struct BodySetup {
  const Object& object;
  std::shared_ptr<const DisplayMesh> mesh;     ///< object frame, scaled; may be empty
  Truss truss;                                 ///< object frame, scaled; empty when there is none
  double time_step = 0;                        ///< s, one sub-step h
  bool led = false;                            ///< tracks lead it, at least at times
  std::vector<std::string_view> solvers = {};  ///< that it may be told to bend by, beside its own
};

/// What a body is told of its contacts with another one, or with all; of several the one of that body alone, then the latest.
struct ContactTold {
  std::int32_t other = -1;  ///< number of the other body; −1: any
  std::int64_t since = 0;   ///< sub-step in which it was told first
  std::optional<double> restitution, friction;
  bool pass = false;  ///< they do not touch
};

/// Forces on one body during a sub-step, world frame, constant over it.
struct BodyForces {
  Vec3 force = Vec3::Zero();         ///< N, at the centre of mass (what does not deform)
  Vec3 torque = Vec3::Zero();        ///< N m, about the centre of mass (what does not deform)
  std::vector<Vec3> nodes;           ///< N, one per node (what deforms)
  Vec3 acceleration = Vec3::Zero();  ///< m/s², of the whole body, beside gravity

  /// Impulses λ of rows: for what does not deform, Σ λ (N s) and Σ (p − o)×λ (N m s); for what deforms, λ/h is in `nodes`.
  Vec3 push = Vec3::Zero(), twist = Vec3::Zero();

  /// Added to its velocity as the sub-step begins, m/s, and to that of each of its places Ω × (x − c), rad/s: at once, like a blow.
  Vec3 kick = Vec3::Zero(), kick_turn = Vec3::Zero();

  RestShape shape;          ///< of its rest shape, from the start of the sub-step; by default it is as it was made
  std::optional<Pose> put;  ///< where its object frame is put as the sub-step begins, at once and before the kick

  int solver = -1;  ///< number of the elastic solver by which it bends from the start of the sub-step; −1: its own
  std::optional<double> size;  ///< of the volume that is kept, at the end; else as it was

  std::optional<Lead> led;   ///< physics does not have it: it goes there, whatever is in its way
  bool handed_over = false;  ///< from keys to physics or back, with this sub-step
  bool held = false;         ///< a joint keeps it awake: it drives, or has just begun or ceased to hold
  bool stirred = false;      ///< it does not go on sleeping: something tells it otherwise than before
  std::vector<ContactTold> contacts;
  std::vector<ParticleBurst> emits;  ///< particles that are born as the sub-step ends
};

/// What an object has at the start of a run that begins with a state.
struct BodyStart {
  Pose pose;                                          ///< of the object frame
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< m/s, rad/s, world
  std::vector<StartNode> nodes;                       ///< of what deforms, where it is bent; else empty
  std::vector<StartSpring> springs = {};              ///< those that are not as they were made
  int solver = -1;  ///< of what bends: number of the elastic solver that it has; −1: its own
};

/// The pins that a body without nodes of its own hangs on, and that leave it some turn.
struct BodyPins {
  Vec3 place = Vec3::Zero();  ///< of the first one, m, in the body frame
  std::optional<Vec3> axis;   ///< of those on a line, unit, in the body frame; else one place alone
};

/// Where a state has a body's centre of mass and what goes with its velocity, for who looks at thousands of them in each sub-step: centre
/// m = values[centre …], velocity m/s = rate · values[velocity …]. Rate 0: they are not plain numbers of it.
struct PlainCentre {
  std::uint8_t centre = 0, velocity = 0;
  double rate = 0;
};

/// A body as joints see it: what does not deform and is free to move.
struct JoinedBody {
  double mass = 1;                       ///< kg
  bool turns = true;                     ///< else it is a point
  Mat3 inertia = Mat3::Zero();           ///< kg m², body axes
  Pose pose;                             ///< of the centre of mass
  Vec3 momentum = Vec3::Zero();          ///< N s
  Vec3 angular_momentum = Vec3::Zero();  ///< about the centre, world axes
};

struct Body {
  virtual ~Body() = default;
  explicit Body(const BodySetup& setup);
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  Id id;
  Id made_from;         ///< the object; copies of one have ids of their own
  bool absent = false;  ///< it is never there: a source gives copies of it (scene/derived/copies.h)
  std::string name;
  bool moves, deforms;  ///< as of its kind (scene/values/body_kinds.h)
  double mass = 0;      ///< kg; what does not move: infinite, stored as 0
  Substance substance;
  double hertz_young =
      0;  ///< Pa: of a truss mean of l k / A (3.39), else the material's; while it bends as it was made
  bool gravity = true;

  Pose start;  ///< of the body frame at time 0 (rigid: centre of mass, principal axes not assumed)
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< at time 0

  std::shared_ptr<const DisplayMesh> mesh;  ///< object frame, scaled; may be empty
  Vec3 mesh_origin = Vec3::Zero();          ///< object-frame point that the body frame's origin is at (centre of mass)
  Truss truss;                              ///< object frame; empty when there is none
  std::shared_ptr<const Mapping> mapping;   ///< what deforms and has a mesh; null: the mesh goes with the body frame
  std::uint64_t mapping_key = 0;            ///< mapping_key() of what it was made from
  std::string mapping_note;                 ///< MadeMapping::note
  ContactProxy proxy;

  // State ------------------------------------------------------------------------------------------------------------
  virtual std::size_t state_size() const = 0;  ///< doubles
  virtual void initialise(std::span<double> values) const = 0;
  /// With what an object must begin for initialise() to give this state. Of what moves; what stands begins as it did.
  virtual BodyStart start_of(std::span<const double> values) const;
  /// Moves over a sub-step of h seconds under `forces` and a uniform acceleration `g` (m/s²), from `before` to `after`, which
  /// may be made again with other impulses of rows. Where rows act, `motion` is not null: it is filled, and energy changes by
  /// exactly λ·ū of their impulses λ. False when the result is not finite or something is faster than 1e6 m/s; `after` is then
  /// undefined.
  virtual bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
                       std::span<double> after, ElasticWorkspace& workspace, BodyMotion* motion) const = 0;
  /// After the last of several times of one step: what comes at its very end (ElasticSolver::calm).
  virtual void calm(std::span<double>, ElasticWorkspace&) const {}
  /// At the end of a sub-step, once (ElasticSolver::crack); true: places of its surface are known by other numbers from now on.
  virtual bool crack(std::span<double>) const { return false; }
  /// What to try when it has left all bounds.
  virtual std::string divergence_hint() const;
  /// It is there at this time (s) in that state.
  bool present(double time, std::span<const double> values) const { return !absent && lives(time) && is_there(values); }
  virtual bool lives(double time) const;                                 ///< always, but for what has a lifetime
  virtual bool is_there(std::span<const double>) const { return true; }  ///< but for copies that are not born

  // What is seen -----------------------------------------------------------------------------------------------------
  virtual Pose pose(std::span<const double> values) const = 0;  ///< of the body frame
  /// The body frame has the object's axes and sits at mesh_origin.
  Pose object_pose(const Pose& body_frame) const {
    return {body_frame.position - body_frame.rotation * mesh_origin, body_frame.rotation};
  }
  virtual void positions(std::span<const double> values, std::span<Vec3> nodes) const;  ///< of truss.nodes, world
  virtual Observables observe(std::span<const double> values) const = 0;
  /// Of these what rows keep account of: mass, centre, momenta and energies.
  virtual Observables account(std::span<const double> values) const { return observe(values); }

  // In parts ---------------------------------------------------------------------------------------------------------
  /// Of what can break: the parts that it is in. Null: it is one.
  virtual std::shared_ptr<const BodyParts> parts(std::span<const double>) const { return nullptr; }
  /// How its nodes move what is seen while it is in these parts; null as `mapping`.
  virtual const Mapping* mapping_in(const BodyParts*) const { return mapping.get(); }
  /// What it collides as while it is in these parts.
  virtual const ContactProxy& proxy_in(const BodyParts*) const { return proxy; }

  // Contact ----------------------------------------------------------------------------------------------------------
  /// What it can collide as that comes nearest to the wish; `automatic` where its looks decide.
  virtual ContactShape contact_shape(ContactShape wanted) const;
  virtual bool collides_bare() const { return false; }  ///< even without mesh and nodes
  /// Of the centre of mass, m/s; zero for what hangs on pins.
  virtual Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const = 0;
  virtual PlainCentre plain_centre() const { return {}; }

  // Rows -------------------------------------------------------------------------------------------------------------
  /// How it moved over the sub-step from `before` to `after`.
  virtual void motion(double h, std::span<const double> before, std::span<const double> after,
                      BodyMotion& out) const = 0;
  /// What deforms: takes the frame that rows hold it by anew, from where the nodes are half-way.
  virtual void hold(double h, BodyMotion& motion) const;
  /// What deforms: blocks of A⁻¹ in the axes of the frame that `motion` holds it by (ElasticSolver::inverse_blocks).
  virtual void inverse_blocks(const BodyMotion& motion, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                              ElasticWorkspace& workspace) const;
  /// What deforms: A⁻¹ has one number for each node, and nothing between two (ElasticSolver::own_answers). False: it has blocks.
  virtual bool own_answers(const BodyMotion& motion, std::span<const std::uint32_t> nodes, std::span<double> own) const;
  /// The same to be asked again and again (ElasticSolver::answer_at); null: by its blocks only.
  virtual std::unique_ptr<ElasticAnswer> answer(const BodyMotion& motion) const;
  /// Moves it by dx = A⁻¹ Jᵀ μ of impulses as in BodyForces (here kg m, not N s), velocities or momenta kept.
  virtual void shift(std::span<double> values, const BodyForces& pushes, const BodyMotion& motion) const = 0;
  /// Turns it about `centre` (m) at once: u += Ω × (x − centre), Ω in rad/s.
  virtual void add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const = 0;
  /// Where it was at `from`, with the velocities of `values`, less what leads `place` against `out` (unit; what deforms: its nodes).
  virtual void stay(std::span<const double> from, std::span<double> values, const Vec3& place,
                    const Vec3& out) const = 0;
  /// All velocities by as much; of what hangs on pins nothing changes.
  void add_velocity(std::span<double> values, const Vec3& change) const;
  /// All velocities by `share`.
  virtual void slow(std::span<double> values, double share) const = 0;
  /// Takes away what little speed it has, to sleep (constraint/sleep.h); false: of its kind none sleeps.
  virtual bool lay_down(std::span<double>) const { return false; }
  /// As lay_down() leaves it.
  virtual bool lies(std::span<const double>) const { return false; }

  // Elastic model ----------------------------------------------------------------------------------------------------
  /// It bends by that solver now (BodyForces::solver), or cannot be told to.
  virtual bool bends_by(int, std::span<const double>) const { return true; }
  /// From now on it does: nodes and velocities stay, so that the elastic energy alone changes, at once.
  virtual void bend_by(int, std::vector<double>&) const {}
  /// What deforms: every node goes its own way, and what holds one holds no other (cloth).
  virtual bool limp(std::span<const double>) const { return false; }
  virtual double contact_young(std::span<const double>) const { return hertz_young; }  ///< Pa, as hertz_young

  // Rest shape -------------------------------------------------------------------------------------------------------
  /// What it was told its rest shape is (ElasticSolver::take_shape); none of what has nothing like it.
  virtual RestShape shape(std::span<const double>) const { return {}; }
  virtual bool take_shape(std::span<double>, const RestShape&) const { return false; }
  /// … and its nodes are there, as the body was just initialised.
  virtual void begin_in(const RestShape&, std::span<double>) const {}
  /// ElasticSolver::examples().
  virtual void examples(std::span<const double>, std::vector<ExampleShare>& out) const { out.clear(); }

  /// Puts its object frame there as it is, bent or not: the velocity of its centre stays, all motion about that turns with it. False: it
  /// does not move, or hangs on pins.
  virtual bool put(const Pose&, std::span<double>) const { return false; }

  /// Takes all of it, pins too, by a rigid motion x → by x, velocities with it; false: of its kind none is carried.
  virtual bool carry(const Pose&, std::span<double>) const { return false; }

  // Volume -----------------------------------------------------------------------------------------------------------
  /// Of a body that keeps its volume; else nothing.
  virtual std::optional<KeptVolumeReading> volume(std::span<const double>) const { return std::nullopt; }
  /// Whether it has that size of its volume, or keeps none.
  virtual bool has_size(std::span<const double>, double) const { return true; }
  /// Its elastic energy depends on velocities, too (ElasticSolver::stores_motion).
  virtual bool stores_motion(std::span<const double>) const { return false; }
  /// As a sub-step begins: keeping its volume has done no work in it yet, nor does its size change.
  virtual void begin_volume(std::span<double>) const {}
  /// Puts it there at once; J, what that cost.
  virtual double resize(double, std::span<double>) const { return 0; }

  // Joined -----------------------------------------------------------------------------------------------------------
  /// Whether joints can move it. What deforms, by its nodes; else its state in terms of JoinedBody.
  virtual bool can_be_joined() const { return false; }
  virtual std::optional<BodyPins> pins() const { return std::nullopt; }
  virtual void node_velocities(std::span<const double>, std::span<Vec3>) const {}  ///< world, m/s
  /// Changes velocities of nodes by impulse/mass; pinned ones take theirs up.
  virtual void push_nodes(std::span<double>, std::span<const NodeImpulse>) const {}
  virtual void respond(std::span<const double>, std::span<const NodeImpulse>, std::span<Vec3>) const {
  }  ///< ElasticSolver::respond
  bool is_pinned(std::uint32_t node) const;
  virtual JoinedBody read_joined(std::span<const double>) const { return {}; }
  virtual void write_joined(const JoinedBody&, std::span<double>) const {}

  // Led --------------------------------------------------------------------------------------------------------------
  virtual bool can_be_led() const { return false; }
  /// Puts it there.
  virtual void lead(const Lead&, std::span<double>) const {}
  /// How it moved where it was led: no impulse changes it. Places of it go by ū exactly from pose to pose; u⁻ and 2ū − u⁻ lie between
  /// ū and what it had at both ends, so that a path with a kink inside the sub-step throws nothing off.
  void led_motion(double h, const Lead& to, std::span<const double> before, std::span<const double> after,
                  BodyMotion& out) const;

 protected:
  /// Sets the body frame's origin (object frame), and with it `start`.
  void put_origin(const Object& object, const Vec3& origin);
};

struct BodyInfo {
  std::string_view name;  ///< "pinned"
  std::string_view kind;  ///< BodyKindInfo::name of the objects that become one
  /// Further condition: the object's truss, and whether it is led; null: none.
  bool (*fits)(const Truss& truss, bool led);
  Result<std::unique_ptr<Body>> (*make)(const BodySetup& setup);
};

template <class Kind>
Result<std::unique_ptr<Body>> make_body(const BodySetup& setup) {
  return std::unique_ptr<Body>(std::make_unique<Kind>(setup));
}

/// All bodies, in order of their file names.
std::span<const BodyInfo* const> body_table();
/// What an object of this kind with this truss becomes; null when there is none.
const BodyInfo* find_body(std::string_view kind, const Truss& truss, bool led = false);

}  // namespace hazumi
