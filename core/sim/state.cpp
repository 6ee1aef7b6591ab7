#include "core/sim/state.h"

#include "core/sim/archive.h"

namespace hazumi {

std::uint64_t hash(const State& state) { return hash_of(state); }
std::size_t memory_use(const State& state) { return memory_of(state); }
std::vector<std::uint8_t> save(const State& state) { return saved(state); }

Status restore(std::span<const std::uint8_t> bytes, State& state) {
  std::string problem = restored(bytes, state);
  if (problem.empty()) return Done{};
  return Diagnostic{Severity::error, "", "These bytes are no state of a run. " + problem, ""};
}

}  // namespace hazumi
