#include "ui/model/solver_text.h"

#include "core/sim/elastic/solver.h"
#include "ui/model/text.h"

namespace hazumi {

QString solver_descriptions() {
  QString lines;
  for (const ElasticSolverInfo* solver : elastic_solvers())
    lines += QStringLiteral("\n%1 (%2): %3")
                 .arg(text_of(solver->label), text_of(solver->name), text_of(solver->description));
  return lines;
}

}  // namespace hazumi
