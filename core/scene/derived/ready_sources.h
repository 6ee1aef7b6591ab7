// Sources of particles as they are most often wanted, whole and ready to be seen.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

enum class ReadySource { fountain, smoke, sparks, snow, explosion, splash, dust, confetti, pour };

struct ReadySourceInfo {
  ReadySource kind;
  std::string_view name, label, tooltip;  ///< "smoke", "Chimney Smoke", one sentence
  bool carried;                           ///< behind something that goes: carried by what is selected
};
std::span<const ReadySourceInfo> ready_sources();

/// One source, of an explosion three; their ids come from next_id(scene) on, their names are not taken. `carrier`: its object; what is
/// carried is then put behind it. No id: at `place`. Of a pour the object of which it gives copies is for the caller to say.
std::vector<ParticleSource> make_ready_sources(const Scene& scene, ReadySource kind, const Vec3& place, Id carrier);

}  // namespace hazumi
