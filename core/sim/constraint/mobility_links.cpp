// Rows on a linkage: what each does to all of it, and what the others see of that. Of what deforms,
//   W_kl = A_kl − Σ_pq A_kp Jᵀ S⁻¹ J A_ql
// with A of the body by itself, between rows k, l and anchors p, q of joints, all from the same blocks of A⁻¹; S⁻¹ is what the forest of
// the linkage answers with (link_tree.h). So where a row holds what a joint holds, W is 0 to rounding.
#include "core/sim/constraint/linkages.h"
#include "core/sim/constraint/mobility.h"

namespace hazumi {

/// What deforms in a linkage, held by rows of the group and by its joints.
void Mobility::add_soft_of(const Linkage& linkage, std::size_t group) {
  for (const LinkSoft& of : linkage.soft) {
    Soft& soft = add_soft(of.body);
    for (std::uint32_t k = first_[group]; k < first_[group + 1]; ++k)
      if (holds_[k].body == of.body) soft.holds.push_back(k);
    soft.rows = soft.holds.size();
    for (const LinkSoft::Anchor& anchor : of.anchors) {
      soft.holds.push_back(static_cast<std::uint32_t>(holds_.size()));
      Hold hold;
      hold.body = of.body;
      hold.anchor = &anchor.nodes;
      holds_.push_back(hold);
    }
  }
}

void Mobility::add_linkage(const Model& model, std::span<const BodyMotion> motions, Linkage& linkage, std::size_t g,
                           std::span<const Row> rows, std::span<const TurnRow> turns) {
  constexpr std::uint32_t kRigid = 0xffffffffu;
  struct Held {
    std::uint32_t soft = kRigid, at = 0;  ///< which of those that deform, and which of its holds
  };
  std::vector<Held> held(first_[g + 1] - first_[g]);
  for (std::uint32_t q = 0; q < group_[g].softs; ++q) {
    Soft& soft = soft_[group_[g].soft + q];
    const BodyMotion& motion = motions[soft.body];
    reach(soft);
    for (std::uint32_t k = 0; k < soft.rows; ++k) {
      held[soft.holds[k] - first_[g]] = {q, k};
      for (std::uint32_t l = k; l < soft.rows; ++l) {
        const std::uint32_t row = holds_[soft.holds[k]].row, with = holds_[soft.holds[l]].row;
        const Mat3 block = answer_soft(motion, soft, k, l);
        Mat3& to = block_[find(row, with)];
        to += block;
        if (l > k && row == with) to += block.transpose();  // it touches itself
      }
    }
    for (std::size_t i = soft.rows; i < soft.holds.size(); ++i)
      for (std::size_t j = soft.rows; j < soft.holds.size(); ++j)
        linkage.soft[q].set_answer(i - soft.rows, j - soft.rows, answer_soft(motion, soft, i, j));
  }
  if (!linkage.prepare_answers(model, motions)) return;
  const auto act = [&](const Hold& hold, int k) {
    Vec6 at = Vec6::Zero();
    const Vec3 unit = hold.sign * Vec3::Unit(k);
    if (hold.row >= rows.size())
      at.tail<3>() = turns[hold.row - rows.size()].length * unit;
    else
      at << unit, (rows[hold.row].point - motions[hold.body].origin).cross(unit);
    return at;
  };
  // Of each hold of what deforms and each anchor there: A_kp.
  std::vector<std::vector<Mat3>> between(held.size());
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (held[k].soft == kRigid) continue;
    const Soft& soft = soft_[group_[g].soft + held[k].soft];
    for (std::size_t p = soft.rows; p < soft.holds.size(); ++p)
      between[k].push_back(answer_soft(motions[soft.body], soft, held[k].at, p));
  }
  std::vector<std::vector<Vec3>> pushed(linkage.soft.size());
  std::vector<Vec3> moved;
  for (std::size_t l = 0; l < held.size(); ++l)
    for (int c = 0; c < 3; ++c) {
      const Hold& by = holds_[first_[g] + l];
      if (held[l].soft == kRigid) {
        linkage.answer(by.body, act(by, c));
      } else {
        moved.clear();
        for (const Mat3& a : between[l]) moved.push_back(a.row(c).transpose());
        linkage.answer(held[l].soft, moved);
      }
      for (std::size_t q = 0; q < pushed.size(); ++q) pushed[q] = linkage.answered_at(q);
      for (std::size_t k = 0; k <= l; ++k) {
        const Hold& of = holds_[first_[g] + k];
        Mat3& to = block_[find(of.row, by.row)];
        Vec3 seen = Vec3::Zero();
        if (held[k].soft == kRigid)
          for (int r = 0; r < 3; ++r) seen[r] = act(of, r).dot(linkage.answered(of.body));
        else
          for (std::size_t p = 0; p < between[k].size(); ++p) seen += between[k][p] * pushed[held[k].soft][p];
        to.col(c) += seen;
        if (k < l && of.row == by.row) to.row(c) += seen.transpose();  // it touches itself
      }
    }
}

}  // namespace hazumi
