#include "core/scene/derived/clip_motion.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kStill = 1e-9;  // m and rad: what goes no further stands still

Quat turn_of(UpAxis up) {
  // As turn_up_axis(): z up is turned about x, x up about z.
  if (up == UpAxis::z) return Quat(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitX()));
  if (up == UpAxis::x) return Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  return Quat::Identity();
}

KeyShape shape_of(ClipShape shape) {
  return shape == ClipShape::step ? KeyShape::step : shape == ClipShape::linear ? KeyShape::linear : KeyShape::spline;
}

Vec3 vec(const std::array<double, 4>& v) { return {v[0], v[1], v[2]}; }
std::array<double, 4> numbers(const Vec3& v) { return {v.x(), v.y(), v.z(), 0}; }

bool stands(const std::vector<Key>& keys, bool turns) {
  for (const Key& key : keys) {
    double off = 0;
    if (turns) {
      const auto &a = key.value, &b = keys.front().value;
      off = Quat(a[0], a[1], a[2], a[3]).angularDistance(Quat(b[0], b[1], b[2], b[3]));
    } else {
      off = (vec(key.value) - vec(keys.front().value)).norm();
    }
    const bool bends = key.tangent == KeyTangent::free && (vec(key.in).norm() > kStill || vec(key.out).norm() > kStill);
    if (off > kStill || bends) return false;
  }
  return true;
}

class MotionOfClip {
 public:
  MotionOfClip(const ClipFile& file, const Clip& clip, const MeshSettings& settings, const ClipWay& way,
               const std::atomic<bool>* cancel, const std::function<void(double)>& progress)
      : file_(file),
        clip_(clip),
        way_(way),
        cancel_(cancel),
        progress_(progress),
        up_(turn_of(settings.up)),
        scale_(settings.scale),
        rest_(clip_world(file, nullptr, 0)),
        start_(clip_world(file, &clip, 0)),
        channels_(file.nodes.size()),
        moved_(file.nodes.size(), false) {
    for (const ClipChannel& channel : clip.channels) channels_[at(channel.node)].push_back(&channel);
    // Whether something moves a node's parent, or the parent of that.
    for (std::size_t n = 0; n < file.nodes.size(); ++n)
      if (const int parent = file.nodes[n].parent; parent >= 0)
        moved_[n] = moved_[at(parent)] || !channels_[at(parent)].empty();
  }

  Result<std::vector<PieceMotion>> run() {
    std::vector<PieceMotion> all(file_.pieces.size());
    std::vector<bool> place_stays(all.size()), turn_stays(all.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
      const ClipPiece& piece = file_.pieces[p];
      all[p].start = in_scene(piece_pose(rest_[at(piece.node)], start_[at(piece.node)]));
      place_stays[p] = !way_.fewest && keep_places(at(piece.node), all[p]);
      turn_stays[p] = !way_.fewest && keep_turns(at(piece.node), all[p]);
    }
    const auto kept = [&](std::size_t p) { return place_stays[p] && turn_stays[p]; };
    if (const Status sampled = sample(all); !sampled.ok()) return sampled.diagnostics();
    for (std::size_t p = 0; p < all.size(); ++p) {
      if (kept(p)) continue;
      if (progress_) progress_(0.3 + 0.7 * static_cast<double>(p) / static_cast<double>(all.size()));
      const BakedMotion made = baked(samples_[p], way_.tolerance, cancel_);
      if (stopped()) return cancelled();
      PieceMotion& motion = all[p];
      const auto take = [&](bool stays, std::vector<Key>& to, const std::vector<Key>& from, double off, double& told) {
        if (stays || stands(from, &to == &motion.rotation)) return;
        to = from;
        told = off;
        motion.sampled = true;
      };
      take(place_stays[p], motion.place, made.place, made.off, motion.off);
      take(turn_stays[p], motion.rotation, made.rotation, made.turned, motion.turned);
    }
    for (PieceMotion& motion : all) {
      if (stands(motion.place, false)) motion.place.clear();
      if (stands(motion.rotation, true)) motion.rotation.clear();
    }
    return all;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  bool stopped() const { return cancel_ != nullptr && cancel_->load(); }
  static Diagnostic cancelled() { return {Severity::error, "", "The import was cancelled.", ""}; }

  Vec3 place_in_scene(const Vec3& p) const { return scale_ * (up_ * p); }
  Pose in_scene(const Pose& pose) const {
    return {place_in_scene(pose.position), (up_ * pose.rotation * up_.conjugate()).normalized()};
  }

  const ClipChannel* channel(std::size_t node, ClipPart part) const {
    for (const ClipChannel* c : channels_[node])
      if (c->part == part) return c;
    return nullptr;
  }

  Eigen::Affine3d above(std::size_t node) const {
    const int parent = file_.nodes[node].parent;
    return parent < 0 ? Eigen::Affine3d::Identity() : rest_[at(parent)];
  }

  /// Whether the keys of its place can stay, which they then are.
  bool keep_places(std::size_t node, PieceMotion& motion) const {
    if (moved_[node]) return false;
    const ClipChannel* from = channel(node, ClipPart::place);
    if (from == nullptr) return true;
    const Eigen::Affine3d parent = above(node);
    for (std::size_t i = 0; i < from->times.size(); ++i) {
      Key key;
      key.time = from->times[i];
      key.shape = shape_of(from->shape);
      key.value = numbers(place_in_scene(parent * vec(from->values[i])));
      if (from->shape == ClipShape::cubic) {
        key.tangent = KeyTangent::free;
        key.in = numbers(place_in_scene(parent.linear() * vec(from->in[i])));
        key.out = numbers(place_in_scene(parent.linear() * vec(from->out[i])));
      }
      motion.place.push_back(key);
    }
    return true;
  }

  bool keep_turns(std::size_t node, PieceMotion& motion) const {
    if (channels_[node].empty()) return !moved_[node];
    if (moved_[node] || channel(node, ClipPart::angles) != nullptr) return false;
    if (const ClipChannel* scale = channel(node, ClipPart::scale))
      for (const auto& value : scale->values)
        if ((vec(value) - file_.nodes[node].scale).norm() > 1e-6 * file_.nodes[node].scale.norm()) return false;
    const ClipChannel* from = channel(node, ClipPart::turn);
    if (from == nullptr) return true;
    if (from->shape == ClipShape::cubic) return false;
    // Only where what is above turns and scales alike on all sides.
    const Mat3 linear = above(node).linear();
    const double size = std::cbrt(std::abs(linear.determinant()));
    if ((linear.transpose() * linear - size * size * Mat3::Identity()).norm() > 1e-6 * size * size) return false;
    const Quat parent = pose_of(above(node)).rotation, rest = file_.nodes[node].turn;
    const Quat before = up_ * parent,
               behind = rest.conjugate() * parent.conjugate() * pose_of(rest_[node]).rotation * up_.conjugate();
    for (std::size_t i = 0; i < from->times.size(); ++i) {
      const auto& v = from->values[i];
      const Quat q = (before * Quat(v[0], v[1], v[2], v[3]).normalized() * behind).normalized();
      Key key;
      key.time = from->times[i];
      key.shape = shape_of(from->shape);
      key.value = {q.w(), q.x(), q.y(), q.z()};
      motion.rotation.push_back(key);
    }
    return true;
  }

  /// Where all pieces are at all frames of the file, and how they stretch.
  Status sample(std::vector<PieceMotion>& all) {
    const double rate = file_.rate > 0 ? file_.rate : way_.scene_rate;
    const double first = std::floor(clip_.begin * rate + 1e-3);
    const double frames = std::ceil(clip_.end * rate - 1e-3) - first + 1;
    if (frames * static_cast<double>(file_.nodes.size() + 1) > kMostClipPoses)
      return Diagnostic{
          Severity::error, "",
          "The clip “" + clip_.name + "” is too long: its frames times its nodes are more than 20,000,000.",
          "Cut it into shorter ones."};
    samples_.assign(all.size(), {});
    for (double f = 0; f < frames; ++f) {
      if (stopped()) return cancelled();
      if (progress_) progress_(0.3 * f / frames);
      const double time = (first + f) / rate;
      const std::vector<Eigen::Affine3d> world = clip_world(file_, &clip_, time);
      for (std::size_t p = 0; p < all.size(); ++p) {
        const std::size_t node = at(file_.pieces[p].node);
        double stretch = 0;
        const Pose pose = in_scene(piece_pose(rest_[node], world[node], &stretch));
        all[p].stretch = std::max(all[p].stretch, stretch);
        samples_[p].push_back({time, pose});
      }
    }
    return Done{};
  }

  const ClipFile& file_;
  const Clip& clip_;
  const ClipWay& way_;
  const std::atomic<bool>* cancel_;
  const std::function<void(double)>& progress_;
  Quat up_;
  double scale_;
  std::vector<Eigen::Affine3d> rest_, start_;
  std::vector<std::vector<const ClipChannel*>> channels_;
  std::vector<bool> moved_;
  std::vector<std::vector<MotionSample>> samples_;
};

}  // namespace

Result<std::vector<PieceMotion>> clip_motion(const ClipFile& file, const Clip& clip, const MeshSettings& settings,
                                             const ClipWay& way, const std::atomic<bool>* cancel,
                                             const std::function<void(double)>& progress) {
  return MotionOfClip(file, clip, settings, way, cancel, progress).run();
}

std::pair<int, int> clip_frames(const Clip& clip, double rate) {
  const auto frame = [rate](double time) { return static_cast<int>(std::clamp(std::round(time * rate), -1e6, 1e6)); };
  return {frame(clip.begin), frame(clip.end)};
}

}  // namespace hazumi
