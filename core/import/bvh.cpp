#include "core/import/bvh.h"

#include <charconv>
#include <cmath>

namespace hazumi {

namespace {

struct Joint {
  std::vector<char> channels;  // 'x' 'y' 'z' of the place, 'X' 'Y' 'Z' of turns
};

class BvhReader {
 public:
  explicit BvhReader(std::string_view bytes) : rest_(bytes) {}

  ClipFile run() {
    if (word() != "HIERARCHY") return refused("The file does not start like a BVH file.");
    std::string_view next = word();
    while (next == "ROOT" && read_joint()) next = word();
    if (file_.problem.empty() && next != "MOTION") fail("has neither a joint nor the word MOTION");
    if (file_.problem.empty()) read_motion();
    if (!file_.problem.empty()) return refused(file_.problem);
    if (std::string problem = settle_clips(file_); !problem.empty()) return refused(problem);
    add_bars(file_);
    if (file_.imported.mesh.faces.empty()) return refused("The joints of the BVH file all lie at one place.");
    return std::move(file_);
  }

 private:
  static ClipFile refused(std::string problem) {
    ClipFile none;
    none.problem = std::move(problem);
    return none;
  }

  bool fail(const std::string& what) {
    if (file_.problem.empty()) file_.problem = "The BVH file " + what + " (line " + std::to_string(line_) + ").";
    return false;
  }

  std::string_view word() {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!rest_.empty() && blank(rest_.front())) {
      line_ += rest_.front() == '\n' ? 1 : 0;
      rest_.remove_prefix(1);
    }
    std::size_t n = 0;
    while (n < rest_.size() && !blank(rest_[n])) ++n;
    const std::string_view found = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return found;
  }

  /// Names may have blanks in them: up to the end of the line.
  std::string name() {
    std::size_t n = 0;
    while (n < rest_.size() && rest_[n] != '\n' && rest_[n] != '{') ++n;
    std::string found(rest_.substr(0, n));
    rest_.remove_prefix(n);
    const std::size_t first = found.find_first_not_of(" \t\r"), last = found.find_last_not_of(" \t\r");
    return first == std::string::npos ? "joint" : plain_name(found.substr(first, last - first + 1));
  }

  bool number(double& value) {
    std::string_view text = word();
    if (text.empty()) return fail("is cut off");
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      return fail("has “" + std::string(text.substr(0, 40)) + "” where a number belongs");
    return true;
  }

  bool expect(std::string_view wanted) {
    const std::string_view found = word();
    if (found == wanted) return true;
    if (found.empty()) return fail("is cut off");
    return fail("has “" + std::string(found.substr(0, 40)) + "” where “" + std::string(wanted) + "” belongs");
  }

  /// After ROOT: the joint and all below it. A stack of our own, as files may be as deep as they like.
  bool read_joint() {
    std::vector<int> open;
    std::string called = name();
    bool end_site = false;
    for (;;) {
      if (file_.nodes.size() >= kMostClipNodes) return fail("has more than 10,000 joints");
      if (!expect("{") || !expect("OFFSET")) return false;
      ClipNode node;
      node.name = called;
      node.parent = open.empty() ? -1 : open.back();
      if (!number(node.place.x()) || !number(node.place.y()) || !number(node.place.z())) return false;
      node.rest.col(3) = node.place;
      open.push_back(static_cast<int>(file_.nodes.size()));
      file_.nodes.push_back(node);
      joints_.emplace_back();
      if (!end_site && !read_channels()) return false;
      std::string_view next = word();
      while (next == "}") {
        open.pop_back();
        if (open.empty()) return true;
        next = word();
      }
      end_site = next == "End";
      if (end_site) {
        if (!expect("Site")) return false;
        called = file_.nodes[static_cast<std::size_t>(open.back())].name + " end";
      } else if (next == "JOINT") {
        called = name();
      } else {
        return fail(next.empty() ? "is cut off"
                                 : "has “" + std::string(next.substr(0, 40)) + "” where a joint belongs");
      }
    }
  }

  bool read_channels() {
    if (!expect("CHANNELS")) return false;
    double count = 0;
    if (!number(count)) return false;
    if (count < 0 || count > 6 || count != std::floor(count))
      return fail("has a joint with other than 0 to 6 channels");
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const std::string_view channel = word();
      const std::string_view kind = channel.empty() ? channel : channel.substr(1);
      const char axis = channel.empty() ? ' ' : channel[0];
      if (axis < 'X' || axis > 'Z' || (kind != "position" && kind != "rotation"))
        return fail("has a channel “" + std::string(channel.substr(0, 40)) + "”");
      joints_.back().channels.push_back(kind == "position" ? static_cast<char>(axis + 32) : axis);
    }
    return true;
  }

  bool read_motion() {
    double frames = 0, step = 0;
    if (!expect("Frames:") || !number(frames) || !expect("Frame") || !expect("Time:") || !number(step)) return false;
    if (!(step > 1e-5 && step <= 10)) return fail("has frames of " + std::to_string(step) + " s");
    std::size_t channels = 0;
    for (const Joint& joint : joints_) channels += joint.channels.empty() ? 0 : joint.channels.size();
    if (!(frames >= 0) || frames != std::floor(frames) || frames > 1e9) return fail("has no whole number of frames");
    // Each number takes two bytes or more: what is promised and not there is found before any memory is taken.
    if (frames * static_cast<double>(2 * channels) > static_cast<double>(rest_.size()) + 2)
      return fail("promises more frames than it holds");
    // The step is written with few digits: 0.041667 is 1/24.
    file_.rate = 1 / step;
    for (double usual : {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0})
      if (std::abs(step - 1 / usual) < 2e-6) file_.rate = usual;
    Clip clip{"Motion", 0, 0, {}};
    std::vector<std::pair<int, int>> of(joints_.size(), {-1, -1});
    for (std::size_t j = 0; j < joints_.size(); ++j)
      for (char c : joints_[j].channels) {
        int& at = c >= 'x' ? of[j].first : of[j].second;
        if (at >= 0) continue;
        at = static_cast<int>(clip.channels.size());
        clip.channels.push_back({static_cast<int>(j), c >= 'x' ? ClipPart::place : ClipPart::turn, ClipShape::linear});
      }
    if (static_cast<double>(clip.channels.size()) * frames > static_cast<double>(kMostClipKeys)) {
      file_.problem = "The file has more than 4,000,000 keys.";
      return false;
    }
    for (int f = 0; f < static_cast<int>(frames); ++f)
      for (std::size_t j = 0; j < joints_.size(); ++j)
        if (!read_joint_at(f / file_.rate, j, of[j], clip)) return false;
    if (frames > 0) file_.clips.push_back(std::move(clip));
    return true;
  }

  bool read_joint_at(double time, std::size_t j, const std::pair<int, int>& of, Clip& clip) {
    Vec3 place = file_.nodes[j].place;
    Quat turn = Quat::Identity();
    for (char c : joints_[j].channels) {
      double value = 0;
      if (!number(value)) return false;
      if (c >= 'x')
        place[c - 'x'] = value;
      else
        turn = turn * Quat(Eigen::AngleAxisd(radians(value), Vec3::Unit(c - 'X')));
    }
    const auto put = [&](int at, const std::array<double, 4>& value) {
      if (at < 0) return;
      ClipChannel& channel = clip.channels[static_cast<std::size_t>(at)];
      channel.times.push_back(time);
      channel.values.push_back(value);
    };
    put(of.first, {place.x(), place.y(), place.z(), 0});
    put(of.second, {turn.w(), turn.x(), turn.y(), turn.z()});
    return true;
  }

  std::string_view rest_;
  int line_ = 1;
  ClipFile file_;
  std::vector<Joint> joints_;  // beside the nodes
};

}  // namespace

ClipFile read_bvh(std::string_view bytes) { return BvhReader(bytes).run(); }

}  // namespace hazumi
