// State → frame: poses of object frames, and for flexible bodies the display vertices by the mapping (spec 1.6). What is carried
// comes last: it is where its carrier is (sim/carried.h); and behind it skins.
#include <algorithm>
#include <cmath>

#include "core/playback/simulator.h"
#include "core/playback/skins.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/particles/copies.h"

namespace hazumi {

namespace {

constexpr std::size_t kParticlesInBlock = 4096;

void set_pose(ObjectFrame& out, const Pose& pose) {
  out.position = pose.position.cast<float>();
  out.rotation = pose.rotation.cast<float>();
}

std::shared_ptr<const FrameExamples> frame_examples(const Model& model, const State& state) {
  FrameExamples all;
  std::vector<ExampleShare> of_body;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    model.bodies[b].examples(state.bodies[b].values, of_body);
    for (const ExampleShare& share : of_body)
      all.push_back({model.bodies[b].id, share.pose, share.group, static_cast<float>(share.weight)});
  }
  return all.empty() ? nullptr : std::make_shared<const FrameExamples>(std::move(all));
}

std::shared_ptr<const FrameCues> frame_cues(const State& state) {
  if (state.motion.cues.empty()) return nullptr;
  FrameCues all;
  for (const FilmCue& cue : state.motion.cues) all.push_back({cue.thing, cue.time, cue.gain});
  return std::make_shared<const FrameCues>(std::move(all));
}

std::shared_ptr<const FrameLooks> frame_looks(const Model& model, const State& state) {
  if (!model.director) return nullptr;
  std::vector<BodyLook> looks(model.bodies.size());
  model.director->look(model, state, looks);
  FrameLooks all;
  for (std::size_t b = 0; b < model.bodies.own(); ++b) {
    const BodyLook& look = looks[b];
    if (look.none()) continue;
    const int seen = !look.visible ? -1 : *look.visible ? 1 : 0;
    all.push_back({model.bodies[b].id, seen, look.colour.cast<float>(), static_cast<float>(look.coloured),
                   static_cast<float>(look.opacity), static_cast<float>(look.faded), look.material.surface,
                   static_cast<float>(look.material.seen)});
  }
  std::sort(all.begin(), all.end(), [](const FrameLook& a, const FrameLook& b) { return a.object < b.object; });
  return all.empty() ? nullptr : std::make_shared<const FrameLooks>(std::move(all));
}

/// In order of their numbers, which those of bodies are not.
void show_copies(const Model& model, const State& state, const SourceCopies& copies, ParticleBlock& block) {
  const double now = static_cast<double>(state.substep) * model.step;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (std::uint32_t i = copies.first; i < copies.first + copies.count; ++i)
    if (const CopyLife life = read_copy(state.bodies[i].values); life.there) order.emplace_back(life.number, i);
  std::sort(order.begin(), order.end());
  for (const auto& [number, i] : order) {
    const std::vector<double>& values = state.bodies[i].values;
    const auto& body = static_cast<const CopyBody&>(model.bodies[i]);
    const CopyLife life = read_copy(values);
    const Pose pose = body.object_pose(body.pose(values));
    const Vec3 velocity = read_rigid(values).momentum / body.mass +
                          rigid_spin(body.rigid, values).cross(pose.position - body.pose(values).position);
    block.numbers.push_back(number);
    block.positions.push_back(pose.position.cast<float>());
    block.velocities.push_back(velocity.cast<float>());
    block.rotations.push_back(pose.rotation.cast<float>());
    block.times.push_back(static_cast<float>(now - life.birth));
    block.ages.push_back(life.lasts() ? 0 : static_cast<float>((now - life.birth) / (life.end - life.birth)));
    block.sizes.push_back(static_cast<float>(body.across));
    block.masses.push_back(static_cast<float>(body.mass));
  }
}

void add_particles(const Model& model, const State& state, Frame& frame, Executor& executor) {
  if (!model.particles) return;
  const double now = static_cast<double>(state.substep) * model.step;
  const std::span<const Id> sources = model.particles->sources();
  frame.particles.resize(sources.size());
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const ParticleMemory& p = state.particles[s];
    ParticleBlock& block = frame.particles[s];
    block.id = sources[s];
    if (const SourceCopies copies = model.particles->copies(s); copies.count > 0) {
      show_copies(model, state, copies, block);
      continue;
    }
    block.numbers = p.number;
    block.positions.resize(p.size());
    block.velocities.resize(p.size());
    for (auto* list : {&block.ages, &block.times, &block.sizes, &block.masses}) list->resize(p.size());
    executor.blocks(p.size(), kParticlesInBlock, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        block.positions[i] = Vec3(p.x[i], p.y[i], p.z[i]).cast<float>();
        const double age = now - p.birth[i], pace = model.particles->pace(s, age / p.life[i]);
        block.velocities[i] =
            p.held[i] ? Vec3f(Vec3f::Zero()) : Vec3f((pace * Vec3(p.u[i], p.v[i], p.w[i])).cast<float>());
        block.times[i] = static_cast<float>(age);
        block.ages[i] = static_cast<float>(age / p.life[i]);
        block.sizes[i] = static_cast<float>(model.particles->size(s, p.number[i]));
        block.masses[i] = static_cast<float>(model.particles->mass(s, p.number[i]));
      }
    });
  }
}

/// Of what add_particles() has put into the frame.
std::shared_ptr<const FrameSources> frame_sources(const Model& model, const State& state, const Frame& frame,
                                                  Executor& executor) {
  if (frame.particles.empty()) return nullptr;
  struct Part {
    double sum = 0, most = 0;  // of speeds, of their squares
  };
  FrameSources all;
  std::vector<Part> parts;
  for (std::size_t s = 0; s < frame.particles.size(); ++s) {
    const ParticleBlock& block = frame.particles[s];
    FrameSource source{block.id, static_cast<int>(block.numbers.size())};
    if (model.particles->copies(s).count > 0) source.waiting = static_cast<int>(state.particles[s].size());
    parts.assign(block.velocities.size() / kParticlesInBlock + 1, {});
    executor.blocks(block.velocities.size(), kParticlesInBlock, [&](std::size_t first, std::size_t end) {
      Part part;
      for (std::size_t i = first; i < end; ++i) {
        const double square = block.velocities[i].cast<double>().squaredNorm();
        part.sum += std::sqrt(square);
        part.most = std::max(part.most, square);
      }
      parts[first / kParticlesInBlock] = part;
    });
    Part whole;
    for (const Part& part : parts) whole = {whole.sum + part.sum, std::max(whole.most, part.most)};
    if (source.alive > 0) source.speed = static_cast<float>(whole.sum / source.alive);
    source.fastest = static_cast<float>(std::sqrt(whole.most));
    all.push_back(source);
  }
  return std::make_shared<const FrameSources>(std::move(all));
}

}  // namespace

Frame make_frame(const Model& model, const State& state, int index, Executor& executor) {
  Frame frame;
  frame.index = index;
  frame.state_hash = hash(state);
  frame.objects.resize(model.bodies.own());
  const double time = model.clock.film_of_frame(index);
  std::vector<Vec3> nodes;
  for (std::size_t b = 0; b < frame.objects.size(); ++b) {
    const Body& body = model.bodies[b];
    ObjectFrame& out = frame.objects[b];
    out.id = body.id;
    const std::vector<double>& values = state.bodies[b].values;
    const Pose frame_pose = body.pose(values);
    set_pose(out, body.object_pose(frame_pose));
    out.present = body.present(time, values);
    nodes.resize(body.truss.nodes.size());
    body.positions(values, nodes);
    out.nodes.reserve(nodes.size());
    for (const Vec3& node : nodes) out.nodes.push_back(node.cast<float>());
    if (!body.deforms || !body.mapping) continue;
    out.deformed = true;
    out.vertices.resize(body.mesh->positions.size());
    out.normals.resize(body.mesh->positions.size());
    body.mapping_in(body.parts(values).get())->map_vertices(nodes, frame_pose, out.vertices, out.normals, executor);
  }
  for (const CarriedBody& carried : model.carried) {
    const Pose pose = carried_pose(model, state, carried);
    const Truss& truss = model.bodies[carried.child].truss;
    ObjectFrame& out = frame.objects[carried.child];
    set_pose(out, pose);
    out.present = frame.objects[carried.carrier].present;
    for (std::size_t i = 0; i < out.nodes.size(); ++i) out.nodes[i] = (pose * truss.nodes[i]).cast<float>();
  }
  place_skins(model, frame, executor);
  frame.examples = frame_examples(model, state);
  frame.looks = frame_looks(model, state);
  frame.cues = frame_cues(state);
  add_particles(model, state, frame, executor);
  frame.sources = frame_sources(model, state, frame, executor);
  return frame;
}

}  // namespace hazumi
