#include "ui/model/overlap_problems.h"

#include <algorithm>

#include "ui/model/collisions.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr std::size_t kListed = 5;

Problem problem_of(const Scene& scene, const Overlap& overlap) {
  Problem problem{{}, overlap.a, Problem::Source::start, {overlap.b}};
  problem.diagnostic.severity = Severity::warning;
  problem.diagnostic.path = name_of(scene, overlap.a).toStdString();
  problem.diagnostic.message = tr("%1 and %2 overlap by %3 mm at the start; separating them gives %4.")
                                   .arg(name_of(scene, overlap.a), name_of(scene, overlap.b),
                                        QString::number(1e3 * overlap.depth, 'g', overlap.depth < 1 ? 3 : 6),
                                        figure_text(overlap.energy, QStringLiteral("J")))
                                   .toStdString();
  problem.diagnostic.hint = tr("Move them apart, or let them ignore each other by groups.").toStdString();
  problem.remedies.push_back(
      {tr("Move apart"), tr("Move what can move at the start by the least that separates the two, half of it each."),
       [pair = std::pair(overlap.a, overlap.b)](DocumentController& document, PlaybackController& playback) {
         move_apart(document, playback, {pair});
       }});
  return problem;
}

}  // namespace

std::vector<Problem> overlap_problems(const Scene& scene, const StartReport& report) {
  std::vector<Overlap> overlaps = report.overlaps;
  std::erase_if(overlaps, [&](const Overlap& o) { return !find_object(scene, o.a) || !find_object(scene, o.b); });
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const Overlap& x, const Overlap& y) { return x.depth > y.depth; });
  std::vector<Problem> problems;
  double energy = 0;
  for (std::size_t k = 0; k < overlaps.size(); ++k)
    if (k < kListed)
      problems.push_back(problem_of(scene, overlaps[k]));
    else
      energy += overlaps[k].energy;
  if (overlaps.size() <= kListed) return problems;
  Problem more{{}, {}, Problem::Source::start};
  more.diagnostic.severity = Severity::warning;
  more.diagnostic.message = tr("And %1 more pairs overlap at the start; separating them gives %2.")
                                .arg(overlaps.size() - kListed)
                                .arg(figure_text(energy, QStringLiteral("J")))
                                .toStdString();
  more.remedies.push_back(
      {tr("Move all apart"), tr("Move whatever overlaps at the start by the least that separates it."),
       [](DocumentController& document, PlaybackController& playback) { move_apart(document, playback); }});
  problems.push_back(std::move(more));
  return problems;
}

QString no_overlap(const PlaybackController& playback) {
  const auto start = playback.status().start;
  if (!start) return tr("The start of the run is still being looked at.");
  return start->overlaps.empty() ? tr("Nothing overlaps at the start.") : QString();
}

void move_apart(DocumentController& document, PlaybackController& playback,
                const std::vector<std::pair<Id, Id>>& pairs) {
  if (const QString why = no_overlap(playback); !why.isEmpty()) {
    emit document.refused(why);
    return;
  }
  playback.want_separation(pairs);
}

void put_apart(DocumentController& document, const MovedApart& moved) {
  Scene scene = document.scene();
  if (!moved.left.empty()) {
    const Overlap& stuck = moved.left.front();
    emit document.refused(
        tr("%1 and %2 cannot be moved apart: what does not move leaves no room; make room, or let them "
           "ignore each other by groups.")
            .arg(name_of(scene, stuck.a), name_of(scene, stuck.b)));
    return;
  }
  if (moved.moves.empty()) {
    emit document.refused(tr("Nothing had to be moved: what overlaps does so by less than can be seen."));
    return;
  }
  for (const auto& [id, by] : moved.moves)
    scene = with_object(std::move(scene), id, [&way = by](Object& o) { o.transform.position += way; });
  (void)document.edit(tr("Move apart"), std::move(scene));
}

}  // namespace hazumi
