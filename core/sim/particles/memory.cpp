#include "core/sim/particles/memory.h"

#include <algorithm>

namespace hazumi {

void leave_particles(const std::vector<char>& dead, ParticleMemory& p) {
  const auto first = static_cast<std::size_t>(std::find(dead.begin(), dead.end(), 1) - dead.begin());
  if (first == dead.size()) return;
  std::size_t to = first;
  for (std::size_t i = first; i < dead.size(); ++i) {
    if (dead[i] != 0) continue;
    for (auto* list : {&p.x, &p.y, &p.z, &p.u, &p.v, &p.w, &p.birth, &p.life}) (*list)[to] = (*list)[i];
    p.number[to] = p.number[i];
    p.held[to] = p.held[i];
    ++to;
  }
  p.resize(to);
}

}  // namespace hazumi
