// Numbers that takes may have otherwise: of a thing's fields, its elastic solver's and its motion boxes' parameters, or of the scene's settings;
// and takes of one of them over a range.
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

/// One number; of a vector one of its parts. Stored units (radians).
struct Variable {
  QString label, unit;  ///< "Velocity X", "m/s"
  QString tooltip;
  double value = 0;  ///< as it is
  double low = 0, high = 0, step = 0;
  bool low_open = false, integer = false;
  double shown_scale = 1;  ///< shown number per stored number: 180/π for angles
  std::function<Scene(Scene, double)> set;
};

/// Those that mean something now. `thing`: an object, joint, force or pair; no id: the scene.
std::vector<Variable> variables_of(const Scene& scene, Id thing);
/// Things that have some, by name: the active one first.
std::vector<std::pair<Id, QString>> things_to_vary(const Scene& scene, Id active);

/// `count` takes from `from` to `to`, each named by its value, behind those that there are; the current one stays.
Scene varied(Scene scene, const Variable& variable, double from, double to, int count);
/// "Velocity X 2.5 m/s"
QString name_of_value(const Variable& variable, double value);

}  // namespace hazumi
