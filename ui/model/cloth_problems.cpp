#include "ui/model/cloth_problems.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/geometry/truss/cloth_mesh.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr int kMostNodes = kQuickCloth;  // 24 × 24 squares; of 40 × 40 that crumple a frame takes seconds
constexpr double kQuick = 441;           // nodes, of 20 × 20

std::array<int, 3> fewer(const std::array<int, 3>& divisions) {
  const double share = std::sqrt(kQuick / ((divisions[0] + 1.0) * (divisions[2] + 1.0)));
  const auto part = [share](int count) { return std::max(1, static_cast<int>(std::lround(share * count))); };
  return {part(divisions[0]), divisions[1], part(divisions[2])};
}

/// What is seen, too, where it is a plane that is finer: each of its corners that touches asks for an impulse of its own.
void use_fewer(Object& object) {
  object.analysis.divisions = fewer(object.analysis.divisions);
  Primitive& seen = object.display.primitive;
  if (object.display.kind != DisplayKind::primitive || seen.shape != PrimitiveShape::plane) return;
  for (const std::size_t axis : {0u, 2u})
    seen.divisions[axis] = std::min(seen.divisions[axis], object.analysis.divisions[axis]);
}

Problem slow(const Object& object, const QString& has, const QString& hint) {
  Problem problem{{}, object.id, Problem::Source::cloth};
  problem.diagnostic.severity = Severity::warning;
  problem.diagnostic.path = object.name;
  problem.diagnostic.message = tr("%1 has %2: where it crumples on something a frame may take many seconds.")
                                   .arg(QString::fromStdString(object.name), has)
                                   .toStdString();
  problem.diagnostic.hint = hint.toStdString();
  return problem;
}

Problem slow_sheet(const Object& object) {
  const std::size_t nodes = object.analysis.strung->nodes.size();
  Problem problem = slow(object, tr("%1 nodes").arg(nodes), tr("Up to 650 it stays quick."));
  const QString wanted = tr("%1 nodes").arg(static_cast<int>(kQuick));
  problem.remedies.push_back(
      {tr("Use %1").arg(wanted),
       tr("The cloth is made anew from the display model, simplified; pins and changes by hand go."),
       [id = object.id](DocumentController& document, PlaybackController&) {
         emit document.thinner_cloth_wanted(id, static_cast<int>(kQuick));
       }});
  return problem;
}

QString squares(const std::array<int, 3>& divisions) {
  return tr("%1 × %2 squares").arg(divisions[0]).arg(divisions[2]);
}

}  // namespace

std::vector<Problem> cloth_problems(const Scene& scene) {
  std::vector<Problem> problems;
  for (const auto& object : scene.objects) {
    const AnalysisModel& model = object->analysis;
    if (!bends(object->body)) continue;
    if (is_sheet(model) && model.strung->nodes.size() > kMostNodes) problems.push_back(slow_sheet(*object));
    if (model.kind != AnalysisKind::cloth) continue;
    if ((model.divisions[0] + 1) * (model.divisions[2] + 1) <= kMostNodes) continue;
    const QString name = QString::fromStdString(object->name), wanted = squares(fewer(model.divisions));
    Problem problem = slow(*object, squares(model.divisions), tr("Up to 24 × 24 it stays quick."));
    problem.remedies.push_back({tr("Use %1").arg(wanted), tr("Stretch, shear and bending do not depend on it."),
                                [id = object->id, name, wanted](DocumentController& document, PlaybackController&) {
                                  (void)document.edit_object(tr("Give %1 %2").arg(name, wanted), id, use_fewer);
                                }});
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace hazumi
