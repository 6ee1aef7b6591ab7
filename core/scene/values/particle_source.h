// Sources of particles: spray, smoke, sparks, snow. Particles feel gravity, fields and what they meet, and push nothing. What comes of a source
// in a run is in sim/particles/stage.h, how it is drawn in render/particles.h.
// A source may give copies of an object instead: rigid bodies like all others (scene/derived/copies.h, sim/particles/copies.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

/// What a source gives. copies: of an object, as rigid bodies.
enum class SourceGives { particles, copies };

/// Where particles are born. ball: in it, going outwards. disc, ring: across the axis. surface: of the object that carries the source, along its
/// normals. curve: anywhere on it.
enum class SourceShape { ball, disc, ring, surface, curve };

/// What becomes of a particle that meets an object.
enum class ParticleHit { bounce, stick, die, split };

enum class ParticleLook { disc, streak, puff, point, mesh };

// Keys over a particle's life between its birth, age 0, and its end, age 1: what it is there. What it is between them says
// derived/particle_shade.h.
struct LifeSize {
  double age = 0.5, size = 1;  ///< times as large as at birth
};
struct LifeColour {
  double age = 0.5;
  Vec3 colour = Vec3(0.75, 0.85, 1);
};
struct LifeOpacity {
  double age = 0.5, opacity = 1;  ///< part of the source's
};
struct LifeSpeed {
  double age = 0.5, speed = 1;  ///< times as fast as it would go (sim/particles/flight.h)
};
struct LifeDrag {
  double age = 0.5, drag = 1;  ///< times as hard as air, water and drag of its own would brake it
};

/// Parts, of a value x with a spread s: evenly between x (1 − s) and x (1 + s). The axis is the source's own y.
struct ParticleSource {
  Id id;
  std::string name = "Particles";
  bool visible = true;           ///< it and its particles are drawn
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  bool on = true;
  SourceGives gives = SourceGives::particles;
  std::uint64_t object = 0;  ///< copies: id of the object of which they are
  SourceShape shape = SourceShape::disc;
  std::uint64_t carrier = 0;     ///< id of the object that it goes with; 0: none
  Vec3 position = Vec3::Zero();  ///< m; carried: in the axes of the carrier, from its origin
  Quat rotation = Quat::Identity();
  double radius = 0.1;      ///< m, of the ball, disc or ring
  std::uint64_t curve = 0;  ///< id of the curve
  double tilt = 0;          ///< rad, of disc and ring: by how much the middle direction leans outwards from the axis
  double cone = 0.2;        ///< rad, half angle round the middle direction
  double start = 0;         ///< s, of the film
  double duration = 0;      ///< s, 0: for good
  double rate = 100;        ///< 1/s
  int burst = 0;            ///< particles born at once, at the start
  double burst_period = 0;  ///< s, and each time again; 0: once
  int most = 20000;         ///< at once; more are not born
  double life = 2, life_spread = 0.2;    ///< s
  double speed = 3, speed_spread = 0.1;  ///< m/s
  double inherit = 1;                    ///< part of the carrier's own velocity that they have too
  double mass = 0.001, mass_spread = 0;  ///< kg
  double gravity = 1;                    ///< times the scene's
  bool fields = true;                    ///< they feel fields of force
  double air = 1;                        ///< drag coefficient in air and water that has a density
  double linear = 0, quadratic = 0;      ///< 1/s, 1/m, drag of their own
  bool collides = false;
  std::uint64_t meets = 0;  ///< id of the collection whose objects they meet; 0: all
  ParticleHit hit = ParticleHit::bounce;
  double bounce = 0.3;     ///< restitution
  double friction = 0.3;   ///< Coulomb μ
  std::uint64_t into = 0;  ///< id of the source that makes the pieces of one that splits; 0: of none
  int pieces = 5;
  ParticleLook look = ParticleLook::disc;
  double size = 0.03, size_spread = 0.2;  ///< m, across
  double growth = 1;                      ///< times as large in the end
  Vec3 colour = Vec3(0.75, 0.85, 1), end_colour = Vec3(0.75, 0.85, 1);
  // Each ascending in age; none: straight from birth to end.
  std::vector<LifeSize> size_keys;
  std::vector<LifeColour> colour_keys;
  // Before the first and behind the last as there; none: 1 throughout.
  std::vector<LifeOpacity> opacity_keys;
  std::vector<LifeSpeed> speed_keys;
  std::vector<LifeDrag> drag_keys;
  double colour_spread = 0;  ///< of brightness
  double hue_spread = 0;     ///< of the hue, 1: all hues
  double opacity = 1;
  double fade_in = 0, fade_out = 0.3;  ///< parts of the life
  bool glows = false;                  ///< drawn in its colour, whatever lights there are
  double streak = 0.03;                ///< s, of its way that a streak shows
  std::uint64_t copies = 0;            ///< id of the object whose display model is drawn at each particle
  double spin = 3;                     ///< rad/s, of copies and puffs, at most
  // Of copies.
  int most_copies = 100;    ///< there at once; the next ones wait
  bool stays = true;        ///< they stay for good, whatever `life` says
  bool any_turn = true;     ///< each is turned at random when it is born; else as the object is
  double whirl = 3;         ///< rad/s, how fast they spin at most when they are born
  double scale_spread = 0;  ///< parts of the object's size
  Kept kept;
};

inline constexpr int kMostCopies = 1000;  ///< of one source

inline bool gives_copies(const ParticleSource& source) { return source.gives == SourceGives::copies; }
/// Whether copies of an object are what is seen of it, and the id of that object.
inline bool shows_copies(const ParticleSource& source) {
  return gives_copies(source) || source.look == ParticleLook::mesh;
}
inline Id shown_copy(const ParticleSource& source) { return Id{gives_copies(source) ? source.object : source.copies}; }

}  // namespace hazumi
