// Sources that give copies of an object, as rigid bodies (values/particle_source.h; in a run sim/particles/copies.h): of which object, why of none,
// and the ids of copies. These are no things of the scene: whoever shows something of one shows its source.
#pragma once

#include <optional>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::uint64_t kFirstCopyId = std::uint64_t{1} << 63;
inline constexpr int kCopyBits = 10;  // of the number among the copies of one source; kMostCopies fit
static_assert(kMostCopies <= 1 << kCopyBits);

inline bool is_copy(Id id) { return id.value >= kFirstCopyId; }
inline Id copy_id(Id source, std::size_t number) { return {kFirstCopyId | source.value << kCopyBits | number}; }
/// The source of a copy; of all else itself.
inline Id thing_of(Id id) { return is_copy(id) ? Id{(id.value - kFirstCopyId) >> kCopyBits} : id; }

/// The object of which the source gives copies in a run; null: of none.
const Object* copied_object(const Scene& scene, const ParticleSource& source);

/// Why a source that shall give copies gives none.
struct NoCopies {
  const char* field;  ///< of the source
  std::string message, hint;
};
std::optional<NoCopies> why_no_copies(const Scene& scene, const ParticleSource& source);

/// Ids of objects of which copies are given, ascending: they take no part in a run themselves.
std::vector<Id> copied_objects(const Scene& scene);

}  // namespace hazumi
