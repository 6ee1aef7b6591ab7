// The interface of every elastic solver (one file per solver in this folder; a generated table finds it: see
// docs/adding-an-elastic-solver.md). A solver object is the compiled, constant part (factorisations, rest
// shapes); everything that changes lives in a flat array of doubles of the caller, so that states can be
// hashed, saved, restored and compared without the solver's help.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/result.h"
#include "core/geometry/truss/truss.h"
#include "core/math/types.h"
#include "core/scene/values/scene.h"
#include "core/sim/elastic/linear_system.h"
#include "core/sim/elastic/parameters.h"
#include "core/sim/elastic/rest_shape.h"

namespace hazumi {

class EnclosedVolume;

/// A shape that the body may be pushed into, and then goes into by itself: where its nodes are, object frame, m.
struct ElasticExample {
  std::uint32_t pose = 0;  ///< id in the analysis model
  std::vector<Vec3> nodes;
};

/// What a body is made of, whatever its solver makes of it. A solver reads what it needs and leaves the rest.
struct ElasticSetup {
  std::vector<Vec3> nodes;                               ///< m, object frame; no two at the same place
  std::vector<double> masses;                            ///< kg, > 0, one per node
  std::vector<Spring> springs;                           ///< may be empty
  std::vector<Bend> bends;                               ///< may be empty
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< positive volume; may be empty
  std::vector<std::vector<std::uint32_t>> cells;         ///< sets of nodes that fill the body; may be empty
  std::vector<std::array<std::uint32_t, 3>> surface;     ///< outward triangles; may be empty
  std::vector<std::uint32_t> pinned;                     ///< stay where initialise() puts them, whatever pushes them
  Substance substance;                                   ///< density, Young's modulus, Poisson's ratio
  double spring_section =
      0;                 ///< m², A of a spring whose stiffness was given; 0: its stiffness follows from the substance
  double time_step = 0;  ///< s, one sub-step h
  /// m, object frame: the rest shape is nodes + rest_offset; initialise() starts at the nodes all the same. Empty: none.
  std::vector<Vec3> rest_offset;
  std::vector<ElasticExample> examples;  ///< each as many as nodes; may be empty
  std::vector<std::uint32_t> groups;     ///< of nodes, which take examples each by itself; empty: one
  bool takes_shape = true;               ///< its rest shape may be told otherwise while it runs (take_shape)
  bool takes_nodes = false;              ///< … node by node, too (RestShape::nodes)
  std::vector<double> parameters;        ///< one per row of the solver's table; empty: all as by default
  bool line = false;                     ///< a rope: nothing but springs and bends along a line
  bool remembers = false;                ///< springs begin with what they have gone through (take_past)
};

/// Parts of a set-up without which a solver cannot work.
struct ElasticNeeds {
  bool springs = false, tetrahedra = false, cells = false, surface = false;
  bool solid =
      false;  ///< one that is filled with tetrahedra, or says how (tetrahedra_of.h); the solver itself refuses others
  bool shape = false;     ///< one with a shape of its own: no rope
  bool unfolded = false;  ///< one that does not fold: no cloth
};

/// One number per quantity for tests, plots and `--observables`. World frame, momenta about the world origin
/// unless said.
struct Observables {
  double mass = 0;                       ///< kg
  Vec3 centre = Vec3::Zero();            ///< m, centre of mass
  Vec3 momentum = Vec3::Zero();          ///< kg m/s
  Vec3 angular_momentum = Vec3::Zero();  ///< kg m²/s, about the centre of mass
  double kinetic_energy = 0;             ///< J
  double elastic_energy = 0;             ///< J
  double volume = 0;                     ///< m³: of the hull (flexible), of the mesh (rigid, fixed), 0 (point)
  double max_strain = 0;                 ///< largest |l/l0 − 1| over the springs, or the edges of what it is made of
  int parts = 1;                         ///< that it has fallen into
  int inverted = -1;  ///< elements that are turned inside out; −1: it is made of none that could be
};

/// Whether an element has a volume, by Σ R Rᵀ of its arms at rest: only such a one can be turned inside out.
inline bool spans_volume(const Mat3& spread) {
  const double size = spread.trace() / 3;
  return spread.determinant() > 1e-6 * size * size * size;
}

/// How far a group of nodes has gone into an example: 0 not at all, 1 all the way; of one group they sum to 1 at most.
struct ExampleShare {
  std::uint32_t pose = 0, group = 0;  ///< id of the pose; number of the group
  double weight = 0;
  friend bool operator==(const ExampleShare&, const ExampleShare&) = default;
};

/// What a spring has gone through and shows neither in places nor in velocities.
struct SpringPast {
  std::uint32_t spring = 0;  ///< of the set-up
  double kept = 0;           ///< m: it pulls as one that is so much longer
  bool broken = false;
};

struct NodeImpulse {
  std::uint32_t node = 0;
  Vec3 impulse = Vec3::Zero();  ///< N s, world
};

/// Scratch memory of one thread; kept between steps so that a step allocates nothing. Holds no state.
struct ElasticWorkspace {
  Executor* executor = nullptr;  ///< a step of many elements is divided over it, with the same bits; null: not divided
  std::vector<double> numbers;
  std::vector<Vec3> vectors;
  /// Of one step that is done again and again from the same state, the forces a little different: a place for what the solver found,
  /// from which it starts the next time; calm() is then left to the caller, after the last one. Empty: the first time. Null: every
  /// step stands alone.
  std::vector<double>* found = nullptr;
  int passes = 0;  ///< how often the last step solved its equations, where it repeats that; for tests and benchmarks

  /// Of a body that keeps its volume (kept_volume.h), which steps another solver with this workspace.
  struct Volume {
    std::vector<double> begun, best, found, unknowns, off, masses, mixing;
    std::vector<Vec3> from, to, gradient, answer, pushes;
    std::vector<NodeImpulse> impulses;
  } volume;

  /// A row on the volume that a solver takes into its own iteration (takes_volume()): V of the surface at the end of the step, by a pressure
  /// along ∂V half-way. Null: none.
  struct VolumeRow {
    const EnclosedVolume* surface = nullptr;
    double wanted = 0;    ///< m³
    double pressure = 0;  ///< Pa: where to begin; then that of the last part of the step
    double impulse = 0;   ///< Pa s, of all parts
    double work = 0;      ///< J, of the pressure
    double off = 1e300;   ///< |V/wanted − 1| in the end; 1e300: it did not settle
  };
  VolumeRow* row = nullptr;
  /// For that row.
  struct RowScratch {
    std::vector<Vec3> places, gradient;
    std::vector<double> numbers, masses;
  } row_scratch;

  /// Of a body in parts (brittle.h), each stepped with this workspace.
  struct Parts {
    std::vector<Vec3> forces;
    std::vector<double> found, all;
  } parts;
};

/// Which velocity of a sub-step an impulse in it meets: that of its start, where the step is implicit in the impulses
/// (x⁺ = x + ½ h (u⁻ + u⁺)), or that of the free step, to which the impulse is added as a kick (x⁺ = x + h u⁺).
enum class Before { start, kicked };

/// A⁻¹ of a body whose nodes are at some places, in the axes in which these were given; asked many times, by one thread.
class ElasticAnswer {
 public:
  virtual ~ElasticAnswer() = default;
  /// dv = A⁻¹ λ, one per node; zero at pinned ones. Symmetric to round-off.
  virtual void respond(std::span<const Vec3> impulses, std::span<Vec3> dv) = 0;
  /// B_ij of a node and itself, or of two nodes near each other; of two that are not: zero.
  virtual Mat3 near_block(std::uint32_t i, std::uint32_t j) const = 0;
};

class ElasticSolver {
 public:
  virtual ~ElasticSolver() = default;

  virtual std::size_t node_count() const = 0;
  virtual std::size_t state_size() const = 0;  ///< doubles

  /// The nodes of the set-up at `pose` of the object frame, moving as a rigid body: `velocity` of the centre of mass
  /// (m/s), `spin` about it (rad/s, world axes). Pinned: of this motion the body keeps its angular momentum
  /// about the pins, as if they had caught it in flight; the rest is lost.
  virtual void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const = 0;

  /// Advances by time_step under node forces (N, world, constant over the step, one per node) and a uniform
  /// acceleration (m/s², gravity). Returns false when the result is not finite or a node is faster than 1e6
  /// m/s; the state is then undefined (the caller keeps the one before).
  virtual bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                    ElasticWorkspace& workspace) const = 0;

  /// A step heeds ElasticWorkspace::row.
  virtual bool takes_volume() const { return false; }

  /// What a step does to velocities at its very end, where that is left to the caller (ElasticWorkspace::found).
  virtual void calm(std::span<double>, ElasticWorkspace&) const {}

  /// What can break, breaks: once, at the end of a sub-step, when nothing of it is made again and no answer to pushes is taken from it
  /// any more. Nodes stay, energy does not rise. True: something has broken.
  virtual bool crack(std::span<double>) const { return false; }

  /// Changes the node velocities by impulse/mass, at once, positions unchanged. Exact in momentum and angular
  /// momentum. Pinned nodes take up their impulses.
  virtual void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const = 0;
  /// Moves nodes (m, world), velocities unchanged; used for separating interpenetrating bodies. Pinned nodes
  /// are not moved.
  virtual void displace(std::span<double> state, std::span<const Vec3> displacement) const = 0;

  /// Takes all of it by a rigid motion, pins, places and velocities, as x → by x; false: it cannot. What it remembers goes with it.
  virtual bool carry(std::span<double>, const Pose&) const { return false; }

  /// The rest shape becomes nodes + rest_offset + shape.offset(node − centre of mass), or shape.nodes in place of nodes, until it is told otherwise; nodes and velocities stay, so
  /// that the elastic energy alone changes, at once. False: it cannot, and nothing has changed.
  virtual bool take_shape(std::span<double>, const RestShape&) const { return false; }
  /// What it was told last; as it was made: none.
  virtual RestShape shape(std::span<const double>) const { return {}; }

  /// What its springs have gone through, ascending, those that are as they were made left out; of what forgets: none.
  virtual void past(std::span<const double>, std::vector<SpringPast>& out) const { out.clear(); }
  /// A state that is to begin takes it on, on top of nothing; nodes and velocities stay.
  virtual void take_past(std::span<double>, std::span<const SpringPast>) const {}

  /// Of each group, ascending, its examples in their order; of a solver that takes none, or was given none: nothing.
  virtual void examples(std::span<const double>, std::vector<ExampleShare>& out) const { out.clear(); }

  /// What it tells as elastic energy depends on velocities, too: an impulse at the end of a step changes it.
  virtual bool stores_motion() const { return false; }
  /// Sets all velocities to nought, exactly, positions unchanged; false: it cannot, and bodies of this solver do not sleep.
  virtual bool still(std::span<double>) const { return false; }

  virtual void positions(std::span<const double> state, std::span<Vec3> out) const = 0;   ///< world, m
  virtual void velocities(std::span<const double> state, std::span<Vec3> out) const = 0;  ///< world, m/s
  /// Pose of the body frame: origin a (world) and rotation; a is where the linear mapping has its origin: the
  /// centre of mass.
  virtual Pose frame(std::span<const double> state) const = 0;
  virtual Observables observe(std::span<const double> state) const = 0;
  /// Of these mass, centre, momenta and energies, to the bit; the others may be left as they are of nothing.
  virtual Observables account(std::span<const double> state) const { return observe(state); }

  // Response to impulses within a sub-step (sim/body/response.h) --------------------------------------------
  /// Solvers without an implicit matrix are kicked: A = M, what apply_impulses() does.
  virtual Before before() const { return Before::kicked; }
  /// dv = A⁻¹ λ: changes of the node velocities (m/s, world, one per node) that node impulses leave at the end
  /// of a sub-step, in 2ū − u⁻. Exact, symmetric, and zero at pinned nodes.
  virtual void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const;
  /// Blocks B_ij of A⁻¹ (1/kg) in the axes of frame(): with R the attitude, dv_i = R Σ_j B_ij Rᵀ J_j. They are constant over
  /// the run, so that R may be the attitude that the caller takes, half-way through the sub-step say. All pairs of `nodes`:
  /// blocks[a m + b] = B of nodes a and b, m = nodes.size(), no node twice. B_ji = B_ijᵀ to the last bit, whatever else is asked for; zero
  /// at pinned nodes. May be called by several threads, each with a workspace of its own.
  virtual void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                              ElasticWorkspace& workspace) const;
  /// Of one that is kicked (and of no other) B_ii alone is not zero, and one number: those of `nodes`, 1/kg; zero at pinned ones. False: it has
  /// blocks.
  virtual bool own_answers(std::span<const std::uint32_t> nodes, std::span<double> own) const;
  /// A is that of where the nodes are, not of the rest shape: inverse_blocks_at() is what contacts ask.
  virtual bool inverse_follows_nodes() const { return false; }
  /// The same of a body whose nodes are at `places` (m, any origin), in the axes in which these are given.
  virtual void inverse_blocks_at(std::span<const Vec3> places, std::span<const std::uint32_t> nodes,
                                 std::span<Mat3> blocks, ElasticWorkspace& workspace) const;
  /// dv = A⁻¹ λ of the same body, in the same axes; λ and dv one per node.
  virtual void respond_at(std::span<const Vec3> places, std::span<const Vec3> impulses, std::span<Vec3> dv) const;
  /// The same, to be asked again and again; null: it is asked by blocks.
  virtual std::unique_ptr<ElasticAnswer> answer_at(std::span<const Vec3>) const { return nullptr; }
  Mat3 inverse_block(std::uint32_t i, std::uint32_t j, ElasticWorkspace& workspace) const;
};

struct ElasticSolverInfo {
  std::string_view name;         ///< in scene files: "lagrange"
  std::string_view label;        ///< on screen: "Springs in a body frame"
  std::string_view description;  ///< one sentence
  std::string_view source;       ///< paper, section
  std::string_view page;         ///< in docs/numerics: "flexible-body.md"; has the table of the solver's parameters
  bool rotation_exact;           ///< conserves angular momentum to round-off (conformance picks its tolerance by it)
  ElasticNeeds needs;
  std::span<const ParameterRow> parameters;  ///< of its own
  Result<std::unique_ptr<ElasticSolver>> (*make)(const ElasticSetup& setup);
  /// K, C, M about the rest shape: of what modes and vibration are told. Null: it has none, and no modes are shown.
  Result<LinearSystem> (*linearise)(const ElasticSetup& setup);
  /// Of a set-up that make() accepts.
  double (*contact_modulus)(const ElasticSetup& setup);
  bool takes_shape = false;     ///< take_shape() of its bodies does something, where the set-up lets it
  bool takes_examples = false;  ///< ElasticSetup::examples are read
  bool is_carried = false;      ///< carry() of its bodies does something
};

/// All solvers, in order of their file names.
std::span<const ElasticSolverInfo* const> elastic_solvers();
const ElasticSolverInfo* find_elastic_solver(std::string_view name);
int number_of_solver(std::string_view name);  ///< in elastic_solvers(); −1: there is none of that name

}  // namespace hazumi
