// Selection, values, hull and rigidity of strung trusses.
#include "core/base/random.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/truss/hull.h"
#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/select.h"
#include "core/geometry/truss/values.h"
#include "tests/geometry/strung_support.h"

namespace truss_tools_test {

using namespace hazumi;
using namespace hazumi::strung_test;

TEST_CASE("A spring loop goes straight around", "[truss_tools]") {
  const StrungTruss box = shape(TrussShape::box_grid, {2, 2, 2});
  // A straight chain along an edge of the grid, which does not close.
  const auto edge = find_spring(box, 0, 1);
  REQUIRE(edge.has_value());
  const SpringLoop chain = spring_loop(box, *edge);
  CHECK_FALSE(chain.closed);
  CHECK(chain.nodes == NodeSelection{0, 1, 2});
  // A ring of 12 nodes around y with spokes to the centre and rings above and below.
  StrungTruss drum;
  for (int level = 0; level < 3; ++level)
    for (int i = 0; i < 12; ++i)
      drum.nodes.push_back({Vec3(std::cos(kPi * i / 6), level, std::sin(kPi * i / 6)), 1, false});
  for (std::uint32_t level = 0; level < 3; ++level)
    for (std::uint32_t i = 0; i < 12; ++i) {
      drum = string_nodes(drum, 12 * level + i, 12 * level + (i + 1) % 12).truss;
      if (level < 2) drum = string_nodes(drum, 12 * level + i, 12 * level + 12 + i).truss;
      if (level < 2) drum = string_nodes(drum, 12 * level + i, 12 * level + 12 + (i + 1) % 12).truss;
    }
  for (std::uint32_t level = 0; level < 3; ++level)
    for (std::uint32_t i = 0; i < 12; ++i) {
      const SpringLoop ring = spring_loop(drum, *find_spring(drum, 12 * level + i, 12 * level + (i + 1) % 12));
      CHECK(ring.closed);
      CHECK(ring.nodes.size() == 12);
      CHECK(ring.nodes.front() == 12 * level);
      CHECK(ring.springs.size() == 12);
    }
  CHECK(ring_of_node(drum, 17, Vec3::UnitY(), ring_thickness(drum)).size() == 12);
  CHECK(ring_of_node(drum, 17, Vec3::UnitY(), 5).size() == 36);
  CHECK(nodes_in_slab(drum, Vec3::UnitY(), 1, 0.1) == ring_of_node(drum, 17, Vec3::UnitY(), 0.1));
  CHECK(spring_loop(drum, 9999).nodes.empty());
}

TEST_CASE("Selections grow, shrink, and know their pieces", "[truss_tools]") {
  const StrungTruss box = shape(TrussShape::box_grid, {4, 1, 1});  // 5 × 2 × 2 nodes
  const NodeSelection end = nodes_in_slab(box, Vec3::UnitX(), -0.5, 0.01);
  REQUIRE(end.size() == 4);
  const NodeSelection more = grow_selection(box, end);
  CHECK(more.size() == 8);
  CHECK(shrink_selection(box, more) == end);
  CHECK(shrink_selection(box, all_nodes(box)) == all_nodes(box));
  CHECK(inverted(box, end).size() == 16);
  CHECK(springs_of_nodes(box, end).size() == 6);
  CHECK(springs_of_nodes(box, end, true).size() == 6 + 16);
  CHECK(nodes_of_springs(box, springs_of_nodes(box, end)) == end);
  CHECK(connected_pieces(box).count == 1);
  const StrungTruss two = duplicate_nodes(box, end, Vec3(0, 5, 0)).truss;
  const TrussPieces pieces = connected_pieces(two);
  CHECK(pieces.count == 2);
  CHECK(pieces.piece.back() == 1);
  CHECK(connected_nodes(two, {0}) == all_nodes(box));
  CHECK(pinned_nodes(set_pinned(box, {3, 7}, true).truss) == NodeSelection{3, 7});
}

TEST_CASE("Masses are set in kilograms", "[truss_tools]") {
  const StrungTruss box = shape(TrussShape::box_grid, {1, 1, 1});
  TrussTotals totals;
  totals.mass = 4;
  const auto heavy = set_node_mass(box, {0, 1}, 1.0, totals);
  REQUIRE(heavy.ok());
  double sum = 0;
  for (std::uint32_t i = 0; i < 8; ++i) sum += node_mass(*heavy, i, totals);
  CHECK(node_mass(*heavy, 0, totals) == Approx(1.0));
  CHECK(node_mass(*heavy, 5, totals) == Approx(2.0 / 6));
  CHECK(sum == Approx(4));
  CHECK_FALSE(set_node_mass(box, {0, 1}, 2.0, totals).ok());
  CHECK_FALSE(set_node_mass(box, {0, 1}, 0.0, totals).ok());
  CHECK_FALSE(set_node_mass(box, all_nodes(box), 1.0, totals).ok());
  CHECK(set_node_mass(*heavy, all_nodes(box), 0.5, totals).value() == box);
  const auto heavier = set_node_mass_and_total(box, {0}, 3.5, totals);
  REQUIRE(heavier.ok());
  CHECK(heavier->body_mass == Approx(7));
  TrussTotals after = totals;
  after.mass = heavier->body_mass;
  CHECK(node_mass(heavier->truss, 0, after) == Approx(3.5));
  CHECK(node_mass(heavier->truss, 1, after) == Approx(0.5));
}

TEST_CASE("Springs are set in newtons per metre, from the material as well", "[truss_tools]") {
  const StrungTruss box = shape(TrussShape::box_grid, {1, 1, 1});
  TrussTotals totals;
  totals.scale = Vec3(2, 1, 1);
  const auto stiff = set_spring_stiffness(box, {2}, 1600, totals);
  REQUIRE(stiff.ok());
  CHECK(stiff->springs[2].stiffness == Approx(2));
  CHECK(spring_stiffness(*stiff, 2, totals) == Approx(1600));
  CHECK(spring_stiffness(*stiff, 1, totals) == Approx(800));
  CHECK(spring_damping(set_spring_damping(box, {0, 3}, 0, totals).value(), 3, totals) == 0);
  CHECK_FALSE(set_spring_stiffness(box, {2}, 0, totals).ok());
  CHECK_FALSE(set_spring_damping(box, {2}, std::nan(""), totals).ok());
  totals.from_material = true;
  const auto along = find_spring(box, 0, 1);
  CHECK(spring_length(box, *along, totals) == Approx(2));
  CHECK(spring_stiffness(box, *along, totals) == Approx(1e7 * 1e-4 / 2));  // E A / l
  const auto thick = set_spring_cross_section(box, {*along}, 3e-4, totals);
  CHECK(spring_stiffness(*thick, *along, totals) == Approx(1e7 * 3e-4 / 2));
  CHECK(spring_cross_section(*thick, *along, totals) == Approx(3e-4));
  CHECK(spring_stiffness(set_spring_stiffness(*thick, {*along}, 42, totals).value(), *along, totals) == Approx(42));
  totals.damping = 0;
  CHECK_FALSE(set_spring_damping(box, {2}, 1, totals).ok());
}

TEST_CASE("A brush changes what is under it", "[truss_tools]") {
  const StrungTruss box = shape(TrussShape::box_grid, {4, 4, 4});
  TrussBrush brush;
  brush.centre = Vec3(0.5, 0.5, 0.5);
  brush.radius = 0.3;
  brush.strength = 0.5;
  CHECK(brush_weight(brush, 0) == 1);
  CHECK(brush_weight(brush, 0.15) == Approx(0.5));
  CHECK(brush_weight(brush, 0.3) == 0);
  const StrungTruss stiff = apply_brush(box, brush);
  std::size_t changed = 0;
  for (std::size_t s = 0; s < box.springs.size(); ++s) {
    const Vec3 a = box.nodes[box.springs[s].a].position, b = box.nodes[box.springs[s].b].position;
    const double nearest =
        std::min({(a - brush.centre).norm(), (b - brush.centre).norm(), (0.5 * (a + b) - brush.centre).norm()});
    if (nearest < 0.3) CHECK(stiff.springs[s].stiffness > 1);
    if (nearest > 0.75) CHECK(stiff.springs[s] == box.springs[s]);
    changed += stiff.springs[s].stiffness != 1;
  }
  CHECK(changed > 10);
  CHECK(changed < box.springs.size() / 4);
  CHECK(stiff.nodes == box.nodes);
  brush.action = BrushAction::lower;
  const StrungTruss back = apply_brush(stiff, brush);
  for (const StrungSpring& s : back.springs) CHECK(s.stiffness == Approx(1));
  // With the mirror: the same on the other side, and once where both dabs overlap.
  brush.quantity = BrushQuantity::mass;
  brush.action = BrushAction::raise;
  const TrussSymmetry mirror{0, 0.0, 1e-6};
  const StrungTruss heavy = apply_brush(box, brush, mirror);
  CHECK(heavy.nodes[124].mass == Approx(std::exp(0.5)));
  CHECK(heavy.nodes[120].mass == Approx(std::exp(0.5)));
  CHECK(heavy.nodes[0].mass == 1);
  brush.action = BrushAction::set;
  brush.target = 5;
  brush.strength = 1;
  CHECK(apply_brush(box, brush).nodes[124].mass == Approx(5));
  brush.action = BrushAction::smooth;
  CHECK(apply_brush(box, brush) == box);
  CHECK(apply_brush(heavy, brush).nodes[124].mass < heavy.nodes[124].mass);
  brush.centre = Vec3(9, 9, 9);
  CHECK(apply_brush(box, brush) == box);
  // However long one paints, factors stay usable.
  brush = {};
  brush.radius = 5;
  brush.strength = 1;
  StrungTruss far = box;
  for (int i = 0; i < 100; ++i) far = apply_brush(far, brush);
  for (const double factor : brush_factors(far, BrushQuantity::stiffness)) CHECK(factor <= 1e4);
}

TEST_CASE("The convex hull is closed, outward and contains every node", "[truss_tools]") {
  std::vector<Vec3> cloud;
  for (std::uint64_t i = 0; i < 400; ++i)
    cloud.emplace_back(random_unit(3, Id{1}, i, 0), 2 * random_unit(3, Id{1}, i, 1), random_unit(3, Id{1}, i, 2));
  const auto hull = convex_hull(cloud);
  CHECK(closed(hull));
  CHECK(mesh_volume(cloud, hull) > 1.2);
  for (const auto& f : hull) {
    const Vec3 normal = (cloud[f[1]] - cloud[f[0]]).cross(cloud[f[2]] - cloud[f[0]]).normalized();
    for (const Vec3& p : cloud) REQUIRE(normal.dot(p - cloud[f[0]]) < 1e-12);
  }
  CHECK(convex_hull(cloud) == hull);
  // The corners of a cube, every corner twice.
  std::vector<Vec3> cube;
  for (int i = 0; i < 16; ++i) cube.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  CHECK(convex_hull(cube).size() == 12);
  CHECK(mesh_volume(cube, convex_hull(cube)) == Approx(1));
  // In a plane: both sides. On a line, or too few: none.
  std::vector<Vec3> sheet;
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (int i = 0; i < 25; ++i) sheet.push_back(turn * Vec3(i % 5, 0, i / 5) + Vec3(10, 0, 0));
  const auto flat = convex_hull(sheet);
  CHECK(flat.size() >= 4);
  CHECK(flat.size() % 2 == 0);
  double area = 0;
  for (const auto& f : flat) area += 0.5 * (sheet[f[1]] - sheet[f[0]]).cross(sheet[f[2]] - sheet[f[0]]).norm();
  CHECK(area == Approx(2 * 16));
  std::vector<Vec3> line;
  for (int i = 0; i < 5; ++i) line.emplace_back(Vec3(1, 2, 3) * i);
  CHECK(convex_hull(line).empty());
  CHECK(convex_hull(std::vector<Vec3>{Vec3::Zero(), Vec3::UnitX()}).empty());
  // A truss without a hull of its own gets this one.
  StrungTruss ball = shape(TrussShape::icosahedron, {1, 1, 1});
  const double volume_before = volume(ball);
  ball.hull.clear();
  CHECK(mesh_volume(to_truss(ball).nodes, to_truss(ball).hull) == Approx(volume_before));
  CHECK(to_truss(ball).hull.size() == 20);
}

TEST_CASE("Rigidity is told in one sentence", "[truss_tools]") {
  for (const TrussShape kind :
       {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron})
    for (const int n : {1, 2, 3, 6}) {
      const Rigidity r = diagnose_rigidity(shape(kind, {n, n, n}));
      INFO(static_cast<int>(kind) << " " << n << " " << r.sentence);
      CHECK(r.rigid());
      CHECK(r.rigid_motions == 6);
      CHECK(r.sentence == "The truss holds its shape.");
      CHECK(r.loose.empty());
    }
  StrungTruss box = shape(TrussShape::box_grid, {3, 3, 3});
  // One loose node on one spring: it can go in two directions.
  StrungNode node;
  node.position = Vec3(2, 0, 0);
  TrussEdit edit = add_node(box, node);
  const StrungTruss dangling = string_nodes(edit.truss, 0, edit.selected[0]).truss;
  Rigidity r = diagnose_rigidity(dangling);
  CHECK(r.mechanisms == 2);
  CHECK(r.loose == edit.selected);
  CHECK(r.sentence.find("node 64") != std::string::npos);
  // Not on any spring: a piece of its own.
  r = diagnose_rigidity(edit.truss);
  CHECK(r.mechanisms == 3);
  CHECK(r.pieces == 2);
  CHECK(r.sentence.find("2 pieces") != std::string::npos);
  // Two boxes hinged at two shared corners swing: one motion.
  TrussEdit pair = duplicate_nodes(box, all_nodes(box), Vec3(1, 0, 0));
  std::uint32_t a = 0, b = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (box.nodes[i].position == Vec3(0.5, 0.5, -0.5)) a = i;
    if (box.nodes[i].position == Vec3(0.5, 0.5, 0.5)) b = i;
  }
  const auto opposite = [&](std::uint32_t i) {
    for (std::uint32_t j = 64; j < 128; ++j)
      if ((pair.truss.nodes[j].position - pair.truss.nodes[i].position).norm() < 1e-9) return j;
    return kNoNode;
  };
  TrussEdit first = merge_nodes(pair.truss, {a, opposite(a)});
  const StrungTruss hinge = merge_close_nodes(first.truss, 0).truss;
  StrungTruss hinged = merge_nodes(first.truss, {first.node_map[b], first.node_map[opposite(b)]}).truss;
  r = diagnose_rigidity(hinged);
  CHECK(r.mechanisms == 1);
  CHECK(r.sentence.find("One motion") == 0);
  CHECK(diagnose_rigidity(first.truss).mechanisms == 3);
  CHECK(hinge.nodes.size() <= 64 + 63);
  // Pins take rigid motions, and what they hold is no mechanism.
  StrungTruss pinned = set_pinned(dangling, {edit.selected[0]}, true).truss;
  r = diagnose_rigidity(pinned);
  CHECK(r.rigid_motions == 3);
  CHECK(r.mechanisms == 2);  // the box still swings about the end of its one spring
  CHECK(diagnose_rigidity(set_pinned(box, {0, 1}, true).truss).rigid_motions == 1);
  CHECK(diagnose_rigidity(set_pinned(box, {0, 1, 7}, true).truss).rigid_motions == 0);
  CHECK(diagnose_rigidity(set_pinned(box, all_nodes(box), true).truss).rigid());
  // A sheet, and a great many mechanisms.
  StrungTruss sheet;
  for (int i = 0; i < 100; ++i) sheet.nodes.push_back({Vec3(i % 10, 0, i / 10), 1, false});
  sheet = string_all(sheet, all_nodes(sheet), 1.5).truss;
  r = diagnose_rigidity(sheet);
  CHECK(r.flat);
  CHECK(r.more);
  CHECK(r.sentence.find("plane") != std::string::npos);
  CHECK(diagnose_rigidity(sheet, [] { return true; }).sentence.empty());
  CHECK(diagnose_rigidity(StrungTruss{}).sentence.find("no nodes") != std::string::npos);
}

}  // namespace truss_tools_test
