#include "core/import/gltf_motion.h"

#include <cmath>
#include <cstring>
#include <optional>

#include <nlohmann/json.hpp>

namespace hazumi {

namespace {

using Json = nlohmann::json;

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (char c : text) {
    if (c == '=') break;
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 255);
  }
  return out;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

class GltfMotion {
 public:
  GltfMotion(std::string_view bytes, FolderAccess& access, ClipFile& file)
      : bytes_(bytes), access_(access), file_(file) {}

  std::string run() {
    try {
      std::string_view text = bytes_;
      if (bytes_.starts_with("glTF")) {
        if (bytes_.size() < 20) return kCut;
        const std::size_t size = word_at(bytes_, 12);
        if (size > bytes_.size() - 20) return kCut;
        text = bytes_.substr(20, size);
        const std::size_t next = 20 + size;
        if (next + 8 <= bytes_.size() && word_at(bytes_, next) <= bytes_.size() - next - 8)
          binary_ = bytes_.substr(next + 8, word_at(bytes_, next));
      }
      root_ = Json::parse(text);
      if (!root_.is_object()) return kCut;
      read_nodes();
      if (problem_.empty() && root_.contains("animations"))
        for (const Json& animation : root_["animations"])
          if (problem_.empty()) read_clip(animation);
    } catch (const Json::exception&) {
      return "The nodes or the keys of the glTF file are not as glTF has them.";
    }
    if (weights_) file_.imported.report.warnings.emplace_back(kNoShapes);
    return problem_;
  }

 private:
  static constexpr const char* kCut = "The glTF file is cut off or is none.";

  struct Values {
    std::size_t count = 0, width = 0;
    std::vector<double> numbers;
  };

  void read_nodes() {
    const Json none = Json::array();
    const Json& nodes = root_.contains("nodes") ? root_["nodes"] : none;
    number_.assign(nodes.size(), -1);
    if (!root_.contains("scenes") || root_["scenes"].empty()) return;
    const Json& scene = root_["scenes"].at(root_.value("scene", std::size_t{0}));
    std::vector<std::pair<std::size_t, int>> open;  // node and parent, the next one last
    const auto push = [&](const Json& owner, const char* key, int parent) {
      if (!owner.contains(key)) return;
      const Json& children = owner[key];
      for (std::size_t i = children.size(); i-- > 0;) open.push_back({children[i].get<std::size_t>(), parent});
    };
    push(scene, "nodes", -1);
    while (!open.empty()) {
      const auto [index, parent] = open.back();
      open.pop_back();
      if (index >= nodes.size() || number_[index] >= 0 || file_.nodes.size() >= kMostClipNodes) {
        problem_ = index >= nodes.size() ? "The file names a node that it does not hold."
                   : number_[index] >= 0 ? "The nodes of the file are no tree."
                                         : "The file has more than 10,000 nodes.";
        return;
      }
      number_[index] = static_cast<int>(file_.nodes.size());
      file_.nodes.push_back(node_of(nodes[index], parent));
      push(nodes[index], "children", number_[index]);
    }
  }

  static ClipNode node_of(const Json& from, int parent) {
    ClipNode node;
    node.name = plain_name(from.value("name", std::string("node")));
    node.parent = parent;
    const auto numbers = [&](const char* key, std::size_t count, auto&& put) {
      if (!from.contains(key)) return false;
      for (std::size_t i = 0; i < count; ++i) put(static_cast<Eigen::Index>(i), from[key].at(i).get<double>());
      return true;
    };
    numbers("translation", 3, [&](Eigen::Index i, double x) { node.place[i] = x; });
    numbers("rotation", 4, [&](Eigen::Index i, double x) { node.turn.coeffs()[i] = x; });  // x y z w in both
    numbers("scale", 3, [&](Eigen::Index i, double x) { node.scale[i] = x; });
    if (const double norm = node.turn.norm(); norm > 0) node.turn.coeffs() /= norm;
    node.rest << node.turn.toRotationMatrix() * node.scale.asDiagonal(), node.place;
    numbers("matrix", 16, [&](Eigen::Index i, double x) {
      if (i % 4 < 3) node.rest(i % 4, i / 4) = x;
    });
    return node;
  }

  void read_clip(const Json& from) {
    Clip clip;
    clip.name = plain_name(from.value("name", "Clip " + std::to_string(file_.clips.size() + 1)));
    const Json& samplers = from.at("samplers");
    for (const Json& to : from.at("channels")) {
      const Json& target = to.at("target");
      const std::string path = target.value("path", std::string());
      if (path == "weights" || !target.contains("node")) {
        weights_ = weights_ || path == "weights";
        continue;
      }
      const auto node = target["node"].get<std::size_t>();
      if (node >= number_.size()) {
        problem_ = "The file moves a node that it does not hold.";
        return;
      }
      if (number_[node] < 0) continue;  // of another scene
      ClipChannel channel;
      channel.node = number_[node];
      if (path != "translation" && path != "rotation" && path != "scale") continue;
      channel.part = path == "translation" ? ClipPart::place : path == "rotation" ? ClipPart::turn : ClipPart::scale;
      if (!read_keys(samplers.at(to.at("sampler").get<std::size_t>()), channel)) return;
      clip.channels.push_back(std::move(channel));
    }
    file_.clips.push_back(std::move(clip));
  }

  bool read_keys(const Json& sampler, ClipChannel& channel) {
    const std::string shape = sampler.value("interpolation", std::string("LINEAR"));
    channel.shape = shape == "STEP" ? ClipShape::step : shape == "CUBICSPLINE" ? ClipShape::cubic : ClipShape::linear;
    const std::size_t each = channel.shape == ClipShape::cubic ? 3 : 1;
    Values times, values;
    if (!read(sampler.at("input").get<std::size_t>(), times) || !read(sampler.at("output").get<std::size_t>(), values))
      return false;
    const bool turn = channel.part == ClipPart::turn;
    if (times.width != 1 || values.width != (turn ? 4u : 3u) || values.count != each * times.count) {
      problem_ = "The keys of “" + file_.nodes[static_cast<std::size_t>(channel.node)].name + "” are not complete.";
      return false;
    }
    channel.times = std::move(times.numbers);
    const auto row = [&](std::size_t i) {
      const double* v = values.numbers.data() + i * values.width;
      return turn ? std::array<double, 4>{v[3], v[0], v[1], v[2]} : std::array<double, 4>{v[0], v[1], v[2], 0};
    };
    for (std::size_t i = 0; i < times.count; ++i) {
      channel.values.push_back(row(each * i + each / 2));
      if (each == 1) continue;
      channel.in.push_back(row(3 * i));
      channel.out.push_back(row(3 * i + 2));
    }
    return true;
  }

  bool read(std::size_t accessor, Values& out) {
    const Json& from = root_.at("accessors").at(accessor);
    const std::string type = from.value("type", std::string());
    out.width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
    out.count = from.at("count").get<std::size_t>();
    if (from.contains("sparse") || !from.contains("bufferView") || out.width == 0) {
      problem_ = "The keys of the file are kept in a way that is not read (sparse accessors).";
      return false;
    }
    const int kind = from.at("componentType").get<int>();
    const std::size_t size = kind == 5126 ? 4 : kind == 5122 || kind == 5123 ? 2 : kind == 5120 || kind == 5121 ? 1 : 0;
    const Json& view = root_.at("bufferViews").at(from["bufferView"].get<std::size_t>());
    const std::optional<std::string_view> buffer = buffer_of(view.at("buffer").get<std::size_t>());
    if (!buffer) {
      problem_ = "The file with the keys is missing or cannot be read.";
      return false;
    }
    keys_ += out.count;
    if (keys_ > 4 * kMostClipKeys) {
      problem_ = "The file has more than 4,000,000 keys.";
      return false;
    }
    const std::size_t step = view.value("byteStride", size * out.width);
    const std::size_t begin = view.value("byteOffset", std::size_t{0}),
                      within = from.value("byteOffset", std::size_t{0});
    const std::size_t most = buffer->size();
    if (size == 0 || begin > most || within > most || step > 252 ||
        (out.count > 0 && begin + within + (out.count - 1) * step + size * out.width > most)) {
      problem_ = "The keys lie beyond the end of the file; it is cut off or damaged.";
      return false;
    }
    for (std::size_t i = 0; i < out.count; ++i)
      for (std::size_t k = 0; k < out.width; ++k)
        out.numbers.push_back(component(buffer->data() + begin + within + i * step + k * size, kind));
    return true;
  }

  static double component(const char* at, int kind) {
    const auto as = [at]<class T>(T value) {
      std::memcpy(&value, at, sizeof value);
      return static_cast<double>(value);
    };
    switch (kind) {
      case 5120:
        return std::max(as(std::int8_t{}) / 127, -1.0);
      case 5121:
        return as(std::uint8_t{}) / 255;
      case 5122:
        return std::max(as(std::int16_t{}) / 32767, -1.0);
      case 5123:
        return as(std::uint16_t{}) / 65535;
      default:
        return as(float{});
    }
  }

  std::optional<std::string_view> buffer_of(std::size_t index) {
    const Json& buffer = root_.at("buffers").at(index);
    if (!buffer.contains("uri")) return binary_.empty() ? std::nullopt : std::optional(binary_);
    if (buffers_.size() <= index) buffers_.resize(index + 1);
    std::optional<std::string>& read = buffers_[index];
    if (!read) {
      const auto uri = buffer["uri"].get<std::string>();
      const std::size_t data = uri.find(";base64,");
      read = uri.starts_with("data:") && data != std::string::npos ? from_base64(std::string_view(uri).substr(data + 8))
                                                                   : access_.read(decoded_name(uri));
    }
    return read ? std::optional<std::string_view>(*read) : std::nullopt;
  }

  std::string_view bytes_, binary_;
  FolderAccess& access_;
  ClipFile& file_;
  Json root_;
  std::vector<int> number_;  // of each node of the file its place in file_.nodes; -1: not in the scene
  std::vector<std::optional<std::string>> buffers_;
  std::size_t keys_ = 0;
  bool weights_ = false;
  std::string problem_;
};

}  // namespace

std::string read_gltf_motion(std::string_view bytes, FolderAccess& access, ClipFile& file) {
  return GltfMotion(bytes, access, file).run();
}

}  // namespace hazumi
