// Whether something has room where it is put, as a sub-step ends: it overlaps nothing with which it collides.
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
  /// It is there from now on.
  void take(std::uint32_t body);

 private:
  void read();
  void put(std::uint32_t body, std::span<const double> values);

  const Model& model_;
  const State& state_;
  double time_;
  std::vector<BodyShape> shapes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<Contact> contacts_;
};

}  // namespace hazumi
