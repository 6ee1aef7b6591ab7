#include "core/sim/particles/births.h"

#include <algorithm>
#include <cmath>

#include "core/sim/body/body.h"

namespace hazumi {

namespace {

constexpr std::uint64_t kMostBursts = 1'000'000;  // in one sub-step

/// Evenly over the cap of the cone.
Vec3 in_cone(const Vec3& middle, double cone, double a, double b) {
  const double z = 1 - a * (1 - std::cos(cone)), flat = std::sqrt(std::max(0.0, 1 - z * z)), round = 2 * kPi * b;
  const Vec3 side = middle.unitOrthogonal();
  return z * middle + flat * (std::cos(round) * side + std::sin(round) * middle.cross(side));
}

std::array<Vec3, 3> corners_at(const Body& body, const std::vector<double>& values, const BirthSurface::Place& place) {
  std::array<Vec3, 3> corners;
  if (body.deforms && body.mapping) {
    std::vector<Vec3> nodes(body.truss.nodes.size());
    body.positions(values, nodes);
    body.mapping_in(body.parts(values).get())->map_points(nodes, body.pose(values), place.corners, corners);
    return corners;
  }
  const Pose pose = body.object_pose(body.pose(values));
  for (std::size_t k = 0; k < 3; ++k) corners[k] = pose * body.mesh->positions[place.corners[k]];
  return corners;
}

struct Born {
  Vec3 place, middle, velocity = Vec3::Zero();
};

Born on_surface(const BirthPlace& at, double part, const BirthSurface::Place& place) {
  const auto from = corners_at(*at.carrier, *at.before, place), to = corners_at(*at.carrier, *at.after, place);
  const auto mixed = [&](const std::array<Vec3, 3>& c) {
    return Vec3((1 - place.first - place.second) * c[0] + place.first * c[1] + place.second * c[2]);
  };
  const Vec3 a = mixed(from), b = mixed(to), across = (to[1] - to[0]).cross(to[2] - to[0]);
  const double size = across.norm();
  return {a + part * (b - a), size > 0 ? Vec3(across / size) : Vec3(Vec3::UnitY()), (b - a) / at.step};
}

}  // namespace

BirthSurface::BirthSurface(const Body& body) {
  if (!body.mesh) return;
  double sum = 0;
  for (const auto& f : body.mesh->faces) {
    const Vec3 &a = body.mesh->positions[f[0]], &b = body.mesh->positions[f[1]], &c = body.mesh->positions[f[2]];
    const double area = 0.5 * (b - a).cross(c - a).norm();
    if (!(area > 0)) continue;
    faces_.push_back(f);
    until_.push_back(sum += area);
  }
}

BirthSurface::Place BirthSurface::place(double a, double b, double c) const {
  const auto at = std::upper_bound(until_.begin(), until_.end(), a * until_.back());
  const auto face = static_cast<std::size_t>(std::min(at, until_.end() - 1) - until_.begin());
  const double root = std::sqrt(b);
  return {faces_[face], root * (1 - c), root * c};
}

void give_birth(const BirthPlace& at, double part, std::size_t i, ParticleMemory& p) {
  const ParticleSource& s = *at.source;
  const std::uint64_t number = p.number[i];
  const auto draw = [&](ParticleDraw what) { return at.dice.draw(number, what); };
  const double a = draw(ParticleDraw::place_a), b = draw(ParticleDraw::place_b), c = draw(ParticleDraw::place_c);
  Born born;
  if (at.faces) {
    born = on_surface(at, part, at.faces->place(a, b, c));
  } else {
    const Pose pose{at.from.position + part * (at.to.position - at.from.position),
                    at.from.rotation.slerp(part, at.to.rotation)};
    const Vec3 out(std::cos(2 * kPi * b), 0, std::sin(2 * kPi * b));
    Vec3 local = Vec3::Zero(), middle = Vec3::UnitY();
    if (s.shape == SourceShape::ball) {
      const double z = 2 * a - 1, flat = std::sqrt(std::max(0.0, 1 - z * z));
      middle = Vec3(flat * out.x(), z, flat * out.z());
      local = s.radius * std::cbrt(c) * middle;
    } else if (s.shape == SourceShape::disc || s.shape == SourceShape::ring) {
      local = s.radius * (s.shape == SourceShape::ring ? 1 : std::sqrt(a)) * out;
      middle = std::cos(s.tilt) * Vec3::UnitY() + std::sin(s.tilt) * out;
    }
    born.place = at.way ? at.way->place(a) : pose * local;
    born.middle = pose.rotation * middle;
    if (!at.way) born.velocity = (at.to * local - at.from * local) / at.step;
  }
  Vec3 velocity = at.velocity;
  if (at.carrier) velocity += s.inherit * born.velocity;
  velocity += at.dice.value(s.speed, s.speed_spread, number, ParticleDraw::speed) *
              in_cone(born.middle, s.cone, draw(ParticleDraw::way_a), draw(ParticleDraw::way_b));
  p.x[i] = born.place.x();
  p.y[i] = born.place.y();
  p.z[i] = born.place.z();
  p.u[i] = velocity.x();
  p.v[i] = velocity.y();
  p.w[i] = velocity.z();
  p.life[i] = at.dice.value(s.life, s.life_spread, number, ParticleDraw::life);
  p.held[i] = 0;
}

double Births::part(std::uint64_t birth) const {
  if (birth < by_rate) {
    const double share = per > 0 ? (static_cast<double>(birth + 1) - first) / per : 0;
    return begin + std::clamp(share, 0.0, 1.0) * (end - begin);
  }
  return std::clamp(burst_at + static_cast<double>((birth - by_rate) / burst) * burst_period, 0.0, 1.0);
}

Births births_of(const ParticleSource& s, double begin, double end, double step, double& owed) {
  Births births;
  births.first = owed;
  const double stop = s.duration > 0 ? s.start + s.duration : end;
  if (!s.on || end <= s.start || begin >= stop || !(end > begin)) return births;
  const auto part = [&](double time) { return std::clamp((time - begin) / (end - begin), 0.0, 1.0); };
  births.begin = part(s.start);
  births.end = part(stop);
  births.per = s.rate * step * (births.end - births.begin);
  const double sum = owed + births.per;
  births.by_rate = static_cast<std::uint64_t>(sum);
  owed = sum - static_cast<double>(births.by_rate);
  if (s.burst <= 0) return births;
  // Bursts k = 0, 1, … at start + k period.
  const auto first_from = [&](double time) {
    return time <= s.start ? 0.0 : s.burst_period > 0 ? std::ceil((time - s.start) / s.burst_period) : 1.0;
  };
  const double first = first_from(begin), behind = first_from(std::min(end, stop));
  if (behind <= first) return births;
  births.burst = static_cast<std::uint64_t>(s.burst);
  births.in_bursts = births.burst * static_cast<std::uint64_t>(std::min(behind - first, double(kMostBursts)));
  births.burst_at = (s.start + first * s.burst_period - begin) / (end - begin);
  births.burst_period = s.burst_period / (end - begin);
  return births;
}

}  // namespace hazumi
