// Whether a truss holds its shape (spec 1.7): the motions that no spring resists, beyond those of the body as
// a whole.
//
//   K u = 0,  u = 0 at pinned nodes          K with unit stiffness: a matter of geometry only
//
// rigid motions   6 in space less those that pins take (one pin 3, two 5, three not on a line 6)
// mechanisms      what is left of the null space when they are projected out
#pragma once

#include <functional>
#include <string>

#include "core/geometry/truss/edit.h"

namespace hazumi {

struct Rigidity {
  int rigid_motions = 6;  ///< that a rigid body with these nodes and pins has
  int mechanisms = 0;     ///< zero modes beyond them (counted up to 60; `more` when there are more)
  bool more = false;
  std::uint32_t pieces = 1;
  bool flat = false;     ///< all nodes in a plane (or on a line)
  NodeSelection loose;   ///< nodes that mechanisms move
  std::string sentence;  ///< for the editor: what is wrong and what to do, or that it is rigid
  bool rigid() const { return mechanisms == 0; }
};

/// Cancelled: nothing is found (mechanisms 0) and the sentence is empty. 1,000 nodes well under a second.
Rigidity diagnose_rigidity(const StrungTruss& truss, const std::function<bool()>& cancelled = {});

}  // namespace hazumi
