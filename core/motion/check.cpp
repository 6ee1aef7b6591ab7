#include "core/motion/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/motion/classes.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/told_solvers.h"
#include "core/scene/values/scene_lists.h"
#include "core/scene/values/words.h"
#include "core/sim/elastic/brittle.h"
#include "core/sim/elastic/setup.h"

namespace hazumi {
namespace {

constexpr std::size_t kListed = 12;  // choices that a sentence names

/// The value of a row that is set; nothing: it cannot be read, and the problem says why.
bool read_value(const ParameterRow& row, const MotionParameter& set, MotionValue& out, MotionValueProblem& problem) {
  const bool number = row.type == FieldType::number || row.type == FieldType::integer;
  if (row.type == FieldType::choice) {
    const auto at = std::find(row.choices.begin(), row.choices.end(), set.word);
    if (at == row.choices.end()) {
      const std::string label(row.label);
      problem = {std::string(row.name),
                 row.choices.size() > kListed ? label + " \"" + set.word + "\" is none of the " +
                                                    std::to_string(row.choices.size()) + " that there are."
                                              : label + " must be " + choice_list(row.choices) + ".",
                 "Pick one of them."};
      return false;
    }
    out.number = static_cast<double>(at - row.choices.begin());
    return true;
  }
  if (number && !set.word.empty()) {
    ExpressionFault fault;
    out.expression = Expression::parse(set.word, expression_names(), fault);
    if (!out.expression.empty()) return true;
    problem = {std::string(row.name), std::string(row.label) + ": " + fault.message,
               "Correct it at character " + std::to_string(fault.place + 1) + "."};
    return false;
  }
  const FieldRange range{row.label,    row.unit, FieldType::number, number ? row.low : 0, number ? row.high : 1,
                         row.low_open, {}};
  if (std::string wrong = range_problem(range, set.number); !wrong.empty()) {
    problem = {std::string(row.name), std::move(wrong), "Set it within that range."};
    return false;
  }
  out.number = set.number;
  return true;
}

bool has_pins(const AnalysisModel& analysis) {
  return analysis.kind == AnalysisKind::strung && analysis.strung &&
         std::any_of(analysis.strung->nodes.begin(), analysis.strung->nodes.end(),
                     [](const StrungNode& node) { return node.pinned; });
}

/// Of a use that needs one thing of one list.
std::string_view needed(OtherUse use) {
  switch (use) {
    case OtherUse::source:
      return "source of particles";
    case OtherUse::camera:
      return "camera";
    case OtherUse::sound:
      return "sound";
    case OtherUse::marker:
      return "marker";
    default:
      return "curve";
  }
}

class BoxChecker {
 public:
  explicit BoxChecker(const Scene& scene)
      : scene_(scene), tracks_(scene), told_(told_solvers(scene)), found_(motion_faults(scene)) {}

  std::vector<MotionFault> run() {
    for (std::size_t i = 0; i < scene_.motion.size(); ++i) {
      node_ = scene_.motion[i].get();
      where_ = "motion[" + std::to_string(i) + "] ";
      if (node_->visible) look();
    }
    return std::move(found_);
  }

 private:
  void fault(const std::string& key, std::string message, std::string hint) {
    found_.push_back({node_->id, where_ + key, std::move(message), std::move(hint)});
  }

  void look() {
    const MotionKind* kind = kind_of(*node_);
    if (!kind)
      return fault("kind", "There is no " + std::string(word(node_->role)) + " called \"" + node_->kind + "\" here.",
                   "It is kept and does nothing; a newer Hazumi may know it.");
    std::vector<MotionValueProblem> problems;
    motion_values(*node_, *kind, problems);
    for (MotionValueProblem& problem : problems)
      fault("parameters." + problem.parameter, std::move(problem.message), std::move(problem.hint));
    if (!node_->condition.empty()) {
      ExpressionFault wrong;
      if (Expression::parse(node_->condition, expression_names(), wrong).empty())
        fault("condition", "Only if: " + wrong.message,
              "Correct it at character " + std::to_string(wrong.place + 1) + ".");
    }
    look_at_keys(*kind, tracks_.of(*node_));
    look_at_bodies(*kind);
    look_at_processing();
    if (node_->role == MotionRole::event) look_at_cases();
  }

  /// What it is about, at each key where keys say that.
  void look_at_keys(const MotionKind& kind, const std::vector<BoxTrack>& keys) {
    for (const BoxTrack& one : keys) look_at_choices(one);
    std::vector<double> times;
    for (const BoxTrack& one : keys)
      if (is_with(one.row->path) || (kind.other == OtherUse::number && parameter_of(one.row->path) == "number"))
        for (const Key& key : one.track->keys) times.push_back(key.time);
    if (times.empty()) return look_at_other(kind, *node_, {});
    std::sort(times.begin(), times.end());
    for (const double time : times) {
      const std::size_t before = found_.size();
      look_at_other(kind, keyed_box(*node_, tracks_, time), "At " + time_of(time) + " ");
      if (found_.size() > before) return;
    }
  }

  /// Keys of a choice that there is not, as of a newer version.
  void look_at_choices(const BoxTrack& one) {
    if (one.row->type != FieldType::choice) return;
    for (const Key& key : one.track->keys)
      if (const double number = key.value[0]; number < 0 || number >= static_cast<double>(one.row->choices.size()))
        return fault(std::string(parameter_of(one.row->path)),
                     "The key of " + std::string(one.row->label) + " at " + time_of(key.time) + " is choice number " +
                         std::to_string(std::llround(number)) + ", which is not there; the nearest one counts.",
                     "Pick one at that key, or delete it.");
  }

  static std::string time_of(double time) {
    char text[48];
    std::snprintf(text, sizeof text, "%.4g s", time);
    return text;
  }

  /// `at`: what its sentences begin with, where keys say what it is about.
  void look_at_other(const MotionKind& kind, const MotionNode& node, const std::string& at) {
    const bool there = node.other == 0 || visit_thing(scene_, Id{node.other}, [](const auto&, const auto&) {});
    if (!at.empty() && !there) return;  // motion_faults() says so
    if (!is_there(scene_, kind.other, Id{node.other}))
      fault("other", at + "\"" + std::string(kind.label) + "\" needs a " + std::string(needed(kind.other)) + ".",
            kind.other == OtherUse::curve ? "Pick one, or draw one first."
            : kind.other == OtherUse::marker
                ? "Pick one, add one first, or give it a key or a mouse button and press that while it plays."
                : "Pick one, or add one first.");
    if (kind.other == OtherUse::number) look_at_number(kind, node, at);
    if (kind.other == OtherUse::thing && (node.other == 0 || (!at.empty() && actors(scene_, node.other).empty())))
      fault("other", at + "\"" + std::string(kind.label) + "\" must be told of what.",
            "Pick an object or a collection.");
  }

  void look_at_number(const MotionKind& kind, const MotionNode& node, const std::string& at) {
    if (std::string wrong = number_fault(scene_, node); !wrong.empty())
      return fault("parameters.number", at + std::move(wrong), "Pick another number, or another thing.");
    const MotionParameter* to = find_parameter(node, "to");
    if (to && !to->word.empty()) return;
    const SettableNumber& number = number_of_box(node);
    std::string wrong = number.is_switch()
                            ? ""
                            : range_problem(number.range, number.meant(to ? to->number : kind.parameters[1].fallback));
    if (!wrong.empty())
      fault("parameters.to", std::move(wrong) + " \"" + std::string(kind.label) + "\" goes to the end of its range.",
            "Set it within that range.");
  }

  void look_at_bodies(const MotionKind& kind) {
    const ProcedureKind* procedure = find_procedure_kind(node_->kind);
    if (node_->role == MotionRole::procedure && procedure && procedure->shapes) return look_for_shapes(*procedure);
    if (node_->role != MotionRole::procedure || !procedure || procedure->claim == Claim::contact || procedure->look ||
        procedure->sends || procedure->emits || procedure->cues || procedure->tell)
      return;
    for (const Id id : actors(scene_, node_->object)) {
      const Object* object = find_object(scene_, id);
      if (!object || body_kind(object->body.kind).moves) continue;
      return fault("object", "\"" + object->name + "\" is fixed, so \"" + std::string(kind.label) + "\" moves nothing.",
                   "Let it move, or give the box another object.");
    }
  }

  /// What is to be led along a path, and cannot be.
  void look_at_processing() {
    const ProcedureKind* kind = node_->role == MotionRole::procedure ? find_procedure_kind(node_->kind) : nullptr;
    const MotionParameter* set = kind && kind->law ? find_parameter(*node_, "processing") : nullptr;
    if (!set || set->word != kProcessings[1]) return;
    for (const Id id : actors(scene_, node_->object)) {
      const Object* object = find_object(scene_, id);
      if (!object || !body_kind(object->body.kind).moves) continue;
      const bool bends = body_kind(object->body.kind).deforms;
      const bool joined = std::any_of(scene_.joints.begin(), scene_.joints.end(), [&](const auto& joint) {
        return joint->a.object == id.value || joint->b.object == id.value;
      });
      if (!bends && !joined) continue;
      return fault("parameters.processing",
                   "\"" + object->name + (bends ? "\" bends" : "\" is held by joints") + ", so \"" +
                       std::string(kind->label) + "\" is processed dynamically.",
                   bends ? "Use \"Squash\" for contact that is directed, or make it rigid."
                         : "Take its joints away, or let it be processed dynamically.");
    }
  }

  void look_for_shapes(const ProcedureKind& kind) {
    const std::string nothing = "so \"" + std::string(kind.label) + "\" does nothing.";
    for (const Id id : actors(scene_, node_->object)) {
      const Object* object = find_object(scene_, id);
      if (!object) continue;
      if (!body_kind(object->body.kind).deforms)
        return fault("object", "\"" + object->name + "\" does not bend, " + nothing,
                     "Make it flexible, or give the box another object.");
      const std::string& name = object->name;
      if (breaks(object->body.solver, object->body.parameters))
        return fault("elastic.breaks", "\"" + name + "\" can break, " + nothing,
                     "Set Breaks to 0 for it, or give the box another object.");
      if (kind.leads && has_pins(object->analysis))
        return fault("elastic.pins", "\"" + name + "\" is held by pins, " + nothing,
                     "Unpin its nodes in truss mode, or give the box another object.");
      if (kind.rides && !has_pins(object->analysis))
        return fault("elastic.pins", "\"" + name + "\" has no pins to ride by, " + nothing,
                     "Pin nodes of its analysis model in truss mode.");
      const ElasticSolverInfo* solver = find_elastic_solver(object->body.solver);
      const bool able = !solver || ((!kind.rides || solver->is_carried) && (!kind.tells_shape || solver->takes_shape));
      if (!able)
        return fault("elastic",
                     "The elastic model of \"" + name + "\" " +
                         (kind.rides ? "cannot ride on anything, " : "takes no shape, ") + nothing,
                     "Choose \"" + std::string(find_elastic_solver("lagrange")->label) +
                         "\" for it, or give the box another object.");
      if (look_at_told(kind, *object) || look_at_solvers(kind, *object)) return;
    }
  }

  /// What needs an elastic model that a box takes from it.
  bool look_at_told(const ProcedureKind& kind, const Object& object) {
    const auto at = std::find_if(told_.begin(), told_.end(), [&](const auto& one) { return one.object == object.id; });
    if (at == told_.end()) return false;
    for (const std::string_view name : at->solvers) {
      const ElasticSolverInfo* solver = find_elastic_solver(name);
      if (!solver || ((!kind.rides || solver->is_carried) && (!kind.tells_shape || solver->takes_shape))) continue;
      fault("elastic.told",
            "While \"" + object.name + "\" bends by \"" + std::string(name) + "\", as a box tells it to, it " +
                (kind.rides ? "cannot ride on anything, " : "takes no shape, ") + "so \"" + std::string(kind.label) +
                "\" does nothing then.",
            "Give it another solver there, or give the box another object.");
      return true;
    }
    return false;
  }

  /// What the box itself is to have it bend by, and cannot.
  bool look_at_solvers(const ProcedureKind& kind, const Object& object) {
    if (kind.name != kSolverProcedure) return false;
    const std::string nothing = "so \"" + std::string(kind.label) + "\" does nothing.";
    for (const std::string_view name : solvers_of_box(scene_, *node_)) {
      const ElasticSolverInfo* solver = find_elastic_solver(name);
      if (!solver || name == object.body.solver) continue;
      if (breaks(name, object.body.parameters)) {
        fault("elastic.told", "\"" + object.name + "\" could break by \"" + std::string(name) + "\", " + nothing,
              "Set Breaks to 0 for it under that solver, or choose another one.");
        return true;
      }
      const auto problem = solver_problem(*solver, object, object_truss(object, DisplayMesh()));
      if (!problem) continue;
      fault("elastic.told",
            "\"" + object.name + "\" cannot bend by \"" + std::string(name) + "\", " + nothing + " " + *problem,
            "Choose another solver, or give it another analysis model.");
      return true;
    }
    return false;
  }

  void look_at_cases() {
    const EventKind* event = find_event_kind(node_->kind);
    if (event && event->is_case) {
      const bool led_to = std::any_of(scene_.motion.begin(), scene_.motion.end(), [&](const auto& from) {
        return from->role == MotionRole::event &&
               std::any_of(from->wires.begin(), from->wires.end(),
                           [&](const MotionWire& w) { return !w.related && w.to == node_->id.value; });
      });
      if (!led_to)
        fault("wires", "A case needs an event before it, whose branch it is.", "Lead a wire to it from an event.");
    }
    if (event && event->name == "finished" &&
        std::none_of(scene_.motion.begin(), scene_.motion.end(), [&](const auto& from) {
          return from->role == MotionRole::procedure &&
                 std::any_of(from->wires.begin(), from->wires.end(),
                             [&](const MotionWire& w) { return w.to == node_->id.value; });
        }))
      fault("wires", "\"Finished\" needs a procedure that leads to it.", "Lead a wire to it from that procedure.");
  }

  const Scene& scene_;
  const BoxTracks tracks_;
  std::vector<ToldSolvers> told_;
  const MotionNode* node_ = nullptr;
  std::string where_;
  std::vector<MotionFault> found_;
};

}  // namespace

bool is_there(const Scene& scene, OtherUse use, Id other) {
  switch (use) {
    case OtherUse::curve:
      return find_curve(scene, other) != nullptr;
    case OtherUse::source:
      return find_source(scene, other) != nullptr;
    case OtherUse::camera:
      return find_camera(scene, other) != nullptr;
    case OtherUse::sound:
      return find_sound(scene, other) != nullptr;
    case OtherUse::marker:
      return find_marker(scene, other) != nullptr;
    default:
      return true;
  }
}

const SettableNumber& number_of_box(const MotionNode& node) {
  const std::span<const std::string_view> words = settable_words();
  const MotionParameter* set = find_parameter(node, "number");
  const auto at = set ? std::find(words.begin(), words.end(), std::string_view(set->word)) : words.begin();
  return settable_numbers()[at == words.end() ? 0 : static_cast<std::size_t>(at - words.begin())];
}

std::string number_fault(const Scene& scene, const MotionNode& node) {
  const SettableNumber& number = number_of_box(node);
  const std::string label = "\"" + std::string(number.label) + "\"";
  if (number.of == NumberOf::scene) return {};
  if (number.of == NumberOf::object) {
    for (const Id id : actors(scene, node.object))
      if (const Object* object = find_object(scene, id); object && !has_number(scene, number, id))
        return "\"" + object->name + "\" has no " + label + " now.";
    return {};
  }
  constexpr std::string_view kinds[] = {"object", "joint", "force", "field of force", "source of particles"};
  if (node.other == 0 || number_owner(scene, Id{node.other}) != number.of)
    return label + " is of a " + std::string(kinds[static_cast<std::size_t>(number.of)]) + ", and none is picked.";
  if (has_number(scene, number, Id{node.other})) return {};
  std::string name;
  visit_thing(scene, Id{node.other}, [&](const auto&, const auto& thing) { name = thing->name; });
  return "\"" + name + "\" has no " + label + " now.";
}

std::vector<MotionValue> motion_values(const MotionNode& node, const MotionKind& kind,
                                       std::vector<MotionValueProblem>& problems) {
  std::vector<MotionValue> values;
  for (const ParameterRow& row : kind.parameters) {
    MotionValue value{row.fallback, {}};
    MotionValueProblem problem;
    if (const MotionParameter* set = find_parameter(node, row.name); set && !read_value(row, *set, value, problem)) {
      problems.push_back(std::move(problem));
      value = {row.fallback, {}};
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<MotionFault> motion_problems(const Scene& scene) {
  if (scene.motion.empty()) return {};
  return BoxChecker(scene).run();
}

Diagnostics motion_warnings(const Scene& scene) {
  Diagnostics all;
  for (MotionFault& fault : motion_problems(scene))
    all.push_back({Severity::warning, std::move(fault.path), std::move(fault.message), std::move(fault.hint)});
  return all;
}

}  // namespace hazumi
