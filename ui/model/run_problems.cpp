#include "ui/model/run_problems.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/poses.h"
#include "core/sim/elastic/setup.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr int kMostSubsteps = 64;  // as the field has it
constexpr double kSofter = 0.25;

Remedy more_substeps(int wanted) {
  return {tr("%1 sub-steps").arg(wanted), tr("Twice as many sub-steps per frame: more exact and slower."),
          [wanted](DocumentController& document, PlaybackController&) {
            Scene scene = document.scene();
            scene.settings.substeps = wanted;
            (void)document.edit(tr("More sub-steps"), std::move(scene));
          }};
}

Remedy change(const QString& text, const QString& tip, const QString& step, Id id,
              const std::function<void(Object&)>& how) {
  return {text, tip, [=](DocumentController& document, PlaybackController&) {
            if (find_object(document.scene(), id)) (void)document.edit_object(step, id, how);
          }};
}

void add_remedies_of(const Object& object, std::vector<Remedy>& remedies) {
  const BodySettings& body = object.body;
  const QString name = QString::fromStdString(object.name);
  if (bends(body) && body.stiffness_source == StiffnessSource::given)
    remedies.push_back(change(tr("Softer"), tr("Springs of %1 with a quarter of their stiffness.").arg(name),
                              tr("Softer %1").arg(name), object.id, [](Object& o) { o.body.stiffness *= kSofter; }));
  if (!body.velocity.isZero() || !body.spin.isZero())
    remedies.push_back(change(tr("Half the speed"), tr("%1 starts with half of its velocity and spin.").arg(name),
                              tr("Slower %1").arg(name), object.id, [](Object& o) {
                                o.body.velocity *= 0.5;
                                o.body.spin *= 0.5;
                              }));
}

/// Another elastic model, where its own cannot take what the object is made of.
void add_solvers(const Object& object, std::vector<Remedy>& remedies) {
  if (!bends(object.body)) return;
  const Truss truss = analysis_truss(object.analysis);
  const ElasticSolverInfo* own = find_elastic_solver(object.body.solver);
  if (own && !solver_problem(*own, object, truss)) return;
  // Cells hold a shape of any kind; what has none, or folds, takes springs.
  for (const char* name : {"polyhedral", "springs"}) {
    const ElasticSolverInfo* other = find_elastic_solver(name);
    if (!other || (!truss.bends.empty() && other->needs.shape) || solver_problem(*other, object, truss)) continue;
    remedies.push_back(change(text_of(other->label), text_of(other->description),
                              tr("%1 for %2").arg(text_of(other->label), QString::fromStdString(object.name)),
                              object.id, [name](Object& o) { o.body.solver = name; }));
  }
}

}  // namespace

Problem run_problem(const Scene& scene, const FillStatus& status, const RunLog& log) {
  Problem problem{*status.failure, diagnostic_object(scene, status.failure->path), Problem::Source::run};
  const int last = status.computed - 1;  // the last good frame
  const bool diverged = log.failure && log.failure->second.message == status.failure->message;
  if (diverged) {
    problem.diagnostic.message += " " + tr("Frame %1 is the last one that is computed.").arg(last).toStdString();
    if (scene.settings.substeps < kMostSubsteps)
      problem.remedies.push_back(more_substeps(std::min(kMostSubsteps, 2 * scene.settings.substeps)));
    if (const Object* object = find_object(scene, problem.object)) add_remedies_of(*object, problem.remedies);
  }
  if (!diverged)
    if (const Object* object = find_object(scene, problem.object)) add_solvers(*object, problem.remedies);
  if (last < 0) return problem;
  problem.remedies.push_back({tr("Show frame %1").arg(last), tr("The last frame before the run stopped."),
                              [last](DocumentController&, PlaybackController& playback) { playback.set_frame(last); }});
  if (last > scene.settings.first_frame && last < scene.settings.last_frame)
    problem.remedies.push_back({tr("End at frame %1").arg(last), tr("The range of the scene ends where the run does."),
                                [last](DocumentController& document, PlaybackController&) {
                                  Scene next = document.scene();
                                  next.settings.last_frame = last;
                                  (void)document.edit(tr("Shorter range"), std::move(next));
                                }});
  return problem;
}

namespace {

/// No birth of it is to come in frames that are not computed yet.
bool is_over(const Scene& scene, const FillStatus& status, const ParticleSource& source) {
  if (status.phase == FillStatus::Phase::complete) return true;
  if (!(source.duration > 0)) return false;
  return status.computed - 1 > (source.start + source.duration) * scene.settings.frame_rate;
}

}  // namespace

bool may_lack_room(const Scene& scene, const FillStatus& status) {
  return status.computed > 0 && std::any_of(scene.particles.begin(), scene.particles.end(),
                                            [](const auto& source) { return gives_copies(*source); });
}

namespace {

/// "Rock", "a copy of Rock"; what it is that its own copies need no name for.
QString who_is_in_the_way(const Scene& scene, const ParticleSource& source, Id by) {
  if (by == source.id) return tr("what it gave before");
  if (const ParticleSource* other = find_source(scene, by))
    return tr("a copy of %1").arg(QString::fromStdString(other->name));
  const Object* object = find_object(scene, by);
  return object ? QString::fromStdString(object->name) : tr("something");
}

}  // namespace

std::vector<RoomProblem> room_problems(const Scene& scene, const FillStatus& status, const RunLog& log) {
  std::vector<RoomProblem> problems;
  for (const auto& source : scene.particles) {
    const Object* object = copied_object(scene, *source);
    if (!object) continue;
    const bool gave = log.first_frame({source->id, Reading::born}) != kNoFrame;
    const auto lacks = [&](const auto& entry) {
      return entry.second.source == source->id && (entry.second.late || (!gave && is_over(scene, status, *source)));
    };
    const auto first = std::find_if(log.denied.begin(), log.denied.end(), lacks);
    const CopiesWaiting left = log.waits(source->id);
    const bool some_left =
        first == log.denied.end() && status.phase == FillStatus::Phase::complete && left.count > 0 && left.by != Id{};
    if (first == log.denied.end() && !some_left) continue;
    const int frame = some_left ? status.computed - 1 : first->first;
    const CopyDenied denied = some_left ? CopyDenied{source->id, left.by} : first->second;
    const QString name = QString::fromStdString(source->name), copied = QString::fromStdString(object->name);
    const QString way = who_is_in_the_way(scene, *source, denied.by);
    Problem problem{{}, source->id, Problem::Source::room};
    if (find_object(scene, denied.by)) problem.others = {denied.by};
    const QString what = some_left ? tr("%1 still waits with %4 copies of %2 as the run ends: %3 is in the way.")
                         : gave    ? tr("%1 waits with copies of %2: %3 is in the way.")
                                   : tr("%1 gives no copy of %2: %3 is in the way.");
    QString sentence = what.arg(name, copied, way);
    if (some_left) sentence = sentence.arg(left.count);
    problem.diagnostic = {
        gave ? Severity::info : Severity::warning, source->name, sentence.toStdString(),
        (denied.by == source->id
             ? tr("Give it a larger Radius, more Speed, or a lower Rate, so that those before make way.")
             : tr("Move it out of what is there, or give it a larger Radius."))
            .toStdString()};
    problem.remedies.push_back(
        {tr("Show frame %1").arg(frame), tr("The frame in which a copy had no room."),
         [shown = frame](DocumentController&, PlaybackController& playback) { playback.set_frame(shown); }});
    problems.push_back({std::move(problem), frame});
  }
  return problems;
}

std::vector<Problem> group_problems(const Scene& scene) {
  std::map<std::string, std::vector<Id>> ignored;
  for (const auto& object : scene.objects)
    for (const std::string_view name : group_names(object->contact.ignores))
      ignored[std::string(name)].push_back(object->id);
  if (ignored.empty()) return {};
  for (const auto& object : scene.objects)
    for (const std::string_view name : group_names(object->contact.groups)) ignored.erase(std::string(name));
  std::vector<Problem> problems;
  for (const auto& [name, by] : ignored) {
    Problem problem{{}, by.front(), Problem::Source::rules, {by.begin() + 1, by.end()}};
    const QString first = QString::fromStdString(find_object(scene, by.front())->name);
    const QString group = QString::fromStdString(name);
    problem.diagnostic.severity = Severity::warning;
    problem.diagnostic.path = first.toStdString();
    problem.diagnostic.message =
        (by.size() == 1 ? tr("%1 ignores the group \"%2\", which no object is in.").arg(first, group)
                        : tr("%1 objects ignore the group \"%2\", which no object is in.").arg(by.size()).arg(group))
            .toStdString();
    problem.diagnostic.hint = tr("Correct the name, or put an object into the group.").toStdString();
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace hazumi
