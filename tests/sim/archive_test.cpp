// The one list of members of every struct of a state: what hash, bytes and memory make of it.
#include "core/sim/archive.h"

#include <catch2/catch.hpp>

#include "core/sim/state.h"

using namespace hazumi;

namespace {

struct Inner {
  double length = 1;
  std::vector<double> numbers;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("length", self.length);
    archive("numbers", self.numbers);
  }
};

/// As it was, and with one field more: nothing but the field and its line is new.
template <bool grown>
struct Thing {
  std::int32_t count = -3;
  std::vector<Inner> parts;
  std::vector<double> field;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive.block("thing", [&](auto& block) {
      block("count", self.count);
      block("parts", self.parts);
      if constexpr (grown) block("field", self.field);
    });
  }
};

template <bool grown>
Thing<grown> some_thing() {
  Thing<grown> thing;
  thing.parts = {{2.5, {1, 2, 3}}, {-1, {}}};
  thing.field = {7, 8, 9};
  return thing;
}

/// Bytes of an object itself that its visit names.
class MarkArchive : public Archive<MarkArchive> {
 public:
  MarkArchive(const void* begin, std::size_t size) : begin_(static_cast<const char*>(begin)), seen(size, 0) {}
  void number(const double& x) { mark(&x, sizeof x); }
  template <class T>
  void word(const T& x) {
    mark(&x, sizeof x);
  }
  template <class List>
  void list(const List& values) {
    mark(&values, sizeof values);
  }
  /// What a director keeps beside a state is no part of it (OwnNotes).
  void beside(const OwnNotes& own) { mark(&own, sizeof own); }

 private:
  void mark(const void* at, std::size_t size) {
    const auto first = static_cast<std::size_t>(static_cast<const char*>(at) - begin_);
    REQUIRE(first + size <= seen.size());
    for (std::size_t i = first; i < first + size; ++i) ++seen[i];
  }
  const char* begin_;

 public:
  std::vector<int> seen;
};

/// Every byte belongs to exactly one member that is visited (the structs have no padding).
template <class T>
void check_all_visited() {
  const T value{};
  MarkArchive archive(&value, sizeof value);
  T::visit(value, archive);
  if constexpr (std::is_same_v<T, State>) archive.beside(value.motion.own);
  for (std::size_t i = 0; i < archive.seen.size(); ++i) {
    INFO(__PRETTY_FUNCTION__ << " byte " << i);
    CHECK(archive.seen[i] == 1);
  }
}

/// Changes the n-th number by its lowest bit.
class NudgeArchive : public Archive<NudgeArchive> {
 public:
  explicit NudgeArchive(std::size_t n) : left_(n) {}
  bool done = false;
  void number(double& x) {
    if (mine()) x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ 1);
  }
  template <class T>
  void word(T& x) {
    if (mine()) x = static_cast<T>(x ^ 1);
  }
  template <class List>
  void list(List& values) {
    for (auto& x : values) item(x);
  }

 private:
  bool mine() {
    if (done || left_-- > 0) return false;
    return done = true;
  }
  std::size_t left_;
};

State full_state() {
  State state;
  state.substep = 17;
  state.bodies = {{{1, 2, 3}}, {}, {{4, -0.0}}};
  state.rows.resize(2);
  state.pairs.resize(2);
  state.pairs[1].regions.resize(2);
  state.pairs[0].pulses.resize(2);
  return state;
}

}  // namespace

TEST_CASE("a field with its line in the list is in hash, bytes and memory, and comes back", "[state][archive]") {
  const auto before = some_thing<false>();
  auto after = some_thing<true>();
  CHECK(hash_of(after) != hash_of(before));
  CHECK(saved(after).size() == saved(before).size() + 4 * 8);  // a count and three numbers
  CHECK(memory_of(after) == memory_of(before) + after.field.capacity() * sizeof(double));

  Thing<true> back;
  CHECK(restored(saved(after), back).empty());
  CHECK(back.count == -3);
  CHECK(back.parts.size() == 2);
  CHECK(back.parts[0].numbers == std::vector<double>{1, 2, 3});
  CHECK(back.field == after.field);
  const std::uint64_t hash = hash_of(after);
  after.field[1] += 1e-9;
  CHECK(hash_of(after) != hash);

  // Without its line it is in none of them.
  auto without = before;
  without.field.clear();
  CHECK(hash_of(without) == hash_of(before));
  CHECK(saved(without) == saved(before));
}

TEST_CASE("bytes of a version with other members are refused by the name of the block", "[state][archive]") {
  Thing<true> grown;
  const std::uint64_t hash = hash_of(grown);
  CHECK_THAT(restored(saved(some_thing<false>()), grown), Catch::Contains("\"thing\""));
  CHECK(hash_of(grown) == hash);
  State state;
  CHECK_THAT(restored(saved(some_thing<false>()), state), Catch::Contains("\"thing\" where \"bodies\" belongs"));
  const Status status = restore(saved(some_thing<true>()), state);
  REQUIRE_FALSE(status.ok());
  CHECK_THAT(status.error().message, Catch::Contains("\"thing\""));
}

TEST_CASE("no count makes restoring ask for more memory than there are bytes", "[state][archive]") {
  const std::vector<std::uint8_t> bytes = saved(some_thing<true>());
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::vector<std::uint8_t> garbled = bytes;
    for (std::size_t i = 0; i < 8; ++i) garbled[at + i] = 0xf7;
    Thing<true> thing;
    CHECK_FALSE(restored(garbled, thing).empty());
    CHECK(memory_of(thing) == sizeof thing);
  }
}

TEST_CASE("every member of the structs of a state is visited, once", "[state][archive]") {
  check_all_visited<BodyState>();
  check_all_visited<RowMemory>();
  check_all_visited<RegionMemory>();
  check_all_visited<PairMemory>();
  check_all_visited<State>();
}

TEST_CASE("the lowest bit of every number of a state is in its hash and in its bytes", "[state][archive]") {
  const State state = full_state();
  const std::uint64_t hash = hazumi::hash(state);
  const std::vector<std::uint8_t> bytes = save(state);
  std::size_t numbers = 0;
  for (;; ++numbers) {
    State changed = state;
    NudgeArchive nudge(numbers);
    State::visit(changed, nudge);
    if (!nudge.done) break;
    CHECK(hazumi::hash(changed) != hash);
    const std::vector<std::uint8_t> others = save(changed);
    CHECK(others != bytes);
    State back;
    REQUIRE(restore(others, back).ok());
    CHECK(hazumi::hash(back) == hazumi::hash(changed));
    CHECK(save(back) == others);
  }
  CHECK(numbers == 1 + 5 + 2 * 8 + 2 * 8 + 2 * 4 + 2 * 10);
}
