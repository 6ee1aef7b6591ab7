#include "ui/model/piece_problems.h"

#include "core/scene/derived/piece_faults.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

std::vector<Problem> piece_problems(const Scene& scene) {
  std::vector<Problem> problems;
  for (const LooseModel& loose : loose_models(scene)) {
    const Object* object = find_object(scene, loose.object);
    if (!object) continue;
    const QString name = QString::fromStdString(object->name);
    Problem problem{{}, loose.object, Problem::Source::pieces};
    problem.diagnostic.severity = Severity::warning;
    problem.diagnostic.path = object->name;
    problem.diagnostic.message = loose.message;
    problem.diagnostic.hint = loose.hint;
    problem.remedies.push_back(
        {tr("Keep the largest piece"),
         tr("Deletes the %1 nodes of the others, %2 stay; poses and forces on nodes go along. What is seen stays whole "
            "and goes with what is left.")
             .arg(loose.nodes - loose.largest)
             .arg(loose.largest),
         [id = loose.object, name](DocumentController& document, PlaybackController&) {
           (void)document.edit(tr("Keep the largest piece of %1").arg(name), with_largest_piece(document.scene(), id));
         }});
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace hazumi
