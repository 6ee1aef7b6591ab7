#include "core/scene/derived/ready_sources.h"

#include <algorithm>

namespace hazumi {

namespace {

constexpr double kDown = kPi;

ParticleSource fountain() {
  ParticleSource s;
  s.radius = 0.03;
  s.cone = radians(8);
  s.rate = 900;
  s.speed = 5.5;
  s.speed_spread = 0.08;
  s.life = 1.6;
  s.most = 5000;
  s.mass = 1e-4;
  s.quadratic = 0.03;
  s.collides = true;
  s.bounce = 0.25;
  s.friction = 0.2;
  s.look = ParticleLook::streak;
  s.size = 0.018;
  s.colour = Vec3(0.72, 0.86, 1);
  s.end_colour = Vec3(0.85, 0.93, 1);
  s.opacity = 0.75;
  return s;
}

ParticleSource smoke() {
  ParticleSource s;
  s.radius = 0.12;
  s.cone = radians(15);
  s.rate = 45;
  s.speed = 0.9;
  s.speed_spread = 0.3;
  s.life = 5;
  s.life_spread = 0.3;
  s.most = 1000;
  s.mass = 0.002;
  s.gravity = -0.06;
  s.linear = 0.35;
  s.look = ParticleLook::puff;
  s.size = 0.28;
  s.size_spread = 0.35;
  s.growth = 5;
  s.colour = Vec3(0.36, 0.35, 0.34);
  s.end_colour = Vec3(0.78, 0.78, 0.8);
  s.colour_spread = 0.12;
  s.opacity = 0.45;
  s.fade_in = 0.08;
  s.fade_out = 0.7;
  s.spin = radians(35);
  return s;
}

ParticleSource sparks() {
  ParticleSource s;
  s.radius = 0.01;
  s.cone = radians(30);
  s.rate = 350;
  s.speed = 5;
  s.speed_spread = 0.5;
  s.life = 0.8;
  s.life_spread = 0.5;
  s.most = 2000;
  s.mass = 1e-5;
  s.quadratic = 0.1;
  s.collides = true;
  s.bounce = 0.45;
  s.look = ParticleLook::streak;
  s.size = 0.008;
  s.colour = Vec3(1, 0.93, 0.62);
  s.end_colour = Vec3(1, 0.32, 0.06);
  s.glows = true;
  s.streak = 0.04;
  return s;
}

ParticleSource snow() {
  ParticleSource s;
  s.position = Vec3(0, 5, 0);
  s.rotation = Quat(Eigen::AngleAxisd(kDown, Vec3::UnitX()));
  s.radius = 4;
  s.cone = radians(17);
  s.rate = 400;
  s.speed = 0.9;
  s.speed_spread = 0.3;
  s.life = 12;
  s.most = 8000;
  s.mass = 1e-6;
  s.linear = 6;
  s.collides = true;
  s.hit = ParticleHit::stick;
  s.look = ParticleLook::disc;
  s.size = 0.03;
  s.size_spread = 0.5;
  s.colour = s.end_colour = Vec3(0.95, 0.97, 1);
  s.fade_in = 0.02;
  s.fade_out = 0.1;
  return s;
}

ParticleSource fire() {
  ParticleSource s;
  s.shape = SourceShape::ball;
  s.radius = 0.25;
  s.cone = radians(30);
  s.start = 0.5;
  s.duration = 0.15;
  s.rate = 0;
  s.burst = 90;
  s.speed = 3.5;
  s.speed_spread = 0.7;
  s.life = 0.8;
  s.life_spread = 0.4;
  s.gravity = -0.15;
  s.linear = 3.5;
  s.look = ParticleLook::puff;
  s.size = 0.35;
  s.size_spread = 0.4;
  s.growth = 2.6;
  s.colour = Vec3(1, 0.92, 0.6);
  s.size_keys = {{0.35, 2.1}};
  s.colour_keys = {{0.35, Vec3(1, 0.5, 0.1)}};
  s.end_colour = Vec3(0.3, 0.07, 0.03);
  s.opacity = 0.8;
  s.fade_in = 0.02;
  s.fade_out = 0.75;
  s.glows = true;
  s.spin = radians(180);
  return s;
}

ParticleSource blast_smoke() {
  ParticleSource s = smoke();
  s.shape = SourceShape::ball;
  s.radius = 0.3;
  s.cone = radians(45);
  s.start = 0.55;
  s.duration = 0.15;
  s.rate = 0;
  s.burst = 110;
  s.speed = 2.6;
  s.speed_spread = 0.7;
  s.life = 3;
  s.linear = 2;
  s.size = 0.4;
  s.growth = 3.4;
  s.colour = Vec3(0.2, 0.18, 0.17);
  s.end_colour = Vec3(0.5, 0.49, 0.48);
  s.opacity = 0.6;
  return s;
}

ParticleSource blast_sparks() {
  ParticleSource s = sparks();
  s.shape = SourceShape::ball;
  s.radius = 0.1;
  s.cone = radians(35);
  s.start = 0.5;
  s.duration = 0.15;
  s.rate = 0;
  s.burst = 260;
  s.speed = 8;
  s.life = 1.3;
  s.size = 0.014;
  return s;
}

/// Two fans of water behind and to both sides.
ParticleSource splash() {
  ParticleSource s = fountain();
  s.shape = SourceShape::disc;
  s.radius = 0.25;
  s.cone = radians(30);
  s.rate = 800;
  s.speed = 2.2;
  s.speed_spread = 0.4;
  s.inherit = 0.55;
  s.life = 0.9;
  s.look = ParticleLook::disc;
  s.size = 0.03;
  s.size_spread = 0.6;
  s.growth = 1.4;
  s.opacity = 0.7;
  s.fade_out = 0.6;
  return s;
}

ParticleSource dust() {
  ParticleSource s = smoke();
  s.radius = 0.15;
  s.cone = radians(50);
  s.rate = 90;
  s.speed = 0.7;
  s.inherit = 0.25;
  s.life = 2.2;
  s.gravity = 0.01;
  s.linear = 1.6;
  s.size = 0.22;
  s.growth = 4;
  s.colour = Vec3(0.66, 0.57, 0.45);
  s.end_colour = Vec3(0.78, 0.72, 0.63);
  s.opacity = 0.35;
  return s;
}

ParticleSource confetti() {
  ParticleSource s;
  s.radius = 0.05;
  s.cone = radians(25);
  s.start = 0.2;
  s.rate = 0;
  s.burst = 400;
  s.speed = 7;
  s.speed_spread = 0.4;
  s.life = 6;
  s.mass = 1e-5;
  s.linear = 1.8;
  s.quadratic = 0.15;
  s.collides = true;
  s.bounce = 0;
  s.friction = 1;
  s.look = ParticleLook::disc;
  s.size = 0.045;
  s.colour = s.end_colour = Vec3(0.95, 0.25, 0.3);
  s.hue_spread = 1;
  s.fade_out = 0.1;
  return s;
}

/// Copies of an object, from above.
ParticleSource pour() {
  ParticleSource s;
  s.gives = SourceGives::copies;
  s.position = Vec3(0, 2, 0);
  s.rotation = Quat(Eigen::AngleAxisd(kDown, Vec3::UnitX()));
  s.radius = 0.1;
  s.cone = radians(10);
  s.whirl = radians(180);
  s.rate = 15;
  s.speed = 1;
  return s;
}

struct NamedSource {
  const char* name;
  ParticleSource (*make)();
};

std::vector<NamedSource> parts_of(ReadySource kind) {
  switch (kind) {
    case ReadySource::fountain:
      return {{"Fountain", fountain}};
    case ReadySource::smoke:
      return {{"Smoke", smoke}};
    case ReadySource::sparks:
      return {{"Sparks", sparks}};
    case ReadySource::snow:
      return {{"Snow", snow}};
    case ReadySource::explosion:
      return {{"Blast smoke", blast_smoke}, {"Blast fire", fire}, {"Blast sparks", blast_sparks}};
    case ReadySource::splash:
      return {{"Splash", splash}};
    case ReadySource::dust:
      return {{"Dust", dust}};
    case ReadySource::confetti:
      return {{"Confetti", confetti}};
    case ReadySource::pour:
      return {{"Pour", pour}};
  }
  return {};
}

}  // namespace

std::span<const ReadySourceInfo> ready_sources() {
  static constexpr ReadySourceInfo kAll[] = {
      {ReadySource::fountain, "fountain", "Fountain", "Water that rises and falls back.", false},
      {ReadySource::smoke, "smoke", "Chimney Smoke", "Puffs that rise, grow and fade.", false},
      {ReadySource::sparks, "sparks", "Sparks", "Glowing streaks that bounce.", false},
      {ReadySource::snow, "snow", "Snow", "Flakes that fall and lie where they land.", false},
      {ReadySource::explosion, "explosion", "Explosion", "Fire, sparks and smoke at half a second.", false},
      {ReadySource::splash, "splash", "Splash Behind a Boat", "Spray from the end of what is selected.", true},
      {ReadySource::dust, "dust", "Dust Behind a Car", "Dust from the end of what is selected.", true},
      {ReadySource::confetti, "confetti", "Confetti", "A burst of coloured paper.", false},
      {ReadySource::pour, "pour", "Pour of Copies", "Copies of an object that fall and lie.", false},
  };
  return kAll;
}

std::vector<ParticleSource> make_ready_sources(const Scene& scene, ReadySource kind, const Vec3& place, Id carrier) {
  std::vector<ParticleSource> all;
  Scene named = scene;
  const bool carried = std::any_of(ready_sources().begin(), ready_sources().end(),
                                   [kind](const auto& info) { return info.kind == kind && info.carried; });
  for (const NamedSource& part : parts_of(kind)) {
    ParticleSource s = part.make();
    s.id = next_id(named);
    s.name = unique_name(named, part.name);
    if (carrier && carried)
      s.carrier = carrier.value;
    else
      s.position += place;
    named.particles.push_back(Shared<ParticleSource>(s));
    all.push_back(std::move(s));
  }
  return all;
}

}  // namespace hazumi
