// Boxes of motion graphs that do nothing, or not what they look like, as problems with remedies (core/motion/check.h).
#pragma once

#include <map>
#include <vector>

#include <QString>

#include "ui/model/problem.h"

namespace hazumi {

/// The object of a problem is the box.
std::vector<Problem> motion_problems_of(const Scene& scene);
/// What is wrong with each box that something is wrong with, a sentence a line.
std::map<Id, QString> faults_of_boxes(const Scene& scene);

}  // namespace hazumi
