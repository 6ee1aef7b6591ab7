// One line of the list of problems: what is told, whom it concerns, and what may be done about it by a click.
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "core/base/diagnostic.h"
#include "core/base/id.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

/// Whoever offers one makes it an edit that can be undone, or none at all (another frame).
struct Remedy {
  QString text, tip;
  std::function<void(DocumentController&, PlaybackController&)> apply;
};

struct Problem {
  enum class Source { load, run, edit, save, start, rules, camera, sound, joint, motion, cloth, pieces, room };

  Diagnostic diagnostic;
  Id object;  ///< what to select; none when it concerns no object or light
  Source source = Source::load;
  std::vector<Id> others = {};  ///< selected with it
  std::vector<Remedy> remedies = {};
};

}  // namespace hazumi
