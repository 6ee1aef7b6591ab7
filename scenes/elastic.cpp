// What elastic solvers do where bodies fold, are squashed or are keyed: lattices of springs beside lattices of cells, what is pressed flat,
// cloths that know a fold, and two creatures that cross gaps with the same keys (seeds/004, seeds/003; docs/elastic-bars.md).
#include <algorithm>
#include <cmath>

#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Vec3 kSpringsColour(0.76, 0.26, 0.20), kCellsColour(0.20, 0.52, 0.38);

/// A lattice of cubes of side `edge`; k/m of a node, 1/s².
Object lattice(Builder& b, const std::string& name, bool cells, int cubes, double edge, double ratio, const Vec3& at) {
  Object o =
      b.object(name, cells ? "green rubber" : "red rubber", PrimitiveShape::box, Vec3::Constant(cubes * edge), at);
  o.display.primitive.divisions = {3 * cubes, 3 * cubes, 3 * cubes};
  const double nodes = std::pow(cubes + 1, 3), mass = 1;
  Builder::flexible(o, AnalysisKind::box_grid, {cubes, cubes, cubes}, mass, ratio * mass / nodes,
                    2e-3 * ratio * mass / nodes, kHardSkin);
  Builder::physics(o, 1e5, 0.3, 0.6);
  Builder::paint(o, cells ? kCellsColour : kSpringsColour, 0.3);
  o.body.solver = cells ? "polyhedral" : "springs";
  return o;
}

}  // namespace

Scene lattices() {
  Builder b(
      "Lattices",
      "Lattices of 3 × 3 × 3 cubes fall from ten edge lengths, k/m = 1e4, 1e5 and 1e6 from left to right. In front "
      "each cube keeps its shape, behind springs pull along where they are; all squares have both diagonals, so that "
      "these come back, too.",
      240);
  b.stage(1e7, 0.3, Vec3(0.50, 0.50, 0.52), Vec3(0.74, 0.77, 0.80));
  b.scene.settings.substeps = 8;
  constexpr double kEdge = 0.06;
  const char* ratios[] = {"1e4", "1e5", "1e6"};
  for (int k = 0; k < 3; ++k)
    for (const bool cells : {false, true}) {
      Object o = lattice(b, std::string(cells ? "Cells " : "Springs ") + ratios[k], cells, 3, kEdge,
                         std::pow(10, 4 + k), Vec3(0.42 * (k - 1), 11.5 * kEdge, cells ? 0.2 : -0.2));
      o.transform.rotation = Quat(Eigen::AngleAxisd(0.5, Vec3(1, 0.4, 0.7).normalized()));
      b.add(o);
    }
  b.camera(Vec3(0.35, 0.75, 1.75), Vec3(0.05, 0.2, 0));
  return b.done();
}

Scene pressed_flat() {
  Builder b(
      "Pressed flat",
      "Two lattices begin squashed into the plane of the floor. Cells know what their shape is and spring up; springs "
      "pull within the plane that they are in, and stay a heap.",
      200);
  b.stage(1e7, 0.1, Vec3(0.52, 0.50, 0.46), Vec3(0.80, 0.76, 0.70));
  b.scene.settings.substeps = 8;
  constexpr double kEdge = 0.25;
  for (const bool cells : {false, true}) {
    Object o = lattice(b, cells ? "Cells" : "Springs", cells, 3, kEdge, 2e3, Vec3(cells ? 0.75 : -0.75, 0.4, 0));
    o.body.damping = 0.08 * o.body.stiffness;
    // All of it in one plane, a little above the floor; aslant, so that no two nodes lie at one place.
    for (const Vec3& x : analysis_truss(o.analysis).nodes)
      o.body.start.push_back({Vec3(0.31 * x.y(), 0.02 - o.transform.position.y() - x.y(), 0.17 * x.y()), Vec3::Zero()});
    b.add(o);
  }
  b.camera(Vec3(0.6, 1.6, 4.2), Vec3(0, 0.3, 0));
  return b.done();
}

namespace {

/// The middle line of a bar along x as a part of a circle, its ends down.
std::vector<Vec3> arch_places(const std::vector<Vec3>& rest, double length, double angle) {
  std::vector<Vec3> places;
  for (const Vec3& x : rest) {
    const double turn = angle * x.x() / length, radius = length / angle;
    places.emplace_back((radius + x.y()) * std::sin(turn), (radius + x.y()) * std::cos(turn) - radius, x.z());
  }
  return places;
}

int add_shape(Object& o, const char* name, const std::vector<Vec3>& places) {
  AnalysisPose pose;
  pose.name = name;
  pose.example = false;
  pose.nodes = pose_from_places(analysis_truss(o.analysis).nodes, places).value();
  return static_cast<int>(add_pose(o.analysis, std::move(pose)));
}

}  // namespace

Scene gap_creatures() {
  Builder b(
      "Over the gaps",
      "Two creatures with the same keys leap over two gaps: crouched, stretched, curled up in the air. In front the "
      "shapes between two keys are the body's own way, behind straight lines, on which it shrinks.",
      330);
  b.stage(1e7, 0.1, Vec3(0.34, 0.40, 0.46), Vec3(0.72, 0.80, 0.88));
  constexpr double kTop = 0.5, kLength = 1.2, kThick = 0.24, kHop = 2.0;
  for (const bool directed : {false, true}) {
    const double z = directed ? 0.9 : -0.9;
    for (int k = 0; k < 3; ++k)
      b.add(b.block((directed ? "Block " : "Block behind ") + std::to_string(k + 1), Vec3(1.4, kTop, 0.9),
                    Vec3(kHop * (k - 1), 0.5 * kTop, z), Vec3(0.58, 0.54, 0.48)));
  }
  for (const bool directed : {false, true}) {
    const double z = directed ? 0.9 : -0.9;
    Object o = b.object(directed ? "Directed" : "Linear", "green rubber", PrimitiveShape::rounded_box,
                        Vec3(kLength, kThick, 0.34), Vec3(-kHop, kTop + 0.5 * kThick + 0.005, z));
    o.display.primitive.divisions = {36, 6, 8};
    Builder::flexible(o, AnalysisKind::box_grid, {8, 2, 2}, 2, 900, 12, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.9);
    Builder::paint(o, directed ? Vec3(0.34, 0.62, 0.30) : Vec3(0.80, 0.36, 0.28), 0.35);
    o.body.solver = "fem";
    o.body.bends_led = true;
    o.body.shape.way = directed ? ShapeWay::directed : ShapeWay::linear;
    o.body.shape.following = 1;
    const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
    std::vector<Vec3> longer;
    for (const Vec3& x : rest) longer.emplace_back(1.2 * x.x(), 0.91 * x.y(), 0.91 * x.z());
    const int crouch = add_shape(o, "Crouch", arch_places(rest, kLength, 1.5));
    const int stretch = add_shape(o, "Stretch", longer);
    const int curl = add_shape(o, "Curl", arch_places(rest, kLength, 4.7));
    const Id id = o.id;
    const Vec3 from = o.transform.position;
    b.add(o);
    const auto place = [&](double time, double x, double y) {
      b.scene = with_key(std::move(b.scene), id.value, "transform.position", time, Vec3(from + Vec3(x, y, 0)));
    };
    const auto shape = [&](double time, int pose) {
      b.scene = with_key(std::move(b.scene), id.value, "body.shape.pose", time, std::int64_t{pose});
    };
    b.scene = with_key(std::move(b.scene), id.value, "body.led", 0, true);
    place(0, 0, 0);
    for (int hop = 0; hop < 2; ++hop) {
      const double t = 0.3 + 2.5 * hop, x = kHop * hop;
      shape(t, 0), shape(t + 0.5, crouch), shape(t + 0.6, crouch), shape(t + 0.85, stretch), shape(t + 1.25, curl);
      shape(t + 1.4, curl), shape(t + 1.75, stretch), shape(t + 2.0, crouch), shape(t + 2.4, 0);
      place(t, x, 0), place(t + 0.5, x, 0.15), place(t + 0.6, x, 0.15), place(t + 0.85, x + 0.35, 0.55);
      place(t + 1.3, x + 0.5 * kHop, 0.95), place(t + 1.75, x + kHop - 0.35, 0.55), place(t + 2.0, x + kHop, 0.15);
      place(t + 2.1, x + kHop, 0.15), place(t + 2.4, x + kHop, 0);
    }
    b.next = next_id(b.scene).value;
  }
  b.camera(Vec3(0.9, 3.1, 6.2), Vec3(0, 0.7, 0));
  return b.done();
}

/// A cloth of shape matching keeps what it was made as; one that was shown a fold goes into it where an edge pushes it that way.
Scene taught_cloths() {
  Builder b(
      "Taught cloths",
      "Two cloths fall on two edges. The red one knows nothing; the blue one was shown a fold by a right angle, and "
      "folds as it lands.",
      100);
  b.stage(1e7, 0.1, Vec3(0.54, 0.54, 0.50), Vec3(0.80, 0.82, 0.84));
  b.scene.settings.substeps = 8;
  for (const bool taught : {false, true}) {
    const double z = taught ? 0.6 : -0.6;
    Object edge =
        b.block(taught ? "Edge" : "Edge behind", Vec3(0.12, 0.12, 1.0), Vec3(0, 0.6, z), Vec3(0.46, 0.42, 0.38));
    edge.display.primitive.shape = PrimitiveShape::box;
    edge.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()));
    Builder::physics(edge, 1e7, 0, 0.9);
    b.add(edge);
    Object o = b.object(taught ? "Taught" : "Plain", "white plastic", PrimitiveShape::plane, Vec3(1.2, 1, 0.8),
                        Vec3(0, 0.95, z));
    o.display.primitive.divisions = {12, 1, 8};
    Builder::flexible(o, AnalysisKind::cloth, {12, 1, 8}, 0.3, 1e4, 10, kHardSkin);
    Builder::physics(o, 1e5, 0, 0.9);
    Builder::paint(o, taught ? Vec3(0.24, 0.44, 0.72) : Vec3(0.76, 0.28, 0.22), 0.2);
    o.body.solver = "shape_matching";
    set_parameter(o.body.parameters, {"shape_matching", "return", {}, 10.0});  // s: it hangs on as it lies
    o.body.velocity = Vec3(0, -1.5, 0);
    if (taught) {
      // The middle line turns evenly within 0.2 m, its ends hang.
      AnalysisPose fold;
      fold.name = "Fold";
      constexpr double kBend = 0.2, kTurn = 0.5 * kPi;
      for (const Vec3& x : analysis_truss(o.analysis).nodes) {
        const double inner = std::clamp(x.x(), -0.5 * kBend, 0.5 * kBend), outer = x.x() - inner;
        const double angle = kTurn * inner / kBend, radius = kBend / kTurn;
        const Vec3 to(radius * std::sin(angle) + outer * std::cos(angle),
                      -radius * (1 - std::cos(angle)) - outer * std::sin(angle), x.z());
        fold.nodes.push_back({to - x});
      }
      add_pose(o.analysis, std::move(fold));
    }
    b.add(o);
  }
  b.camera(Vec3(1.0, 1.6, 3.4), Vec3(0, 0.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
