// Bodies that overlap at the start, as problems, and the edit that moves them apart.
#pragma once

#include <utility>
#include <vector>

#include <QString>

#include "ui/model/problem.h"

namespace hazumi {

class DocumentController;
class PlaybackController;
struct MovedApart;
struct StartReport;

/// A line for each pair, the deepest first; of many the first few and one that says how many more there are.
std::vector<Problem> overlap_problems(const Scene& scene, const StartReport& report);

/// Why nothing can be moved apart now; empty: it can.
QString no_overlap(const PlaybackController& playback);
/// Asks the job for it (ui/jobs/separation_job.h). No pairs named: all that overlap. What cannot be done is told as a refused edit.
void move_apart(DocumentController& document, PlaybackController& playback,
                const std::vector<std::pair<Id, Id>>& pairs = {});
/// What was found, as one undo step; or why not, as a refused edit.
void put_apart(DocumentController& document, const MovedApart& moved);

}  // namespace hazumi
