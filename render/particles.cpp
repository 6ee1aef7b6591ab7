#include "render/particles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "core/math/rotation.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "render/convert.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kSourceColour{0.93f, 0.72f, 0.86f, 0.95f}, kIdleSource{0.53f, 0.46f, 0.51f, 0.8f};
constexpr glm::vec4 kActiveSource{1.0f, 0.66f, 0.25f, 1.0f}, kSelectedSource{0.85f, 0.48f, 0.14f, 1.0f};
constexpr glm::vec4 kSourceShade{0.07f, 0.08f, 0.10f, 0.5f};
constexpr float kSourceArrow = 34;   // logical pixels
constexpr float kPointParticle = 3;  // logical pixels
constexpr float kLeastSeen = 0.004f;
constexpr int kSourceRound = 40;

enum PuffPurpose : std::uint64_t { kPuffTurn = 0x7475726e, kPuffSpin };

using SourceLine = std::pair<Vec3, Vec3>;

/// Numbers of what lies furthest first; of equals the one that was first. Floats at least 0 sort as their bits do.
std::vector<std::uint32_t> back_to_front(const std::vector<float>& depths) {
  constexpr int kBits = 11, kPasses = 3;
  std::vector<std::uint32_t> order(depths.size()), next(depths.size()), keys(depths.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    keys[i] = ~std::bit_cast<std::uint32_t>(std::max(0.0f, depths[i]));
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    std::array<std::uint32_t, (1u << kBits) + 1> begin{};
    const auto digit = [&](std::uint32_t i) { return keys[i] >> (kBits * pass) & ((1u << kBits) - 1); };
    for (const std::uint32_t i : order) ++begin[digit(i) + 1];
    for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
    for (const std::uint32_t i : order) next[begin[digit(i)]++] = i;
    order.swap(next);
  }
  return order;
}

const Shared<Curve>* curve_of_source(const Scene& scene, const ParticleSource& source) {
  return source.shape == SourceShape::curve ? find_shared_curve(scene, source.curve) : nullptr;
}

void add_circle(std::vector<SourceLine>& lines, const Pose& pose, double radius, const Mat3& axes, double height = 0) {
  Vec3 before = Vec3::Zero();
  for (int i = 0; i <= kSourceRound; ++i) {
    const double angle = 2 * kPi * i / kSourceRound;
    const Vec3 now = pose * (axes * Vec3(radius * std::cos(angle), height, radius * std::sin(angle)));
    if (i > 0) lines.emplace_back(before, now);
    before = now;
  }
}

std::vector<SourceLine> edges_of_source(const Scene& scene, const ParticleSource& source, const Pose& pose) {
  std::vector<SourceLine> lines;
  const Mat3 upright = Mat3::Identity();
  if (source.shape == SourceShape::disc || source.shape == SourceShape::ring)
    add_circle(lines, pose, source.radius, upright);
  if (source.shape == SourceShape::ball)
    for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
      add_circle(lines, pose, source.radius, turn_onto(Vec3::UnitY(), axis).toRotationMatrix());
  if (const Shared<Curve>* curve = curve_of_source(scene, source)) {
    const auto way = way_of(*curve);
    for (int i = 0; i < kSourceRound; ++i)
      lines.emplace_back(way->place(i / double(kSourceRound)), way->place((i + 1.0) / kSourceRound));
  }
  return lines;
}

/// Arrows along the axis, and the cone at its end.
void add_axis(std::vector<SourceLine>& lines, const ParticleSource& source, const Pose& pose, double size) {
  const auto arrow = [&](const Vec3& from, const Vec3& way) {
    const Vec3 side = way.unitOrthogonal(), to = from + size * way;
    lines.emplace_back(from, to);
    for (const double sign : {1.0, -1.0}) lines.emplace_back(to, to - 0.25 * size * way + sign * 0.12 * size * side);
  };
  if (source.shape == SourceShape::ball || source.shape == SourceShape::surface) {
    for (const Vec3& way : {Vec3(Vec3::UnitX()), Vec3(-Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(-Vec3::UnitY()),
                            Vec3(Vec3::UnitZ()), Vec3(-Vec3::UnitZ())})
      arrow(pose * (source.shape == SourceShape::ball ? Vec3(source.radius * way) : Vec3(0.3 * size * way)),
            pose.rotation * way);
    return;
  }
  const bool leans = source.shape != SourceShape::curve && source.tilt > 0;
  if (!leans) {
    arrow(pose.position, pose.rotation * Vec3::UnitY());
    const double open = std::min(source.cone, 0.5 * kPi);
    add_circle(lines, {pose * Vec3(0, size * std::cos(open), 0), pose.rotation}, size * std::sin(open),
               Mat3::Identity());
    return;
  }
  for (int i = 0; i < 8; ++i) {
    const Vec3 out(std::cos(kPi * i / 4), 0, std::sin(kPi * i / 4));
    arrow(pose * Vec3(source.radius * out),
          pose.rotation * Vec3(std::cos(source.tilt) * Vec3::UnitY() + std::sin(source.tilt) * out));
  }
}

}  // namespace

void add_particles(RenderList& list, const Scene& scene, const Frame& frame, const ViewCamera& camera,
                   const ViewOptions& options, const ViewSelection& selection) {
  const Standing standing(scene, &options.aside);
  std::vector<Sprite> sprites;
  std::vector<float> depths;
  const glm::vec3 eye = camera.position(), forward = camera.forward();
  for (const ParticleBlock& block : frame.particles) {
    const ParticleSource* source = find_source(scene, block.id);
    if (!source || shows_copies(*source) || !standing.visible(*source)) continue;
    const bool points = source->look == ParticleLook::point, streaks = source->look == ParticleLook::streak;
    const bool soft = source->look == ParticleLook::puff;
    Box3 around;
    for (std::size_t i = 0; i < block.positions.size(); ++i) {
      const ParticleShade shade = particle_shade(*source, block.numbers[i], block.ages[i], block.sizes[i]);
      around.add(block.positions[i].cast<double>());
      if (shade.opacity < kLeastSeen) continue;
      const glm::vec4 colour(to_glm(shade.colour), shade.opacity);
      const glm::vec3 place = to_glm(block.positions[i]);
      if (points) {
        list.points.push_back({place, colour, kPointParticle});
        continue;
      }
      Sprite sprite;
      sprite.position = place;
      sprite.colour = colour;
      sprite.radius = 0.5f * shade.size;
      sprite.soft = soft ? 1.0f : 0.0f;
      sprite.glow = source->glows ? 1.0f : 0.0f;
      if (streaks) {
        // It shows the way behind it, and none from before its birth.
        const float shown = std::min(static_cast<float>(source->streak), block.times[i]);
        sprite.along = 0.5f * shown * to_glm(block.velocities[i]);
        sprite.position -= sprite.along;
      }
      if (soft)
        sprite.turn = 6.2831853f * particle_look(source->id, block.numbers[i], kPuffTurn) +
                      static_cast<float>(source->spin) * block.times[i] *
                          (2 * particle_look(source->id, block.numbers[i], kPuffSpin) - 1);
      sprites.push_back(sprite);
      depths.push_back(glm::dot(sprite.position - eye, forward));
    }
    if (!around.valid()) continue;
    Box3 reach = around;
    const double room = 0.5 * source->size * (1 + source->size_spread) * std::max(1.0, source->growth);
    reach.low.array() -= room;
    reach.high.array() += room;
    list.sprite_boxes.push_back(reach);
    if (selection.selected.count(source->id) == 0 || !options.helpers) continue;
    DrawLines box;
    const glm::vec4 colour = selection.active == source->id ? kActiveSource : kSelectedSource;
    for (int i = 0; i < 8; ++i)
      for (const int bit : {1, 2, 4}) {
        if (i & bit) continue;
        const auto corner = [&](int k) {
          return to_glm(Vec3((k & 1 ? around.high : around.low).x(), (k & 2 ? around.high : around.low).y(),
                             (k & 4 ? around.high : around.low).z()));
        };
        box.vertices.push_back({corner(i), colour * glm::vec4(1, 1, 1, 0.35f)});
        box.vertices.push_back({corner(i | bit), colour * glm::vec4(1, 1, 1, 0.35f)});
      }
    list.lines.push_back(std::move(box));
  }
  list.sprites.reserve(sprites.size());
  for (const std::uint32_t i : back_to_front(depths)) list.sprites.push_back(sprites[i]);
}

Pose shown_source(const Scene& scene, const ParticleSource& source, const Frame* frame) {
  Pose pose{source.position, source.rotation.normalized()};
  if (source.shape == SourceShape::curve) {
    if (const Shared<Curve>* curve = curve_of_source(scene, source)) pose.position = way_of(*curve)->place(0.5);
    return pose;
  }
  const Object* carrier = source.carrier != 0 ? find_object(scene, Id{source.carrier}) : nullptr;
  if (!carrier) return pose;
  Pose on{carrier->transform.position, carrier->transform.rotation.normalized()};
  if (const ObjectFrame* moved = frame ? frame->find(carrier->id) : nullptr)
    on = {moved->position.cast<double>(), moved->rotation.cast<double>().normalized()};
  if (source.shape == SourceShape::surface) return on;
  return {on * pose.position, (on.rotation * pose.rotation).normalized()};
}

std::vector<Vec3> source_outline(const Scene& scene, const ParticleSource& source, const Frame* frame) {
  const Pose pose = shown_source(scene, source, frame);
  std::vector<Vec3> places = {pose.position};
  for (const auto& [a, b] : edges_of_source(scene, source, pose)) places.push_back(a);
  if (const ParticleBlock* block = frame ? frame->find_particles(source.id) : nullptr)
    for (const Vec3f& place : block->positions) places.push_back(place.cast<double>());
  return places;
}

void add_source_symbols(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                        const ViewOptions& options, const ViewSelection& selection) {
  if (scene.particles.empty()) return;
  const Standing standing(scene, &options.aside);
  DrawLines shades, lines;
  shades.on_top = lines.on_top = true;
  shades.width = 3.6f;
  lines.width = 1.7f;
  for (const Shared<ParticleSource>& source : scene.particles) {
    if (!standing.visible(*source)) continue;
    const bool selected = selection.selected.count(source->id) != 0;
    const glm::vec4 colour = selected     ? (selection.active == source->id ? kActiveSource : kSelectedSource)
                             : source->on ? kSourceColour
                                          : kIdleSource;
    const Pose pose = shown_source(scene, *source, frame);
    const float pixel = camera.metres_per_pixel(to_glm(pose.position), {1, options.height > 0 ? options.height : 800});
    std::vector<SourceLine> drawn = edges_of_source(scene, *source, pose);
    add_axis(drawn, *source, pose, static_cast<double>(kSourceArrow * pixel));
    PickSymbol pick;
    pick.id = source->id;
    pick.on_top = true;
    pick.points.push_back(to_glm(pose.position));
    for (const auto& [a, b] : drawn) {
      const glm::vec3 p = to_glm(a), q = to_glm(b);
      shades.vertices.insert(shades.vertices.end(), {{p, kSourceShade}, {q, kSourceShade}});
      lines.vertices.insert(lines.vertices.end(), {{p, colour}, {q, colour}});
      pick.segments.insert(pick.segments.end(), {p, q});
    }
    list.symbols.push_back(std::move(pick));
  }
  for (DrawLines* drawn : {&shades, &lines})
    if (!drawn->vertices.empty()) list.lines.push_back(std::move(*drawn));
}

}  // namespace hazumi
