// Motion graphs for tests in a few words, and their log.
#pragma once

#include <cstdio>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/words.h"
#include "tests/support/run.h"

namespace hazumi::test {

using Numbers = std::vector<std::pair<std::string, double>>;

/// Boxes of a world's scene.
struct Graph {
  World& world;
  explicit Graph(World& of) : world(of) {}

  Id add(MotionRole role, const std::string& kind, Id object, const Numbers& numbers = {}, Id other = {}) {
    MotionNode node;
    node.id = next_id(world.scene);
    node.role = role;
    node.kind = kind;
    node.object = object.value;
    node.other = other.value;
    for (const auto& [name, number] : numbers) {
      const MotionKind* known = kind_of(node);
      MotionParameter parameter{name, {}, number};
      for (const ParameterRow& row : known ? known->parameters : std::span<const ParameterRow>())
        if (row.name == name && row.type == FieldType::choice)
          parameter = {name, std::string(row.choices[static_cast<std::size_t>(number)]), 0};
      node.parameters.push_back(std::move(parameter));
    }
    world.scene.motion.push_back(Shared<MotionNode>(std::move(node)));
    return world.scene.motion.back()->id;
  }
  Id when(const std::string& kind, Id object, const Numbers& numbers = {}, Id other = {}) {
    return add(MotionRole::event, kind, object, numbers, other);
  }
  Id does(const std::string& kind, Id object, const Numbers& numbers = {}, Id other = {}) {
    return add(MotionRole::procedure, kind, object, numbers, other);
  }
  Id loop(Id box) {
    change(box, [](MotionNode& n) { n.loop = true; });
    return box;
  }
  Id only_if(Id box, const std::string& condition) {
    change(box, [&](MotionNode& n) { n.condition = condition; });
    return box;
  }
  void wire(Id from, Id to, bool related = false) {
    change(from, [&](MotionNode& n) { n.wires.push_back({to.value, related}); });
  }
  /// One after the other.
  void chain(const std::vector<Id>& boxes) {
    for (std::size_t i = 1; i < boxes.size(); ++i) wire(boxes[i - 1], boxes[i]);
  }
  void change(Id box, const std::function<void(MotionNode&)>& how) { world.scene = with_motion(world.scene, box, how); }
};

/// A run with the marks that its director makes.
struct MotionRun : Run {
  std::vector<MotionMark> marks;
  std::optional<Diagnostic> stopped;

  explicit MotionRun(const World& world, int threads = 1) : Run(world, threads), scene(world.scene) {
    state = initial_state(*model, &marks);
  }
  /// Until it has stopped by itself.
  void go(int count) {
    for (int k = 0; k < count && !stopped; ++k) {
      StepReport report = step();
      marks.insert(marks.end(), report.motion.begin(), report.motion.end());
      if (!report.ok) stopped = report.failure;
    }
  }
  void seconds(double time) { go(static_cast<int>(time / model->step + 0.5)); }
  int count(Id box, MotionTurn turn = MotionTurn::happened) const {
    return static_cast<int>(
        std::count_if(marks.begin(), marks.end(), [&](const MotionMark& m) { return m.box == box && m.turn == turn; }));
  }
  /// s, of the k-th time.
  double time_of(Id box, int k = 0, MotionTurn turn = MotionTurn::happened) const {
    for (const MotionMark& m : marks)
      if (m.box == box && m.turn == turn && k-- == 0)
        return (static_cast<double>(m.substep) + m.moment) * model->step;
    return -1;
  }
  /// "time@0.100 throw+ ": what happened, and where a procedure started (+) and ended (-); names of boxes, else their kinds. Of several
  /// objects with "/object".
  std::string log(bool times = true) const {
    std::string text;
    for (const MotionMark& m : marks) {
      if (m.turn == MotionTurn::armed || m.turn == MotionTurn::disarmed) continue;
      const MotionNode* node = find_motion(scene, m.box);
      text += (text.empty() ? "" : " ") + (node->name.empty() ? node->kind : node->name);
      if (actors(scene, node->object).size() > 1) text += "/" + find_object(scene, m.object)->name;
      if (m.turn == MotionTurn::started) text += "+";
      if (m.turn == MotionTurn::ended) text += "-";
      if (!times || m.turn != MotionTurn::happened) continue;
      char buffer[32];
      std::snprintf(buffer, sizeof buffer, "@%.3f", (static_cast<double>(m.substep) + m.moment) * model->step);
      text += buffer;
    }
    return text;
  }

  Scene scene;
};

}  // namespace hazumi::test
