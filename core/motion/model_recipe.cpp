#include "core/motion/model_recipe.h"

#include <algorithm>
#include <cmath>

#include "core/scene/values/fields.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {
namespace {

constexpr double kThinSide = 1e-4;  // of its size: such a side has no thickness to go by

/// Makes the nodes of the stand-in, x, those of the thing, m + f (x − n), both in axes of objects with their scales.
struct ModelFit {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero(), factor = Vec3::Ones(), was_scale = Vec3::Ones(), is_scale = Vec3::Ones();
  Vec3 place(const Vec3& p) const {
    return Vec3(to + factor.cwiseProduct(was_scale.cwiseProduct(p) - from)).cwiseQuotient(is_scale);
  }
  Vec3 way(const Vec3& p) const { return factor.cwiseProduct(was_scale).cwiseProduct(p).cwiseQuotient(is_scale); }
};

ModelFit fit_of(const Object& stand_in, const MotionBody& body, const Object& thing, double length) {
  Box3 was;
  for (const Vec3& node : object_truss(stand_in, DisplayMesh()).nodes) was.add(node);
  ModelFit fit;
  fit.was_scale = stand_in.transform.scale;
  fit.is_scale = thing.transform.scale;
  fit.from = was.centre();
  fit.factor = Vec3::Constant(length);
  const Vec3 seen = body.high - body.low, was_seen = stand_in.display.primitive.size;
  if (!(seen.maxCoeff() > 0)) return fit;
  fit.to = 0.5 * (body.low + body.high);
  for (int k = 0; k < 3; ++k)
    if (was_seen[k] > 2 * kThinSide * was_seen.maxCoeff() && seen[k] > 2 * kThinSide * seen.maxCoeff())
      fit.factor[k] = seen[k] / was_seen[k];
  return fit;
}

/// The nearest that its row allows.
void put(Object& object, std::string_view path, double number) {
  const Field<Object>* field = find_field(object_fields(), path);
  if (!field) return;
  number = std::clamp(number, field->low, field->high);
  if (field_problem(*field, number).empty()) field->set(object, number);
}

void put_model(const ModelFit& fit, AnalysisModel& model) {
  const Vec3 middle = fit.place(model.offset);
  model.size = fit.way(model.size).cwiseAbs();
  model.offset = middle;
  if (model.strung) {
    StrungTruss strung = *model.strung;
    for (StrungNode& node : strung.nodes) node.position = fit.place(node.position);
    model.strung = std::make_shared<const StrungTruss>(std::move(strung));
  }
  for (AnalysisPose& pose : model.poses)
    for (PoseNode& node : pose.nodes) node.shift = fit.way(node.shift);
}

}  // namespace

double size_made_with(const Object& stand_in) {
  const Vec3& size = stand_in.display.primitive.size;
  return size.x() == size.y() && size.y() == size.z() ? size.x() : size.norm() / std::sqrt(3.0);
}

void keep_model(const Object& object, const MotionBody& body, Object& stand_in) {
  const bool modelled = object.analysis.kind != AnalysisKind::none;
  stand_in.body.kind = bends(object.body) && !modelled ? kMovingBody : object.body.kind;
  if (!bends(object.body) || !modelled) return;
  if (const Vec3 seen = body.high - body.low; seen.maxCoeff() > 0)
    stand_in.display.primitive.size = seen.cwiseMax(kThinSide * seen.maxCoeff());
  stand_in.transform.scale = object.transform.scale;
  stand_in.analysis = object.analysis;
  stand_in.material.substance = object.material.substance;
  stand_in.material.substance_follows = false;
  BodySettings& to = stand_in.body;
  const BodySettings& from = object.body;
  to.solver = from.solver;
  to.parameters = from.parameters;
  to.stiffness_source = from.stiffness_source;
  to.stiffness = from.stiffness;
  to.cross_section = from.cross_section;
  to.damping = from.damping;
  to.volume = from.volume;
}

void take_model(const Object& stand_in, const MotionBody& body, Object& thing) {
  if (!bends(stand_in.body) || !is_stiff(thing.body)) return;
  const double was = size_made_with(stand_in);
  const double length = was > 0 && body.size > 0 ? body.size / was : 1, time = std::sqrt(length);
  const double mass = stand_in.body.mass > 0 && body.mass > 0 ? body.mass / stand_in.body.mass : 1;
  if (thing.analysis.kind == AnalysisKind::none) {
    thing.analysis = stand_in.analysis;
    put_model(fit_of(stand_in, body, thing, length), thing.analysis);
  }
  BodySettings& to = thing.body;
  const BodySettings& from = stand_in.body;
  to.kind = kBendingBody;
  to.solver = from.solver;
  for (SolverParameter parameter : from.parameters) {
    const ElasticSolverInfo* info = find_elastic_solver(parameter.solver);
    for (const ParameterRow& row : info ? info->parameters : std::span<const ParameterRow>())
      if (row.name == parameter.name && row.unit == "s") parameter.number *= time;
    set_parameter(to.parameters, parameter);
  }
  to.stiffness_source = from.stiffness_source;
  to.volume = from.volume;
  put(thing, "body.stiffness", from.stiffness * mass / length);
  put(thing, "body.damping", from.damping * mass / time);
  put(thing, "body.cross_section", from.cross_section * length * length);
  put(thing, "material.substance.young", stand_in.material.substance.young * mass / (length * length));
  thing.material.substance.poisson = stand_in.material.substance.poisson;
  thing.material.substance_follows = false;
}

}  // namespace hazumi
