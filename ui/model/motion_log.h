// What boxes of motion graphs did in a run (RunLog::motion), as lights of the boxes up to a frame and as lines of a log.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <QString>

#include "core/scene/values/scene.h"
#include "core/sim/director.h"

namespace hazumi {

using MotionMarks = std::vector<std::pair<int, MotionMark>>;  ///< with their frames, in order of time

struct BoxLight {
  int armed = 0;    ///< of how many of its objects it is armed
  int running = 0;  ///< of how many it runs
  int count = 0;    ///< how often it happened, or was started
  int last = -1;    ///< frame in which it happened or was started last; −1: never
  friend bool operator==(const BoxLight&, const BoxLight&) = default;
};

/// Reads on from where it was, as long as time goes forwards.
class BoxLights {
 public:
  /// Up to `frame`, with what happened in it.
  const std::map<Id, BoxLight>& at(const MotionMarks& marks, int frame);
  void forget() { *this = {}; }  ///< marks that were read may be others now

 private:
  void read(const MotionMark& mark, int frame);
  std::map<Id, BoxLight> lights_;
  std::map<Id, std::set<Id>> armed_, running_;
  std::size_t read_ = 0;
  int frame_ = -1;
  std::optional<MotionMark> last_;
};

/// A line of the log: something that happened, with what was started by it, or something that began or ended by itself.
struct MotionLine {
  std::size_t mark = 0;  ///< number of the mark
  int frame = 0;
  Id box;
  std::vector<Id> started = {};  ///< boxes
};
std::vector<MotionLine> lines_of(const MotionMarks& marks, const Scene& scene);
/// "1.250 s · frame 75 · ball hits lane → bounce". `seconds`: of the film.
QString line_text(const MotionMarks& marks, const MotionLine& line, const Scene& scene, double seconds);

/// The first frame in ]after, to] in which one of these boxes happens or is started.
std::optional<int> first_stop(const MotionMarks& marks, const std::set<Id>& boxes, int after, int to);

}  // namespace hazumi
