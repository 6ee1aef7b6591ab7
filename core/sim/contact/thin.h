// Few rows for one pair: contacts at one place that look the same way are one, and of many that look the same way those stay that
// span the region.
#pragma once

#include <span>
#include <vector>

#include "core/sim/constraint/memory.h"
#include "core/sim/contact/contact.h"

namespace hazumi {

struct ThinLimits {
  std::size_t most = 8;  ///< contacts of one region
  std::size_t most_of_pair = 32;
  double alike = 0.995;        ///< cosine of the normals of one region
  bool bends = false;          ///< a region is covered, one contact every `near`; else it is spanned by its border
  bool deepest_first = false;  ///< of those nearer than `near` the deeper one, where a region bends; any number of them
  double near = 0;             ///< m: nearer than this they are one
  double sags = 1e300;         ///< m: what is as deep as this counts as twice as far from those kept
};

/// Those from `first` on, all of one pair. `known`: rows of the pair in the sub-step before, which are rather kept than others.
void thin_contacts(std::vector<Contact>& contacts, std::size_t first, std::span<const RowMemory> known,
                   const ThinLimits& limits);

}  // namespace hazumi
