#include "core/motion/graph.h"

#include <algorithm>

#include "core/motion/kinds.h"

namespace hazumi {
namespace {

template <class Kind>
struct BoundNode {
  const Kind* kind = nullptr;
  std::size_t body = 0;
  std::vector<double> parameters;
  bool loop = false;

  MotionContext context(const Model& model, const State& state) const { return {model, state, body, parameters}; }
};

struct BoundEvent : BoundNode<EventKind> {
  bool armed_at_start = true;
  std::vector<std::uint32_t> starts, arms;
};

class GraphDirector final : public Director {
 public:
  std::vector<BoundEvent> events;
  std::vector<BoundNode<ProcedureKind>> procedures;

  MotionState initial() const override {
    MotionState motion;
    for (const BoundEvent& event : events) motion.events.push_back({event.armed_at_start});
    return motion;
  }

  void direct(const Model& model, const State& state, std::span<BodyForces> forces) const override {
    for (const RunningProcedure& running : state.motion.running) {
      const BoundNode<ProcedureKind>& node = procedures[running.place];
      node.kind->direct(node.context(model, state), running.start, forces[node.body]);
    }
  }

  void observe(const Model& model, const StepReport& report, State& state) const override {
    const std::int64_t now = state.substep;
    std::erase_if(state.motion.running, [&](const RunningProcedure& running) {
      const BoundNode<ProcedureKind>& node = procedures[running.place];
      return static_cast<double>(now + 1 - running.start) * model.step >= node.kind->duration(node.parameters);
    });
    std::vector<std::pair<double, std::size_t>> happened;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (state.motion.events[i].armed)
        if (const auto moment = events[i].kind->happened(events[i].context(model, state), report))
          happened.emplace_back(*moment, i);
    std::sort(happened.begin(), happened.end());
    for (const auto& [moment, i] : happened) {
      EventState& event = state.motion.events[i];
      ++event.count;
      event.last = now;
      event.armed = events[i].loop;
    }
    for (const auto& [moment, i] : happened) {
      for (const std::uint32_t place : events[i].starts) start(state.motion, place, now + 1);
      for (const std::uint32_t place : events[i].arms) state.motion.events[place].armed = true;
    }
  }

 private:
  /// What runs already begins anew.
  static void start(MotionState& motion, std::uint32_t place, std::int64_t substep) {
    std::erase_if(motion.running, [&](const RunningProcedure& running) { return running.place == place; });
    motion.running.push_back({place, substep});
  }
};

/// "events[3]"
std::string place_of(std::string_view list, std::size_t number) {
  return std::string(list) + "[" + std::to_string(number) + "]";
}

template <class Kind>
void bind_parameters(const MotionNode& node, const std::string& place, const Kind& kind, std::vector<double>& out,
                     Diagnostics& problems) {
  for (const ParameterRow& row : kind.parameters) out.push_back(row.fallback);
  for (const auto& [name, value] : node.parameters) {
    const auto row =
        std::find_if(kind.parameters.begin(), kind.parameters.end(),
                     [&, wanted = std::string_view(name)](const ParameterRow& r) { return r.name == wanted; });
    if (row == kind.parameters.end()) {
      problems.push_back({Severity::error, place, "\"" + node.kind + "\" has no parameter \"" + name + "\".",
                          "Remove it or correct its name."});
    } else if (std::string problem = range_problem(
                   {row->label, row->unit, FieldType::number, row->low, row->high, row->low_open, row->choices}, value);
               !problem.empty()) {
      problems.push_back({Severity::error, place, std::move(problem), "Set it within that range."});
    } else {
      out[static_cast<std::size_t>(row - kind.parameters.begin())] = value;
    }
  }
}

template <class Kind>
void bind_node(const MotionNode& node, const std::string& place, std::span<const Kind* const> kinds, const Model& model,
               BoundNode<Kind>& bound, Diagnostics& problems) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind* k) { return k->name == node.kind; });
  if (kind == kinds.end()) {
    std::string known;
    for (const Kind* k : kinds) known += (known.empty() ? "" : ", ") + std::string(k->name);
    problems.push_back(
        {Severity::error, place, "There is no \"" + node.kind + "\".", "Use one of these: " + known + "."});
    return;
  }
  bound.kind = *kind;
  bound.loop = node.loop;
  bind_parameters(node, place, **kind, bound.parameters, problems);
  while (bound.body < model.bodies.size() && model.bodies[bound.body].id != node.body) ++bound.body;
  if (bound.body == model.bodies.size())
    problems.push_back(
        {Severity::error, place,
         "\"" + node.kind + "\" is of object " + std::to_string(node.body.value) + ", which is not there.",
         "Give it an object of the scene."});
}

bool ends_are_there(std::string_view list, const std::vector<MotionWire>& wires, std::size_t from, std::size_t to,
                    Diagnostics& problems) {
  for (std::size_t i = 0; i < wires.size(); ++i)
    if (wires[i].from >= from || wires[i].to >= to)
      problems.push_back({Severity::error, place_of(list, i), "The wire leads from or to something that is not there.",
                          "Remove it or draw it anew."});
  return !has_error(problems);
}

}  // namespace

Result<std::shared_ptr<const Director>> make_director(const MotionGraph& graph, const Model& model) {
  Diagnostics problems;
  auto director = std::make_shared<GraphDirector>();
  director->events.resize(graph.events.size());
  director->procedures.resize(graph.procedures.size());
  for (std::size_t i = 0; i < graph.events.size(); ++i)
    bind_node<EventKind>(graph.events[i], place_of("events", i), event_kinds(), model, director->events[i], problems);
  for (std::size_t i = 0; i < graph.procedures.size(); ++i)
    bind_node<ProcedureKind>(graph.procedures[i], place_of("procedures", i), procedure_kinds(), model,
                             director->procedures[i], problems);
  if (!ends_are_there("starts", graph.starts, graph.events.size(), graph.procedures.size(), problems) ||
      !ends_are_there("arms", graph.arms, graph.events.size(), graph.events.size(), problems))
    return problems;
  for (const MotionWire& wire : graph.starts)
    director->events[wire.from].starts.push_back(static_cast<std::uint32_t>(wire.to));
  for (const MotionWire& wire : graph.arms) {
    director->events[wire.from].arms.push_back(static_cast<std::uint32_t>(wire.to));
    director->events[wire.to].armed_at_start = false;
  }
  return std::shared_ptr<const Director>(std::move(director));
}

}  // namespace hazumi
