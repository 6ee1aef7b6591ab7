// Whether something has room where it is put, as a sub-step ends: it overlaps nothing with which it collides, and neither is inside the other.
//
// What is closed and has something deep inside touches it nowhere: so places of each that lie in closed pieces of the other are looked for, one for
// each piece of a surface that hangs together, since surfaces that do not cross are inside or outside as a whole. Inside is where the signed number
// of faces over a place is not 0, by two of the three axes: rounding at an edge that lies in line may deceive one.
#pragma once

#include <vector>

#include "core/sim/contact/narrow.h"
#include "core/sim/state.h"

namespace hazumi {

struct Model;

class CopyRoom {
 public:
  /// `state`: of the end of the sub-step; `time`: the film's then, s. Bodies are read when something is asked for the first time.
  CopyRoom(const Model& model, const State& state, double time) : model_(model), state_(state), time_(time) {}
  /// Whether the body has room in that state of it.
  bool has(std::uint32_t body, std::span<const double> values);
  /// The body that was in the way of the last one that had none: the one that it overlaps most.
  std::uint32_t in_the_way() const { return in_the_way_; }
  /// m, how far it would have to go along `way`, unit, to be free of what it overlaps below `level` (m along it) and what pushes it there; 0: of
  /// nothing.
  double out_along(std::uint32_t body, std::span<const double> values, const Vec3& way, double level);
  /// It is there from now on.
  void take(std::uint32_t body);

 private:
  void read();
  void find(std::uint32_t body, std::span<const double> values);
  void put(std::uint32_t body, std::span<const double> values);

  const Model& model_;
  const State& state_;
  double time_;
  std::vector<BodyShape> shapes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  ContactSearch search_;
  std::vector<Contact> contacts_;
  std::uint32_t in_the_way_ = 0;
};

/// Whether one of these places (m, world, as the sub-step ends) is in a closed piece of the shape's surface. The shape is read and finished; one
/// without a surface has nothing inside.
bool any_inside(BodyShape& shape, std::span<const Vec3> places);

}  // namespace hazumi
