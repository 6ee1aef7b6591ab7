// What edits of a truss (edit.h) do to the sheet of a cloth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/geometry/truss/strung.h"

namespace hazumi {

/// The first triangle that runs along an edge the way one before it does; none: at most two are at every edge, in opposite directions.
std::optional<std::size_t> crowded_face(std::span<const std::array<std::uint32_t, 3>> faces);

/// Takes out such triangles; a truss that has no triangle left is no cloth any more.
void settle_sheet(StrungTruss& truss);

}  // namespace hazumi
