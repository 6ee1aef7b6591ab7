#include "core/scene/values/variants.h"

#include <algorithm>
#include <utility>

namespace hazumi {

namespace {

bool by_name(const AnalysisModel& a, const AnalysisModel& b) { return a.name < b.name; }

void sort(Object& object) { std::stable_sort(object.other_analyses.begin(), object.other_analyses.end(), by_name); }

bool taken(const Object& object, const std::string& name) {
  return std::any_of(object.other_analyses.begin(), object.other_analyses.end(),
                     [&](const AnalysisModel& a) { return a.name == name; });
}

/// "Truss 2" of "Truss", "Truss 3" of "Truss 2".
std::string free_name(const Object& object, const std::string& wanted, bool own_counts) {
  const auto used = [&](const std::string& name) {
    return taken(object, name) || (own_counts && object.analysis.name == name);
  };
  if (!used(wanted)) return wanted;
  std::string base = wanted;
  const std::size_t space = base.find_last_of(' ');
  if (space != std::string::npos && space > 0 && space + 1 < base.size() &&
      base.find_first_not_of("0123456789", space + 1) == std::string::npos)
    base.resize(space);
  for (int number = 2;; ++number)
    if (std::string name = base + " " + std::to_string(number); !used(name)) return name;
}

/// The elastic model that came with the analysis model is the object's from now on.
void take_solver(Object& object) {
  if (!object.analysis.solver.empty()) object.body.solver = std::exchange(object.analysis.solver, {});
}

}  // namespace

VariantNames variant_names(const Object& object) {
  VariantNames result;
  for (const AnalysisModel& a : object.other_analyses) result.names.push_back(a.name);
  const auto at = std::lower_bound(result.names.begin(), result.names.end(), object.analysis.name);
  result.current = static_cast<std::size_t>(at - result.names.begin());
  result.names.insert(at, object.analysis.name);
  return result;
}

std::string add_variant(Object& object) {
  AnalysisModel copy = object.analysis;
  copy.name = free_name(object, object.analysis.name, true);
  copy.solver.clear();
  object.analysis.solver = object.body.solver;
  object.other_analyses.push_back(std::move(object.analysis));
  object.analysis = std::move(copy);
  sort(object);
  return object.analysis.name;
}

bool use_variant(Object& object, const std::string& name) {
  const auto at = std::find_if(object.other_analyses.begin(), object.other_analyses.end(),
                               [&](const AnalysisModel& a) { return a.name == name; });
  if (at == object.other_analyses.end()) return false;
  std::swap(*at, object.analysis);
  at->solver = object.analysis.solver.empty() ? std::string() : object.body.solver;
  take_solver(object);
  sort(object);
  return true;
}

std::string rename_variant(Object& object, const std::string& name) {
  if (!name.empty() && name != object.analysis.name) object.analysis.name = free_name(object, name, false);
  return object.analysis.name;
}

bool remove_variant(Object& object) {
  if (object.other_analyses.empty()) return false;
  const auto after =
      std::upper_bound(object.other_analyses.begin(), object.other_analyses.end(), object.analysis, by_name);
  const auto next = after == object.other_analyses.end() ? after - 1 : after;
  object.analysis = std::move(*next);
  object.other_analyses.erase(next);
  take_solver(object);
  return true;
}

Id add_compared(Scene& scene, Id id, const std::string& name, const Vec3& offset) {
  const Object* original = find_object(scene, id);
  if (original == nullptr) return {};
  Object copy = *original;
  if (copy.analysis.name != name && !use_variant(copy, name)) return {};
  copy.id = next_id(scene);
  copy.name = unique_name(scene, original->name + " \u00b7 " + name);
  copy.transform.position += offset;
  scene.objects.push_back(Shared<Object>(std::move(copy)));
  return scene.objects.back()->id;
}

}  // namespace hazumi
