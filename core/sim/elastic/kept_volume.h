// A body that keeps its volume: any elastic solver, and one row beside it that is solved exactly in every step.
//
//   m (u⁺ − u⁻) = h (f + f_inner) + h p ∂V(x̄),   x⁺ = x⁻ + ½ h (u⁻ + u⁺),   V(x⁺) = s V₀
//
//   x, u   nodes, m, and their velocities, m/s (world); start −, end +, mean ‾       f, f_inner  outer forces; of the solver, N
//   V, V₀  volume of the surface (core/geometry/truss/enclosed.h), and of the rest shape, m³
//   s      size: 1 keeps, above swells, below shrinks                                  p  pressure, Pa
//   g      ∂V/∂x, m², zero at pinned nodes                                             B  A⁻¹ of the solver (solver.h), 1/kg
//
// p and x̄ are found by steps of the solver, made again from where the one before ended: p by Newton's rule with ½ h² gᵀBg, later with the
// slope that the steps show. The force is along ∂V at the middle, so that P and L change by what outer forces say; its work
// p ∂V(x̄)·(x⁺ − x⁻) is told. Where that comes to no end (bodies folded flat by an impact), positions are moved along B g until V is right,
// and what this costs is told as work, too.
//
// The midpoint rule moves by ū alone, so that the row leaves u⁺ = 2ū − u⁻ to swing from step to step. At the very end (calm) the part
// of the velocities that changes the volume otherwise than s does is therefore taken out: u ← u + μ g/m with g·u = ṡ V₀. Positions
// stay, P and L too; with s constant energy can only fall. Its work is told with the rest.
//
// How the body answers to impulses within a step is the solver's without what would change the volume:
//   B′ = B − B g (gᵀ B g)⁻¹ gᵀ B
//
// Source: thesis seeds/000, 3.2.1 and 3.2.2, whose optimisation of the positions after each step is a method, too (volume_search.h). There
// the nodes are moved after the step; a row in the step keeps stiff bodies from gaining energy by it.
//
// State: that of the solver, then p, s, ṡ (1/s), work of the last step (J). Working range: s changes by less than a few times in a step.
#pragma once

#include <algorithm>
#include <optional>

#include "core/base/diagnostic.h"
#include "core/geometry/truss/enclosed.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/volume_reading.h"

namespace hazumi {

class KeptVolume final : public ElasticSolver {
 public:
  /// Fails for a surface that encloses no volume, and where pins hold all of it.
  static Result<std::unique_ptr<KeptVolume>> make(std::unique_ptr<const ElasticSolver> solver,
                                                  const ElasticSetup& setup, const VolumeSettings& volume);

  const ElasticSolver& inner() const { return *inner_; }
  const EnclosedVolume& surface() const { return surface_; }
  double rest_volume() const { return rest_volume_; }  ///< V₀, m³

  /// Before a step: s at its end.
  void tell(std::span<double> state, double size) const;
  double size(std::span<const double> state) const { return tail(state)[kSize]; }
  /// No work yet, and its size does not change: what is not stepped, as it is led or stays where it was, leaves it so.
  void begin_substep(std::span<double> state) const { tail(state)[kRate] = tail(state)[kWork] = 0; }
  /// Puts it there, whatever s it had, by moving the nodes; their velocities stay. J, what that cost.
  double resize(std::span<double> state, double size) const;
  /// What it knows beside its solver, from a state of the same nodes with another one.
  void go_on(const KeptVolume& from, std::span<const double> was, std::span<double> state) const {
    std::ranges::copy(from.tail(was), tail(state).begin());
  }
  KeptVolumeReading reading(std::span<const double> state) const;

  std::size_t node_count() const override { return inner_->node_count(); }
  std::size_t state_size() const override { return inner_->state_size() + kTail; }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  void calm(std::span<double> state, ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override {
    inner_->apply_impulses(own(state), impulses);
  }
  /// … and further along B g, to second order, until the volume is right again.
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  bool carry(std::span<double> state, const Pose& by) const override { return inner_->carry(own(state), by); }
  bool take_shape(std::span<double> state, const RestShape& shape) const override {
    return inner_->take_shape(own(state), shape);
  }
  RestShape shape(std::span<const double> state) const override { return inner_->shape(own(state)); }
  void past(std::span<const double> state, std::vector<SpringPast>& out) const override {
    inner_->past(own(state), out);
  }
  void take_past(std::span<double> state, std::span<const SpringPast> past) const override {
    inner_->take_past(own(state), past);
  }
  void examples(std::span<const double> state, std::vector<ExampleShare>& out) const override {
    inner_->examples(own(state), out);
  }
  bool stores_motion() const override { return inner_->stores_motion(); }
  bool still(std::span<double> state) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override {
    inner_->positions(own(state), out);
  }
  void velocities(std::span<const double> state, std::span<Vec3> out) const override {
    inner_->velocities(own(state), out);
  }
  Pose frame(std::span<const double> state) const override { return inner_->frame(own(state)); }
  Observables observe(std::span<const double> state) const override { return inner_->observe(own(state)); }
  Before before() const override { return inner_->before(); }
  /// dv = B′ λ.
  void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const override;
  /// Those of B, without what project() makes of them, B′.
  void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                      ElasticWorkspace& workspace) const override {
    inner_->inverse_blocks(nodes, blocks, workspace);
  }
  bool inverse_follows_nodes() const override { return inner_->inverse_follows_nodes(); }
  void inverse_blocks_at(std::span<const Vec3> places, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                         ElasticWorkspace& workspace) const override {
    inner_->inverse_blocks_at(places, nodes, blocks, workspace);
  }
  void respond_at(std::span<const Vec3> places, std::span<const Vec3> impulses, std::span<Vec3> dv) const override {
    inner_->respond_at(places, impulses, dv);
  }
  /// `middle`: all nodes half-way (m, in any place), in the axes of the frame. Symmetric to the last bit.
  void project(std::span<const Vec3> middle, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks) const;

 private:
  enum Tail : std::size_t { kPressure, kSize, kRate, kWork, kTail };

  std::span<double> own(std::span<double> state) const { return state.first(inner_->state_size()); }
  std::span<const double> own(std::span<const double> state) const { return state.first(inner_->state_size()); }
  std::span<double> tail(std::span<double> state) const { return state.subspan(inner_->state_size(), kTail); }
  std::span<const double> tail(std::span<const double> state) const {
    return state.subspan(inner_->state_size(), kTail);
  }
  void gradient(std::span<const Vec3> nodes, std::span<Vec3> out) const;  ///< g
  /// B J of impulses J at all nodes.
  void answer(std::span<const double> inner_state, std::span<const Vec3> impulses, std::span<Vec3> out) const;
  bool in_one(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
              ElasticWorkspace& workspace, std::vector<double>* told) const;
  bool solve(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
             ElasticWorkspace& workspace, std::vector<double>* told) const;
  bool search(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
              ElasticWorkspace& workspace, std::vector<double>* told) const;
  double begin(std::span<const double> state, const Vec3& acceleration, ElasticWorkspace::Volume& w,
               const std::vector<double>* told) const;
  void gradient_at(const double* places, std::span<Vec3> out) const;
  double put_right_at_end(std::span<double> inner_state, double wanted, const Vec3& twist, std::span<const Vec3> forces,
                          const Vec3& acceleration, ElasticWorkspace::Volume& w) const;
  double freeze(std::span<double> inner_state, double wanted, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace::Volume& w) const;
  Vec3 turned_by(std::span<const Vec3> nodes, const Vec3& about, const Vec3& angular) const;
  /// Moves nodes along B g until V is `wanted`; false: it is not within 1e-6 of it.
  bool put_right(std::span<double> inner_state, double wanted) const;
  /// Moves positions by `shift` and velocities by 2/h of it, as if forces had done it in the step; the work of those forces, J.
  double carry(std::span<double> inner_state, std::span<const Vec3> shift, std::span<const Vec3> forces,
               const Vec3& acceleration) const;

  std::unique_ptr<const ElasticSolver> inner_;
  EnclosedVolume surface_;
  std::vector<double> masses_;         // kg
  std::vector<std::uint32_t> pinned_;  // ascending
  std::vector<double> rest_;           // state of the inner solver at rest, its frame not turned
  VolumeMethod method_ = VolumeMethod::exact;
  double h_ = 0, rest_volume_ = 0, first_size_ = 1;
};

}  // namespace hazumi
