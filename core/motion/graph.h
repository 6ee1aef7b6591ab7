// Events and procedures of a run as values, and the director that is made of them (spec 7.3).
//
// An event looks while it is armed. When it happens, its procedures start, the events behind it are armed, and it is disarmed
// unless it is a loop. Events that nothing arms are armed from the start. What is armed in a sub-step looks from the next one on,
// so nothing can happen endlessly at one moment. Several at once are taken by their moment, then by their place in the graph.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/sim/director.h"
#include "core/sim/model.h"

namespace hazumi {

struct MotionNode {
  Id body;                                                 ///< an object of the scene
  std::string kind;                                        ///< EventKind::name or ProcedureKind::name
  std::vector<std::pair<std::string, double>> parameters;  ///< what is not as by default, in the row's unit
  bool loop = false;                                       ///< events: stays armed when it happens
};

struct MotionWire {
  std::size_t from = 0;  ///< place in MotionGraph::events
  std::size_t to = 0;    ///< place in MotionGraph::procedures or ::events
};

struct MotionGraph {
  std::vector<MotionNode> events, procedures;
  std::vector<MotionWire> starts;  ///< event → procedure
  std::vector<MotionWire> arms;    ///< event → event
};

/// Refuses, with place and remedy, kinds, objects, parameters and ends of wires that are not there, and numbers out of range.
Result<std::shared_ptr<const Director>> make_director(const MotionGraph& graph, const Model& model);

}  // namespace hazumi
