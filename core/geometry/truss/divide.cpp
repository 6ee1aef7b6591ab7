#include "core/geometry/truss/divide.h"

#include <algorithm>
#include <numeric>

namespace hazumi {

TrussEdit divide_springs(const StrungTruss& truss, const SpringSelection& springs, int parts, StiffnessRule rule,
                         const OptionalSymmetry& symmetry) {
  TrussEdit edit{truss, std::vector<std::uint32_t>(truss.nodes.size()), {}};
  std::iota(edit.node_map.begin(), edit.node_map.end(), 0u);
  if (parts < 2 || parts > kMostParts) return edit;
  SpringSelection divided = symmetry ? springs_with_partners(truss, springs, symmetry) : springs;
  std::erase_if(divided, [&](std::uint32_t s) { return s >= truss.springs.size(); });
  std::sort(divided.begin(), divided.end());
  divided.erase(std::unique(divided.begin(), divided.end()), divided.end());
  if (divided.empty()) return edit;

  std::vector<int> met(truss.nodes.size());
  for (const StrungSpring& spring : truss.springs) ++met[spring.a], ++met[spring.b];
  const auto share = [&](std::uint32_t node) { return truss.nodes[node].mass / met[node]; };
  std::vector<StrungNode>& nodes = edit.truss.nodes;
  std::vector<StrungSpring> strung;  // whole ones that stay, then parts
  for (std::uint32_t s = 0; s < truss.springs.size(); ++s)
    if (!std::binary_search(divided.begin(), divided.end(), s)) strung.push_back(truss.springs[s]);
  for (const std::uint32_t s : divided) {
    const StrungSpring& whole = truss.springs[s];
    const Vec3 from = truss.nodes[whole.a].position, to = truss.nodes[whole.b].position;
    const double given = std::min(share(whole.a), share(whole.b));
    for (const std::uint32_t end : {whole.a, whole.b}) nodes[end].mass -= given * (parts - 1) / parts;
    StrungSpring part = whole;
    part.damping *= parts;
    if (rule == StiffnessRule::given) part.stiffness *= parts;
    std::uint32_t last = whole.a;
    for (int i = 1; i < parts; ++i) {
      const double t = static_cast<double>(i) / parts;
      StrungNode node;
      node.position = (1 - t) * from + t * to;
      node.mass = 2 * given / parts;
      part.a = last;
      part.b = last = static_cast<std::uint32_t>(nodes.size());
      strung.push_back(part);
      edit.selected.push_back(last);
      nodes.push_back(node);
    }
    // New numbers are above all old ones, so the last part runs from its old end.
    part.a = whole.b;
    part.b = last;
    strung.push_back(part);
  }
  std::sort(strung.begin(), strung.end(),
            [](const StrungSpring& x, const StrungSpring& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  edit.truss.springs = std::move(strung);
  return edit;
}

}  // namespace hazumi
