// W of an island: blocks W_ij = Σ over the bodies that rows i and j share of ± G_i A⁻¹ G_jᵀ, m/s per N s.
//
//   does not deform   1/m − [p_i − o]ₓ I⁻¹ [p_j − o]ₓ                                    exact
//   deforms           Σ_kl N_ik R B_kl Rᵀ N_jlᵀ + F_i E_jᵀ + E_i F_jᵀ + E_i D E_jᵀ, B the blocks of A⁻¹ in the body's axes, R its held
//                     attitude. G = N + E ρᵀM: of nodes, and of the body as a whole, ρ = (1, −[R r]ₓ) its rigid motions. These are
//                     what A⁻¹M leaves as they are, since springs take no notice of them: F = N ρ, D = ρᵀMρ = diag(M, J)
//   joined         G A⁻¹ Gᵀ of the whole linkage, between any two of its bodies (linkage.h)
//   limp, many rows   the same by solves with A: W is told by what it makes of λ, of its blocks only W_ii (mobility_products.cpp)
//   of turning rows   G = ρ on ω instead of −[p − o]ₓ, and nothing on V; they come behind the others
// A⁻¹ holds the motion of a body as a whole too. What deforms and turns answers a little
// otherwise than this; the true step says how (island.h).
#pragma once

#include <memory>
#include <vector>

#include "core/sim/constraint/cone.h"
#include "core/sim/constraint/row.h"
#include "core/sim/constraint/turn_row.h"

namespace hazumi {

class Linkage;
class Linkages;

class Mobility final : public ConeOperator {
 public:
  /// `rows` sorted by key; `local` numbers the bodies of the island that move, 0…bodies−1.
  void make(const Model& model, std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
            std::span<const std::uint32_t> local, std::span<const Row> rows, std::span<const TurnRow> turns,
            ElasticWorkspace& workspace, Linkages* linkages = nullptr);
  /// All blocks of W; only W_ii of large rigid islands without turning rows, which go by their bodies, and of what goes by products.
  BlockRows blocks() const { return {start_, column_, block_}; }
  /// W λ is all that is known of it; null: not so.
  const ConeOperator* products() const { return by_products_ ? this : nullptr; }
  ConeParts parts() const { return {part_, hold_}; }
  const Mat3& own(std::size_t row) const { return block_[own_[row]]; }
  /// 1/kg, what W has of a row beyond how its bodies answer: of a limp body that touches itself. Where it is folded such rows contradict
  /// each other, and impulses without bounds would be asked for; so each gives way by a hundredth instead.
  double given(std::size_t row) const { return given_.empty() ? 0 : given_[row]; }
  /// Adds 1/kg to W_ii of each row, as if what it is led by had a mass of its own.
  void yield(std::span<const double> rows);
  /// out ← W λ, m/s.
  void product(std::span<const Vec3> impulses, std::span<Vec3> out) const override;

 private:
  /// A row's hold of one body.
  struct Hold {
    std::uint32_t row = 0, body = 0;  ///< number in Model::bodies
    double sign = 1;
    std::uint32_t first = 0, count = 0;               ///< of its nodes in `weight_`
    bool whole = false;                               ///< it has an E
    bool plain = true;                                ///< its G_k are numbers
    const std::vector<NodeWeight>* anchor = nullptr;  ///< of a joint, in place of a row
  };
  /// E and F of a hold, body axes: of the centre and of the turn.
  struct Whole {
    Mat3 by_centre, by_turn, of_centre, of_turn;
  };
  void collect(std::span<const BodyMotion> motions, std::span<const std::uint32_t> local, std::span<const Row> rows,
               std::span<const TurnRow> turns, std::size_t groups);
  void make_groups(std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies, Linkages* linkages);
  std::uint32_t group_at(const BodyMotion& motion, std::uint32_t number, const RowGrip* grip) const;
  void add_linkage(const Model& model, std::span<const BodyMotion> motions, Linkage& linkage, std::size_t group,
                   std::span<const Row> rows, std::span<const TurnRow> turns);
  void prepare(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
               ElasticWorkspace& workspace, const Linkages* linkages);
  std::size_t find(std::size_t row, std::uint32_t column) const;
  /// What deforms, and what holds it: rows, then, where joints hold it, their anchors, which are holds behind all of those of rows.
  struct Soft {
    std::uint32_t body = 0;            ///< number in Model::bodies
    std::vector<std::uint32_t> holds;  ///< numbers in `holds_`, ascending
    std::size_t rows = 0;              ///< how many of them are of rows
    std::vector<std::uint32_t> nodes;  ///< that they hold, ascending
    std::vector<Mat3> inverse;         ///< B of these
    /// Of one whose nodes answer each by itself, held by nodes alone, in place of B and `reached`: the number of each of `nodes`; and
    /// where it begins in `at`, which holds (by their numbers in `holds`, ascending) it has.
    std::vector<double> own;
    std::vector<std::uint32_t> start, at;
    Mat3 inertia = Mat3::Zero();                   ///< J
    std::vector<Mat3> reached;                     ///< Σ_k Rᵀ G_k R B_kl of each of `holds` and each of `nodes`
    std::unique_ptr<ElasticAnswer> answer;         ///< in place of B
    mutable std::vector<Vec3> impulses, velocity;  ///< of all nodes, or of `nodes`, body axes
  };
  Soft& add_soft(std::uint32_t body);
  void add_soft_of(const Linkage& linkage, std::size_t group);
  void prepare_soft(const Body& body, const BodyMotion& motion, Soft& soft, std::span<const Row> rows,
                    ElasticWorkspace& workspace);
  void end_hold(const BodyMotion& motion, const Soft& soft, std::size_t k, const GripSums& sums);
  void find_own_answers(const Body& body, const BodyMotion& motion, Soft& soft) const;
  template <class See>
  void each_beside(const Soft& soft, std::size_t k, const See& see) const;
  Mat3 answer_own(const BodyMotion& motion, const Soft& soft, std::size_t i, std::size_t j) const;
  void find_columns(std::size_t rows);
  void reach(Soft& soft) const;
  Mat3 answer_soft(const BodyMotion& motion, const Soft& soft, std::size_t i, std::size_t j) const;
  Mat3 answer(const BodyMotion& motion, std::size_t i, std::size_t j, std::span<const Row> rows,
              std::span<const TurnRow> turns) const;

  // mobility_products.cpp
  bool goes_by_products(std::span<const BodyMotion> motions, std::span<const TurnRow> turns) const;
  void make_own_blocks(std::span<const BodyMotion> motions, std::span<const Row> rows);
  Mat3 own_answer(const BodyMotion& motion, const Soft& soft, std::size_t i, std::size_t j) const;
  void give_ways(std::span<const BodyMotion> motions, std::span<const Row> rows);
  void by_bodies(std::span<const Vec3> impulses, std::span<Vec3> out) const;
  void by_nodes(const Soft& soft, double inverse_mass, std::span<const Vec3> impulses, std::span<Vec3> out) const;

  void make_parts(std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                  std::span<const std::uint32_t> local, std::span<const Row> rows);
  void make_blocks(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
                   std::span<const TurnRow> turns, Linkages* linkages);

  std::vector<std::uint32_t> start_, column_;
  std::vector<Mat3> block_;
  std::vector<double> given_;       ///< empty: none
  std::vector<std::uint32_t> own_;  ///< block W_ii of each row
  std::vector<ConeParts::Part> part_;
  std::vector<ConeParts::Hold> hold_;
  mutable std::vector<Vec3> x_, pushes_, moves_;
  struct Group {
    std::uint32_t body = 0;           ///< number in Model::bodies
    std::int32_t linkage = -1;        ///< or of a linkage
    std::size_t soft = 0, softs = 0;  ///< of what deforms in it in `soft_`
  };
  std::vector<Group> group_;             ///< bodies by themselves, each part of those in several, and linkages
  std::vector<std::uint32_t> group_of_;  ///< of each body of the island; of one in parts that of the first
  std::vector<std::uint32_t> first_;     ///< of each group in `holds_`
  std::vector<Hold> holds_;
  std::vector<Whole> whole_;                ///< of each hold
  std::vector<Mat3> weight_;                ///< Rᵀ G_k R
  std::vector<double> number_;              ///< G_k of plain holds
  std::vector<std::uint32_t> node_number_;  ///< of each of these among the nodes of its body
  std::vector<Soft> soft_;                  ///< the first `softs_` of them: memory is kept
  std::size_t softs_ = 0;
  bool by_products_ = false;
  struct Answering {
    double inverse_mass = 0;
    Mat3 turning = Mat3::Identity();  ///< inverse inertia, world axes; of what deforms its held attitude
  };
  std::vector<Answering> answering_;  ///< of each of `group_`
  std::vector<Vec3> arm_;             ///< of each hold, from the centre of what does not deform
  std::vector<double> extra_;         ///< 1/kg, that rows have beyond how their bodies answer
};

}  // namespace hazumi
