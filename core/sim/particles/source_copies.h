// What is known from outside of copies that a source gives (copies.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/id.h"

namespace hazumi {

/// Which bodies of the model are the copies of a source.
struct SourceCopies {
  std::uint32_t first = 0, count = 0;
};

/// A copy of a source had no room.
struct CopyDenied {
  Id source;
  Id by;              ///< the thing that is in its way: an object, or a source by what it gave before
  bool late = false;  ///< the one after it is to be born already
  friend bool operator==(const CopyDenied&, const CopyDenied&) = default;
};

/// Copies of a source that have no room as a frame ends.
struct CopiesWaiting {
  Id source;
  std::uint32_t count = 0;
  Id by = {};  ///< what is in the way of one of them, as in CopyDenied
  friend bool operator==(const CopiesWaiting&, const CopiesWaiting&) = default;
};

/// What became of copies in a sub-step.
struct CopyTurn {
  double born = 0, gone = 0;  ///< J, energy of those born and gone, with that of their height: −m g·c
  std::vector<Id> bore;       ///< as in StepReport
  std::vector<CopyDenied> denied;
};

}  // namespace hazumi
