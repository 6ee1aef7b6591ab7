// The words that the enumerations of the scene have in files, in panels and in messages, in the order of
// their values.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/scene/values/scene.h"

namespace hazumi {

template <class Enum>
std::span<const std::string_view> words();

#define HAZUMI_WORDS(Enum, ...)                                 \
  template <>                                                   \
  inline std::span<const std::string_view> words<Enum>() {      \
    static constexpr std::string_view kWords[] = {__VA_ARGS__}; \
    return kWords;                                              \
  }

HAZUMI_WORDS(DisplayKind, "none", "primitive", "mesh", "metaballs")
HAZUMI_WORDS(PrimitiveShape, "box", "sphere", "cylinder", "cone", "torus", "plane", "superellipsoid", "supertorus",
             "one-sheet hyperboloid", "two-sheet hyperboloid", "capsule", "tube", "wedge", "rounded box")
HAZUMI_WORDS(AnalysisKind, "none", "plane grid", "box grid", "octahedron", "icosahedron", "cloth", "rope", "strung")
HAZUMI_WORDS(MetaballShape, "ellipsoid", "torus")
HAZUMI_WORDS(MappingKind, "automatic", "linear", "embedding", "lattice", "skeleton")
HAZUMI_WORDS(UpAxis, "y", "z", "x")
HAZUMI_WORDS(MassSource, "given", "material")
HAZUMI_WORDS(StiffnessSource, "given", "material")
HAZUMI_WORDS(VolumeOf, "off", "surface", "hull")
HAZUMI_WORDS(VolumeMethod, "exact", "optimisation")
HAZUMI_WORDS(ShapeWay, "physics", "linear")
HAZUMI_WORDS(Impacts, "at_once", "sine_pulse")
HAZUMI_WORDS(StudioLight, "scene", "studio", "daylight", "overcast", "evening")
HAZUMI_WORDS(ToneCurve, "shoulder", "filmic")
HAZUMI_WORDS(CurveKind, "line", "arc", "spline")
HAZUMI_WORDS(JointKind, "ball", "hinge", "slider", "fixed", "spring", "rope", "gear", "lead", "pull")
HAZUMI_WORDS(FieldKind, "wind", "drag", "vortex", "attractor", "water", "gravity", "point gravity")
HAZUMI_WORDS(FieldShape, "everywhere", "box", "ball", "curve")
HAZUMI_WORDS(SourceGives, "particles", "copies")
HAZUMI_WORDS(SourceShape, "ball", "disc", "ring", "surface", "curve")
HAZUMI_WORDS(ParticleHit, "bounce", "stick", "die", "split")
HAZUMI_WORDS(ParticleLook, "disc", "streak", "puff", "point", "mesh")
HAZUMI_WORDS(LightKind, "directional", "point")
HAZUMI_WORDS(KeyShape, "step", "linear", "spline")
HAZUMI_WORDS(KeyTangent, "automatic", "free", "aligned", "flat")
HAZUMI_WORDS(Beyond, "hold", "linear", "cycle", "cycle with offset")
HAZUMI_WORDS(MotionRole, "event", "procedure")
HAZUMI_WORDS(TurnBy, "quaternion", "angles")

#undef HAZUMI_WORDS

template <>
inline std::span<const std::string_view> words<BodyKind>() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kBodyKinds.size()> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kBodyKinds[i].name;
    return names;
  }();
  return kNames;
}

template <>
inline std::span<const std::string_view> words<ContactShape>() {
  static constexpr std::string_view kWords[] = {
      "automatic",
      "none",
#define HAZUMI_ROW(order, name) #name,
#include "generated/HAZUMI_CONTACT_SHAPE.inc"
#undef HAZUMI_ROW
  };
  return kWords;
}

/// The word of an enumeration's value.
template <class Enum>
std::string_view word(Enum value) {
  return words<Enum>()[static_cast<std::size_t>(value)];
}

}  // namespace hazumi
