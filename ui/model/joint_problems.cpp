#include "ui/model/joint_problems.h"

#include <algorithm>
#include <utility>

#include "core/scene/derived/felt.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/tracks.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr std::string_view kStrictness = "strictness";
constexpr double kTaken = 0.5;  // s, in which what begins elsewhere is taken to where it is led

/// A change of the joint itself, as an undo step.
Remedy change_of(Id joint, const QString& text, const QString& tip, std::function<void(Joint&)> change) {
  return {text, tip, [joint, text, change = std::move(change)](DocumentController& document, PlaybackController&) {
            (void)document.edit(text + QStringLiteral(": ") + name_of(document.scene(), joint),
                                with_joint(document.scene(), joint, change));
          }};
}

Remedy removal_of(Id joint, const QString& why = tr("It holds nothing.")) {
  return {tr("Delete the joint"), why, [joint](DocumentController& document, PlaybackController&) {
            const QString text = tr("Delete %1").arg(name_of(document.scene(), joint));
            (void)document.edit(text, without(document.scene(), joint));
          }};
}

/// What could move becomes rigid: the second end, unless that is the world.
Remedy motion_of(const Scene& scene, const Joint& joint) {
  const Id moving{joint.b.object != 0 ? joint.b.object : joint.a.object};
  const QString name = name_of(scene, moving);
  return {tr("Make %1 rigid").arg(name), tr("Then the joint has something to hold."),
          [moving, name](DocumentController& document, PlaybackController&) {
            (void)document.edit_object(tr("Make %1 rigid").arg(name), moving,
                                       [](Object& o) { o.body.kind = kMovingBody; });
          }};
}

/// The end holds what carries its object, at the same place.
Remedy carrier_of_end(const Scene& scene, const FaultyJoint& fault) {
  const QString carrier = name_of(scene, fault.carrier);
  return change_of(fault.joint, tr("Join %1").arg(carrier), tr("The end is at the same place of what carries it."),
                   [second = fault.second, id = fault.carrier.value](Joint& joint) {
                     (second ? joint.b : joint.a).object = id;  // and stays where it is (with_settled_joints())
                   });
}

std::vector<Remedy> remedies_of(const Scene& scene, const FaultyJoint& fault) {
  const Joint& joint = *find_joint(scene, fault.joint);
  std::vector<Remedy> remedies;
  switch (fault.fault) {
    case JointFault::limits:
      return {change_of(fault.joint, tr("Swap the limits"), tr("The lower becomes the least, the higher the most."),
                        [](Joint& j) {
                          if (j.kind == JointKind::hinge)
                            std::swap(j.least_turn, j.most_turn);
                          else
                            std::swap(j.least_way, j.most_way);
                        })};
    case JointFault::no_length:
      remedies.push_back(change_of(fault.joint, tr("Make it a ball joint"), tr("It holds the two at this place."),
                                   [](Joint& j) { j.kind = JointKind::ball; }));
      remedies.push_back(change_of(fault.joint, tr("1 m long"),
                                   tr("Its length is given, and can be changed in Properties."), [](Joint& j) {
                                     j.measured = false;
                                     j.length = 1;
                                   }));
      return remedies;
    case JointFault::carried:
      if (fault.carrier) remedies.push_back(carrier_of_end(scene, fault));
      break;
    case JointFault::still:
      remedies.push_back(motion_of(scene, joint));
      break;
    case JointFault::itself:
      remedies.push_back(change_of(fault.joint, tr("Join it to the world"),
                                   tr("The first end is in the world, at the same place."),
                                   [](Joint& j) { j.a.object = 0; }));
      break;
    case JointFault::gone:
    case JointFault::world:
    case JointFault::gear:
    case JointFault::hasty:
      break;
  }
  remedies.push_back(removal_of(fault.joint));
  return remedies;
}

std::vector<Remedy> remedies_of(const Scene& scene, const JumpingLead& lead) {
  const Id object{find_joint(scene, lead.joint)->a.object};
  std::vector<Remedy> remedies;
  if (const Object* led = find_object(scene, object))
    remedies.push_back({tr("Move It There"), tr("%1 begins where it is led to.").arg(QString::fromStdString(led->name)),
                        [object, way = lead.way](DocumentController& document, PlaybackController&) {
                          (void)document.edit_object(
                              tr("Move %1 to where it is led").arg(name_of(document.scene(), object)), object,
                              [way](Object& o) { o.transform.position += way; });
                        }});
  remedies.push_back({tr("Key the Strictness from 0"), tr("It is taken there in the first half second."),
                      [joint = lead.joint](DocumentController& document, PlaybackController&) {
                        const Scene& now = document.scene();
                        const auto full = value_at(now, joint.value, kStrictness, kTaken);
                        if (!full) return;
                        Scene next = with_key(now, joint.value, kStrictness, 0, 0.0);
                        next = with_key(std::move(next), joint.value, kStrictness, kTaken, *full);
                        (void)document.edit(tr("Key the strictness of %1 from 0").arg(name_of(now, joint)),
                                            std::move(next));
                      }});
  return remedies;
}

std::vector<Remedy> remedies_of(const Scene& scene, const IdleForce& idle) {
  std::vector<Remedy> remedies;
  const Object* object = find_object(scene, Id{find_force(scene, idle.force)->object});
  if (object && !body_kind(object->body.kind).moves) {
    const QString text = tr("Make %1 rigid").arg(QString::fromStdString(object->name));
    remedies.push_back({text, tr("Then the force moves it."),
                        [id = object->id, text](DocumentController& document, PlaybackController&) {
                          (void)document.edit_object(text, id, [](Object& o) { o.body.kind = kMovingBody; });
                        }});
  }
  remedies.push_back({tr("Delete the force"), tr("It pushes nothing."),
                      [id = idle.force](DocumentController& document, PlaybackController&) {
                        const QString text = tr("Delete %1").arg(name_of(document.scene(), id));
                        (void)document.edit(text, without(document.scene(), id));
                      }});
  return remedies;
}

std::vector<Remedy> remedies_of(const IdleField& idle) {
  const bool curve = idle.path.ends_with(" curve");
  const QString text = curve ? tr("Let it act everywhere") : tr("Let everything feel it");
  const QString tip = curve ? tr("It needs no curve then.") : tr("All that moves and lets fields act on it does.");
  return {{text, tip, [id = idle.field, curve, text](DocumentController& document, PlaybackController&) {
             (void)document.edit(text + QStringLiteral(": ") + name_of(document.scene(), id),
                                 with_force_field(document.scene(), id, [curve](ForceField& f) {
                                   if (curve)
                                     f.shape = FieldShape::everywhere;
                                   else
                                     f.feels = 0;
                                 }));
           }}};
}

std::vector<Remedy> remedies_of(const IdleSource& idle) {
  struct Row {
    std::string_view field;
    QString text, tip;
    void (*change)(ParticleSource&);
  };
  const Row rows[] = {
      {" curve", tr("Let it be a disc"), tr("It needs no curve then."),
       [](ParticleSource& s) { s.shape = SourceShape::disc; }},
      {" carrier", tr("Let nothing carry it"), tr("It stays where it is then."),
       [](ParticleSource& s) {
         s.carrier = 0;
         if (s.shape == SourceShape::surface) s.shape = SourceShape::disc;
       }},
      {" meets", tr("Let its particles meet everything"), tr("They meet all that collides then."),
       [](ParticleSource& s) { s.meets = 0; }},
      {" into", tr("Let its particles die"), tr("They need no source of pieces then."),
       [](ParticleSource& s) { s.hit = ParticleHit::die; }},
      {" copies", tr("Show discs"), tr("They need no object to be copies of then."),
       [](ParticleSource& s) { s.look = ParticleLook::disc; }},
      {" most", tr("Let there be more"), tr("As many as there would be, up to a million."),
       [](ParticleSource& s) {
         const double span = s.duration > 0 ? std::min(s.duration, s.life) : s.life;
         s.most = static_cast<int>(std::min(1e6, 1.05 * (s.rate * span + s.burst) + 1));
       }},
  };
  for (const Row& row : rows)
    if (idle.path.ends_with(row.field))
      return {
          {row.text, row.tip,
           [id = idle.source, text = row.text, change = row.change](DocumentController& document, PlaybackController&) {
             (void)document.edit(text + QStringLiteral(": ") + name_of(document.scene(), id),
                                 with_source(document.scene(), id, change));
           }}};
  return {};
}

}  // namespace

std::vector<Problem> joint_problems(const Scene& scene) {
  std::vector<Problem> problems;
  for (const FaultyJoint& fault : joint_faults(scene)) {
    Problem problem{{}, fault.joint, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, fault.path, fault.message, fault.hint};
    problem.remedies = remedies_of(scene, fault);
    problems.push_back(std::move(problem));
  }
  for (const IdleForce& idle : idle_forces(scene)) {
    Problem problem{{}, idle.force, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, idle.path, idle.message, idle.hint};
    problem.remedies = remedies_of(scene, idle);
    problems.push_back(std::move(problem));
  }
  for (const IdleField& idle : idle_fields(scene)) {
    Problem problem{{}, idle.field, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, idle.path, idle.message, idle.hint};
    problem.remedies = remedies_of(idle);
    problems.push_back(std::move(problem));
  }
  for (const IdleSource& idle : idle_sources(scene)) {
    Problem problem{{}, idle.source, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, idle.path, idle.message, idle.hint};
    problem.remedies = remedies_of(idle);
    problems.push_back(std::move(problem));
  }
  for (const JumpingLead& lead : jumping_leads(scene)) {
    Problem problem{{}, lead.joint, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, lead.path, lead.message, lead.hint};
    problem.remedies = remedies_of(scene, lead);
    problems.push_back(std::move(problem));
  }
  for (const JointConflict& conflict : joint_conflicts(scene)) {
    Problem problem{{}, conflict.joint, Problem::Source::joint};
    problem.diagnostic = {Severity::warning, conflict.path, conflict.message, conflict.hint};
    problem.remedies = {removal_of(conflict.joint, tr("The other one holds then."))};
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace hazumi
