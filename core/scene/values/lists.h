// The lists of a scene that the field table (scene/values/fields.h) has no rows for: metaballs of a group, nodes and
// springs of a strung truss, bones, painted weights, analysis models kept beside the present one, materials
// of parts. One description of each drives the file format, schema and docs, validation, the diff and the signature.
// Length: the format of each sort of row and the description of each list, which are read together.
// Entries are of two sorts: things with a field table of their own (metaballs, bones …), and short rows of
// numbers (nodes, springs …), which have columns.
#pragma once

#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/scene/values/fields.h"

namespace hazumi {

/// One number of a row.
struct Column {
  std::string_view name;
  double low, high;
  bool low_open = false, whole = false;
  double fallback =
      std::numeric_limits<double>::quiet_NaN();  ///< may be left out at the end of a row; NaN: must be there
};

/// "" or the sentence ("Mass must be above 0.").
std::string column_problem(const Column& column, double value);

// Columns of each sort of row, and reading and writing one number of it.
template <class Entry>
struct RowFormat;

inline constexpr double kLargestIndex = 4294967295.0;
inline constexpr double kLargestPlace = 1e9;  // m, as in the field table
inline constexpr std::uint32_t kMostPoseGroups = 64;
inline constexpr double kLeastLifeAge = 0.001;  // of keys between birth and end, from either

template <>
struct RowFormat<StrungNode> {
  static constexpr std::array<Column, 5> columns = {{{"x", -kLargestPlace, kLargestPlace},
                                                     {"y", -kLargestPlace, kLargestPlace},
                                                     {"z", -kLargestPlace, kLargestPlace},
                                                     {"mass", 0, 1e9, true, false, 1},
                                                     {"pinned", 0, 1, false, true, 0}}};
  static double get(const StrungNode& n, std::size_t i) {
    return i < 3 ? n.position[static_cast<Eigen::Index>(i)] : i == 3 ? n.mass : n.pinned;
  }
  static void set(StrungNode& n, std::size_t i, double value) {
    if (i < 3)
      n.position[static_cast<Eigen::Index>(i)] = value;
    else if (i == 3)
      n.mass = value;
    else
      n.pinned = value != 0;
  }
};

template <>
struct RowFormat<StrungSpring> {
  static constexpr std::array<Column, 5> columns = {{{"a", 0, kLargestIndex, false, true},
                                                     {"b", 0, kLargestIndex, false, true},
                                                     {"stiffness", 0, 1e9, true, false, 1},
                                                     {"damping", 0, 1e9, false, false, 1},
                                                     {"cross-section", 0, 1e9, true, false, 1}}};
  static double get(const StrungSpring& s, std::size_t i) {
    return i == 0 ? s.a : i == 1 ? s.b : i == 2 ? s.stiffness : i == 3 ? s.damping : s.cross_section;
  }
  static void set(StrungSpring& s, std::size_t i, double value) {
    if (i < 2)
      (i == 0 ? s.a : s.b) = static_cast<std::uint32_t>(value);
    else
      (i == 2 ? s.stiffness : i == 3 ? s.damping : s.cross_section) = value;
  }
};

template <std::size_t count>
struct RowFormat<std::array<std::uint32_t, count>> {
  using Entry = std::array<std::uint32_t, count>;
  static constexpr std::array<Column, count> columns = [] {
    std::array<Column, count> all{};
    constexpr std::string_view kNames[] = {"a", "b", "c", "d"};
    for (std::size_t i = 0; i < count; ++i) all[i] = {kNames[i], 0, kLargestIndex, false, true};
    return all;
  }();
  static double get(const Entry& e, std::size_t i) { return e[i]; }
  static void set(Entry& e, std::size_t i, double value) { e[i] = static_cast<std::uint32_t>(value); }
};

template <>
struct RowFormat<StartNode> {
  static constexpr std::array<Column, 6> columns = {{{"x", -kLargestPlace, kLargestPlace},
                                                     {"y", -kLargestPlace, kLargestPlace},
                                                     {"z", -kLargestPlace, kLargestPlace},
                                                     {"vx", -1e5, 1e5, false, false, 0},
                                                     {"vy", -1e5, 1e5, false, false, 0},
                                                     {"vz", -1e5, 1e5, false, false, 0}}};
  static double get(const StartNode& n, std::size_t i) {
    return i < 3 ? n.shift[static_cast<Eigen::Index>(i)] : n.velocity[static_cast<Eigen::Index>(i - 3)];
  }
  static void set(StartNode& n, std::size_t i, double value) {
    (i < 3 ? n.shift[static_cast<Eigen::Index>(i)] : n.velocity[static_cast<Eigen::Index>(i - 3)]) = value;
  }
};

template <>
struct RowFormat<StartSpring> {
  static constexpr std::array<Column, 4> columns = {{{"a", 0, kLargestIndex, false, true},
                                                     {"b", 0, kLargestIndex, false, true},
                                                     {"longer", -1e3, 1e3, false, false, 0},
                                                     {"broken", 0, 1, false, true, 0}}};
  static double get(const StartSpring& s, std::size_t i) {
    return i == 0 ? s.a : i == 1 ? s.b : i == 2 ? s.longer : s.broken;
  }
  static void set(StartSpring& s, std::size_t i, double value) {
    if (i < 2)
      (i == 0 ? s.a : s.b) = static_cast<std::uint32_t>(value);
    else if (i == 2)
      s.longer = value;
    else
      s.broken = value != 0;
  }
};

template <>
struct RowFormat<PoseNode> {
  static constexpr std::array<Column, 3> columns = {{{"x", -kLargestPlace, kLargestPlace},
                                                     {"y", -kLargestPlace, kLargestPlace, false, false, 0},
                                                     {"z", -kLargestPlace, kLargestPlace, false, false, 0}}};
  static double get(const PoseNode& n, std::size_t i) { return n.shift[static_cast<Eigen::Index>(i)]; }
  static void set(PoseNode& n, std::size_t i, double value) { n.shift[static_cast<Eigen::Index>(i)] = value; }
};

template <>
struct RowFormat<PoseGroupNode> {
  static constexpr std::array<Column, 2> columns = {
      {{"node", 0, kLargestIndex, false, true}, {"group", 0, kMostPoseGroups - 1, false, true}}};
  static double get(const PoseGroupNode& n, std::size_t i) { return i == 0 ? n.node : n.group; }
  static void set(PoseGroupNode& n, std::size_t i, double value) {
    (i == 0 ? n.node : n.group) = static_cast<std::uint32_t>(value);
  }
};

/// What is as by default is left out at the end of a row, so that most are three or five numbers.
template <>
struct RowFormat<Key> {
  static constexpr double kValue = 1e12, kSlope = 1e15;
  static constexpr std::array<Column, 17> columns = {{{"time", -1e6, 1e6},
                                                      {"x", -kValue, kValue},
                                                      {"y", -kValue, kValue, false, false, 0},
                                                      {"z", -kValue, kValue, false, false, 0},
                                                      {"w", -kValue, kValue, false, false, 0},
                                                      {"shape", 0, 2, false, true, 2},
                                                      {"tangent", 0, 3, false, true, 0},
                                                      {"in x", -kSlope, kSlope, false, false, 0},
                                                      {"in y", -kSlope, kSlope, false, false, 0},
                                                      {"in z", -kSlope, kSlope, false, false, 0},
                                                      {"in w", -kSlope, kSlope, false, false, 0},
                                                      {"out x", -kSlope, kSlope, false, false, 0},
                                                      {"out y", -kSlope, kSlope, false, false, 0},
                                                      {"out z", -kSlope, kSlope, false, false, 0},
                                                      {"out w", -kSlope, kSlope, false, false, 0},
                                                      {"reach in", 0, 1, false, false, 1.0 / 3},
                                                      {"reach out", 0, 1, false, false, 1.0 / 3}}};
  static double get(const Key& k, std::size_t i) {
    return i == 0    ? k.time
           : i < 5   ? k.value[i - 1]
           : i == 5  ? static_cast<double>(k.shape)
           : i == 6  ? static_cast<double>(k.tangent)
           : i < 11  ? k.in[i - 7]
           : i < 15  ? k.out[i - 11]
           : i == 15 ? k.reach_in
                     : k.reach_out;
  }
  static void set(Key& k, std::size_t i, double value) {
    if (i == 5)
      k.shape = static_cast<KeyShape>(value);
    else if (i == 6)
      k.tangent = static_cast<KeyTangent>(value);
    else
      (i == 0    ? k.time
       : i < 5   ? k.value[i - 1]
       : i < 11  ? k.in[i - 7]
       : i < 15  ? k.out[i - 11]
       : i == 15 ? k.reach_in
                 : k.reach_out) = value;
  }
};

template <>
struct RowFormat<CurvePoint> {
  static constexpr std::array<Column, 10> columns = {{{"x", -kLargestPlace, kLargestPlace},
                                                      {"y", -kLargestPlace, kLargestPlace},
                                                      {"z", -kLargestPlace, kLargestPlace},
                                                      {"tangents", 0, 2, false, true, 0},
                                                      {"in x", -kLargestPlace, kLargestPlace, false, false, 0},
                                                      {"in y", -kLargestPlace, kLargestPlace, false, false, 0},
                                                      {"in z", -kLargestPlace, kLargestPlace, false, false, 0},
                                                      {"out x", -kLargestPlace, kLargestPlace, false, false, 0},
                                                      {"out y", -kLargestPlace, kLargestPlace, false, false, 0},
                                                      {"out z", -kLargestPlace, kLargestPlace, false, false, 0}}};
  static double get(const CurvePoint& p, std::size_t i) {
    if (i == 3) return static_cast<double>(p.tangents);
    const Vec3& of = i < 3 ? p.place : i < 7 ? p.in : p.out;
    return of[static_cast<Eigen::Index>(i < 3 ? i : (i - 4) % 3)];
  }
  static void set(CurvePoint& p, std::size_t i, double value) {
    if (i == 3)
      p.tangents = static_cast<TangentKind>(value);
    else
      (i < 3 ? p.place : i < 7 ? p.in : p.out)[static_cast<Eigen::Index>(i < 3 ? i : (i - 4) % 3)] = value;
  }
};

template <>
struct RowFormat<LifeSize> {
  static constexpr std::array<Column, 2> columns = {{{"age", kLeastLifeAge, 1 - kLeastLifeAge}, {"size", 0, 1000}}};
  static double get(const LifeSize& k, std::size_t i) { return i == 0 ? k.age : k.size; }
  static void set(LifeSize& k, std::size_t i, double value) { (i == 0 ? k.age : k.size) = value; }
};

template <>
struct RowFormat<LifeColour> {
  static constexpr std::array<Column, 4> columns = {
      {{"age", kLeastLifeAge, 1 - kLeastLifeAge}, {"red", 0, 1}, {"green", 0, 1}, {"blue", 0, 1}}};
  static double get(const LifeColour& k, std::size_t i) {
    return i == 0 ? k.age : k.colour[static_cast<Eigen::Index>(i - 1)];
  }
  static void set(LifeColour& k, std::size_t i, double value) {
    (i == 0 ? k.age : k.colour[static_cast<Eigen::Index>(i - 1)]) = value;
  }
};

template <>
struct RowFormat<LifeOpacity> {
  static constexpr std::array<Column, 2> columns = {{{"age", 0, 1}, {"opacity", 0, 1}}};
  static double get(const LifeOpacity& k, std::size_t i) { return i == 0 ? k.age : k.opacity; }
  static void set(LifeOpacity& k, std::size_t i, double value) { (i == 0 ? k.age : k.opacity) = value; }
};

template <>
struct RowFormat<LifeSpeed> {
  static constexpr std::array<Column, 2> columns = {{{"age", 0, 1}, {"speed", 0, 100}}};
  static double get(const LifeSpeed& k, std::size_t i) { return i == 0 ? k.age : k.speed; }
  static void set(LifeSpeed& k, std::size_t i, double value) { (i == 0 ? k.age : k.speed) = value; }
};

template <>
struct RowFormat<LifeDrag> {
  static constexpr std::array<Column, 2> columns = {{{"age", 0, 1}, {"drag", 0, 1000}}};
  static double get(const LifeDrag& k, std::size_t i) { return i == 0 ? k.age : k.drag; }
  static void set(LifeDrag& k, std::size_t i, double value) { (i == 0 ? k.age : k.drag) = value; }
};

template <>
struct RowFormat<MotionWire> {
  static constexpr std::array<Column, 2> columns = {
      {{"to", 0, 9007199254740992.0, false, true}, {"related", 0, 1, false, true, 0}}};
  static double get(const MotionWire& w, std::size_t i) {
    return i == 0 ? static_cast<double>(w.to) : static_cast<double>(w.related);
  }
  static void set(MotionWire& w, std::size_t i, double value) {
    if (i == 0)
      w.to = static_cast<std::uint64_t>(value);
    else
      w.related = value != 0;
  }
};

template <>
struct RowFormat<PaintedWeight> {
  static constexpr std::array<Column, 3> columns = {
      {{"vertex", 0, kLargestIndex, false, true}, {"bone", 0, kLargestIndex, false, true}, {"weight", 0, 1}}};
  static double get(const PaintedWeight& w, std::size_t i) {
    return i == 0 ? w.vertex : i == 1 ? w.bone : static_cast<double>(w.weight);
  }
  static void set(PaintedWeight& w, std::size_t i, double value) {
    if (i < 2)
      (i == 0 ? w.vertex : w.bone) = static_cast<std::uint32_t>(value);
    else
      w.weight = static_cast<float>(value);
  }
};

template <class Entry>
inline constexpr bool kIsRow = requires {
  RowFormat<Entry>::columns;
};

// The field table of each sort of thing, and whether it is written on as few lines as it fits.
inline auto entry_fields(std::type_identity<MetaballPrimitive>) { return metaball_fields(); }
inline auto entry_fields(std::type_identity<Bone>) { return bone_fields(); }
inline auto entry_fields(std::type_identity<AnalysisPose>) { return pose_fields(); }
inline auto entry_fields(std::type_identity<AnalysisModel>) { return analysis_fields(); }
inline auto entry_fields(std::type_identity<PartMaterial>) { return part_material_fields(); }
inline auto entry_fields(std::type_identity<SolverParameter>) { return solver_parameter_fields(); }
inline auto entry_fields(std::type_identity<MotionParameter>) { return motion_parameter_fields(); }

template <class Entry>
inline constexpr bool kHasNumber = requires(Entry e) {
  e.id;
};  ///< an id in the file that is no row of the table
/// Short things are written on one line.
template <class Entry>
inline constexpr bool kOneLine = (kHasNumber<Entry> && !std::is_same_v<Entry, AnalysisPose>) ||
                                 std::is_same_v<Entry, SolverParameter> || std::is_same_v<Entry, MotionParameter>;

/// The name of an entry for sentences; of materials the part's.
template <class Entry>
const std::string& entry_name(const Entry& entry) {
  if constexpr (requires { entry.part; })
    return entry.part;
  else
    return entry.name;
}

template <class Owner, class Entry>
struct List {
  std::string_view path;     ///< "display.metaballs.primitives": nested keys in the file
  std::string_view entries;  ///< "metaballs": what the entries are, for sentences
  std::string_view tooltip;  ///< one sentence
  std::size_t most;          ///< entries
  const std::vector<Entry>& (*get)(const Owner&);
  void (*set)(Owner&, std::vector<Entry>);
  Effect (*reads)(const Owner&);  ///< from when on a run reads the entries, as far as their rows say so
  bool numbers_read = false;      ///< a run reads the ids of the entries: others refer to them
  bool (*counts)(const Owner&, const Entry&) = nullptr;  ///< which entries a run reads; null: all
};

namespace lists {

/// A function for each list: what is done to all of an owner's, in one, takes compilers several times as long.
template <class Visit, class Owner, class Entry>
[[gnu::noinline]] void visit_one(Visit& visit, const List<Owner, Entry>& list) {
  visit(list);
}

inline constexpr std::size_t kMostPrimitives = 4'096, kMostNodes = 20'000, kMostSprings = 200'000,
                             kMostTriangles = 100'000, kMostTetrahedra = 100'000, kMostCellNodes = 200'000,
                             kMostBones = 1'000, kMostWeights = 400'000, kMostAnalyses = 32, kMostMaterials = 1'000,
                             kMostPoses = 64, kMostParameters = 1'000, kMostKeys = 1'000'000, kMostPoints = 4'096,
                             kMostLifeKeys = 64;

// Beside the rows that are read at the same time (fields_object.cpp).
Effect metaballs_read(const Object& object);
Effect skeleton_read(const Object& object);
Effect parameters_read(const Object& object);
Effect start_read(const Object& object);
Effect poses_read(const Object& object);
inline Effect never(const auto&) { return Effect::look; }
inline Effect particles_read(const ParticleSource& s) { return gives_copies(s) ? Effect::look : Effect::motion; }

/// Of a truss that nobody strung.
inline const StrungTruss& strung_or_empty(const AnalysisModel& analysis) {
  static const StrungTruss empty;
  return analysis.strung == nullptr ? empty : *analysis.strung;
}

template <auto member, class Entry>
void set_strung(AnalysisModel& analysis, std::vector<Entry> entries) {
  StrungTruss changed = strung_or_empty(analysis);
  changed.*member = std::move(entries);
  analysis.strung = std::make_shared<const StrungTruss>(std::move(changed));
}

/// `analysis` takes an owner to the analysis model whose truss is meant.
template <class Owner, auto analysis, class Visit>
void visit_strung(const std::array<std::string_view, 6>& paths, Visit& visit) {
  const auto list = [&]<auto member>(std::integral_constant<decltype(member), member>, std::string_view path,
                                     std::string_view entries, std::string_view tooltip, std::size_t most) {
    using Entry = typename std::remove_cvref_t<decltype(std::declval<StrungTruss&>().*member)>::value_type;
    lists::visit_one(
        visit, List<Owner, Entry>{path, entries, tooltip, most,
                                  [](const Owner& o) -> const std::vector<Entry>& {
                                    return strung_or_empty(analysis(const_cast<Owner&>(o))).*member;
                                  },
                                  [](Owner& o, std::vector<Entry> e) { set_strung<member>(analysis(o), std::move(e)); },
                                  [](const Owner& o) {
                                    // For every kind of body: frames carry the nodes, contact may use them.
                                    const bool read = analysis(const_cast<Owner&>(o)).kind == AnalysisKind::strung;
                                    return read ? Effect::motion : Effect::look;
                                  }});
  };
  list(std::integral_constant<decltype(&StrungTruss::nodes), &StrungTruss::nodes>{}, paths[0], "nodes",
       "Nodes of a truss strung by hand: place in m before the object's scale, factor on the mass, and 1 "
       "when the node "
       "is pinned.",
       kMostNodes);
  list(std::integral_constant<decltype(&StrungTruss::springs), &StrungTruss::springs>{}, paths[1], "springs",
       "Springs between two nodes, a < b, in ascending order: factors on stiffness, damping and "
       "cross-section.",
       kMostSprings);
  list(std::integral_constant<decltype(&StrungTruss::hull), &StrungTruss::hull>{}, paths[2], "triangles",
       "Triangles of nodes around the truss, counter-clockwise from outside; left out: the convex hull.",
       kMostTriangles);
  list(std::integral_constant<decltype(&StrungTruss::tetrahedra), &StrungTruss::tetrahedra>{}, paths[3], "tetrahedra",
       "Tetrahedra of nodes that fill the display model, of positive volume.", kMostTetrahedra);
  list(std::integral_constant<decltype(&StrungTruss::cells), &StrungTruss::cells>{}, paths[4], "nodes of cells",
       "Nodes of the polyhedra that fill the display model, in ascending order: number of the polyhedron, number of "
       "the node.",
       kMostCellNodes);
  list(std::integral_constant<decltype(&StrungTruss::sheet), &StrungTruss::sheet>{}, paths[5], "triangles",
       "Triangles of nodes that are a cloth, in place of a hull: it may be open, and has at most two at an edge.",
       kMostTriangles);
}

/// `analysis` as of visit_strung.
template <class Owner, auto analysis, class Visit>
void visit_poses(const std::array<std::string_view, 2>& paths, Effect (*reads)(const Owner&), Visit& visit) {
  lists::visit_one(visit, List<Owner, AnalysisPose>{
                              paths[0], "poses", "Named shapes of the analysis model.", kMostPoses,
                              [](const Owner& o) -> const std::vector<AnalysisPose>& {
                                return analysis(const_cast<Owner&>(o)).poses;
                              },
                              [](Owner& o, std::vector<AnalysisPose> e) { analysis(o).poses = std::move(e); }, reads,
                              false, [](const Owner&, const AnalysisPose& pose) { return pose.example; }});
  lists::visit_one(visit,
                   List<Owner, PoseGroupNode>{
                       paths[1], "nodes of groups",
                       "Nodes that are in a group, which takes examples by itself: number of the node, in ascending "
                       "order, and of its "
                       "group; others are in group 0.",
                       kMostNodes,
                       [](const Owner& o) -> const std::vector<PoseGroupNode>& {
                         return analysis(const_cast<Owner&>(o)).pose_groups;
                       },
                       [](Owner& o, std::vector<PoseGroupNode> e) { analysis(o).pose_groups = std::move(e); }, reads});
}

}  // namespace lists

/// Calls lists::visit_one(visit, List<Owner, Entry>) for each list of an owner, in the order of the file; owners without lists:
/// not at all.
template <class Owner, class Visit>
void visit_lists(std::type_identity<Owner>, Visit&&) {}

template <class Visit>
void visit_lists(std::type_identity<AnalysisModel>, Visit&& visit) {
  static constexpr auto itself = [](AnalysisModel& a) -> AnalysisModel& { return a; };
  lists::visit_strung<AnalysisModel, itself>(
      {"strung.nodes", "strung.springs", "strung.hull", "strung.tetrahedra", "strung.cells", "strung.sheet"}, visit);
  lists::visit_poses<AnalysisModel, itself>({"poses", "pose_groups"}, lists::never, visit);
}

template <class Visit>
void visit_lists(std::type_identity<AnalysisPose>, Visit&& visit) {
  lists::visit_one(
      visit, List<AnalysisPose, PoseNode>{"nodes", "nodes",
                                          "A row for each node of the analysis model: how far it is from its place "
                                          "there, in m before the object's scale.",
                                          lists::kMostNodes,
                                          [](const AnalysisPose& p) -> const std::vector<PoseNode>& { return p.nodes; },
                                          [](AnalysisPose& p, std::vector<PoseNode> e) { p.nodes = std::move(e); },
                                          [](const AnalysisPose&) { return Effect::motion; }});
}

template <class Visit>
void visit_lists(std::type_identity<Track>, Visit&& visit) {
  lists::visit_one(
      visit,
      List<Track, Key>{"keys", "keys",
                       "Keys in ascending order of time: time in s; value (rotations w x y z, or angles in rad); way "
                       "to the next one: 0 step, 1 linear, "
                       "2 spline; tangents: 0 automatic, 1 free, 2 aligned, 3 flat; slopes before and behind per s; "
                       "how far the tangents reach.",
                       lists::kMostKeys, [](const Track& t) -> const std::vector<Key>& { return t.keys; },
                       [](Track& t, std::vector<Key> e) { t.keys = std::move(e); }, lists::never});
}

template <class Visit>
void visit_lists(std::type_identity<Force>, Visit&& visit) {
  using Node = std::array<std::uint32_t, 1>;
  lists::visit_one(
      visit,
      List<Force, Node>{
          "nodes", "nodes",
          "Numbers of nodes of the analysis model that it pushes, each with an equal part; none: by place.",
          lists::kMostNodes, [](const Force& f) -> const std::vector<Node>& { return f.nodes; },
          [](Force& f, std::vector<Node> e) { f.nodes = std::move(e); }, [](const Force&) { return Effect::motion; }});
}

template <class Visit>
void visit_lists(std::type_identity<MotionNode>, Visit&& visit) {
  lists::visit_one(
      visit, List<MotionNode, MotionParameter>{
                 "parameters", "parameters", "Parameters that are not as by default. What a kind has is on its page.",
                 lists::kMostParameters,
                 [](const MotionNode& n) -> const std::vector<MotionParameter>& { return n.parameters; },
                 [](MotionNode& n, std::vector<MotionParameter> e) { n.parameters = std::move(e); }, lists::never});
  lists::visit_one(
      visit, List<MotionNode, MotionWire>{
                 "wires", "wires",
                 "Where the box leads to, in the order in which cases are tried: id of a box, and 1 for an event that "
                 "is related.",
                 lists::kMostParameters, [](const MotionNode& n) -> const std::vector<MotionWire>& { return n.wires; },
                 [](MotionNode& n, std::vector<MotionWire> e) { n.wires = std::move(e); }, lists::never});
}

template <class Visit>
void visit_lists(std::type_identity<Curve>, Visit&& visit) {
  lists::visit_one(visit,
                   List<Curve, CurvePoint>{
                       "points", "points",
                       "Points in order, in the curve's own axes: place in m; tangents of splines: 0 "
                       "automatic, 1 free, 2 aligned; where they "
                       "come in and go out, from the place in m.",
                       lists::kMostPoints, [](const Curve& c) -> const std::vector<CurvePoint>& { return c.points; },
                       [](Curve& c, std::vector<CurvePoint> e) { c.points = std::move(e); }, lists::never});
}

template <class Visit>
void visit_lists(std::type_identity<ParticleSource>, Visit&& visit) {
  using Source = ParticleSource;
  lists::visit_one(
      visit, List<Source, LifeSize>{
                 "size_keys", "size keys",
                 "How large particles are drawn over their life, in ascending order of age: part of the life, times as "
                 "large as at birth. They go by a curve without overshoot from 1 at birth through these to `growth`.",
                 lists::kMostLifeKeys, [](const Source& s) -> const std::vector<LifeSize>& { return s.size_keys; },
                 [](Source& s, std::vector<LifeSize> e) { s.size_keys = std::move(e); }, lists::never});
  lists::visit_one(
      visit,
      List<Source, LifeColour>{
          "colour_keys", "colour keys",
          "Their colours over their life, in ascending order of age: part of the life, red, green, blue. They go by "
          "curves without overshoot from `colour` through these to `end_colour`.",
          lists::kMostLifeKeys, [](const Source& s) -> const std::vector<LifeColour>& { return s.colour_keys; },
          [](Source& s, std::vector<LifeColour> e) { s.colour_keys = std::move(e); }, lists::never});
  lists::visit_one(
      visit,
      List<Source, LifeOpacity>{
          "opacity_keys", "opacity keys",
          "Which part of `opacity` they have over their life, in ascending order of age: part of the life, part of the "
          "opacity; before the first and behind the last as there. Fades come on top.",
          lists::kMostLifeKeys, [](const Source& s) -> const std::vector<LifeOpacity>& { return s.opacity_keys; },
          [](Source& s, std::vector<LifeOpacity> e) { s.opacity_keys = std::move(e); }, lists::never});
  lists::visit_one(
      visit, List<Source, LifeSpeed>{
                 "speed_keys", "speed keys",
                 "How fast they go over their life, in ascending order of age: part of the life, times as fast as they "
                 "would; before the first and behind the last as there.",
                 lists::kMostLifeKeys, [](const Source& s) -> const std::vector<LifeSpeed>& { return s.speed_keys; },
                 [](Source& s, std::vector<LifeSpeed> e) { s.speed_keys = std::move(e); }, lists::particles_read});
  lists::visit_one(
      visit, List<Source, LifeDrag>{
                 "drag_keys", "drag keys",
                 "How hard air, water and drag of their own brake them over their life, in ascending order of age: "
                 "part of the life, times as hard as else; before the first and behind the last as there.",
                 lists::kMostLifeKeys, [](const Source& s) -> const std::vector<LifeDrag>& { return s.drag_keys; },
                 [](Source& s, std::vector<LifeDrag> e) { s.drag_keys = std::move(e); }, lists::particles_read});
}

template <class Visit>
void visit_lists(std::type_identity<Object>, Visit&& visit) {
  lists::visit_one(
      visit,
      List<Object, MetaballPrimitive>{
          "display.metaballs.primitives", "metaballs", "Metaballs that blend into one surface.", lists::kMostPrimitives,
          [](const Object& o) -> const std::vector<MetaballPrimitive>& { return o.display.metaballs.primitives; },
          [](Object& o, std::vector<MetaballPrimitive> e) { o.display.metaballs.primitives = std::move(e); },
          lists::metaballs_read});
  static constexpr auto present = [](Object& o) -> AnalysisModel& { return o.analysis; };
  lists::visit_strung<Object, present>({"analysis.strung.nodes", "analysis.strung.springs", "analysis.strung.hull",
                                        "analysis.strung.tetrahedra", "analysis.strung.cells", "analysis.strung.sheet"},
                                       visit);
  lists::visit_poses<Object, present>({"analysis.poses", "analysis.pose_groups"}, lists::poses_read, visit);
  lists::visit_one(
      visit, List<Object, Bone>{
                 "mapping.bones", "bones", "Bones of the skeleton that carries the display model.", lists::kMostBones,
                 [](const Object& o) -> const std::vector<Bone>& { return o.mapping.bones; },
                 [](Object& o, std::vector<Bone> e) { o.mapping.bones = std::move(e); }, lists::skeleton_read, true});
  lists::visit_one(
      visit,
      List<Object, PaintedWeight>{
          "mapping.painted", "painted weights",
          "Weights set by hand, in ascending order: they replace the automatic one of that bone at that vertex.",
          lists::kMostWeights, [](const Object& o) -> const std::vector<PaintedWeight>& { return o.mapping.painted; },
          [](Object& o, std::vector<PaintedWeight> e) { o.mapping.painted = std::move(e); }, lists::skeleton_read});
  lists::visit_one(
      visit, List<Object, SolverParameter>{
                 "body.parameters", "solver parameters",
                 "Parameters of elastic solvers that are not as by default, in ascending order of solver and name. "
                 "What a solver "
                 "has is on its page.",
                 lists::kMostParameters,
                 [](const Object& o) -> const std::vector<SolverParameter>& { return o.body.parameters; },
                 [](Object& o, std::vector<SolverParameter> e) {
                   o.body.parameters = std::move(e);
                   sort_parameters(o.body.parameters);
                 },
                 lists::parameters_read, false,
                 [](const Object& o, const SolverParameter& parameter) { return parameter.solver == o.body.solver; }});
  lists::visit_one(visit,
                   List<Object, StartNode>{
                       "body.start", "start nodes",
                       "How a flexible body is bent at the start, a row for each node of its analysis model: shift "
                       "from the rest shape "
                       "in m "
                       "and velocity beside that of the object in m/s, in the object's axes.",
                       lists::kMostNodes, [](const Object& o) -> const std::vector<StartNode>& { return o.body.start; },
                       [](Object& o, std::vector<StartNode> e) { o.body.start = std::move(e); }, lists::start_read});
  lists::visit_one(
      visit,
      List<Object, StartSpring>{
          "body.start_springs", "start springs",
          "What springs of a flexible body have gone through before the start, those that are as they were made "
          "left out: the nodes that a spring joins; how much longer it is for good, of its length (negative: "
          "shorter); 1 for one that has broken.",
          lists::kMostSprings, [](const Object& o) -> const std::vector<StartSpring>& { return o.body.start_springs; },
          [](Object& o, std::vector<StartSpring> e) { o.body.start_springs = std::move(e); }, lists::start_read});
  lists::visit_one(visit,
                   List<Object, PartMaterial>{
                       "part_materials", "materials of parts",
                       "Materials of parts of the display model; other parts have the object's.", lists::kMostMaterials,
                       [](const Object& o) -> const std::vector<PartMaterial>& { return o.part_materials; },
                       [](Object& o, std::vector<PartMaterial> e) { o.part_materials = std::move(e); }, lists::never});
  lists::visit_one(
      visit,
      List<Object, AnalysisModel>{
          "other_analyses", "analysis models", "Other analysis models that the object can be switched to.",
          lists::kMostAnalyses, [](const Object& o) -> const std::vector<AnalysisModel>& { return o.other_analyses; },
          [](Object& o, std::vector<AnalysisModel> e) { o.other_analyses = std::move(e); }, lists::never});
}

/// To the bit, as operator_equal() of field values: lists, and things with all their fields and lists.
template <class Owner>
bool same_lists(const Owner& a, const Owner& b);
template <class Owner>
bool same_fields(std::span<const Field<Owner>> fields, const Owner& a, const Owner& b) {
  for (const Field<Owner>& field : fields)
    if (!operator_equal(field.get(a), field.get(b))) return false;
  return true;
}

template <class Entry>
bool same_entry(const Entry& a, const Entry& b) {
  if constexpr (kIsRow<Entry>) {
    for (std::size_t i = 0; i < RowFormat<Entry>::columns.size(); ++i)
      if (std::bit_cast<std::uint64_t>(RowFormat<Entry>::get(a, i)) !=
          std::bit_cast<std::uint64_t>(RowFormat<Entry>::get(b, i)))
        return false;
    return true;
  } else {
    if constexpr (kHasNumber<Entry>)
      if (a.id != b.id) return false;
    return same_fields(entry_fields(std::type_identity<Entry>{}), a, b) && same_lists(a, b);
  }
}

template <class Owner>
bool same_lists(const Owner& a, const Owner& b) {
  bool same = true;
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    if (!same) return;
    const std::vector<Entry>&x = list.get(a), &y = list.get(b);
    if (&x == &y) return;  // a truss that both share
    same = x.size() == y.size();
    for (std::size_t i = 0; same && i < x.size(); ++i) same = same_entry(x[i], y[i]);
  });
  return same;
}

}  // namespace hazumi
