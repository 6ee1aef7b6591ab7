// When each cause (scene/cause.h) was first there in a run, by sub-step.
#pragma once

#include <cstdint>
#include <limits>
#include <map>

#include "core/scene/cause.h"

namespace hazumi {

class CauseLog {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// The first sub-step stays: later ones change nothing.
  void note(const Cause& cause, std::int64_t substep) { first_.try_emplace(cause, substep); }
  std::int64_t first(const Cause& cause) const {
    const auto at = first_.find(cause);
    return at == first_.end() ? kNever : at->second;
  }
  /// Takes over what another log has of the sub-steps from … to − 1.
  void note_from(const CauseLog& other, std::int64_t from, std::int64_t to) {
    for (const auto& [cause, substep] : other.first_)
      if (substep >= from && substep < to) note(cause, substep);
  }
  void drop_from(std::int64_t substep) {
    std::erase_if(first_, [&](const auto& entry) { return entry.second >= substep; });
  }
  const std::map<Cause, std::int64_t>& all() const { return first_; }
  friend bool operator==(const CauseLog&, const CauseLog&) = default;

 private:
  std::map<Cause, std::int64_t> first_;
};

}  // namespace hazumi
