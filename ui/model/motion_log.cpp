#include "ui/model/motion_log.h"

#include <algorithm>

#include "core/scene/derived/motion_rules.h"
#include "ui/model/commands.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_text.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

bool began(const MotionMark& mark) { return mark.turn == MotionTurn::happened || mark.turn == MotionTurn::started; }

bool same_moment(const MotionMark& a, const MotionMark& b) { return a.substep == b.substep && a.moment == b.moment; }

bool leads_to(const Scene& scene, Id from, Id to) {
  const MotionNode* node = find_motion(scene, from);
  return node && std::any_of(node->wires.begin(), node->wires.end(),
                             [&](const MotionWire& wire) { return !wire.related && wire.to == to.value; });
}

QString title_of(const Scene& scene, Id box) {
  const MotionNode* node = find_motion(scene, box);
  return node ? box_title(*node) : tr("a box that is gone");
}

/// Of the lines of this moment that which has led to the start of a box; null: none.
MotionLine* cause_of(std::vector<MotionLine>& lines, const MotionMarks& marks, const Scene& scene,
                     const MotionMark& start) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const MotionMark& mark = marks[line->mark].second;
    if (!same_moment(mark, start)) return nullptr;
    if (mark.turn == MotionTurn::happened && mark.object == start.object && leads_to(scene, mark.box, start.box))
      return &*line;
  }
  return nullptr;
}

}  // namespace

void BoxLights::read(const MotionMark& mark, int frame) {
  BoxLight& light = lights_[mark.box];
  std::set<Id>&armed = armed_[mark.box], &running = running_[mark.box];
  if (mark.turn == MotionTurn::armed) armed.insert(mark.object);
  if (mark.turn == MotionTurn::disarmed) armed.erase(mark.object);
  if (mark.turn == MotionTurn::started) running.insert(mark.object);
  if (mark.turn == MotionTurn::ended) running.erase(mark.object);
  light.armed = static_cast<int>(armed.size());
  light.running = static_cast<int>(running.size());
  if (!began(mark)) return;
  ++light.count;
  light.last = frame;
}

const std::map<Id, BoxLight>& BoxLights::at(const MotionMarks& marks, int frame) {
  const bool goes_on =
      frame >= frame_ && read_ <= marks.size() && (read_ == 0 || (last_ && marks[read_ - 1].second == *last_));
  if (!goes_on) forget();
  for (; read_ < marks.size() && marks[read_].first <= frame; ++read_) {
    read(marks[read_].second, marks[read_].first);
    last_ = marks[read_].second;
  }
  frame_ = frame;
  return lights_;
}

std::vector<MotionLine> lines_of(const MotionMarks& marks, const Scene& scene) {
  std::vector<MotionLine> lines;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto& [frame, mark] = marks[i];
    if (!began(mark) && mark.turn != MotionTurn::ended) continue;
    if (mark.turn == MotionTurn::started) {
      // What is started anew is not over.
      if (!lines.empty() && lines.back().box == mark.box) {
        const MotionMark& last = marks[lines.back().mark].second;
        if (last.turn == MotionTurn::ended && last.object == mark.object && same_moment(last, mark)) lines.pop_back();
      }
      if (MotionLine* cause = cause_of(lines, marks, scene, mark)) {
        cause->started.push_back(mark.box);
        continue;
      }
    }
    lines.push_back({i, frame, mark.box});
  }
  return lines;
}

QString line_text(const MotionMarks& marks, const MotionLine& line, const Scene& scene, double seconds) {
  const MotionMark& mark = marks[line.mark].second;
  const MotionNode* node = find_motion(scene, mark.box);
  const QString object = name_of(scene, mark.object);
  QString what;
  if (mark.turn == MotionTurn::ended)
    what = tr("%1: %2 is over").arg(object, title_of(scene, mark.box));
  else if (!node || mark.turn == MotionTurn::started)
    what = tr("%1: %2").arg(object, title_of(scene, mark.box));
  else {
    what = happened_text(scene, *node, mark.object, mark.other);
    if (!node->name.empty()) what = QStringLiteral("%1 (%2)").arg(what, box_title(*node));
    if (!what.contains(object)) what = QStringLiteral("%1: %2").arg(object, what);
  }
  QStringList started;
  for (const Id box : line.started) started << title_of(scene, box);
  if (!started.isEmpty()) what += QStringLiteral(" → ") + started.join(QStringLiteral(", "));
  return tr("%1 s · frame %2 · %3").arg(seconds, 0, 'f', 3).arg(line.frame).arg(what);
}

std::optional<int> first_stop(const MotionMarks& marks, const std::set<Id>& boxes, int after, int to) {
  auto at = std::upper_bound(marks.begin(), marks.end(), after,
                             [](int frame, const auto& entry) { return frame < entry.first; });
  for (; at != marks.end() && at->first <= to; ++at)
    if (began(at->second) && boxes.count(at->second.box)) return at->first;
  return std::nullopt;
}

}  // namespace hazumi
