#include "core/scene/derived/piece_faults.h"

#include <numeric>

namespace hazumi {

namespace {

constexpr std::size_t kMostLookedAt = 20'000;  // nodes; of more validate() says that they are too many

/// Pieces of nodes that springs or tetrahedra join; numbers of nodes that are not there join nothing.
std::uint32_t pieces_of(const StrungTruss& truss) {
  const auto count = static_cast<std::uint32_t>(truss.nodes.size());
  std::vector<std::uint32_t> root(count);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::uint32_t pieces = count;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a >= count || b >= count) return;
    a = find(a);
    b = find(b);
    if (a == b) return;
    root[std::max(a, b)] = std::min(a, b);
    --pieces;
  };
  for (const StrungSpring& spring : truss.springs) join(spring.a, spring.b);
  for (const auto& t : truss.tetrahedra)
    for (std::size_t k = 1; k < 4; ++k) join(t[0], t[k]);
  return pieces;
}

}  // namespace

std::vector<LooseModel> loose_models(const Scene& scene) {
  std::vector<LooseModel> all;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = *scene.objects[i];
    const AnalysisModel& analysis = object.analysis;
    if (!bends(object.body) || analysis.kind != AnalysisKind::strung || !analysis.strung) continue;
    if (analysis.strung->tetrahedra.empty() || analysis.strung->nodes.size() > kMostLookedAt) continue;
    const std::uint32_t pieces = pieces_of(*analysis.strung);
    if (pieces < 2) continue;
    std::string place = "objects[" + std::to_string(i) + "]";
    if (!object.name.empty()) place += " \"" + object.name + "\"";
    all.push_back(
        {object.id, pieces, place + " analysis.strung.tetrahedra",
         "The analysis model is in " + std::to_string(pieces) +
             " pieces that nothing joins: each goes its own way, and the display model is drawn out between them.",
         "String springs between them, or make an object of each."});
  }
  return all;
}

}  // namespace hazumi
