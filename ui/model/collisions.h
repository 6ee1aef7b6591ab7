// Collisions of a run as a person reads them: what meets what, how fast, and force, time and squash by the closed form and as
// measured in the run.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include <QString>

#include "core/playback/simulator.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// One quantity, twice: text, or "–" where it has no meaning; the tip says how it is meant, or why there is none.
struct CollisionFigure {
  QString closed, measured, tip;
  friend bool operator==(const CollisionFigure&, const CollisionFigure&) = default;
};

struct CollisionRow {
  Id a, b;  ///< the selected one first, else the one that moves
  int frame = 0;
  QString objects;  ///< "Ball – Floor"
  QString speed;
  CollisionFigure impulse, force, time, squash;
  friend bool operator==(const CollisionRow&, const CollisionRow&) = default;
};

/// Those that began in a frame: of what is selected first, then the strongest.
std::vector<CollisionRow> collisions_of_frame(const RunLog& log, const Scene& scene, const std::set<Id>& selected,
                                              int frame);
/// Frame of the last collision of one of these that began before or in `frame`.
std::optional<int> last_collision(const RunLog& log, const std::set<Id>& of, int frame);

/// Three figures and a unit with the prefix that fits: "1.24 kN", "0.0350 N", "0.350 mm".
QString figure_text(double value, const QString& unit);

}  // namespace hazumi
