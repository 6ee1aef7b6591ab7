// An animated glTF, read again by the letter of its format.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hazumi::test {

inline std::uint32_t glb_word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return value;
}

struct ReadGlb {
  explicit ReadGlb(const std::string& bytes) {
    REQUIRE(bytes.size() > 28);
    REQUIRE(bytes.substr(0, 4) == "glTF");
    CHECK(glb_word(bytes, 4) == 2);
    CHECK(glb_word(bytes, 8) == bytes.size());
    const std::size_t length = glb_word(bytes, 12);
    CHECK(length % 4 == 0);
    json = nlohmann::json::parse(bytes.substr(20, length));
    CHECK(glb_word(bytes, 20 + length) == json["buffers"][0]["byteLength"].get<std::uint32_t>());
    buffer = bytes.substr(28 + length);
    CHECK(buffer.size() == glb_word(bytes, 20 + length));
  }

  std::vector<float> floats(const nlohmann::json& accessor) const {
    const nlohmann::json& a = json["accessors"].at(accessor.get<std::size_t>());
    CHECK(a["componentType"] == 5126);
    const nlohmann::json& view = json["bufferViews"].at(a["bufferView"].get<std::size_t>());
    const std::size_t length = view["byteLength"], from = view["byteOffset"];
    REQUIRE(from + length <= buffer.size());
    CHECK(from % 4 == 0);
    std::vector<float> out(length / 4);
    std::memcpy(out.data(), buffer.data() + from, length);
    return out;
  }

  std::size_t node(const std::string& name) const {
    for (std::size_t i = 0; i < json["nodes"].size(); ++i)
      if (json["nodes"][i]["name"] == name) return i;
    FAIL("no node " << name);
    return 0;
  }

  /// What a node has in frame f of n, whose keys go from the first to the last: its keys, or what stands in the node.
  std::vector<float> value(std::size_t node, const std::string& path, std::size_t f, std::size_t n) const {
    const nlohmann::json* sampler = sampler_of(node, path);
    if (!sampler) return json["nodes"][node].value(path, std::vector<float>());
    const std::vector<float> times = floats((*sampler)["input"]);
    CHECK(times.size() <= n);
    return value_at(node, path,
                    n > 1 ? times.back() * static_cast<float>(f) / static_cast<float>(n - 1) : times.back());
  }

  /// The same at a time in s; before the first key and after the last as there.
  std::vector<float> value_at(std::size_t node, const std::string& path, float time) const {
    const nlohmann::json* sampler = sampler_of(node, path);
    if (!sampler) return json["nodes"][node].value(path, std::vector<float>());
    const std::vector<float> times = floats((*sampler)["input"]), all = floats((*sampler)["output"]);
    const std::size_t width = all.size() / times.size();
    REQUIRE(width * times.size() == all.size());
    std::size_t k = 0;
    while (k + 1 < times.size() && times[k + 1] <= time + 1e-5f) ++k;
    std::vector<float> value(all.begin() + static_cast<std::ptrdiff_t>(k * width),
                             all.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
    if ((*sampler)["interpolation"] == "STEP" || k + 1 == times.size() || time - times[k] < 1e-5f) return value;
    const float part = (time - times[k]) / (times[k + 1] - times[k]);
    for (std::size_t i = 0; i < width; ++i) value[i] += part * (all[(k + 1) * width + i] - value[i]);
    return value;
  }

  /// Null: it has no keys.
  const nlohmann::json* sampler_of(std::size_t node, const std::string& path) const {
    if (json.contains("animations"))
      for (const nlohmann::json& channel : json["animations"][0]["channels"])
        if (channel["target"]["node"] == node && channel["target"]["path"] == path)
          return &json["animations"][0]["samplers"].at(channel["sampler"].get<std::size_t>());
    return nullptr;
  }

  nlohmann::json json;
  std::string buffer;
};

}  // namespace hazumi::test
