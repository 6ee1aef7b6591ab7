// Vertices as they stand in a file: a cube of 27 nodes with one inside, which a mesh for the eye splits at its edges.
#include "core/import/vertex_list.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/import/mesh_file.h"
#include "tests/support/temporary_folder.h"

namespace vertex_list_test {

using namespace hazumi;

namespace {

std::string put(const test::TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const auto path = folder.path() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

}  // namespace

TEST_CASE("Vertices of a file are those that stand in it, in their order", "[import][vertices]") {
  const test::TemporaryFolder folder;
  const std::string corners =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv .5 0.5 5e-1 1 0 0\n";
  const std::string faces =
      "f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";
  const auto obj = read_vertex_list(put(folder, "cube.obj", "# a cube\r\n  " + corners + "vn 0 0 1\nvt 0 0\n" + faces));
  REQUIRE(obj.ok());
  REQUIRE(obj->has_value());
  REQUIRE((*obj)->size() == 9);
  CHECK((**obj)[6] == Vec3(1, 1, 1));
  CHECK((**obj)[8] == Vec3(0.5, 0.5, 0.5));
  // For the eye there are 24, and none in the middle.
  const auto seen = read_mesh_file(folder.path() / "cube.obj");
  REQUIRE(seen.ok());
  CHECK(seen->mesh.positions.size() == 24);

  const std::string header =
      "ply\nformat ascii 1.0\ncomment x\nelement vertex 2\nproperty float nx\nproperty float x\nproperty float y\n"
      "property float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n";
  const auto ply = read_vertex_list(put(folder, "two.ply", header + "9 1 2 3\n9 4 5 6\n"));
  REQUIRE(ply.ok());
  REQUIRE(ply->has_value());
  CHECK(**ply == std::vector<Vec3>{Vec3(1, 2, 3), Vec3(4, 5, 6)});
  // Other kinds are left to the reader of meshes.
  const auto other = read_vertex_list(put(folder, "x.stl", "solid x\nendsolid x\n"));
  REQUIRE(other.ok());
  CHECK_FALSE(other->has_value());
}

TEST_CASE("A list of vertices that cannot be read is told of in one sentence", "[import][vertices][bad_input]") {
  const test::TemporaryFolder folder;
  const auto told = [&](const std::string& name, const std::string& text) {
    const auto read = read_vertex_list(put(folder, name, text));
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.ends_with('.'));
    CHECK(read.error().hint.ends_with('.'));
    return read.error().message;
  };
  CHECK(told("a.obj", "v 0 0 0\nv 1 x 0\n") == "Vertex 1 has no three numbers.");
  CHECK(told("b.obj", "v 0 0\n") == "Vertex 0 has no three numbers.");
  CHECK(told("c.ply", "solid") == "The file is no PLY file.");
  CHECK(told("d.ply", "ply\nformat ascii 1.0\n") == "The header has no end.");
  CHECK(told("e.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n") ==
        "The vertices have no places.");
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
  CHECK(told("f.ply", header + "1 2 3\n") == "The file ends within its vertices.");
  CHECK(told("g.ply", header + "1 2 3\n1 2\n") == "Vertex 1 has not all of its numbers.");
  const auto none = read_vertex_list(folder.path() / "gone.obj");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message == "The file cannot be opened.");
}

}  // namespace vertex_list_test
