// The presets. Look: ambient, diffuse, specular of the classic OpenGL teapot material table, shininess × 128.
// Physics, in order: density kg/m³, Young's modulus Pa, Poisson's ratio, restitution, friction. Young's
// modulus and Poisson's ratio of gold, silver, copper and rubber are those of the thesis (spec 8.2; rubber:
// the middle of its range); the others are handbook values of the mineral (emerald: beryl; jade: nephrite;
// pearl: nacre; ruby: corundum), of the alloy, and of ABS for plastic. Restitution and friction depend on
// partner and speed; these are typical for a drop on a hard floor.
#include "core/scene/values/materials.h"

namespace hazumi {

namespace {

const std::vector<MaterialPreset>& table() {
  static const std::vector<MaterialPreset> presets = {
      {"emerald",
       "gems",
       {Vec3(0.0215, 0.1745, 0.0215), Vec3(0.07568, 0.61424, 0.07568), Vec3(0.633, 0.727811, 0.633), 76.8, 1.0},
       {2760, 2.1e11, 0.23, 0.75, 0.3}},
      {"jade",
       "gems",
       {Vec3(0.135, 0.2225, 0.1575), Vec3(0.54, 0.89, 0.63), Vec3(0.316228, 0.316228, 0.316228), 12.8, 1.0},
       {2980, 1.3e11, 0.26, 0.7, 0.3}},
      {"obsidian",
       "gems",
       {Vec3(0.05375, 0.05, 0.06625), Vec3(0.18275, 0.17, 0.22525), Vec3(0.332741, 0.328634, 0.346435), 38.4, 1.0},
       {2400, 6.8e10, 0.19, 0.65, 0.4}},
      {"pearl",
       "gems",
       {Vec3(0.25, 0.20725, 0.20725), Vec3(1, 0.829, 0.829), Vec3(0.296648, 0.296648, 0.296648), 11.264, 1.0},
       {2720, 7e10, 0.29, 0.7, 0.3}},
      {"ruby",
       "gems",
       {Vec3(0.1745, 0.01175, 0.01175), Vec3(0.61424, 0.04136, 0.04136), Vec3(0.727811, 0.626959, 0.626959), 76.8, 1.0},
       {4000, 4e11, 0.23, 0.85, 0.2}},
      {"turquoise",
       "gems",
       {Vec3(0.1, 0.18725, 0.1745), Vec3(0.396, 0.74151, 0.69102), Vec3(0.297254, 0.30829, 0.306678), 12.8, 1.0},
       {2700, 5e10, 0.25, 0.55, 0.4}},
      {"brass",
       "metals",
       {Vec3(0.329412, 0.223529, 0.027451), Vec3(0.780392, 0.568627, 0.113725), Vec3(0.992157, 0.941176, 0.807843),
        27.89743616, 1.0},
       {8500, 1.03e11, 0.34, 0.6, 0.4}},
      {"bronze",
       "metals",
       {Vec3(0.2125, 0.1275, 0.054), Vec3(0.714, 0.4284, 0.18144), Vec3(0.393548, 0.271906, 0.166721), 25.6, 1.0},
       {8800, 1.1e11, 0.34, 0.65, 0.35}},
      {"polished bronze",
       "metals",
       {Vec3(0.25, 0.148, 0.06475), Vec3(0.4, 0.2368, 0.1036), Vec3(0.774597, 0.458561, 0.200621), 76.8, 1.0},
       {8800, 1.1e11, 0.34, 0.65, 0.25}},
      {"chrome",
       "metals",
       {Vec3(0.25, 0.25, 0.25), Vec3(0.4, 0.4, 0.4), Vec3(0.774597, 0.774597, 0.774597), 76.8, 1.0},
       {7190, 2.79e11, 0.21, 0.8, 0.25}},
      {"copper",
       "metals",
       {Vec3(0.19125, 0.0735, 0.0225), Vec3(0.7038, 0.27048, 0.0828), Vec3(0.256777, 0.137622, 0.086014), 12.8, 1.0},
       {8960, 1.298e11, 0.343, 0.5, 0.45}},
      {"polished copper",
       "metals",
       {Vec3(0.2295, 0.08825, 0.0275), Vec3(0.5508, 0.2118, 0.066), Vec3(0.580594, 0.223257, 0.0695701), 51.2, 1.0},
       {8960, 1.298e11, 0.343, 0.5, 0.3}},
      {"gold",
       "metals",
       {Vec3(0.24725, 0.1995, 0.0745), Vec3(0.75164, 0.60648, 0.22648), Vec3(0.628281, 0.555802, 0.366065), 51.2, 1.0},
       {19300, 7.8e10, 0.44, 0.35, 0.45}},
      {"polished gold",
       "metals",
       {Vec3(0.24725, 0.2245, 0.0645), Vec3(0.34615, 0.3143, 0.0903), Vec3(0.797357, 0.723991, 0.208006), 83.2, 1.0},
       {19300, 7.8e10, 0.44, 0.35, 0.3}},
      {"pewter",
       "metals",
       {Vec3(0.105882, 0.058824, 0.113725), Vec3(0.427451, 0.470588, 0.541176), Vec3(0.333333, 0.333333, 0.521569),
        9.84615, 1.0},
       {7300, 5e10, 0.36, 0.35, 0.4}},
      {"silver",
       "metals",
       {Vec3(0.19225, 0.19225, 0.19225), Vec3(0.50754, 0.50754, 0.50754), Vec3(0.508273, 0.508273, 0.508273), 51.2,
        1.0},
       {10490, 8.27e10, 0.367, 0.45, 0.4}},
      {"polished silver",
       "metals",
       {Vec3(0.23125, 0.23125, 0.23125), Vec3(0.2775, 0.2775, 0.2775), Vec3(0.773911, 0.773911, 0.773911), 89.6, 1.0},
       {10490, 8.27e10, 0.367, 0.45, 0.28}},
      {"black plastic",
       "plastic",
       {Vec3(0, 0, 0), Vec3(0.01, 0.01, 0.01), Vec3(0.5, 0.5, 0.5), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"cyan plastic",
       "plastic",
       {Vec3(0, 0.1, 0.06), Vec3(0, 0.50980392, 0.50980392), Vec3(0.50196078, 0.50196078, 0.50196078), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"green plastic",
       "plastic",
       {Vec3(0, 0, 0), Vec3(0.1, 0.35, 0.1), Vec3(0.45, 0.55, 0.45), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"red plastic",
       "plastic",
       {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0.7, 0.6, 0.6), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"white plastic",
       "plastic",
       {Vec3(0, 0, 0), Vec3(0.55, 0.55, 0.55), Vec3(0.7, 0.7, 0.7), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"yellow plastic",
       "plastic",
       {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.6, 0.6, 0.5), 32, 1.0},
       {1050, 2.3e09, 0.35, 0.7, 0.35}},
      {"black rubber",
       "rubber",
       {Vec3(0.02, 0.02, 0.02), Vec3(0.01, 0.01, 0.01), Vec3(0.4, 0.4, 0.4), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
      {"cyan rubber",
       "rubber",
       {Vec3(0, 0.05, 0.05), Vec3(0.4, 0.5, 0.5), Vec3(0.04, 0.7, 0.7), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
      {"green rubber",
       "rubber",
       {Vec3(0, 0.05, 0), Vec3(0.4, 0.5, 0.4), Vec3(0.04, 0.7, 0.04), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
      {"red rubber",
       "rubber",
       {Vec3(0.05, 0, 0), Vec3(0.5, 0.4, 0.4), Vec3(0.7, 0.04, 0.04), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
      {"white rubber",
       "rubber",
       {Vec3(0.05, 0.05, 0.05), Vec3(0.5, 0.5, 0.5), Vec3(0.7, 0.7, 0.7), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
      {"yellow rubber",
       "rubber",
       {Vec3(0.05, 0.05, 0), Vec3(0.5, 0.5, 0.4), Vec3(0.7, 0.7, 0.04), 10, 1.0},
       {1100, 2.5e06, 0.48, 0.8, 0.9}},
  };
  return presets;
}

}  // namespace

std::span<const MaterialPreset> material_presets() { return table(); }

const MaterialPreset* find_material(std::string_view name) {
  for (const MaterialPreset& preset : table())
    if (preset.name == name) return &preset;
  return nullptr;
}

Material apply_preset(Material material, const MaterialPreset& preset) {
  material.preset = preset.name;
  material.surface = preset.surface;
  if (material.substance_follows) material.substance = preset.substance;
  return material;
}

const Material& material_of_part(const Object& object, std::string_view part) {
  for (const PartMaterial& own : object.part_materials)
    if (own.part == part) return own.material;
  return object.material;
}

}  // namespace hazumi
