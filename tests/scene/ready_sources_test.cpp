// Ready-made sources.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/scene/derived/ready_sources.h"
#include "core/scene/validate.h"
#include "core/scene/values/fields.h"

namespace ready_sources_test {

using namespace hazumi;

TEST_CASE("Angles of ready-made sources are whole degrees where a panel shows them", "[particles]") {
  for (const ReadySourceInfo& info : ready_sources())
    for (const ParticleSource& source : make_ready_sources(Scene(), info.kind, Vec3::Zero(), {})) {
      INFO(source.name);
      const Field<ParticleSource>* rows[] = {
          find_field(particle_source_fields(), "cone"), find_field(particle_source_fields(), "tilt"),
          find_field(particle_source_fields(), "spin"), find_field(particle_source_fields(), "whirl")};
      for (const Field<ParticleSource>* row : rows) {
        if (!row->shown(source)) continue;
        const double angle = std::get<double>(row->get(source)) * 180 / kPi;
        CHECK(std::abs(angle - std::round(angle)) < 1e-9);
      }
      Scene scene;
      scene.particles.push_back(Shared<ParticleSource>(source));
      CHECK_FALSE(has_error(validate(scene)));
    }
}

}  // namespace ready_sources_test
