// Numbers, texts and lists as bytes, for the way from the reader's process to the program (mesh_bytes.cpp, clip_bytes.cpp).
// Both ends are built together, so the layout is plain memory; what is read never goes beyond the bytes, and `good` says
// whether there was enough.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hazumi {

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& value) {
    number<std::uint64_t>(value.size());
    out += value;
  }
  template <class T>
  void list(const std::vector<T>& values) {
    number<std::uint64_t>(values.size());
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void texts(const std::vector<std::string>& values) {
    number<std::uint64_t>(values.size());
    for (const std::string& value : values) text(value);
  }
  std::string out;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  T number() {
    T value{};
    if (take(sizeof value)) std::memcpy(&value, taken_, sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return take(size) ? std::string(taken_, size) : std::string();
  }
  template <class T>
  void list(std::vector<T>& values) {
    const auto count = number<std::uint64_t>();
    if (!good || count > rest_.size() / sizeof(T) || !take(count * sizeof(T))) {
      good = false;
      return;
    }
    values.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), taken_, count * sizeof(T));
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    const auto count = number<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && good; ++i) all.push_back(text());
    return all;
  }
  bool ended() const { return good && rest_.empty(); }
  bool good = true;

 private:
  bool take(std::uint64_t size) {
    if (!good || size > rest_.size()) return good = false;
    taken_ = rest_.data();
    rest_.remove_prefix(size);
    return true;
  }
  std::string_view rest_;
  const char* taken_ = nullptr;
};

}  // namespace hazumi
