// New sources of particles.
#include "ui/model/context.h"
#include "ui/model/source_commands.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

template <ReadySource kind>
void add_source_of(UiContext& c) {
  add_source(c.document, c.selection, kind);
}

}  // namespace

const CommandTable& commands_add_particles() {
  static const Command rows[] = {
      {"add.particles_fountain", "&Fountain", "particles", "", "Add/Particles", "Add water that rises and falls back.",
       &add_source_of<ReadySource::fountain>},
      {"add.particles_smoke", "&Chimney Smoke", "particles", "", "Add/Particles",
       "Add puffs of smoke that rise, grow and fade.", &add_source_of<ReadySource::smoke>},
      {"add.particles_sparks", "&Sparks", "particles", "", "Add/Particles", "Add glowing sparks that bounce.",
       &add_source_of<ReadySource::sparks>},
      {"add.particles_snow", "S&now", "particles", "", "Add/Particles",
       "Add flakes that fall from above and lie where they land.", &add_source_of<ReadySource::snow>},
      {"add.particles_explosion", "&Explosion", "particles", "", "Add/Particles",
       "Add fire, sparks and smoke that burst out at half a second.", &add_source_of<ReadySource::explosion>},
      {"add.particles_splash", "S&plash Behind a Boat", "particles", "", "Add/Particles",
       "Add spray that the active object leaves behind.", &add_source_of<ReadySource::splash>},
      {"add.particles_dust", "&Dust Behind a Car", "particles", "", "Add/Particles",
       "Add dust that the active object leaves behind.", &add_source_of<ReadySource::dust>},
      {"add.particles_confetti", "C&onfetti", "particles", "", "Add/Particles", "Add a burst of coloured paper.",
       &add_source_of<ReadySource::confetti>},
      {"add.particles_pour", "&Pour of Copies", "particles", "", "Add/Particles",
       "Pour copies of the active rigid object, or of a ball, as bodies that collide.",
       &add_source_of<ReadySource::pour>},
  };
  static const CommandTable table{3, rows};
  return table;
}

}  // namespace hazumi
