// Fields that are keyed together under one name, of whatever is selected.
#pragma once

#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"

namespace hazumi {

struct KeyingSet {
  Id id;
  std::string name;
  bool visible = true;  ///< it is offered
  /// Paths of rows with commas between them, as of Track::field: "transform.position, settings.gravity". What a thing does not have
  /// is left out.
  std::string fields;
  Kept kept;
};

}  // namespace hazumi
