// Turns before and behind of FBX, T Rpre R Rpost⁻¹ (FBX SDK, "Computing transformation matrices"; Blender reads Rpost, so that its poses
// show nothing of it), and shapes that change.
#include <catch2/catch.hpp>

#include "core/import/mesh_file.h"
#include "core/math/rotation.h"
#include "tests/import/clip_support.h"
#include "tests/import/fbx_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace fbx_turns_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Quat turn(double x, double y, double z) { return from_euler_angles(Vec3(radians(x), radians(y), radians(z))); }

std::string angles(const char* name, double x, double y, double z) {
  return std::string("			P: \"") + name + "\", \"Vector3D\", \"Vector\", \"\"," + std::to_string(x) +
         "," + std::to_string(y) + "," + std::to_string(z) + "\n";
}

const std::string kTurns = std::string("			P: \"RotationActive\", \"bool\", \"\", \"\",1\n") +
                           angles("PreRotation", 20, 0, 50) + angles("PostRotation", -30, 70, 10) +
                           angles("Lcl Rotation", 5, 40, -25) + angles("Lcl Translation", 1, 2, 3);

}  // namespace

TEST_CASE("A node of FBX is turned by what stands before and by the inverse of what stands behind", "[import][fbx]") {
  const TemporaryFolder folder;
  write_bytes(folder / "arm.fbx", fbx_text(kTurns));
  const auto read = read_mesh_file(folder / "arm.fbx");
  if (!read.ok()) FAIL(to_string(read.error()));
  const Quat stands = turn(20, 0, 50) * turn(5, 40, -25) * turn(-30, 70, 10).conjugate();
  REQUIRE(read->mesh.positions.size() == 3);
  for (const Vec3& wanted : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0)}) {
    const Vec3 at = Vec3(1, 2, 3) + stands * wanted;
    double nearest = 1e9;
    for (const Vec3& p : read->mesh.positions) nearest = std::min(nearest, (p - at).norm());
    CHECK(nearest < 1e-5);
  }
}

TEST_CASE("So it is when it moves, between keys too", "[import][fbx][clips]") {
  const TemporaryFolder folder;
  const std::string keys = R"(
	AnimationCurveNode: 400, "AnimCurveNode::R", "" {
		Properties70:  {
			P: "d|X", "Number", "", "A",5
			P: "d|Y", "Number", "", "A",0
			P: "d|Z", "Number", "", "A",0
		}
	}
	AnimationCurveNode: 401, "AnimCurveNode::T", "" {
		Properties70:  {
			P: "d|X", "Number", "", "A",1
			P: "d|Y", "Number", "", "A",0
			P: "d|Z", "Number", "", "A",0
		}
	}
)";
  const std::string joins =
      "	C: \"OO\",301,300\n	C: \"OO\",400,301\n	C: \"OP\",400,200, \"Lcl Rotation\"\n"
      "	C: \"OP\",500,400, \"d|X\"\n	C: \"OO\",401,301\n	C: \"OP\",401,200, \"Lcl Translation\"\n"
      "	C: \"OP\",501,401, \"d|X\"\n";
  for (int kind = 0; kind < 16; ++kind) {
    const bool before = kind & 1, behind = kind & 2, turned = kind & 4, placed = kind & 8;
    INFO("before " << before << ", behind " << behind << ", turned at rest " << turned << ", placed " << placed);
    std::string node = "			P: \"RotationActive\", \"bool\", \"\", \"\",1\n";
    if (before) node += angles("PreRotation", 20, 0, 50);
    if (behind) node += angles("PostRotation", -30, 70, 10);
    if (turned) node += angles("Lcl Rotation", 5, 40, -25);
    if (placed) node += angles("Lcl Translation", 1, 2, 3);
    write_bytes(folder / "arm.fbx",
                fbx_text(node, kFbxStack + keys + fbx_curve(500, 5, 65) + fbx_curve(501, 1, 4), joins));
    const auto file = read_clip_file(folder / "arm.fbx");
    if (!file.ok()) FAIL(to_string(file.error()));
    REQUIRE(file->clips.size() == 1);
    REQUIRE(file->pieces.size() == 1);
    for (const double time : {0.0, 0.5, 1.0}) {
      const auto node_now = static_cast<std::size_t>(file->pieces[0].node);
      const Eigen::Affine3d now = clip_world(*file, &file->clips[0], time)[node_now];
      // Numbers without a curve are those of rest.
      Quat stands = turned ? turn(5 + 60 * time, 40, -25) : turn(5 + 60 * time, 0, 0);
      if (before) stands = turn(20, 0, 50) * stands;
      if (behind) stands = stands * turn(-30, 70, 10).conjugate();
      // Only where Rotation has a node of its own are keys along its angles.
      const bool between = time > 0 && time < 1 && !turned && behind;
      CHECK((now.linear() - stands.toRotationMatrix()).norm() < (between ? 0.5 : 1e-5));
      CHECK((now.translation() - Vec3(1 + 3 * time, placed ? 2 : 0, placed ? 3 : 0)).norm() < 1e-5);
    }
  }
}

TEST_CASE("Shapes that change are told of: of FBX and of glTF", "[import][clips]") {
  const TemporaryFolder folder;
  const std::string shape = R"(
	Geometry: 101, "Geometry::Smile", "Shape" {
		Version: 100
		Indexes: *1 {
			a: 1
		}
		Vertices: *3 {
			a: 0,0,1
		}
		Normals: *3 {
			a: 0,0,0
		}
	}
	Deformer: 600, "Deformer::", "BlendShape" {
		Version: 100
	}
	Deformer: 601, "SubDeformer::Smile", "BlendShapeChannel" {
		Version: 100
		DeformPercent: 0
		FullWeights: *1 {
			a: 100
		}
	}
	AnimationCurveNode: 410, "AnimCurveNode::DeformPercent", "" {
		Properties70:  {
			P: "d|DeformPercent", "Number", "", "A",0
		}
	}
	AnimationCurveNode: 400, "AnimCurveNode::T", "" {
		Properties70:  {
			P: "d|X", "Number", "", "A",0
			P: "d|Y", "Number", "", "A",0
			P: "d|Z", "Number", "", "A",0
		}
	}
)";
  write_bytes(
      folder / "face.fbx",
      fbx_text(
          "", kFbxStack + shape + fbx_curve(510, 0, 100) + fbx_curve(500, 0, 1),
          "	C: \"OO\",301,300\n	C: \"OO\",600,100\n	C: \"OO\",601,600\n	C: \"OO\",101,601\n"
          "	C: \"OO\",410,301\n	C: \"OP\",410,601, \"DeformPercent\"\n"
          "	C: \"OP\",510,410, \"d|DeformPercent\"\n"
          "	C: \"OO\",400,301\n	C: \"OP\",400,200, \"Lcl Translation\"\n	C: \"OP\",500,400, \"d|X\"\n"));
  write_bytes(folder / "face.gltf", R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "face", "mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}], "weights": [0]}],
    "animations": [{"samplers": [{"input": 2, "output": 3}, {"input": 2, "output": 4}],
      "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}},
                   {"sampler": 1, "target": {"node": 0, "path": "translation"}}]}],
    "buffers": [{"byteLength": 112, "uri": "face.bin"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 36},
      {"buffer": 0, "byteOffset": 72, "byteLength": 8}, {"buffer": 0, "byteOffset": 80, "byteLength": 8},
      {"buffer": 0, "byteOffset": 88, "byteLength": 24}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
      {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 1]},
      {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
      {"bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR"},
      {"bufferView": 4, "componentType": 5126, "count": 2, "type": "VEC3"}]})");
  const float numbers[] = {0, 0, 0, 1, 0, 0, 0, 1, 0,  // places
                           0, 0, 1, 0, 0, 0, 0, 0, 0,  // the shape
                           0, 1,                       // times
                           0, 1,                       // weights
                           0, 0, 0, 1, 0, 0};
  write_bytes(folder / "face.bin", std::string(reinterpret_cast<const char*>(numbers), sizeof numbers));
  for (const char* name : {"face.fbx", "face.gltf"}) {
    INFO(name);
    const auto file = read_clip_file(folder / name);
    if (!file.ok()) FAIL(to_string(file.error()));
    std::string told;
    for (const std::string& warning : file->imported.report.warnings) told += warning + "\n";
    CHECK(told.find("Shapes that change (morph targets) are not taken over") != std::string::npos);
    CHECK(file->clips.size() == 1);
  }
}

}  // namespace fbx_turns_test
