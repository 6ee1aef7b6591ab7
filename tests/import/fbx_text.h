// A small FBX 7.3 in its text form: one triangle on one node, whatever stands in the node and around it.
#pragma once

#include <string>

namespace hazumi::test {

inline std::string fbx_text(const std::string& of_node, const std::string& objects = "",
                            const std::string& connections = "") {
  return R"(; FBX 7.3.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Definitions:  {
	Version: 100
	Count: 0
}
Objects:  {
	Geometry: 100, "Geometry::", "Mesh" {
		Vertices: *9 {
			a: 0,0,0,1,0,0,0,2,0
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
		GeometryVersion: 124
	}
	Model: 200, "Model::arm", "Mesh" {
		Version: 232
		Properties70:  {
)" + of_node +
         R"(
		}
	}
)" + objects +
         R"(
}
Connections:  {
	C: "OO",200,0
	C: "OO",100,200
)" + connections +
         R"(
}
)";
}

/// Keys of one number, 0 s and 1 s, as an object of that id.
inline std::string fbx_curve(int id, double from, double to) {
  return "	AnimationCurve: " + std::to_string(id) + R"(, "AnimCurve::", "" {
		Default: 0
		KeyVer: 4008
		KeyTime: *2 {
			a: 0,46186158000
		}
		KeyValueFloat: *2 {
			a: )" +
         std::to_string(from) + "," + std::to_string(to) + R"(
		}
		KeyAttrFlags: *1 {
			a: 4
		}
		KeyAttrDataFloat: *4 {
			a: 0,0,0,0
		}
		KeyAttrRefCount: *1 {
			a: 2
		}
	}
)";
}

inline constexpr const char* kFbxStack = R"(
	AnimationStack: 300, "AnimStack::Take", "" {
	}
	AnimationLayer: 301, "AnimLayer::Base", "" {
	}
)";

}  // namespace hazumi::test
