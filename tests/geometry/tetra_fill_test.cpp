#include "core/geometry/truss/tetra_fill.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/welded_surface.h"
#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/select.h"
#include "tests/geometry/strung_support.h"

namespace tetra_fill_test {

using namespace hazumi;
using namespace hazumi::strung_test;

namespace {

DisplayMesh primitive(PrimitiveShape shape, Vec3 size = Vec3::Ones(), std::array<int, 3> divisions = {24, 16, 4}) {
  return make_primitive({shape, size, divisions});
}

/// Vertices and faces of an OBJ file, polygons as fans: enough for the one shipped with the specification.
DisplayMesh plain_obj(const std::string& file) {
  DisplayMesh mesh;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vec3 p;
      words >> p.x() >> p.y() >> p.z();
      mesh.positions.push_back(p);
    } else if (kind == "f") {
      std::vector<std::uint32_t> corner;
      for (std::string word; words >> word;) corner.push_back(static_cast<std::uint32_t>(std::stoul(word) - 1));
      for (std::size_t k = 2; k < corner.size(); ++k) mesh.faces.push_back({corner[0], corner[k - 1], corner[k]});
    }
  }
  mesh.parts = {{"all", 0, static_cast<std::uint32_t>(mesh.faces.size())}};
  return mesh;
}

/// A lumpy closed surface with many triangles, standing in for spot.obj where that file is not at hand.
DisplayMesh creature() {
  const char* file = "/work/shared/data/spot.obj";
  if (std::ifstream(file).good()) return plain_obj(file);
  DisplayMesh mesh = primitive(PrimitiveShape::sphere, Vec3(1, 1.4, 1), {70, 42, 1});
  for (Vec3& p : mesh.positions) p *= 1 + 0.15 * std::sin(9 * p.x()) * std::cos(7 * p.y()) * std::sin(8 * p.z());
  return mesh;
}

DisplayMesh together(const DisplayMesh& a, const DisplayMesh& b, const Vec3& by) {
  DisplayMesh sum = a;
  const auto first = static_cast<std::uint32_t>(a.positions.size());
  for (const Vec3& p : b.positions) sum.positions.push_back(p + by);
  for (auto f : b.faces) {
    for (auto& i : f) i += first;
    sum.faces.push_back(f);
  }
  return sum;
}

}  // namespace

TEST_CASE("Vertices at one place are welded, sheets that only touch are not", "[tetra_fill]") {
  const DisplayMesh box = primitive(PrimitiveShape::box, Vec3::Ones(), {2, 2, 2});
  const WeldedSurface welded = weld_surface(box);
  CHECK(welded.closed);
  CHECK(welded.positions.size() == 26);
  CHECK(welded.faces.size() == 48);
  const WeldedSurface pair = weld_surface(together(box, box, Vec3(1, 1, 1)));  // corner to corner
  CHECK(pair.closed);
  CHECK(pair.positions.size() == 52);
  CHECK_FALSE(weld_surface(primitive(PrimitiveShape::plane, Vec3::Ones(), {2, 1, 2})).closed);
}

TEST_CASE("Closed shapes are filled with about as many tetrahedra as wanted", "[tetra_fill]") {
  for (const PrimitiveShape shape :
       {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::cylinder, PrimitiveShape::torus})
    for (const std::size_t wanted : {200u, 1000u}) {
      const DisplayMesh mesh = primitive(shape, Vec3(1, 0.6, 1));
      TetraFillOptions options;
      options.tetrahedra = static_cast<int>(wanted);
      const auto fill = fill_with_tetrahedra(mesh, options);
      INFO(static_cast<int>(shape) << " " << wanted << (fill.ok() ? "" : " " + fill.error().message));
      REQUIRE(fill.ok());
      const StrungTruss& truss = fill->truss;
      INFO(truss.tetrahedra.size() << " tetrahedra");
      CHECK(truss.tetrahedra.size() > wanted / 2);
      CHECK(truss.tetrahedra.size() < 2 * wanted);
      CHECK(problem(truss) == "");
      CHECK(fill->volume == Approx(volume(truss)));
      const double whole = mesh_volume(mesh.positions, mesh.faces);
      CHECK(fill->volume > (wanted < 500 ? 0.65 : 0.85) * whole);
      CHECK(fill->volume < 1.03 * whole);
      CHECK(diagnose_rigidity(truss).rigid());
      // Springs are the edges of the cells, each once.
      std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
      for (const auto& c : truss.tetrahedra)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            if (c[i] < c[j]) edges.emplace(c[i], c[j]);
      CHECK(edges.size() == truss.springs.size());
      double mass = 0;
      for (const StrungNode& node : truss.nodes) mass += node.mass;
      CHECK(mass / static_cast<double>(truss.nodes.size()) == Approx(1).epsilon(5e-4));
    }
}

TEST_CASE("The sharp corners of a box are nodes", "[tetra_fill]") {
  TetraFillOptions options;
  options.tetrahedra = 300;
  const auto fill = fill_with_tetrahedra(primitive(PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}), options);
  REQUIRE(fill.ok());
  CHECK(fill->volume == Approx(1).epsilon(1e-9));
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    double nearest = 1e9;
    for (const StrungNode& node : fill->truss.nodes) nearest = std::min(nearest, (node.position - corner).norm());
    CHECK(nearest < 1e-12);
  }
}

TEST_CASE("Filling twice gives the same bits, also from another thread", "[tetra_fill][threads]") {
  const DisplayMesh mesh = primitive(PrimitiveShape::torus, Vec3(1, 0.3, 1));
  TetraFillOptions options;
  options.tetrahedra = 600;
  const auto first = fill_with_tetrahedra(mesh, options);
  REQUIRE(first.ok());
  StrungTruss second;
  std::thread([&] { second = fill_with_tetrahedra(mesh, options).value().truss; }).join();
  CHECK(first->truss == second);
  CHECK(truss_hash(first->truss) == truss_hash(second));
}

TEST_CASE("Every piece of the surface is filled", "[tetra_fill]") {
  const DisplayMesh ball = primitive(PrimitiveShape::sphere, Vec3::Constant(0.5));
  const auto fill = fill_with_tetrahedra(together(primitive(PrimitiveShape::box), ball, Vec3(3, 0, 0)));
  REQUIRE(fill.ok());
  CHECK(connected_pieces(fill->truss).count == 2);
  REQUIRE(fill.diagnostics().size() == 1);
  CHECK(fill.error().message.find("2 pieces") != std::string::npos);
}

TEST_CASE("What cannot be filled is refused in a sentence", "[tetra_fill]") {
  const auto message = [](const DisplayMesh& mesh) {
    const auto fill = fill_with_tetrahedra(mesh);
    REQUIRE_FALSE(fill.ok());
    CHECK_FALSE(fill.error().hint.empty());
    return fill.error().message;
  };
  CHECK(message({}).find("no display model") != std::string::npos);
  CHECK(message(primitive(PrimitiveShape::plane)).find("not closed") != std::string::npos);
  DisplayMesh open = primitive(PrimitiveShape::sphere);
  open.faces.pop_back();
  CHECK(message(open).find("not closed") != std::string::npos);
  const DisplayMesh box = primitive(PrimitiveShape::box);
  CHECK(message(together(box, box, Vec3(0.3, 0.21, 0.13))).find("cuts through itself") != std::string::npos);
  DisplayMesh damaged = box;
  damaged.positions[0].x() = std::nan("");
  CHECK(message(damaged).find("not a number") != std::string::npos);
  // Inside out is turned, not refused.
  DisplayMesh turned = box;
  for (auto& f : turned.faces) std::swap(f[0], f[1]);
  REQUIRE(fill_with_tetrahedra(turned).ok());
}

TEST_CASE("A creature is filled within the time, and cancelling ends it at once", "[tetra_fill][threads]") {
  const DisplayMesh mesh = creature();
  const auto start = std::chrono::steady_clock::now();
  const auto fill = fill_with_tetrahedra(mesh);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  REQUIRE(fill.ok());
  INFO(fill->truss.tetrahedra.size() << " tetrahedra, " << fill->truss.nodes.size() << " nodes, " << seconds << " s");
  CHECK(fill->truss.tetrahedra.size() > 2000);
  CHECK(fill->truss.tetrahedra.size() < 4500);
  CHECK(problem(fill->truss) == "");
  CHECK(diagnose_rigidity(fill->truss).rigid());
  std::printf("filled: %zu tetrahedra, %zu nodes, %.2f s\n", fill->truss.tetrahedra.size(), fill->truss.nodes.size(),
              seconds);

  // A fill that takes long, stopped from another thread at several moments.
  for (const int delay : {0, 30, 200, 600}) {
    std::atomic<bool> stop = false;
    TetraFillOptions options;
    options.tetrahedra = 60'000;
    options.cancelled = &stop;
    double late = 0;
    std::thread job([&] {
      const auto result = fill_with_tetrahedra(mesh, options);
      late = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
      if (!result.ok()) CHECK(result.error().severity == Severity::info);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    stop = true;
    const double asked = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    job.join();
    std::printf("stopped %.3f s after it was asked\n", late - asked);
    CHECK(late - asked < 3.0);  // 0.3 s on a free machine; tests share theirs, sanitizers are slower
  }
}

}  // namespace tetra_fill_test
