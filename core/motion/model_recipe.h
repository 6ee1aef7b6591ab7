// How a thing bends, without what is seen of it: a stand-in of a motion has the analysis model of what it stands for, its solver and its numbers. A
// thing that does not bend can take them, as large and as heavy as it is.
//
//   L, M   the thing's size and mass in those of what the stand-in stands for;  T = √L its own time
//   nodes  go with the box of what is seen, which display.primitive.size of the stand-in has, around the middle of it
//   k, N/m: M/T²   c, N s/m: M/T   E, Pa: M/(L T²)   A, m²: L²   parameters of solvers by their units
#pragma once

#include "core/motion/catalogue.h"

namespace hazumi {

/// Of a flexible object with an analysis model; else nothing is kept, and the stand-in does not bend.
void keep_model(const Object& object, const MotionBody& body, Object& stand_in);
/// m, as MotionBody::size.
double size_made_with(const Object& stand_in);
/// The thing bends from now on: it is rigid, and the stand-in is flexible. An analysis model that it has stays, as one of several.
void take_model(const Object& stand_in, const MotionBody& body, Object& thing);

}  // namespace hazumi
