#include "core/scene/validate_lists.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/geometry/truss/sheet_edit.h"

namespace hazumi {

namespace {

class ListChecker : public EntryChecker {
 public:
  using EntryChecker::EntryChecker;

  void strung(const AnalysisModel& analysis, const AnalysisModel* before, const std::string& prefix) {
    if (analysis.kind == AnalysisKind::strung && analysis.strung == nullptr)
      return error(prefix + "strung", "A truss strung by hand needs nodes and springs.",
                   "Pick a shape of the catalogue, or string a truss in the analysis modeler.");
    if (analysis.strung == nullptr || (before != nullptr && before->strung == analysis.strung)) return;
    const StrungTruss& truss = *analysis.strung;
    const std::size_t count = truss.nodes.size();
    if (analysis.kind == AnalysisKind::strung && count < 2)
      return error(prefix + "strung.nodes", "A truss strung by hand needs at least 2 nodes.",
                   "Add nodes, or pick a shape of the catalogue.");
    springs(truss, prefix + "strung.springs");
    corners(truss.hull, count, prefix + "strung.hull", "triangle");
    if (!corners(truss.tetrahedra, count, prefix + "strung.tetrahedra", "tetrahedron")) return;
    for (std::size_t i = 0; i < truss.tetrahedra.size(); ++i) {
      const auto& t = truss.tetrahedra[i];
      const Vec3& origin = truss.nodes[t[0]].position;
      const Vec3 a = truss.nodes[t[1]].position - origin, b = truss.nodes[t[2]].position - origin,
                 c = truss.nodes[t[3]].position - origin;
      if (!(a.cross(b).dot(c) > 0))
        return error(numbered(prefix + "strung.tetrahedra", i), "The tetrahedron has no positive volume.",
                     "Swap two of its nodes, or fill the model anew.");
    }
    cells(truss, prefix + "strung.cells");
    sheet(truss, prefix + "strung.sheet");
  }

  void poses(const AnalysisModel& analysis, const std::string& prefix) {
    if (!unique_numbers(analysis.poses, prefix + "poses")) return;
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < analysis.poses.size(); ++i)
      if (!names.insert(analysis.poses[i].name).second)
        return error(numbered(prefix + "poses", i) + " name",
                     "Two poses of this analysis model are called \"" + analysis.poses[i].name + "\".",
                     "Give each a name of its own.");
    for (std::size_t i = 1; i < analysis.pose_groups.size(); ++i)
      if (analysis.pose_groups[i - 1].node >= analysis.pose_groups[i].node)
        return error(numbered(prefix + "pose_groups", i),
                     "The nodes of groups must be in ascending order, each at most once.", "Sort them.");
  }

  void metaballs(const std::vector<MetaballPrimitive>& all) { unique_numbers(all, "display.metaballs.primitives"); }

  void skeleton(const MappingSettings& mapping) {
    const std::string path = "mapping.bones";
    if (!unique_numbers(mapping.bones, path)) return;
    painted(mapping);
    std::unordered_map<std::uint32_t, std::size_t> index;
    for (std::size_t i = 0; i < mapping.bones.size(); ++i) index.emplace(mapping.bones[i].id, i);
    for (std::size_t i = 0; i < mapping.bones.size(); ++i) {
      const Bone& bone = mapping.bones[i];
      if (bone.parent != 0 && !index.contains(bone.parent))
        return error(numbered(path, i) + " parent",
                     "The bone hangs on bone " + std::to_string(bone.parent) + ", which is not there.",
                     "Pick another parent, or 0 for none.");
      if (bone.head == bone.tail)
        return error(numbered(path, i) + " tail", "The bone has no length.", "Move its tail away from its head.");
    }
    // From every bone upwards; the root is reached in fewer steps than there are bones.
    std::vector<bool> hangs_well(mapping.bones.size());
    for (std::size_t i = 0; i < mapping.bones.size(); ++i) {
      std::vector<std::size_t> way;
      std::size_t at = i;
      while (!hangs_well[at]) {
        way.push_back(at);
        if (way.size() > mapping.bones.size())
          return error(numbered(path, i) + " parent", "The bone hangs on itself.",
                       "Pick another parent, or 0 for none.");
        if (mapping.bones[at].parent == 0) break;
        at = index.at(mapping.bones[at].parent);
      }
      for (std::size_t bone : way) hangs_well[bone] = true;
    }
  }

  void parameters(const SolverParameters& all) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto key = [&](std::size_t k) { return std::tie(all[k].solver, all[k].name); };
      if (key(i - 1) == key(i))
        return error(numbered("body.parameters", i) + " name",
                     "The parameter \"" + all[i].name + "\" of the solver \"" + all[i].solver + "\" is given twice.",
                     "Remove one of them.");
      if (key(i - 1) > key(i))
        return error(numbered("body.parameters", i), "The parameters must be in ascending order of solver, then name.",
                     "Sort them.");
    }
  }

  void part_names(const std::vector<PartMaterial>& parts) {
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!seen.insert(parts[i].part).second)
        return error(numbered("part_materials", i) + " part", "The part \"" + parts[i].part + "\" has two materials.",
                     "Remove one of them.");
  }

  template <class Key>
  void ages(const std::vector<Key>& keys, const std::string& path) {
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (!(keys[i - 1].age < keys[i].age))
        return error(numbered(path, i), "The keys must be in ascending order of age, and no two at one.", "Sort them.");
  }

  void analyses(const Object& object, const Object* before) {
    std::unordered_set<std::string_view> names = {object.analysis.name};
    for (std::size_t i = 0; i < object.other_analyses.size(); ++i) {
      const AnalysisModel& analysis = object.other_analyses[i];
      const std::string prefix = numbered("other_analyses", i) + " \"" + analysis.name + "\" ";
      if (!names.insert(analysis.name).second)
        error(prefix + "name", "Two analysis models of this object are called \"" + analysis.name + "\".",
              "Give each a name of its own.");
      if (analysis.kind == AnalysisKind::none)
        error(prefix + "kind", "An analysis model that is kept to switch to needs a shape.", "Pick one, or remove it.");
      const bool known = before != nullptr && i < before->other_analyses.size();
      strung(analysis, known ? &before->other_analyses[i] : nullptr, prefix);
      poses(analysis, prefix);
    }
  }

 private:
  void painted(const MappingSettings& mapping) {
    std::unordered_set<std::uint32_t> bones;
    for (const Bone& bone : mapping.bones) bones.insert(bone.id);
    const auto place = [&](std::size_t i) { return numbered("mapping.painted", i); };
    for (std::size_t i = 0; i < mapping.painted.size(); ++i) {
      const PaintedWeight& weight = mapping.painted[i];
      if (!bones.contains(weight.bone))
        return error(place(i), "The weight is of bone " + std::to_string(weight.bone) + ", which is not there.",
                     "Remove the weight, or add the bone.");
      if (i == 0) continue;
      const PaintedWeight& last = mapping.painted[i - 1];
      if (std::pair(last.vertex, last.bone) >= std::pair(weight.vertex, weight.bone))
        return error(place(i), "The weights must be in ascending order of vertex, then bone, each pair at most once.",
                     "Sort them.");
    }
  }

  template <class Entry>
  bool unique_numbers(const std::vector<Entry>& all, const std::string& list) {
    std::unordered_map<std::uint32_t, std::size_t> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].id == 0) return error(numbered(list, i) + " id", "The id must not be 0."), false;
      const auto [at, fresh] = seen.emplace(all[i].id, i);
      if (fresh) continue;
      error(numbered(list, i) + " id",
            "The id " + std::to_string(all[i].id) + " is already that of entry " + std::to_string(at->second) + ".",
            "Give each entry a number of its own.");
      return false;
    }
    return true;
  }

  void springs(const StrungTruss& truss, const std::string& path) {
    const std::size_t count = truss.nodes.size();
    for (std::size_t i = 0; i < truss.springs.size(); ++i) {
      const StrungSpring& spring = truss.springs[i];
      const std::string nodes = std::to_string(spring.a) + " and " + std::to_string(spring.b);
      if (spring.b >= count || spring.a >= count)
        return error(numbered(path, i),
                     "The spring joins nodes " + nodes + ", but there are only " + std::to_string(count) + " nodes.",
                     "Nodes are counted from 0 on.");
      if (spring.a >= spring.b)
        return error(numbered(path, i), "The spring joins nodes " + nodes + ": the first must be the lower one.",
                     "Swap them, or remove the spring.");
      if (truss.nodes[spring.a].position == truss.nodes[spring.b].position)
        return error(numbered(path, i), "The spring has no length: nodes " + nodes + " are at the same place.",
                     "Move one of them, or remove the spring.");
      if (i == 0) continue;
      const StrungSpring& last = truss.springs[i - 1];
      if (std::pair(last.a, last.b) == std::pair(spring.a, spring.b))
        return error(numbered(path, i), "Two springs join nodes " + nodes + ".", "Remove one of them.");
      if (std::pair(last.a, last.b) > std::pair(spring.a, spring.b))
        return error(numbered(path, i), "The springs must be in ascending order of their nodes.", "Sort them.");
    }
  }

  void sheet(const StrungTruss& truss, const std::string& path) {
    if (!corners(truss.sheet, truss.nodes.size(), path, "triangle")) return;
    if (const auto face = crowded_face(truss.sheet))
      return error(numbered(path, *face),
                   "The triangle runs along an edge as another triangle does: a cloth has at most two at an edge, in "
                   "opposite directions.",
                   "Make the cloth anew from its mesh, or remove the triangle.");
  }

  void cells(const StrungTruss& truss, const std::string& path) {
    const std::size_t count = truss.nodes.size();
    std::size_t in_cell = 0;
    for (std::size_t i = 0; i < truss.cells.size(); ++i) {
      const auto& [cell, node] = truss.cells[i];
      if (node >= count)
        return error(
            numbered(path, i),
            "The cell has node " + std::to_string(node) + ", but there are only " + std::to_string(count) + " nodes.",
            "Nodes are counted from 0 on.");
      const bool begins = i == 0 || cell != truss.cells[i - 1][0];
      const bool follows = i == 0   ? cell == 0
                           : begins ? cell == truss.cells[i - 1][0] + 1
                                    : node > truss.cells[i - 1][1];
      if (!follows)
        return error(numbered(path, i), "Cells and their nodes must be in ascending order, cells counted from 0 on.",
                     "Sort them, or fill the model anew.");
      in_cell = begins ? 1 : in_cell + 1;
      const bool ends = i + 1 == truss.cells.size() || truss.cells[i + 1][0] != cell;
      if (ends && in_cell < 4)
        return error(numbered(path, i), "The cell has fewer than four nodes.", "Fill the model anew.");
    }
  }

  template <std::size_t size>
  bool corners(const std::vector<std::array<std::uint32_t, size>>& all, std::size_t count, const std::string& path,
               const std::string& what) {
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < size; ++k) {
        if (all[i][k] >= count) {
          error(numbered(path, i),
                "The " + what + " has node " + std::to_string(all[i][k]) + ", but there are only " +
                    std::to_string(count) + " nodes.",
                "Nodes are counted from 0 on.");
          return false;
        }
        if (std::find(all[i].begin(), all[i].begin() + static_cast<std::ptrdiff_t>(k), all[i][k]) !=
            all[i].begin() + static_cast<std::ptrdiff_t>(k)) {
          error(numbered(path, i), "The " + what + " has node " + std::to_string(all[i][k]) + " twice.",
                "Remove the " + what + ".");
          return false;
        }
      }
    return true;
  }
};

}  // namespace

void check_lists(const Object& object, const Object* before, const std::string& where, const ReportError& error) {
  ListChecker checker(where, error);
  if (!checker.entries(object, before)) return;
  checker.metaballs(object.display.metaballs.primitives);
  checker.strung(object.analysis, before == nullptr ? nullptr : &before->analysis, "analysis.");
  checker.poses(object.analysis, "analysis.");
  checker.analyses(object, before);
  checker.skeleton(object.mapping);
  checker.parameters(object.body.parameters);
  checker.part_names(object.part_materials);
  const AnalysisModel& analysis = object.analysis;
  const bool filled =
      analysis.kind == AnalysisKind::strung && analysis.strung != nullptr && !analysis.strung->tetrahedra.empty();
  if (object.mapping.kind == MappingKind::embedding && analysis.kind != AnalysisKind::none && !filled)
    checker.error("mapping.kind", "A mapping by embedding needs an analysis model of tetrahedra.",
                  "Fill the display model with tetrahedra in the analysis modeler, or pick another mapping.");
}

void check_lists(const ParticleSource& source, const ParticleSource* before, const std::string& where,
                 const ReportError& error) {
  ListChecker checker(where, error);
  if (!checker.entries(source, before)) return;
  checker.ages(source.size_keys, "size_keys");
  checker.ages(source.colour_keys, "colour_keys");
  checker.ages(source.opacity_keys, "opacity_keys");
  checker.ages(source.speed_keys, "speed_keys");
  checker.ages(source.drag_keys, "drag_keys");
}

}  // namespace hazumi
