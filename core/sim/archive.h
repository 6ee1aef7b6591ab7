// One list of members for everything that is done with the numbers of a state: hash, bytes, back from bytes, memory. A
// struct names its members once, beside them:
//
//   template <class Self, class Archive>
//   static void visit(Self& self, Archive& archive) {
//     archive("duration", self.duration);
//     archive("points", self.points);
//   }
//
// Members may be double, bool, integers, enumerations, Vec3, such structs, and std::array, std::vector and ShortList of these.
//
// Bytes: little endian, words of 8 bytes, counts before lists. A block (archive.block) has its name, its layout and its length
// in front. The layout is computed from names and types of all that is in it, so that bytes of a version with other members
// are refused by name, whoever forgot to count a version number up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/hash.h"
#include "core/math/types.h"

namespace hazumi {

/// Sorts members by what they are. `Kind` has number(double&), word(integer&), list(vector&) and, where it matters, begin(name)
/// and block(name, visit).
template <class Kind>
class Archive {
 public:
  template <class T>
  void operator()(std::string_view name, T& value) {
    kind().begin(name);
    item(value);
  }
  template <class Visit>
  void block(std::string_view, const Visit& visit) {
    visit(kind());
  }
  void begin(std::string_view) {}

 protected:
  template <class T>
  void item(T& value) {
    using V = std::remove_const_t<T>;
    if constexpr (std::is_same_v<V, double>) {
      kind().number(value);
    } else if constexpr (std::is_integral_v<V> || std::is_enum_v<V>) {
      kind().word(value);
    } else if constexpr (std::is_same_v<V, Vec3>) {
      for (int k = 0; k < 3; ++k) kind().number(value[k]);
    } else if constexpr (requires { std::tuple_size<V>::value; }) {
      for (auto& x : value) item(x);
    } else if constexpr (requires { value.capacity(); }) {
      kind().list(value);
    } else {
      V::visit(value, kind());
    }
  }

 private:
  Kind& kind() { return static_cast<Kind&>(*this); }
};

class HashArchive : public Archive<HashArchive> {
 public:
  Hasher hasher;
  void number(double x) { hasher.add(x); }
  template <class T>
  void word(T x) {
    hasher.add(static_cast<std::uint64_t>(x));
  }
  template <class List>
  void list(const List& values) {
    using T = typename List::value_type;
    word(values.size());
    if constexpr (std::is_same_v<T, double> || (std::is_integral_v<T> && !std::is_same_v<T, bool>)) {
      if (values.size() >= kLong) return long_list(values);
    }
    for (const T& x : values) item(x);
  }

 private:
  static constexpr std::size_t kLong = 64, kLanes = 8;
  /// A word waits for the one before it: of a long list eight side by side, number i in the one of i modulo 8.
  template <class List>
  void long_list(const List& values) {
    using T = typename List::value_type;
    std::array<Hasher, kLanes> lanes;
    const std::size_t whole = values.size() / kLanes * kLanes;
    const auto add = [](Hasher& lane, T x) {
      if constexpr (std::is_same_v<T, double>)
        lane.add(x);
      else
        lane.add(static_cast<std::uint64_t>(x));
    };
    for (std::size_t i = 0; i < whole; i += kLanes)
      for (std::size_t k = 0; k < kLanes; ++k) add(lanes[k], values[i + k]);
    for (std::size_t i = whole; i < values.size(); ++i) add(lanes[i - whole], values[i]);
    for (const Hasher& lane : lanes) hasher.add(lane.value());
  }
};

/// Names and types of all members, whatever their values are.
class LayoutArchive : public Archive<LayoutArchive> {
 public:
  Hasher hasher;
  void begin(std::string_view name) { hasher.add(name); }
  void number(double) { hasher.add(1); }
  template <class T>
  void word(T) {
    hasher.add(2).add(static_cast<std::uint64_t>(sizeof(T))).add(std::is_signed_v<T>);
  }
  template <class List>
  void list(const List&) {
    hasher.add(3);
    const typename List::value_type one{};
    item(one);
  }
};

/// 8-byte words that bytes of the value have: of a new one the least that any can have.
class LengthArchive : public Archive<LengthArchive> {
 public:
  std::size_t words = 0;
  void number(double) { ++words; }
  template <class T>
  void word(T) {
    ++words;
  }
  template <class List>
  void list(const List& values) {
    ++words;
    for (const typename List::value_type& x : values) item(x);
  }
  template <class T>
  static std::size_t least() {
    LengthArchive archive;
    const T one{};
    archive.item(one);
    return archive.words;
  }
};

class MemoryArchive : public Archive<MemoryArchive> {
 public:
  std::size_t bytes = 0;  ///< beyond the value itself
  void number(double) {}
  template <class T>
  void word(T) {}
  template <class List>
  void list(const List& values) {
    using T = typename List::value_type;
    bytes += values.capacity() * sizeof(T);
    if constexpr (!std::is_arithmetic_v<T>)
      for (const T& x : values) item(x);
  }
};

class SaveArchive : public Archive<SaveArchive> {
 public:
  std::vector<std::uint8_t> bytes;
  void number(double x) { word(std::bit_cast<std::uint64_t>(x)); }
  template <class T>
  void word(T x) {
    put(static_cast<std::uint64_t>(x), bytes.size(), true);
  }
  template <class List>
  void list(const List& values) {
    word(values.size());
    for (const typename List::value_type& x : values) item(x);
  }
  template <class Visit>
  void block(std::string_view name, const Visit& visit) {
    LayoutArchive layout;
    visit(layout);
    word(name.size());
    for (std::size_t i = 0; i < name.size(); i += 8) word(packed(name.substr(i, 8)));
    word(layout.hasher.value());
    const std::size_t length_at = bytes.size();
    word(std::uint64_t{0});
    visit(*this);
    put(bytes.size() - length_at - 8, length_at, false);
  }
  static std::uint64_t packed(std::string_view letters) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < letters.size(); ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(letters[i])) << (8 * i);
    return word;
  }

 private:
  void put(std::uint64_t w, std::size_t at, bool behind) {
    if (behind) bytes.resize(at + 8);
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::uint8_t>(w >> (8 * i));
  }
};

/// Reads what SaveArchive wrote. After the first thing that is wrong everything reads as zero and `problem` says what it was. No
/// count is believed that the bytes which are left could not hold.
class RestoreArchive : public Archive<RestoreArchive> {
 public:
  explicit RestoreArchive(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::string problem;
  bool at_end() const { return at_ == bytes_.size(); }
  void refuse(std::string sentence) {
    if (problem.empty()) problem = std::move(sentence);
  }
  void number(double& x) { x = std::bit_cast<double>(next()); }
  template <class T>
  void word(T& x) {
    const std::uint64_t w = next();
    x = static_cast<T>(w);
    if (static_cast<std::uint64_t>(x) != w) refuse("A number is too large for its place.");
  }
  template <class List>
  void list(List& values) {
    using T = typename List::value_type;
    static const std::size_t least = 8 * std::max<std::size_t>(1, LengthArchive::least<T>());
    const std::uint64_t count = next();
    if (count > (bytes_.size() - at_) / least) return refuse("The bytes end too early.");
    values.resize(count);
    for (T& x : values) item(x);
  }
  template <class Visit>
  void block(std::string_view name, const Visit& visit) {
    std::string found;
    const std::uint64_t letters = next();
    if (letters > bytes_.size() - at_) return refuse("The bytes end too early.");
    for (std::uint64_t i = 0; i < letters; i += 8) {
      const std::uint64_t word = next(), used = std::min<std::uint64_t>(8, letters - i);
      for (std::uint64_t k = 0; k < used; ++k) found += static_cast<char>(word >> (8 * k));
      if (SaveArchive::packed(std::string_view(found).substr(i)) != word) return refuse("The bytes are garbled.");
    }
    if (found != name) return refuse("There is a block \"" + found + "\" where \"" + std::string(name) + "\" belongs.");
    LayoutArchive layout;
    visit(layout);
    if (next() != layout.hasher.value())
      return refuse("The block \"" + found + "\" was written by a version with other members.");
    const std::uint64_t length = next();
    const std::size_t begin = at_;
    visit(*this);
    if (at_ - begin != length) refuse("The block \"" + found + "\" has a wrong length.");
  }

 private:
  std::uint64_t next() {
    if (bytes_.size() - at_ < 8) refuse("The bytes end too early.");
    if (!problem.empty()) return 0;
    std::uint64_t w = 0;
    for (int i = 0; i < 8; ++i) w |= static_cast<std::uint64_t>(bytes_[at_++]) << (8 * i);
    return w;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

template <class T>
std::uint64_t hash_of(const T& value) {
  HashArchive archive;
  T::visit(value, archive);
  return archive.hasher.value();
}

/// Bytes, the value itself with all that it owns.
template <class T>
std::size_t memory_of(const T& value) {
  MemoryArchive archive;
  T::visit(value, archive);
  return sizeof(T) + archive.bytes;
}

template <class T>
std::vector<std::uint8_t> saved(const T& value) {
  SaveArchive archive;
  archive.bytes.reserve(memory_of(value));
  T::visit(value, archive);
  archive.word(hash_of(value));
  return std::move(archive.bytes);
}

/// Empty when `value` is now what was saved; otherwise a sentence, and it is what it was.
template <class T>
std::string restored(std::span<const std::uint8_t> bytes, T& value) {
  T read;
  RestoreArchive archive(bytes);
  T::visit(read, archive);
  std::uint64_t expected = 0;
  archive.word(expected);
  if (archive.problem.empty() && (!archive.at_end() || expected != hash_of(read)))
    archive.refuse("The bytes are garbled.");
  if (archive.problem.empty()) value = std::move(read);
  return archive.problem;
}

}  // namespace hazumi
