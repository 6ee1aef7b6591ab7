// Hash, bytes and memory of a State. The byte form is for checkpoints on disk and for comparing machines: little
// endian, 8-byte words, counts before arrays, a version word in front and a hash at the end, so that a truncated or
// garbled block is refused as a whole (restore returns false and leaves its argument alone).
#include "core/sim/state.h"

#include <bit>

#include "core/base/hash.h"

namespace hazumi {
namespace {

constexpr std::uint64_t kVersion = 0x31657461747a4801ULL;  // "HztateN" with the format number in the low byte

/// Visits every number of a state in one fixed order, so that hash and save cannot forget a member apart.
template <class Sink>
void visit(const ContactAnchor& anchor, Sink& sink) {
  sink.word(anchor.kind);
  for (std::uint32_t node : anchor.nodes) sink.word(node);
  for (double w : anchor.weights) sink.number(w);
  for (int k = 0; k < 3; ++k) sink.number(anchor.offset[k]);
}

template <class Sink>
void visit(const State& state, Sink& sink) {
  sink.word(static_cast<std::uint64_t>(state.substep));
  sink.word(state.bodies.size());
  for (const BodyState& body : state.bodies) sink.numbers(body.values);
  sink.word(state.pulses.size());
  for (const ContactPulse& p : state.pulses) {
    sink.word(p.body_a);
    sink.word(p.body_b);
    sink.word(p.region);
    sink.word(static_cast<std::uint64_t>(p.start_substep));
    for (double x : {p.duration, p.impulse, p.elapsed, p.peak_force, p.rebound_speed, p.friction, p.depth,
                     p.deformation, p.energy_left, p.normal.x(), p.normal.y(), p.normal.z()})
      sink.number(x);
    sink.word(p.points.size());
    for (const PulsePoint& point : p.points) {
      sink.number(point.share);
      visit(point.a, sink);
      visit(point.b, sink);
    }
  }
  sink.word(state.resting.size());
  for (const RestingImpulse& r : state.resting) {
    sink.word(r.key);
    for (double x : {r.normal, r.tangent_u, r.tangent_v, r.direction.x(), r.direction.y(), r.direction.z()})
      sink.number(x);
    sink.word(r.body_a);
    sink.word(r.body_b);
    visit(r.a, sink);
    visit(r.b, sink);
  }
}

struct HashSink {
  Hasher hasher;
  void word(std::uint64_t w) { hasher.add(w); }
  void number(double x) { hasher.add(x); }
  void numbers(const std::vector<double>& values) { hasher.add(std::span<const double>(values)); }
};

struct ByteSink {
  std::vector<std::uint8_t>& bytes;
  void word(std::uint64_t w) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(w >> (8 * i)));
  }
  void number(double x) { word(std::bit_cast<std::uint64_t>(x)); }
  void numbers(const std::vector<double>& values) {
    word(values.size());
    for (double x : values) number(x);
  }
};

struct Reader {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;
  bool good = true;
  std::uint64_t word() {
    if (bytes.size() - at < 8) {
      good = false;
      return 0;
    }
    std::uint64_t w = 0;
    for (int i = 0; i < 8; ++i) w |= static_cast<std::uint64_t>(bytes[at++]) << (8 * i);
    return w;
  }
  double number() { return std::bit_cast<double>(word()); }
  /// A count of things that take at least `words` words each: one that does not fit into what is left is garbage.
  std::size_t count(std::size_t words) {
    const std::uint64_t n = word();
    if (n > (bytes.size() - at) / (8 * words)) {
      good = false;
      return 0;
    }
    return static_cast<std::size_t>(n);
  }
  void numbers(std::vector<double>& values) {
    values.resize(count(1));
    for (double& x : values) x = number();
  }
  std::uint32_t small() {
    const std::uint64_t w = word();
    good = good && w <= 0xffffffffu;
    return static_cast<std::uint32_t>(w);
  }
  void anchor(ContactAnchor& anchor) {
    anchor.kind = small();
    for (std::uint32_t& node : anchor.nodes) node = small();
    for (double& w : anchor.weights) w = number();
    for (int k = 0; k < 3; ++k) anchor.offset[k] = number();
  }
};

}  // namespace

std::uint64_t hash(const State& state) {
  HashSink sink;
  visit(state, sink);
  return sink.hasher.value();
}

std::size_t memory_use(const State& state) {
  std::size_t bytes = sizeof(State) + state.bodies.capacity() * sizeof(BodyState) +
                      state.pulses.capacity() * sizeof(ContactPulse) +
                      state.resting.capacity() * sizeof(RestingImpulse);
  for (const BodyState& body : state.bodies) bytes += body.values.capacity() * sizeof(double);
  for (const ContactPulse& pulse : state.pulses) bytes += pulse.points.capacity() * sizeof(PulsePoint);
  return bytes;
}

std::vector<std::uint8_t> save(const State& state) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(memory_use(state));
  ByteSink sink{bytes};
  sink.word(kVersion);
  visit(state, sink);
  sink.word(hash(state));
  return bytes;
}

bool restore(std::span<const std::uint8_t> bytes, State& state) {
  Reader in{bytes};
  if (in.word() != kVersion) return false;
  State read;
  read.substep = static_cast<std::int64_t>(in.word());
  read.bodies.resize(in.count(1));
  for (BodyState& body : read.bodies) in.numbers(body.values);
  read.pulses.resize(in.count(17));
  for (ContactPulse& p : read.pulses) {
    p.body_a = in.small();
    p.body_b = in.small();
    p.region = in.small();
    p.start_substep = static_cast<std::int64_t>(in.word());
    for (double* x : {&p.duration, &p.impulse, &p.elapsed, &p.peak_force, &p.rebound_speed, &p.friction, &p.depth,
                      &p.deformation, &p.energy_left, &p.normal.x(), &p.normal.y(), &p.normal.z()})
      *x = in.number();
    p.points.resize(in.count(21));
    for (PulsePoint& point : p.points) {
      point.share = in.number();
      in.anchor(point.a);
      in.anchor(point.b);
    }
  }
  read.resting.resize(in.count(29));
  for (RestingImpulse& r : read.resting) {
    r.key = in.word();
    for (double* x : {&r.normal, &r.tangent_u, &r.tangent_v, &r.direction.x(), &r.direction.y(), &r.direction.z()})
      *x = in.number();
    r.body_a = in.small();
    r.body_b = in.small();
    in.anchor(r.a);
    in.anchor(r.b);
  }
  const std::uint64_t expected = in.word();
  if (!in.good || in.at != bytes.size() || expected != hash(read)) return false;
  state = std::move(read);
  return true;
}

}  // namespace hazumi
