#include "tests/geometry/strung_support.h"

#include "core/base/random.h"
#include "core/geometry/truss/pairs.h"
#include "core/geometry/truss/select.h"

namespace truss_edit_test {

using namespace hazumi;
using namespace hazumi::strung_test;

namespace {

const TrussSymmetry kMirror{0, 0.0, 1e-6};

double coordinate(std::uint64_t index, std::uint64_t purpose) { return random_unit(7, Id{1}, index, purpose) - 0.5; }

}  // namespace

TEST_CASE("A node is added with its partner, and one in the plane once", "[truss_edit]") {
  const StrungTruss box = shape(TrussShape::box_grid);
  StrungNode node;
  node.position = Vec3(0.4, 0.9, 0.1);
  node.mass = 2;
  TrussEdit edit = add_node(box, node, kMirror);
  REQUIRE(edit.selected.size() == 2);
  CHECK(edit.truss.nodes[edit.selected[0]] == node);
  CHECK(edit.truss.nodes[edit.selected[1]].position == Vec3(-0.4, 0.9, 0.1));
  CHECK(edit.truss.nodes[edit.selected[1]].mass == 2);
  CHECK(problem(edit.truss) == "");
  CHECK(edit.truss.hull == box.hull);
  CHECK(symmetric_partner(edit.truss, edit.selected[0], kMirror) == edit.selected[1]);
  node.position = Vec3(5e-7, 0.9, 0);
  edit = add_node(box, node, kMirror);
  REQUIRE(edit.selected.size() == 1);
  CHECK(edit.truss.nodes.back().position.x() == 0);
  CHECK(add_node(box, node).truss.nodes.back().position.x() == 5e-7);
}

TEST_CASE("Partners follow a move mirrored and the plane is not left", "[truss_edit]") {
  const StrungTruss box = shape(TrussShape::box_grid);  // 27 nodes, x-fastest, extents ±½
  const Vec3 by(0.1, 0.2, -0.05);
  const TrussEdit edit = move_nodes(box, {2, 1}, by, kMirror);
  CHECK((edit.truss.nodes[2].position - box.nodes[2].position - by).norm() < 1e-15);
  CHECK((edit.truss.nodes[0].position - box.nodes[0].position - Vec3(-0.1, 0.2, -0.05)).norm() < 1e-15);
  CHECK((edit.truss.nodes[1].position - box.nodes[1].position - Vec3(0, 0.2, -0.05)).norm() < 1e-15);
  for (std::size_t i = 3; i < box.nodes.size(); ++i) CHECK(edit.truss.nodes[i] == box.nodes[i]);
  // Both of a pair: the positive side leads, so symmetry is kept.
  const TrussEdit both = move_nodes(box, {0, 2}, by, kMirror);
  CHECK(symmetric_partner(both.truss, 0, kMirror) == 2);
  CHECK((both.truss.nodes[2].position - box.nodes[2].position - by).norm() < 1e-15);
  CHECK(move_nodes(box, {0, 2}, by).truss.nodes[0].position.x() == Approx(-0.4));
  // A stale selection is harmless.
  CHECK(move_nodes(box, {99}, by, kMirror).truss == box);
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  const TrussEdit turned = transform_nodes(box, all_nodes(box), turn, Vec3(0.5, 0, 0));
  for (std::size_t i = 0; i < box.nodes.size(); ++i)
    CHECK((turned.truss.nodes[i].position - Vec3(0.5, 0, 0) - turn * (box.nodes[i].position - Vec3(0.5, 0, 0))).norm() <
          1e-15);
}

TEST_CASE("Deleting nodes renumbers and keeps the hull closed", "[truss_edit]") {
  const StrungTruss ball = shape(TrussShape::icosahedron, {3, 1, 1});
  const double before = volume(ball);
  const TrussEdit edit = delete_nodes(ball, {0, 5, 40});
  CHECK(edit.truss.nodes.size() == ball.nodes.size() - 3);
  CHECK(edit.node_map[0] == kNoNode);
  CHECK(edit.node_map[1] == 0);
  CHECK(edit.node_map[6] == 4);
  CHECK(problem(edit.truss) == "");
  CHECK(edit.truss.hull.size() == ball.hull.size() - 6);  // Euler: two triangles a node
  CHECK(volume(edit.truss) < before);
  CHECK(volume(edit.truss) > 0.85 * before);
  for (std::size_t i = 0; i < ball.nodes.size(); ++i)
    if (edit.node_map[i] != kNoNode) CHECK(edit.truss.nodes[edit.node_map[i]] == ball.nodes[i]);
  for (const StrungSpring& s : ball.springs)
    CHECK((find_spring(edit.truss, edit.node_map[s.a], edit.node_map[s.b]).has_value() ||
           edit.node_map[s.a] == kNoNode || edit.node_map[s.b] == kNoNode));
  // With the mirror the partner goes as well.
  CHECK(delete_nodes(shape(TrussShape::box_grid), {0}, kMirror).truss.nodes.size() == 25);
  // Down to nothing.
  StrungTruss left = ball;
  while (!left.nodes.empty()) {
    left = delete_nodes(left, {static_cast<std::uint32_t>(left.nodes.size() / 2)}).truss;
    REQUIRE(problem(left) == "");
  }
}

TEST_CASE("Deleting a node of a fill takes its tetrahedra and opens a new outside", "[truss_edit]") {
  const StrungTruss cells = five_cells();
  REQUIRE(problem(cells) == "");
  CHECK(volume(cells) == Approx(1));
  const TrussEdit edit = delete_nodes(cells, {0});
  CHECK(edit.truss.tetrahedra.size() == 4);
  CHECK(problem(edit.truss) == "");
  CHECK(volume(edit.truss) == Approx(1 - 1.0 / 6));
  // Turned inside out by a move: taken out of the list.
  const TrussEdit moved = move_nodes(cells, {0}, Vec3(2, 2, 2));
  CHECK(moved.truss.tetrahedra.size() == 4);
  CHECK(problem(moved.truss) == "");
}

TEST_CASE("Springs are strung and taken away in pairs", "[truss_edit]") {
  StrungTruss octahedron = shape(TrussShape::octahedron, {1, 1, 1});
  const std::size_t before = octahedron.springs.size();
  StrungSpring like;
  like.stiffness = 3;
  octahedron = delete_springs(octahedron, {0, 1, 77}).truss;
  CHECK(octahedron.springs.size() == before - 2);
  CHECK(problem(octahedron) == "");
  const StrungTruss box = shape(TrussShape::box_grid);
  CHECK_FALSE(find_spring(box, 2, 26).has_value());
  const TrussEdit strung = string_nodes(box, 26, 2, kMirror, like);
  CHECK(strung.truss.springs.size() == box.springs.size() + 2);
  REQUIRE(find_spring(strung.truss, 2, 26).has_value());
  REQUIRE(find_spring(strung.truss, 0, 24).has_value());
  CHECK(strung.truss.springs[*find_spring(strung.truss, 0, 24)].stiffness == 3);
  CHECK(problem(strung.truss) == "");
  CHECK(string_nodes(strung.truss, 2, 26, kMirror).truss == strung.truss);  // there already, and it keeps its numbers
  CHECK(unstring_nodes(strung.truss, 2, 26, kMirror).truss == box);
  CHECK(unstring_nodes(box, 2, 26).truss == box);
  CHECK(string_nodes(box, 3, 3).truss == box);
  CHECK(string_all(box, {0, 1, 2}, 10).truss.springs.size() == box.springs.size() + 1);
  CHECK(string_all(box, {0, 1, 2}, 0.9).truss.springs.size() == box.springs.size());
}

TEST_CASE("Duplicates bring their springs, cells and closed hull", "[truss_edit]") {
  const StrungTruss ball = shape(TrussShape::icosahedron, {1, 1, 1});
  const TrussEdit twice = duplicate_nodes(ball, all_nodes(ball), Vec3(3, 0, 0));
  CHECK(twice.selected.size() == 12);
  CHECK(twice.truss.springs.size() == 2 * ball.springs.size());
  CHECK(volume(twice.truss) == Approx(2 * volume(ball)));
  CHECK(problem(twice.truss) == "");
  const TrussEdit some = duplicate_nodes(ball, {0, 1, 2}, Vec3(3, 0, 0));
  CHECK(some.truss.hull == ball.hull);
  CHECK(problem(some.truss) == "");
  const StrungTruss cells = five_cells();
  CHECK(problem(duplicate_nodes(cells, all_nodes(cells), Vec3(0, 3, 0)).truss) == "");
  CHECK(duplicate_nodes(cells, all_nodes(cells), Vec3(0, 3, 0)).truss.tetrahedra.size() == 10);
  const TrussEdit joined = join_trusses(ball, cells);
  CHECK(joined.truss.nodes.size() == 20);
  CHECK(joined.truss.springs.size() == ball.springs.size() + cells.springs.size());
}

TEST_CASE("Merged nodes keep mass, place and springs", "[truss_edit]") {
  StrungTruss box = shape(TrussShape::box_grid, {1, 1, 1});
  box.nodes[0].mass = 3;
  const TrussEdit edit = merge_nodes(box, {0, 1});
  CHECK(edit.truss.nodes.size() == 7);
  CHECK(edit.selected == NodeSelection{0});
  CHECK(edit.node_map[1] == 0);
  CHECK(edit.truss.nodes[0].mass == Approx(4));
  CHECK((edit.truss.nodes[0].position - (0.75 * box.nodes[0].position + 0.25 * box.nodes[1].position)).norm() < 1e-15);
  CHECK(problem(edit.truss) == "");
  CHECK(closed(edit.truss.hull));
  CHECK(edit.truss.hull.size() == box.hull.size() - 2);
  box.nodes[1].pinned = true;
  CHECK(merge_nodes(box, {0, 1}).truss.nodes[0].position == box.nodes[1].position);
  CHECK(merge_nodes(box, {4}).truss == box);
  // A doubled truss merged back is the truss itself, with twice the mass.
  const TrussEdit twice = duplicate_nodes(box, all_nodes(box), Vec3(1e-7, 0, 0));
  const TrussEdit once = merge_close_nodes(twice.truss, 1e-6);
  CHECK(once.truss.nodes.size() == box.nodes.size());
  CHECK(once.truss.springs.size() == box.springs.size());
  CHECK(once.selected.size() == box.nodes.size());
  CHECK(problem(once.truss) == "");
}

TEST_CASE("A truss is made symmetric from one side", "[truss_edit]") {
  StrungTruss box = shape(TrussShape::box_grid, {4, 2, 2});
  box.nodes[3].position.x() += 0.03;  // on the positive side
  box.nodes[4].mass = 7;
  box.nodes[4].pinned = true;
  const TrussEdit edit = mirror_truss(box, kMirror, true);
  CHECK(edit.truss.nodes.size() == box.nodes.size());
  CHECK(problem(edit.truss) == "");
  CHECK(closed(edit.truss.hull));
  CHECK(edit.truss.hull.size() == box.hull.size());
  CHECK(edit.truss.springs.size() == box.springs.size());
  const SymmetricPairs pairs(edit.truss, kMirror);
  for (std::uint32_t i = 0; i < edit.truss.nodes.size(); ++i) {
    const std::uint32_t j = pairs.partner(i);
    REQUIRE(j != kNoNode);
    CHECK(edit.truss.nodes[i].mass == edit.truss.nodes[j].mass);
    CHECK(edit.truss.nodes[i].pinned == edit.truss.nodes[j].pinned);
  }
  for (const StrungSpring& s : edit.truss.springs)
    CHECK(find_spring(edit.truss, pairs.partner(s.a), pairs.partner(s.b)).has_value());
  CHECK(mirror_truss(edit.truss, kMirror, true).truss.nodes.size() == edit.truss.nodes.size());
  // The other side has none of the changes.
  for (const StrungNode& node : mirror_truss(box, kMirror, false).truss.nodes) CHECK(node.mass == 1);
  CHECK(problem(mirror_truss(five_cells(), {0, 0.5, 1e-6}, true).truss) == "");
  CHECK(problem(mirror_truss(five_cells(), {0, 0.0, 1e-6}, true).truss) == "");
  CHECK(mirror_truss(five_cells(), {0, 0.0, 1e-6}, true).truss.tetrahedra.size() == 10);
}

TEST_CASE("Partners found over the grid are those found one by one", "[truss_edit]") {
  StrungTruss cloud;
  for (std::uint64_t i = 0; i < 200; ++i)
    cloud.nodes.push_back({Vec3(coordinate(i, 0), coordinate(i, 1), coordinate(i, 2)), 1, false});
  const TrussSymmetry coarse{1, 0.07, 0.12};
  const SymmetricPairs pairs(cloud, coarse);
  for (std::uint32_t i = 0; i < 200; ++i) CHECK(pairs.partner(i) == symmetric_partner(cloud, i, coarse));
  std::size_t near = 0, counted = 0;
  for_near_pairs(cloud, 0.1, [&](std::uint32_t, std::uint32_t) { ++near; });
  for (std::size_t a = 0; a < 200; ++a)
    for (std::size_t b = a + 1; b < 200; ++b)
      counted += (cloud.nodes[a].position - cloud.nodes[b].position).norm() <= 0.1;
  CHECK(near == counted);
  CHECK(counted > 20);
}

TEST_CASE("Hundreds of random edits leave a truss that keeps the rules", "[truss_edit]") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    StrungTruss truss = seed % 3 == 0   ? shape(TrussShape::icosahedron, {2, 1, 1})
                        : seed % 3 == 1 ? shape(TrussShape::box_grid)
                                        : five_cells();
    const OptionalSymmetry symmetry = seed % 2 ? OptionalSymmetry(kMirror) : OptionalSymmetry();
    for (std::uint64_t step = 0; step < 150; ++step) {
      const auto pick = [&](std::uint64_t purpose, std::size_t count) {
        return static_cast<std::uint32_t>(random_unit(seed, Id{2}, step, purpose) * static_cast<double>(count));
      };
      const auto n = truss.nodes.size();
      const std::uint32_t a = pick(1, n + 1), b = pick(2, n + 1), c = pick(3, n + 1);
      const Vec3 p(coordinate(step, 4), coordinate(step, 5), coordinate(step, 6));
      const auto operation = pick(0, 10);
      TrussEdit edit;
      switch (operation) {
        case 0:
          edit = add_node(truss, {p, 1.5, false}, symmetry);
          break;
        case 1:
          edit = move_nodes(truss, {a, b}, 0.1 * p, symmetry);
          break;
        case 2:
          edit = delete_nodes(truss, {a}, symmetry);
          break;
        case 3:
          edit = delete_springs(truss, {a, b, c}, symmetry);
          break;
        case 4:
          edit = string_nodes(truss, a, b, symmetry);
          break;
        case 5:
          edit = unstring_nodes(truss, a, b, symmetry);
          break;
        case 6:
          edit = n < 60 ? duplicate_nodes(truss, {a, b, c}, p) : delete_nodes(truss, {a, b, c});
          break;
        case 7:
          edit = merge_nodes(truss, {a, b});
          break;
        case 8:
          edit = set_pinned(truss, {a}, pick(7, 2) == 1, symmetry);
          break;
        case 9:
          edit = step % 20 == 0 ? mirror_truss(truss, kMirror, true) : merge_close_nodes(truss, 0.05);
          break;
      }
      INFO("seed " << seed << " step " << step << " operation " << operation);
      REQUIRE(edit.node_map.size() == n);
      REQUIRE(problem(edit.truss, truss.tetrahedra.empty()) == "");
      for (std::size_t i = 0; i < n; ++i)
        REQUIRE((edit.node_map[i] == kNoNode || edit.node_map[i] < edit.truss.nodes.size()));
      for (const std::uint32_t i : edit.selected) REQUIRE(i < edit.truss.nodes.size());
      truss = edit.truss;
      if (truss.nodes.size() < 4) truss = shape(TrussShape::octahedron, {1, 1, 1});
      REQUIRE(to_truss(truss).nodes.size() == truss.nodes.size());
    }
  }
}

}  // namespace truss_edit_test
