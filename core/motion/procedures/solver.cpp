// Another elastic model from one moment on: the nodes stay where they are and go on as they went, and the forces between them are others. What it
// is strained by in its new model it has as energy at once (StepReport::given). Its numbers are those that the object has for that solver.
//
// As long as nothing else gives it one it keeps it; a box that names the object's own solver gives that back.
#include "core/motion/kinds.h"
#include "core/scene/derived/told_solvers.h"

namespace hazumi {
namespace {

std::span<const std::string_view> solver_names() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    for (const ElasticSolverInfo* info : elastic_solvers()) names.push_back(info->name);
    return names;
  }();
  return all;
}

/// Made when they are first asked for: the words are of another table.
std::span<const ParameterRow> solver_rows() {
  static const ParameterRow rows[] = {
      {.name = kSolverProcedure,
       .label = "Solver",
       .tooltip = "Which elastic solver moves its nodes from now on, with the numbers that the object has for it.",
       .type = FieldType::choice,
       .choices = solver_names(),
       .fallback = static_cast<double>(number_of_solver("springs"))}};
  return rows;
}

void solver_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  forces.solver = static_cast<int>(context.parameters[0]);
}

bool solver_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_solver() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "solver",
        "Change Solver",
        "Gives it another elastic model: jelly becomes cloth that crumples. Of flexible bodies.",
        "let {of} bend by {solver}",
        "Shape",
        solver_rows(),
        OtherUse::none};
    k.claim = Claim::solver;
    k.stays = true;
    k.shapes = true;
    k.direct = solver_direct;
    k.over = solver_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
