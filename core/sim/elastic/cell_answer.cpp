// A⁻¹ of springs at given places, kept as the factor of A: what contacts of a cloth with hundreds of rows ask (constraint/mobility.h).
#include "core/sim/elastic/cell_body.h"

namespace hazumi::cell_body {

namespace {
constexpr double kNearly = 1e-12;  // of a body whose factor is not A's
}  // namespace

struct Body::Answer final : ElasticAnswer {
  Answer(const Body& of, std::span<const Vec3> places)
      : body(of), memory(of.springs_.memory()), x(3 * of.node_count()), matrix(of.springs_, of.mass_, memory.data()) {
    for (std::size_t i = 0; i < of.node_count(); ++i) put(x.data(), i, places[of.order_[i]]);
    of.set_springs(of.cells_, x.data(), of.h_, matrix);
    near.resize(of.springs_.blocks());
    matrix.near_inverse(near);
  }
  void respond(std::span<const Vec3> impulses, std::span<Vec3> dv) override {
    const std::size_t n = body.node_count();
    for (std::size_t i = 0; i < n; ++i) put(x.data(), i, impulses[body.order_[i]]);
    if (body.springs_.whole())
      matrix.solve_by_factor(x.data());
    else
      matrix.solve(x.data(), kNearly);
    for (std::size_t i = 0; i < n; ++i) dv[body.order_[i]] = at(x.data(), i);
  }
  Mat3 near_block(std::uint32_t i, std::uint32_t j) const override {
    const std::uint32_t a = body.place_[i], b = body.place_[j];
    const std::size_t k = body.springs_.block_of(a, b);
    if (k >= near.size()) return Mat3::Zero();
    return a < b ? Mat3(near[k].transpose()) : near[k];
  }
  const Body& body;
  std::vector<double> memory, x;
  SpringMatrix matrix;
  std::vector<Mat3> near;
};

std::unique_ptr<ElasticAnswer> Body::answer_at(std::span<const Vec3> places) const {
  if (!cells_.are_springs()) return nullptr;
  return std::make_unique<Answer>(*this, places);
}

}  // namespace hazumi::cell_body
