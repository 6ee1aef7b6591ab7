#include "render/joint_symbols.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <glm/geometric.hpp>

#include "core/scene/derived/collections.h"
#include "render/convert.h"
#include "render/joint_rows.h"

namespace hazumi {

namespace {

constexpr float kTurn = 6.2831853f;
// Logical pixels.
constexpr float kRing = 8, kAxis = 20, kTick = 4, kArc = 24, kSquare = 6.5f, kCarriage = 6, kCoil = 5, kTurnLength = 7,
                kWheel = 12, kTooth = 3.5f, kGround = 8, kHead = 5, kTarget = 9;
constexpr float kCrowd = 48, kDot = 4.5f;  // apart on the screen; across
constexpr int kSides = 28, kTeeth = 10;
constexpr glm::vec4 kJointColour{0.80f, 0.66f, 1.0f, 1.0f}, kOffColour{0.55f, 0.52f, 0.60f, 0.8f},
    kBrokenColour{0.88f, 0.42f, 0.39f, 0.9f};
constexpr glm::vec4 kActiveJoint{1.0f, 0.66f, 0.25f, 1.0f}, kSelectedJoint{0.85f, 0.48f, 0.14f, 1.0f};
constexpr glm::vec4 kJointShade{0.07f, 0.08f, 0.10f, 0.5f};
constexpr float kThin = 0.45f;  // opacity of the lines to what is joined

/// The place in the world of a point of an object that a frame moves and bends.
Vec3 place_in_frame(const JointEnd& end, const Object& object, const ObjectFrame& moved, MeshStore& meshes) {
  const Quat rotation = moved.rotation.cast<double>().normalized();
  const Vec3 own = object.transform.scale.cwiseProduct(end.place),
             rigid = moved.position.cast<double>() + rotation * own;
  if (!moved.deformed || moved.vertices.empty()) return rigid;
  const std::shared_ptr<const DisplayMesh> mesh = meshes.mesh(object);
  if (mesh->positions.size() != moved.vertices.size()) return rigid;
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < mesh->positions.size(); ++v)
    if (const double apart = (mesh->positions[v] - own).squaredNorm(); apart < least) {
      least = apart;
      nearest = v;
    }
  return moved.vertices[nearest].cast<double>() + rotation * (own - mesh->positions[nearest]);
}

/// Draws with a pen of its own colour in the plane of the screen, or about an axis.
class Pen {
 public:
  Pen(std::vector<LineVertex>& lines, const ViewCamera& camera, glm::vec4 colour, float pixel)
      : lines_(lines), right_(camera.right()), up_(camera.up()), colour_(colour), pixel_(pixel) {}

  void line(glm::vec3 a, glm::vec3 b) {
    lines_.push_back({a, colour_});
    lines_.push_back({b, colour_});
  }
  glm::vec3 on_screen(glm::vec3 centre, float x, float y) const { return centre + pixel_ * (x * right_ + y * up_); }

  /// A part of a circle about `n`, angles from `x` on.
  void arc(glm::vec3 centre, glm::vec3 x, glm::vec3 y, float pixels, float from, float to) {
    const int steps = std::max(2, static_cast<int>(std::ceil(kSides * std::min(1.0f, std::abs(to - from) / kTurn))));
    for (int i = 0; i < steps; ++i) {
      const float a = from + (to - from) * static_cast<float>(i) / static_cast<float>(steps),
                  b = from + (to - from) * static_cast<float>(i + 1) / static_cast<float>(steps);
      line(around(centre, x, y, pixels, a), around(centre, x, y, pixels, b));
    }
  }
  glm::vec3 around(glm::vec3 centre, glm::vec3 x, glm::vec3 y, float pixels, float angle) const {
    return centre + pixel_ * pixels * (std::cos(angle) * x + std::sin(angle) * y);
  }
  void circle(glm::vec3 centre, float pixels) { arc(centre, right_, up_, pixels, 0, kTurn); }
  /// A head at `tip`, which points along `way` (unit).
  void head(glm::vec3 tip, glm::vec3 way, glm::vec3 aside) {
    line(tip, tip + pixel_ * kHead * (0.6f * aside - way));
    line(tip, tip + pixel_ * kHead * (-0.6f * aside - way));
  }
  void rectangle(glm::vec3 centre, glm::vec3 x, glm::vec3 y, float half_x, float half_y) {
    const glm::vec3 a = pixel_ * half_x * x, b = pixel_ * half_y * y;
    const glm::vec3 corner[4] = {centre - a - b, centre + a - b, centre + a + b, centre - a + b};
    for (int i = 0; i < 4; ++i) line(corner[i], corner[(i + 1) % 4]);
  }

  glm::vec3 right() const { return right_; }
  glm::vec3 up() const { return up_; }
  float pixel() const { return pixel_; }

 private:
  std::vector<LineVertex>& lines_;
  glm::vec3 right_, up_;
  glm::vec4 colour_;
  float pixel_;
};

/// Unit, across a line as it is seen.
glm::vec3 across(glm::vec3 way, const ViewCamera& camera) {
  const glm::vec3 side = glm::cross(way, camera.forward());
  return glm::length(side) > 1e-4f ? glm::normalize(side) : camera.right();
}

struct Frame3 {
  glm::vec3 x, y, z;
};

Frame3 axes_of(const JointPlaces& places) {
  const Mat3 axes = places.turn.toRotationMatrix();
  return {to_glm(Vec3(axes.col(0))), to_glm(Vec3(axes.col(1))), to_glm(Vec3(axes.col(2)))};
}

class Drawer {
 public:
  Drawer(const Joint& joint, const JointPlaces& places, const ViewCamera& camera, const JointLook& look,
         JointDrawing& out)
      : joint_(joint),
        camera_(camera),
        look_(look),
        out_(out),
        pen_(out.lines, camera, look.colour, look.pixel),
        a_(to_glm(places.a)),
        b_(to_glm(places.b)),
        axes_(axes_of(places)) {}

  void ball() {
    pen_.circle(a_, kRing);
    dot(a_, 5);
  }

  void fixed() {
    pen_.rectangle(a_, pen_.right(), pen_.up(), kSquare, kSquare);
    pen_.line(pen_.on_screen(a_, -kSquare, -kSquare), pen_.on_screen(a_, kSquare, kSquare));
    pen_.line(pen_.on_screen(a_, -kSquare, kSquare), pen_.on_screen(a_, kSquare, -kSquare));
  }

  void hinge() {
    axis(kAxis);
    pen_.arc(a_, axes_.x, axes_.y, kRing, 0, kTurn);
    if (joint_.limited) limits_of_turn();
    if (!joint_.motor) return;
    const float end = joint_.motor_turn < 0 ? -0.7f * kTurn : 0.7f * kTurn, sign = joint_.motor_turn < 0 ? -1.0f : 1.0f;
    pen_.arc(a_, axes_.x, axes_.y, kRing + 5, 0, end);
    const glm::vec3 tip = pen_.around(a_, axes_.x, axes_.y, kRing + 5, end);
    pen_.head(tip, sign * (-std::sin(end) * axes_.x + std::cos(end) * axes_.y), axes_.z);
  }

  void slider() {
    const glm::vec3 side = across(axes_.z, camera_);
    axis(kAxis);
    pen_.rectangle(a_, axes_.z, side, kCarriage, 0.7f * kCarriage);
    if (joint_.limited) {
      const glm::vec3 low = a_ + static_cast<float>(joint_.least_way) * axes_.z,
                      high = a_ + static_cast<float>(joint_.most_way) * axes_.z;
      pen_.line(low, high);
      for (const glm::vec3& stop : {low, high})
        pen_.line(stop + look_.pixel * kRing * side, stop - look_.pixel * kRing * side);
      out_.symbol.segments.insert(out_.symbol.segments.end(), {low, high});
    }
    if (!joint_.motor) return;
    const float sign = joint_.motor_speed < 0 ? -1.0f : 1.0f;
    const glm::vec3 off = look_.pixel * (kRing + 3) * side, reach = look_.pixel * kAxis * 0.6f * axes_.z;
    pen_.line(a_ + off - reach, a_ + off + reach);
    pen_.head(a_ + off + sign * reach, sign * axes_.z, side);
  }

  /// A coil with straight ends, as many turns whatever the distance is, so that one sees it stretch.
  void spring(double length) {
    ends();
    const glm::vec3 way = b_ - a_;
    const float apart = glm::length(way);
    if (!(apart > 0)) return;
    const glm::vec3 along = way / apart, side = across(along, camera_);
    const int turns = std::clamp(static_cast<int>(static_cast<float>(length) / look_.pixel / kTurnLength), 4, 40);
    const float straight = std::min(0.15f * apart, 10 * look_.pixel);
    glm::vec3 last = a_;
    const auto to = [&](glm::vec3 next) {
      pen_.line(last, next);
      last = next;
    };
    to(a_ + straight * along);
    for (int i = 0; i < 2 * turns; ++i) {
      const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(2 * turns);
      to(a_ + (straight + t * (apart - 2 * straight)) * along + (i % 2 ? -1.0f : 1.0f) * kCoil * look_.pixel * side);
    }
    to(b_ - straight * along);
    to(b_);
    out_.symbol.segments.insert(out_.symbol.segments.end(), {a_, b_});
  }

  /// Slack by L over a distance d it hangs by √(3 (L − d) d / 8) at first, as a flat parabola does; and by half of L at most.
  void rope(double length, const Vec3& gravity) {
    ends();
    const float apart = glm::length(b_ - a_), slack = static_cast<float>(length) - apart;
    float sag = 0;
    if (slack > 1e-4f * static_cast<float>(length))
      sag = std::min(std::sqrt(0.375f * slack * std::max(apart, 0.25f * static_cast<float>(length))),
                     0.5f * static_cast<float>(length));
    const glm::vec3 down = gravity.norm() > 0 ? to_glm(Vec3(gravity.normalized())) : glm::vec3(0, -1, 0);
    const int pieces = sag > 0 ? 20 : 1;
    const auto at = [&](int i) {
      const float t = static_cast<float>(i) / static_cast<float>(pieces);
      return glm::mix(a_, b_, t) + 4 * t * (1 - t) * sag * down;
    };
    for (int i = 0; i < pieces; ++i) {
      pen_.line(at(i), at(i + 1));
      out_.symbol.segments.insert(out_.symbol.segments.end(), {at(i), at(i + 1)});
    }
  }

  void lead() {
    dot(a_, 7);
    pen_.circle(b_, kTarget);
    for (const glm::vec3& way : {pen_.right(), -pen_.right(), pen_.up(), -pen_.up()})
      pen_.line(b_ + look_.pixel * (kTarget - kTick) * way, b_ + look_.pixel * (kTarget + kTick) * way);
    if (a_ == b_) return;
    out_.thin.push_back({a_, look_.colour});
    out_.thin.push_back({b_, look_.colour});
    out_.symbol.segments.insert(out_.symbol.segments.end(), {a_, b_});
  }

  void wheel(glm::vec3 centre, const Frame3& axes) {
    pen_.arc(centre, axes.x, axes.y, kWheel, 0, kTurn);
    for (int i = 0; i < kTeeth; ++i) {
      const float angle = kTurn * static_cast<float>(i) / kTeeth;
      pen_.line(pen_.around(centre, axes.x, axes.y, kWheel, angle),
                pen_.around(centre, axes.x, axes.y, kWheel + kTooth, angle));
    }
  }

  void gear(const std::optional<Frame3>& second) {
    wheel(a_, axes_);
    if (!second) return;
    wheel(b_, *second);
    pen_.line(a_, b_);
    out_.symbol.segments.insert(out_.symbol.segments.end(), {a_, b_});
  }

  /// Across the symbol, from above to below.
  void crack() {
    constexpr float kZigzag[][2] = {{5, 14}, {-3, 5}, {4, -2}, {-5, -14}};
    const glm::vec3 at = 0.5f * (a_ + b_);
    for (int i = 0; i < 3; ++i)
      pen_.line(pen_.on_screen(at, kZigzag[i][0], kZigzag[i][1]),
                pen_.on_screen(at, kZigzag[i + 1][0], kZigzag[i + 1][1]));
  }

  void joined(const std::optional<glm::vec3>& to_a, const std::optional<glm::vec3>& to_b) {
    const auto thin = [&](glm::vec3 from, glm::vec3 to) {
      out_.thin.push_back({from, look_.ends});
      out_.thin.push_back({to, look_.ends});
    };
    if (to_a) thin(a_, *to_a);
    if (to_b) thin(b_, *to_b);
    if (joint_.kind == JointKind::gear || has_target(joint_.kind)) return;
    if (joint_.a.object == 0) ground(a_);
    if (joint_.b.object == 0) ground(b_);
  }

 private:
  void dot(glm::vec3 at, float size) { out_.points.push_back({at, look_.colour, size}); }

  void ends() {
    dot(a_, 7);
    dot(b_, 7);
  }

  void axis(float pixels) {
    const glm::vec3 reach = look_.pixel * pixels * axes_.z, tick = look_.pixel * kTick * across(axes_.z, camera_);
    const glm::vec3 low = a_ - reach, high = a_ + reach;
    pen_.line(low, high);
    pen_.line(low - tick, low + tick);
    // The head says which way the axis goes.
    pen_.head(high, axes_.z, across(axes_.z, camera_));
    out_.symbol.segments.insert(out_.symbol.segments.end(), {low, high});
  }

  void limits_of_turn() {
    const float low = static_cast<float>(joint_.least_turn), high = static_cast<float>(joint_.most_turn);
    pen_.arc(a_, axes_.x, axes_.y, kArc, low, std::min(high, low + kTurn));
    for (const float end : {low, high}) pen_.line(a_, pen_.around(a_, axes_.x, axes_.y, kArc, end));
    pen_.line(pen_.around(a_, axes_.x, axes_.y, kArc - kTick, 0), pen_.around(a_, axes_.x, axes_.y, kArc + kTick, 0));
  }

  /// The world, as engineers draw it.
  void ground(glm::vec3 at) {
    const float y = -kRing - 4;
    pen_.line(pen_.on_screen(at, -kGround, y), pen_.on_screen(at, kGround, y));
    for (int i = -1; i <= 1; ++i) {
      const float x = 0.7f * kGround * static_cast<float>(i);
      pen_.line(pen_.on_screen(at, x, y), pen_.on_screen(at, x - 4, y - 5));
    }
  }

  const Joint& joint_;
  const ViewCamera& camera_;
  const JointLook& look_;
  JointDrawing& out_;
  Pen pen_;
  glm::vec3 a_, b_;
  Frame3 axes_;
};

}  // namespace

std::optional<JointPlaces> shown_joint(const Scene& scene, const Joint& joint, const Frame* frame, MeshStore& meshes) {
  const PlacedObject placed = [&](Id id) -> std::optional<Transform> {
    const Object* object = find_object(scene, id);
    if (!object) return std::nullopt;
    Transform transform = object->transform;
    if (const ObjectFrame* moved = frame ? frame->find(id) : nullptr) {
      if (!moved->present) return std::nullopt;
      transform.position = moved->position.cast<double>();
      transform.rotation = moved->rotation.cast<double>().normalized();
    }
    return transform;
  };
  std::optional<JointPlaces> places = joint_places(scene, joint, placed);
  if (!places || !frame || joint.kind == JointKind::gear) return places;
  const auto bend = [&](const JointEnd& end, Vec3& place) {
    const Object* object = end.object == 0 ? nullptr : find_object(scene, Id{end.object});
    const ObjectFrame* moved = object ? frame->find(object->id) : nullptr;
    if (moved && moved->deformed) place = place_in_frame(end, *object, *moved, meshes);
  };
  bend(joint.a, places->a);
  if (goes_along_curve(joint)) return places;
  if (has_two_places(joint.kind))
    bend(joint.b, places->b);
  else
    places->b = places->a;
  return places;
}

JointDrawing draw_joint(const Scene& scene, const Joint& joint, const JointPlaces& places,
                        const std::optional<glm::vec3>& to_a, const std::optional<glm::vec3>& to_b,
                        const ViewCamera& camera, const JointLook& look) {
  JointDrawing out;
  out.symbol.id = joint.id;
  out.symbol.on_top = true;
  out.symbol.points.push_back(to_glm(places.a));
  if (places.a != places.b) out.symbol.points.push_back(to_glm(places.b));
  out.symbol.radius = kRing * look.pixel;
  if (look.dot) {
    out.symbol.radius = 0.5f * kDot * look.pixel;
    for (const glm::vec3& at : out.symbol.points) out.points.push_back({at, look.colour, kDot});
    return out;
  }
  Drawer drawer(joint, places, camera, look, out);
  const auto length = [&] {
    if (!joint.measured) return joint.length;
    const auto start = joint_places(scene, joint);
    return start ? (start->a - start->b).norm() : 0.0;
  };
  switch (joint.kind) {
    case JointKind::ball:
      drawer.ball();
      break;
    case JointKind::hinge:
      drawer.hinge();
      break;
    case JointKind::slider:
      drawer.slider();
      break;
    case JointKind::fixed:
      drawer.fixed();
      break;
    case JointKind::lead:
    case JointKind::pull:
      drawer.lead();
      break;
    case JointKind::spring:
      drawer.spring(length());
      break;
    case JointKind::rope:
      drawer.rope(length(), scene.settings.gravity);
      break;
    case JointKind::gear: {
      std::optional<Frame3> second;
      if (places.a != places.b) {
        second = axes_of(places);
        if (const Joint* hinge = find_joint(scene, Id{joint.second}))
          if (const auto at = hinge->kind == JointKind::gear ? std::nullopt : joint_places(scene, *hinge))
            second = axes_of(*at);
      }
      drawer.gear(second);
      break;
    }
  }
  if (look.broken) drawer.crack();
  drawer.joined(to_a, to_b);
  return out;
}

namespace {

/// The middle of an object as it is shown; nothing: it is not seen.
std::optional<glm::vec3> shown_middle(const Scene& scene, const Frame* frame, const Standing& standing,
                                      std::uint64_t id) {
  const Object* object = id == 0 ? nullptr : find_object(scene, Id{id});
  if (!object || !standing.visible(*object)) return std::nullopt;
  const ObjectFrame* moved = frame ? frame->find(object->id) : nullptr;
  if (moved && !moved->present) return std::nullopt;
  return moved ? to_glm(moved->position) : to_glm(object->transform.position);
}

}  // namespace

namespace {

/// Those of rows half of which stand closer than kCrowd on the screen: a row is drawn one way.
std::set<Id> crowded(const Scene& scene, const std::map<Id, JointPlaces>& shown, const ViewCamera& camera,
                     glm::vec2 size) {
  std::map<std::size_t, std::pair<int, int>> rows;  // how many close, of how many
  const std::map<Id, JointInRow> found = joints_in_rows(scene);
  for (const auto& [id, in_row] : found) {
    const auto places = shown.find(id);
    if (places == shown.end()) continue;
    auto& [close, all] = rows[in_row.row];
    close += in_row.apart < kCrowd * camera.metres_per_pixel(to_glm(places->second.a), size);
    ++all;
  }
  std::set<Id> crowd;
  for (const auto& [id, in_row] : found)
    if (const auto& [close, all] = rows[in_row.row]; 2 * close > all) crowd.insert(id);
  return crowd;
}

}  // namespace

void add_joints(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes) {
  if (scene.joints.empty()) return;
  const Standing standing(scene, &options.aside);
  const glm::vec2 size(1, options.height > 0 ? options.height : 800);
  std::map<Id, JointPlaces> shown;
  for (const Shared<Joint>& joint : scene.joints)
    if (standing.visible(*joint))
      if (const auto places = shown_joint(scene, *joint, frame, meshes)) shown.emplace(joint->id, *places);
  const std::set<Id> crowd = crowded(scene, shown, camera, size);
  DrawLines shades, lines, thin;
  for (DrawLines* drawn : {&shades, &lines, &thin}) drawn->on_top = true;
  shades.width = 4;
  lines.width = 1.8f;
  for (const Shared<Joint>& joint : scene.joints) {
    if (!standing.visible(*joint)) continue;
    const bool gear = joint->kind == JointKind::gear;
    const auto to_a = gear ? std::nullopt : shown_middle(scene, frame, standing, joint->a.object),
               to_b = gear ? std::nullopt : shown_middle(scene, frame, standing, second_object(*joint));
    if (!gear && !to_a && !to_b && (joint->a.object != 0 || second_object(*joint) != 0)) continue;
    const auto placed = shown.find(joint->id);
    if (placed == shown.end()) continue;
    const JointPlaces* places = &placed->second;
    const bool selected = selection.selected.count(joint->id) != 0;
    JointLook look;
    const FrameJoint* reading = frame ? frame->find_joint(joint->id) : nullptr;
    look.broken = reading && reading->broken;
    look.colour = selected      ? (selection.active == joint->id ? kActiveJoint : kSelectedJoint)
                  : look.broken ? kBrokenColour
                  : joint->on   ? kJointColour
                                : kOffColour;
    look.ends = glm::vec4(glm::vec3(look.colour), selected ? 1 : kThin);
    look.pixel = camera.metres_per_pixel(to_glm(places->a), size);
    const bool in_crowd = crowd.count(joint->id) != 0;
    const bool chosen = selected || selection.selected.count(Id{joint->a.object}) != 0 ||
                        selection.selected.count(Id{second_object(*joint)}) != 0;
    look.dot = in_crowd && !chosen && !look.broken;
    // What bends is joined where the joint is: a line to its middle says nothing, and thirty of them hide a rope.
    const auto line_to = [&](const std::optional<glm::vec3>& middle, std::uint64_t id) {
      const ObjectFrame* moved = frame && id != 0 ? frame->find(Id{id}) : nullptr;
      const bool bends = moved && moved->deformed;
      const bool of_chosen = selected || (!in_crowd && selection.selected.count(Id{id}) != 0);
      return bends && !of_chosen ? std::nullopt : middle;
    };
    JointDrawing drawing = draw_joint(scene, *joint, *places, line_to(to_a, joint->a.object),
                                      line_to(to_b, second_object(*joint)), camera, look);
    for (const LineVertex& vertex : drawing.lines) shades.vertices.push_back({vertex.position, kJointShade});
    lines.vertices.insert(lines.vertices.end(), drawing.lines.begin(), drawing.lines.end());
    thin.vertices.insert(thin.vertices.end(), drawing.thin.begin(), drawing.thin.end());
    list.points_on_top.insert(list.points_on_top.end(), drawing.points.begin(), drawing.points.end());
    list.symbols.push_back(std::move(drawing.symbol));
  }
  for (DrawLines* drawn : {&thin, &shades, &lines})
    if (!drawn->vertices.empty()) list.lines.push_back(std::move(*drawn));
}

}  // namespace hazumi
