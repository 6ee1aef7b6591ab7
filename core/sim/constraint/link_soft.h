// A body that deforms, as its joints see it (linkage.h): places of it, each a mean of nodes, which is what joints hold of it.
//
//   p = Σ w x_k,  Σ w = 1; an impulse at p is w times it on each node, so that P and L are kept
//   the body moves as it does by itself under given impulses, exactly; how places answer to them is known but for how it turns and bends
//   in the sub-step: δp = ½h R B Rᵀ J, B = Σ Σ w w′ B_kl blocks of A⁻¹ (elastic/solver.h), R half-way
//
// Source: thesis 2.29, 2.30 (links that share nodes), as an equality that is solved in each step.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/mapping/mapping.h"
#include "core/sim/body/body.h"

namespace hazumi {

struct BodyMotion;

/// Weights by which the place p is a mean of these nodes, of as few of the nearest ones as can be: of one where p is a node.
/// `off`: how far from p that mean is, m; more than nothing where nodes lie in a plane or on a line beside it.
std::vector<NodeWeight> hold_place(std::span<const Vec3> nodes, const Vec3& place, double& off);
Vec3 mean_of(std::span<const NodeWeight> weights, std::span<const Vec3> nodes);

class LinkSoft {
 public:
  struct Anchor {
    std::uint32_t joint = 0;  ///< number in Linkage::joints
    bool on_a = false;        ///< of that joint
    std::vector<NodeWeight> nodes;
  };
  enum class At { start, end };

  std::uint32_t body = 0;
  double mass = 1;  ///< kg
  int passes = 0;   ///< StepReport::passes, since begin()
  std::vector<Anchor> anchors;
  std::vector<double> start, end;  ///< values of BodyState

  void begin(const Body& of, std::span<const double> values, const BodyForces& forces, const Vec3& acceleration);
  /// Forces of nodes of this sub-step, without those of joints, N.
  void set_pushed(std::span<const Vec3> forces) { pushed_.assign(forces.begin(), forces.end()); }
  /// From start to end under impulses at the anchors, N s; false: it left all bounds. `motion` may be null.
  bool advance(const Body& of, double h, std::span<const Vec3> impulses, BodyMotion* motion);
  /// It is where it was and goes as it went; so does `motion`, which may be null.
  void stay(const Body& of, double h, BodyMotion* motion);
  /// At the end it is where it was and goes as it goes there; `out`: but no node against this (unit, or 0).
  void stop(const Body& of, const Vec3& out);
  /// For answer_where_it_is(): of what is limp A⁻¹ goes with its nodes.
  void see_end(const Body& of);
  /// `end` is what it is told.
  void finish(const Body& of, std::span<const double> values);
  Vec3 place(std::size_t anchor, At when) const { return when == At::start ? from_[anchor] : to_[anchor]; }
  Vec3 velocity(std::size_t anchor, At when) const { return when == At::start ? u_from_[anchor] : u_to_[anchor]; }
  /// J, of what stores motion (Body::stores_motion), else 0: there masses alone say what impulses at once do.
  double stored_energy(const Body& of, At when) const;
  Observables observe_end(const Body& of) const { return of.observe(end); }

  /// How anchors answer to impulses at each other, 1/kg: of a sub-step, in 2ū − u⁻; as shift() moves them, from where see_end() has
  /// seen them; at once, by masses alone.
  void answer_by_step();
  void answer_where_it_is();
  void answer_by_masses(const Body& of);
  /// As the body truly answers where it is, which advance() has put it under these impulses; it stays there. False: it left all bounds.
  bool measure_answers(const Body& of, double h, std::span<const Vec3> impulses);
  const Mat3& answer(std::size_t i, std::size_t j) const { return answer_[i * anchors.size() + j]; }
  void set_answer(std::size_t i, std::size_t j, const Mat3& answer) {
    answer_.resize(anchors.size() * anchors.size());
    answer_[i * anchors.size() + j] = answer;
  }

  /// Changes velocities by impulses at the anchors, N s.
  void push(const Body& of, At when, std::span<const Vec3> impulses);
  /// At the end: what it adds to the angular momentum about a place and to that of a unit turn; the energy of its motion beside that of a
  /// rigid body, J; and that motion times `factor`.
  void add_moments(const Body& of, const Vec3& centre, Vec3& spin, Mat3& inertia) const;
  double energy_beside(const Body& of, const Vec3& velocity, const Vec3& turn, const Vec3& centre) const;
  void scale_beside(const Body& of, const Vec3& velocity, const Vec3& turn, const Vec3& centre, double factor);
  /// Moves it at the end by A⁻¹ of impulses at the anchors and `nodes` (may be empty), kg m.
  void shift(const Body& of, std::span<const Vec3> impulses, std::span<const Vec3> nodes);
  /// out = A⁻¹ of impulses of nodes, as shift() moves it.
  void respond(const Body& of, std::span<const Vec3> nodes, std::span<Vec3> out) const;
  std::vector<Vec3> means_of(std::span<const Vec3> nodes) const;  ///< one per anchor

 private:
  std::vector<Vec3> share(std::span<const Vec3> impulses, std::span<const Vec3> nodes) const;
  void read(const Body& of, At when);
  /// what(node, x, u) of all nodes at the end.
  template <class What>
  void each_node_at_end(const Body& of, const What& what) const;
  void read_blocks(const Body& of, std::span<const double> values, std::vector<Mat3>& blocks);
  void answer_by(std::span<const Mat3> blocks, const Mat3& r, const Mat3& back);

  std::vector<Vec3> from_, to_, u_from_, u_to_;
  Pose frame_from_, frame_to_;
  std::vector<Vec3> pushed_;
  BodyForces forces_;
  Vec3 acceleration_ = Vec3::Zero();
  ElasticWorkspace workspace_;
  std::vector<double> found_;
  std::vector<Mat3> blocks_, end_blocks_, answer_;
  std::vector<std::uint32_t> nodes_;  ///< of all anchors, ascending
  std::vector<Vec3> scratch_;
};

}  // namespace hazumi
