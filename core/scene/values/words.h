// The words that the enumerations of the scene have in files, in panels and in messages, in the order of
// their values.
#pragma once

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
HAZUMI_WORDS(AnalysisKind, "none", "plane grid", "box grid", "octahedron", "icosahedron", "strung")
HAZUMI_WORDS(MetaballShape, "ellipsoid", "torus")
HAZUMI_WORDS(MappingKind, "automatic", "linear", "embedding", "lattice", "skeleton")
HAZUMI_WORDS(UpAxis, "y", "z", "x")
HAZUMI_WORDS(BodyKind, "fixed", "point", "rigid", "flexible")
HAZUMI_WORDS(MassSource, "given", "material")
HAZUMI_WORDS(StiffnessSource, "given", "material")
HAZUMI_WORDS(ContactShape, "automatic", "none", "nodes", "vertices", "sphere", "box", "plane")
HAZUMI_WORDS(LightKind, "directional", "point")

#undef HAZUMI_WORDS

/// The word of an enumeration's value.
template <class Enum>
std::string_view word(Enum value) {
  return words<Enum>()[static_cast<std::size_t>(value)];
}

}  // namespace hazumi
