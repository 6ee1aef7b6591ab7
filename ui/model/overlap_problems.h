// Bodies that overlap at the start, as problems, and the edit that moves them apart.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <QString>

#include "ui/model/problem.h"

namespace hazumi {

class DocumentController;
class PlaybackController;
struct StartReport;

/// A line for each pair, the deepest first; of many the first few and one that says how many more there are.
std::vector<Problem> overlap_problems(const Scene& scene, const StartReport& report);

/// Why nothing can be moved apart now; empty: it can.
QString no_overlap(const PlaybackController& playback);
/// One undo step. No pairs named: all that overlap. What cannot be done is told as a refused edit.
void move_apart(DocumentController& document, const PlaybackController& playback,
                std::span<const std::pair<Id, Id>> pairs = {});

}  // namespace hazumi
