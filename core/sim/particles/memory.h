// What a run remembers of a source of particles (stage.h): one entry per particle in each list, in ascending number.
#pragma once

#include <cstdint>
#include <vector>

namespace hazumi {

struct ParticleMemory {
  std::vector<double> x, y, z;  ///< m, world
  std::vector<double> u, v, w;  ///< m/s; of what sticks its place on the body that holds it (obstacles.h)
  std::vector<double> birth;    ///< s, of the run
  std::vector<double> life;     ///< s
  std::vector<std::uint64_t> number;
  std::vector<std::uint32_t>
      held;  ///< 0: it flies; else 1 + number of the body on which it sticks; of copies that wait: 1: where it is
  std::uint64_t born = 0;  ///< number of the next
  double owed = 0;         ///< 0…1, of the next, by the rate

  std::size_t size() const { return x.size(); }
  void resize(std::size_t n) {
    for (auto* list : {&x, &y, &z, &u, &v, &w, &birth, &life}) list->resize(n);
    number.resize(n);
    held.resize(n);
  }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("x", self.x);
    archive("y", self.y);
    archive("z", self.z);
    archive("u", self.u);
    archive("v", self.v);
    archive("w", self.w);
    archive("birth", self.birth);
    archive("life", self.life);
    archive("number", self.number);
    archive("held", self.held);
    archive("born", self.born);
    archive("owed", self.owed);
  }
};

/// Takes out those that are marked.
void leave_particles(const std::vector<char>& marked, ParticleMemory& particles);

}  // namespace hazumi
