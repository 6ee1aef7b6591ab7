// What is wrong with boxes of motion graphs beyond what a scene itself knows (derived/motion_rules.h): kinds, parameters, expressions.
#pragma once

#include "core/base/diagnostic.h"
#include "core/math/expression.h"
#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"

namespace hazumi {

/// A parameter of a box as a run reads it.
struct MotionValue {
  double number = 0;
  Expression expression;  ///< empty: the number counts
};

/// In the order of the kind's rows. What cannot be read is as by default, and said in `problems` as (row name, sentence, remedy).
struct MotionValueProblem {
  std::string parameter, message, hint;
};
std::vector<MotionValue> motion_values(const MotionNode& node, const MotionKind& kind,
                                       std::vector<MotionValueProblem>& problems);
/// Whether what `other` of that use names is in the scene; of a body: always.
bool is_there(const Scene& scene, OtherUse use, Id other);
/// Of a box that tells a number: why it can tell none; empty: it can.
std::string number_fault(const Scene& scene, const MotionNode& node);
/// The number that it names; by default the first one.
const SettableNumber& number_of_box(const MotionNode& node);
/// Everything that is to be said of them, those of motion_faults() first.
std::vector<MotionFault> motion_problems(const Scene& scene);
/// motion_problems() as warnings.
Diagnostics motion_warnings(const Scene& scene);

}  // namespace hazumi
