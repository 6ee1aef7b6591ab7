// The body behind the solver "shape_matching" (shape_matching.cpp has the equations and their symbols).
#pragma once

#include <memory>
#include <vector>

#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/pins.h"
#include "core/sim/elastic/region_runs.h"
#include "core/sim/elastic/shape_matching_clusters.h"
#include "core/sim/elastic/shape_matching_examples.h"
#include "core/sim/elastic/solver.h"

namespace hazumi::shape_matching {

// Twelve numbers side by side, by rows of four: a matrix, beside it a vector. What regions and nodes hand to each other.

inline Vec3 at(const double* x, std::size_t node) { return {x[3 * node], x[3 * node + 1], x[3 * node + 2]}; }
inline void put(double* x, std::size_t node, const Vec3& v) {
  x[3 * node] = v.x();
  x[3 * node + 1] = v.y();
  x[3 * node + 2] = v.z();
}

enum Parameter : std::size_t { kStiffness, kDamping, kRing, kMost, kReturn, kEach };
std::span<const ParameterRow> parameter_rows();
/// K̃ and C about the rest shape, at the set-up's time step (0: of a step that resolves all).
Result<LinearSystem> linear_system(const ElasticSetup& setup);

class Body final : public ElasticSolver {
 public:
  static Result<std::unique_ptr<Body>> make(const ElasticSetup& setup);

  std::size_t region_count() const { return mass_of_.size(); }
  double alpha() const { return alpha_; }  ///< share of the way to the goals that a step makes
  std::size_t cluster_count() const { return clusters_.count(); }

  std::size_t node_count() const override { return mass_.size(); }
  std::size_t state_size() const override {
    return kFrame + 6 * mass_.size() + 4 * region_count() + examples_.state_size();
  }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  /// After a step: takes out of the vibration what the step has gained.
  void calm(std::span<double> state, ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  void examples(std::span<const double> state, std::vector<ExampleShare>& out) const override {
    examples_.shares(state.data() + kFrame + 6 * mass_.size() + 4 * region_count(), out);
  }
  bool stores_motion() const override { return true; }
  bool own_answers(std::span<const std::uint32_t> nodes, std::span<double> own) const override;
  bool still(std::span<double> state) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;
  Observables account(std::span<const double> state) const override;

 private:
  friend Result<LinearSystem> linear_system(const ElasticSetup& setup);
  enum : std::size_t { kTurn = 3, kAllowed = 7, kFrame = 8 };  // c, Q, J that the step may leave
  static constexpr double kUnknown = -1;                       // allowed energy of a state that was pushed or moved

  bool pinned() const { return pins_.kind != PinKind::none; }
  void clear_held(double* x) const;
  Vec3 rigid_rate(const SecondMoment& moment, const Vec3& angular) const;
  void build_rings(const Neighbours& near, int rings);
  void add_clusters(const ElasticSetup& setup, const Neighbours& near, int rings);
  void weigh_regions(std::size_t begin);
  void stiffen_clusters(double times);
  void pack_regions();
  void list_edges(const ElasticSetup& setup);
  void set_stiffness(const ElasticSetup& setup, const Neighbours& near);
  void set_damping(const ElasticSetup& setup);
  /// m̃ of a node in a region.
  double share(std::size_t region, std::size_t node) const {
    return region < node_count() ? share_[node] : cluster_share_[node];
  }
  void set_examples(const ElasticSetup& setup);
  /// Memory of a workspace: of nodes, then what regions say one after the other; sums over the regions.
  struct Sums {
    Twelve* nodes;
    EightSums *places, *speeds;
    double* runs;                  ///< twelve numbers of each of what regions have in common
    double* blocks;                ///< twelve numbers of each block, of bodies with clusters
    Executor* executor = nullptr;  ///< what is one region or node like the other is divided over it
  };
  /// `rest`: aligned to 64 bytes, what follows these.
  Sums make_room(std::vector<double>& numbers, std::size_t doubles, double** rest) const;
  Sums make_room(ElasticWorkspace& workspace, std::size_t doubles, double** rest) const;
  /// Σ m̃ a x⁰ᵀ and Σ m̃ a of every region, a of every node (3n numbers).
  void gather(const double* of_nodes, const Sums& sums, EightSums* regions) const;
  Regions regions() const {
    return {region_start_, region_node_, share_, mass_, mass_of_, reference_, centre_of_, rests_, cluster_share_};
  }
  void turn_some(std::size_t eight, EightTurns& some, double* turns) const;
  template <class After>
  void each_turned(const Sums& sums, bool divided, const double* weights, const Examples::Room* room, double enough,
                   double* turns, const After& after) const;
  void turn_regions(const Sums& sums, const double* weights, const Examples::Room* room, double* turns) const;
  template <class Before, class After>
  void take_examples(const double* places, const Sums& sums, double* turns, double* weights, bool may_begin,
                     Examples::Room*& room, const Before& before, const After& after) const;
  void map_regions(const Sums& sums, const double* turns, double pull) const;
  void put_goals(const Sums& sums, double* goals) const;
  void find_goals(const Sums& sums, const double* turns, const double* weights, Examples::Room* room,
                  double* goals) const;
  Vec3 inner_kicks(bool pushed, const double* middle, const double* u, const Vec3& drift, double* turns,
                   const Sums& sums, double* goals, double* own, double* more) const;
  Vec3 kicks_within(std::span<double> state, const double* middle, const Vec3& drift, ElasticWorkspace& workspace,
                    const Sums& sums, double* goals, double* own, double* more) const;
  void relax(double gain, double* y, double* u, const Vec3& drift, double* goals) const;
  struct Energy {
    double held = 0, swing = 0;  ///< E and ⅛ h² vᵀKv, J
  };
  void note_energy(std::size_t eight, const Sums& sums, const EightTurns& fitted, const double* weights,
                   const Examples::Room* room) const;
  Energy sum_energy(const double* y, const double* v, const Sums& sums, const double* weights,
                    const Examples::Room* room) const;
  /// Turns at y, and energy there and of the vibration v, from sums of both.
  Energy turned_energy(const double* y, const double* v, const Sums& sums, const double* weights,
                       const Examples::Room* room, double* turns) const;
  double kinetic_energy(const double* u) const;
  double plain_energy(const double* y, const double* v, const double* turns) const;
  double taught_energy(const double* y, const double* v, const double* turns, const double* weights) const;
  void vibration_of(const double* y, const double* u, double* v) const;  ///< to the last bits, slower
  void refit_frame(std::span<double> state) const;
  void set_allowed(std::span<double> state) const;

  ElasticSetup setup_;
  std::vector<double> mass_, share_;  // m; m̃ = m over the number of regions that hold a node
  std::vector<double> weighed_;       // m̃ x⁰ and m̃, 4n
  // The regions behind the n-th are clusters. Theirs: m̃ of a node, with how much stiffer they are than rings in it; weighed; of blocks.
  Clusters clusters_;
  std::vector<double> cluster_share_, cluster_weighed_, block_share_;
  double whole_ = 1;               // Σ m̃ over the rings and clusters of a node is m times that
  double firm_ = 1;                // how much stiffer they make the body than its rings alone
  std::vector<double> reference_;  // x⁰ of the rest shape about the centre of mass or the first pin, 3n
  std::vector<Vec3> start_;        // nodes of the set-up about the same
  std::vector<std::uint32_t> region_start_, region_node_;
  RegionRuns runs_;                 // of the regions of nodes
  std::vector<double> mean_;        // one over how many of them hold a node, which are as many as it holds
  std::vector<double> mass_of_;     // M_r
  std::vector<Vec3> centre_of_;     // c⁰_r
  std::vector<Mat3> inertia_of_;    // Σ m̃ (|q|² − q qᵀ)
  std::vector<Mat3> turning_of_;    // its inverse
  std::vector<EightRests> rests_;   // of these what is asked for eight by eight
  std::vector<double> spread_of_;   // Σ m̃ |q|²
  std::vector<char> spans_;         // it has a volume
  std::vector<double> least_held_;  // of the determinant of what holds a turn: with less a region turns freely
  PinFrame pins_;
  RigidDirections directions_;
  std::vector<std::uint32_t> held_;
  struct Edge {
    std::uint32_t a, b;
    double light;  ///< 1/l² at rest, 1/m²
  };
  std::vector<Edge> edges_;  // of which strain is told: springs, else all that are in a region together
  Vec3 origin_ = Vec3::Zero();
  double total_mass_ = 0, h_ = 0, extent_ = 0;
  double alpha_ = 0, rate_ = 0;  // κ̃ = α/h², 1/s²
  double calm_share_ = 0;        // γ
  double example_kept_ = 1;      // of the motion along examples, where γ of the rest is taken out
  Examples examples_;
};

}  // namespace hazumi::shape_matching
