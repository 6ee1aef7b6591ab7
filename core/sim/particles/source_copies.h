// What is known from outside of copies that a source gives (copies.h).
#pragma once

#include <cstdint>

namespace hazumi {

/// Which bodies of the model are the copies of a source.
struct SourceCopies {
  std::uint32_t first = 0, count = 0;
};

/// J, energy of copies born and gone in a sub-step, with that of their height: −m g·c.
struct CopyTurn {
  double born = 0, gone = 0;
};

}  // namespace hazumi
