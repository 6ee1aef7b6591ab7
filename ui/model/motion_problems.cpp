#include "ui/model/motion_problems.h"

#include <algorithm>
#include <set>

#include "core/motion/check.h"
#include "core/sim/elastic/brittle.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_text.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostOwners = 2;  // that are offered

Remedy change_of(Id box, const QString& text, const QString& tip,
                 std::function<void(const Scene&, MotionNode&)> change) {
  return {text, tip, [box, text, change = std::move(change)](DocumentController& document, PlaybackController&) {
            const Scene& now = document.scene();
            const QString step = QStringLiteral("%1: %2").arg(text, boxes_text(now, {box}));
            (void)document.edit(step, with_motion(now, box, [&](MotionNode& node) { change(now, node); }));
          }};
}

/// Of all objects that the box is about.
Remedy change_of_actors(Id box, const QString& text, const QString& tip, void (*change)(Object& object)) {
  return {text, tip, [box, text, change](DocumentController& document, PlaybackController&) {
            Scene scene = document.scene();
            const MotionNode* of = find_motion(scene, box);
            if (!of) return;
            const QString step = QStringLiteral("%1: %2").arg(text, boxes_text(scene, {box}));
            for (const Id id : actors(scene, of->object)) scene = with_object(std::move(scene), id, change);
            (void)document.edit(step, std::move(scene));
          }};
}

void unpin(Object& object) {
  if (!object.analysis.strung) return;
  StrungTruss free = *object.analysis.strung;
  for (StrungNode& node : free.nodes) node.pinned = false;
  object.analysis.strung = std::make_shared<const StrungTruss>(std::move(free));
}

Remedy removal_of(Id box) {
  return {tr("Delete the box"), tr("It does nothing as it is."),
          [box](DocumentController& document, PlaybackController&) {
            const QString text = tr("Delete %1").arg(boxes_text(document.scene(), {box}));
            (void)document.edit(text, without_boxes(document.scene(), {box}));
          }};
}

/// Wires that no run follows go.
void keep_used_wires(const Scene& scene, MotionNode& node) {
  std::set<std::uint64_t> seen;
  std::erase_if(node.wires, [&](const MotionWire& wire) {
    const MotionNode* to = find_motion(scene, Id{wire.to});
    if (!to || !seen.insert(wire.to).second) return true;
    const bool events = node.role == MotionRole::event && to->role == MotionRole::event;
    const bool procedures = node.role == MotionRole::procedure && to->role == MotionRole::procedure;
    return wire.related ? !events : procedures;
  });
}

/// An event of the same owner that leads to no procedure yet, nearest to the left.
Id event_for(const Scene& scene, const MotionNode& box) {
  Id best;
  double nearest = 1e300;
  for (const auto& node : scene.motion) {
    if (node->role != MotionRole::event || node->object != box.object || node->id == box.id) continue;
    const double dx = box.x - node->x, dy = box.y - node->y, way = dx * dx + 4 * dy * dy + (dx < 0 ? 1e6 : 0);
    if (way >= nearest) continue;
    nearest = way;
    best = node->id;
  }
  return best;
}

std::vector<Remedy> remedies_of(const Scene& scene, const MotionFault& fault) {
  const MotionNode& node = *find_motion(scene, fault.node);
  std::vector<Remedy> remedies;
  const auto speaks_of = [&](const char* key) { return fault.path.ends_with(key); };
  const ProcedureKind* procedure = find_procedure_kind(node.kind);
  if (speaks_of("object") && procedure && procedure->shapes) {
    remedies.push_back({tr("Make it flexible"), tr("It bends then; an analysis model is added where there is none."),
                        [box = node.id](DocumentController& document, PlaybackController&) {
                          const MotionNode* of = find_motion(document.scene(), box);
                          if (of) set_body_kind(document, actors(document.scene(), of->object), kBendingBody);
                        }});
  } else if (speaks_of("elastic")) {
    const QString model = QString::fromUtf8(find_elastic_solver("lagrange")->label.data());
    remedies.push_back(change_of_actors(node.id, tr("Use \"%1\"").arg(model), tr("It is their elastic model then."),
                                        [](Object& object) { object.body.solver = "lagrange"; }));
  } else if (speaks_of("elastic.breaks")) {
    remedies.push_back(change_of_actors(node.id, tr("Let it not break"), tr("Breaks is 0 then."), [](Object& object) {
      keep_whole(object.body.solver, object.body.parameters);
    }));
  } else if (speaks_of("elastic.pins") && procedure && procedure->leads) {
    remedies.push_back(change_of_actors(node.id, tr("Take its pins away"), tr("Nothing holds it then."), unpin));
  } else if (speaks_of("object")) {
    for (const auto& object : scene.objects)
      if (body_kind(object->body.kind).moves && remedies.size() < kMostOwners)
        remedies.push_back(change_of(node.id, tr("Give it to %1").arg(QString::fromStdString(object->name)),
                                     tr("It is the motion of this object then."),
                                     [id = object->id.value](const Scene&, MotionNode& n) { n.object = id; }));
  } else if (speaks_of("other")) {
    const MotionKind* kind = kind_of(node);
    if (kind && kind->other == OtherUse::anything)
      remedies.push_back(change_of(node.id, tr("Anything"), tr("It is about anything then."),
                                   [](const Scene&, MotionNode& n) { n.other = 0; }));
  } else if (speaks_of("wires")) {
    MotionNode kept = node;
    keep_used_wires(scene, kept);
    const Id from = event_for(scene, node);
    if (kept.wires.size() != node.wires.size())
      return {change_of(node.id, tr("Remove the wire"), tr("A run does not follow it."), keep_used_wires)};
    if (const MotionNode* event = from ? find_motion(scene, from) : nullptr;
        event && no_wire(scene, from, node.id, false).isEmpty())
      remedies.push_back({tr("Wire it to \"%1\"").arg(box_title(*event)), tr("It follows that event then."),
                          [from, to = node.id](DocumentController& document, PlaybackController&) {
                            const Scene& now = document.scene();
                            (void)document.edit(tr("Wire %1 to %2").arg(boxes_text(now, {from}), boxes_text(now, {to})),
                                                with_wire(now, from, to, false));
                          }});
  } else if (speaks_of("condition") && !node.condition.empty()) {
    remedies.push_back(change_of(node.id, tr("Without the condition"), tr("Nothing more is asked then."),
                                 [](const Scene&, MotionNode& n) { n.condition.clear(); }));
  } else if (const auto at = fault.path.find("parameters."); at != std::string::npos) {
    const std::string name = fault.path.substr(at + std::string_view("parameters.").size());
    if (find_parameter(node, name))
      remedies.push_back(change_of(node.id, tr("As by default"), tr("What it says there is forgotten."),
                                   [name](const Scene&, MotionNode& n) { remove_parameter(n, name); }));
  }
  remedies.push_back(change_of(node.id, tr("Mute"), tr("The box is kept and does nothing."),
                               [](const Scene&, MotionNode& n) { n.visible = false; }));
  remedies.push_back(removal_of(node.id));
  return remedies;
}

}  // namespace

std::vector<Problem> motion_problems_of(const Scene& scene) {
  std::vector<Problem> problems;
  for (const MotionFault& fault : motion_problems(scene)) {
    Problem problem{{}, fault.node, Problem::Source::motion};
    problem.diagnostic = {Severity::warning, fault.path, fault.message, fault.hint};
    problem.remedies = remedies_of(scene, fault);
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::map<Id, QString> faults_of_boxes(const Scene& scene) {
  std::map<Id, QString> faults;
  for (const MotionFault& fault : motion_problems(scene)) {
    QString& text = faults[fault.node];
    if (!text.isEmpty()) text += QLatin1Char('\n');
    text += QString::fromStdString(fault.hint.empty() ? fault.message : fault.message + " " + fault.hint);
  }
  return faults;
}

}  // namespace hazumi
