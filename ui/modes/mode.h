// An edit mode of the viewport: one file per mode in this folder, found by a generated table (file NAME.cpp defines
// mode_NAME()). Object mode is what the program does when no mode is on; an element mode edits inside the active object.
// A mode says what its elements are, where they lie, how they look and how an edit changes them; hovering, clicking, box
// selection, gizmos, G R S with axes, numbers and snapping, delete, duplicate, hide, undo and menus are the same for all.
//
// Stateless: plain structs of function pointers, null where a mode has none. Tools with a memory (a spring being strung, a
// brush) make an object for it (ModeTool::start). Functions get the state of the edited object as it is now.
//
// Elements lie in the object's frame before its scale; ObjectSpace takes them to the world and back. In a mode the start
// pose is edited and shown (frame 0); while another frame is shown the elements are out of sight and a click goes back. Modes
// with `at_frames` edit at every frame, where the object has got to.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <QPointF>
#include <QString>
#include <Qt>

#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "render/render_list.h"
#include "ui/model/context.h"
#include "ui/modes/element_selection.h"
#include "ui/tools/transform_math.h"

class QPainter;
class QWidget;

namespace hazumi {

/// From an object's frame (before its scale) to the world: p ↦ t + R S p.
struct ObjectSpace {
  Transform transform;
  explicit ObjectSpace(const Object& object) : transform(object.transform) {}
  explicit ObjectSpace(const Transform& place) : transform(place) {}
  Vec3 world(const Vec3& local) const { return transform * local; }
  Vec3 local(const Vec3& world) const;
  /// A difference of places.
  Vec3 local_way(const Vec3& world) const;
  glm::vec3 at(const Vec3& local) const { return to_float(world(local)); }
};

/// The edited object as it is seen now.
struct ModeView {
  const Object& object;
  ObjectSpace space;
  const Elements& selected;
  Element active;
  std::optional<Element> hovered;
  ViewCamera camera;
  glm::vec2 size{1};  ///< logical pixels
  MeshStore& meshes;
  ElementSelection& owner;  ///< for what a mode remembers for the window
};

/// What the mouse can take hold of, in the world: one list for hover, click, box and tests.
struct ElementShapes {
  enum class Kind {
    points,    ///< each point
    segments,  ///< pairs of points
    outline,   ///< a closed line that is hit inside too
    hull,      ///< everything inside the convex hull of the points on the screen
  };
  struct Shape {
    Element element;
    Kind kind;
    std::size_t first, count;  ///< in `points`
    float radius;              ///< logical pixels around it that still hit
    int rank;  ///< the highest rank that is hit wins; of equal rank the nearest to the mouse, then to the eye
  };
  std::vector<glm::vec3> points;
  std::vector<Shape> shapes;

  void add(Element element, Kind kind, std::span<const glm::vec3> world, float radius, int rank);
  void add_point(Element element, const glm::vec3& world, float radius = 9, int rank = 2);
  void add_segment(Element element, const glm::vec3& a, const glm::vec3& b, float radius = 6, int rank = 1);
};

/// A move, turn or scaling in the frame of the object before its scale.
struct ElementMotion {
  TransformMode mode = TransformMode::move;
  Vec3 pivot = Vec3::Zero();
  Vec3 move = Vec3::Zero();
  Mat3 linear = Mat3::Identity();  ///< of points about the pivot (turn or scaling, exact also in a scaled object)
  Vec3 axis = Vec3::UnitX();       ///< rotate: unit, of the object's rotated frame (its scale left out)
  double angle = 0;                ///< rad
  Mat3 frame = Mat3::Identity();   ///< scale: columns are the axes of `factors`, of the object's rotated frame
  Vec3 factors = Vec3::Ones();
  int mirror = -1;  ///< symmetric editing, as ElementSelection::mirror()
  double soft = 0;  ///< m: how far around what is moved the rest goes along, as ElementSelection::soft()

  /// Exactly `p` when nothing moves.
  Vec3 point(const Vec3& p) const;
  /// Something with axes and extents of its own (position, rotation, size along its axes in `scale`).
  Transform place(const Transform& own) const;
};

/// Where the gizmo of a selection stands.
struct ElementPlace {
  Vec3 pivot = Vec3::Zero();     ///< object frame before the scale
  Mat3 axes = Mat3::Identity();  ///< columns: axes of the active element, for local constraints
};

/// Of places that are not none: their mean.
ElementPlace middle_of(std::span<const Vec3> places);

/// What a mode may ask of the view in which its elements are seen.
class ModeStage {
 public:
  /// The edited object as it is seen; none in object mode.
  virtual std::optional<ModeView> mode_view() const = 0;
  /// The mouse moves what is selected, until it is clicked. `key`: joined to the edit with this merge key, as one undo step.
  virtual bool begin_transform(TransformMode mode, quint64 key = 0) = 0;
  /// Where the mouse meets the surface of something in the scene, world.
  virtual std::optional<Vec3> surface_under(QPointF pixel) const = 0;
  /// Over which a question to the person stands.
  virtual QWidget* widget() = 0;

 protected:
  ~ModeStage() = default;
};

/// What a mode's actions and tools are given.
struct ModeContext {
  UiContext& ui;
  ModeStage& stage;
  ElementSelection& elements;
  const Object* object() const { return elements.object(); }  ///< null: the mode was left
  /// One undo step on the edited object; a refusal is said to the person. False: nothing changed.
  bool edit(const QString& text, const std::function<void(Object&)>& change, quint64 merge_key = 0) const;
};

/// A command of a mode: in the context menu, and with `in_bar` as a button beside the mode bar.
struct ModeAction {
  std::string_view id;    ///< "metaballs.mirror_x"
  std::string_view text;  ///< "Mirror Across &YZ"
  std::string_view icon;  ///< file in assets/icons without .svg; "" none
  std::string_view
      keys;  ///< "Ctrl+M;M", portable text, alternatives; only while the mode is on and the viewport has the keys
  std::string_view tip;   ///< one sentence
  std::string_view menu;  ///< submenu it stands in; "" the menu itself
  bool separated = false;
  bool in_bar = false;
  void (*run)(const ModeContext& context);
  /// Why it cannot be done now (shown with the greyed button); empty: it can. Null: always.
  QString (*why_not)(const ModeContext& context) = nullptr;
  /// For actions that are on or off. Null: a plain command.
  bool (*checked)(const ModeContext& context) = nullptr;
};

/// The mouse over the view, for tools.
struct ModePointer {
  QPointF pixel;  ///< logical
  Ray ray;        ///< world
  Qt::KeyboardModifiers modifiers;
  std::optional<Element> element;  ///< under the mouse
  std::optional<Vec3> surface;     ///< where the ray meets the object's display model: object frame before the scale
};

/// A tool in use. The left button, and keys that are not the mode's, go to it first; what it does not take (false) is
/// handled as without it. Gone when another tool is taken, with Esc, or when the mode is left.
class ModeToolRun {
 public:
  virtual ~ModeToolRun() = default;
  virtual bool press(const ModeContext&, const ModePointer&) { return false; }
  virtual void move(const ModeContext&, const ModePointer&) {}     ///< with and without the button
  virtual void release(const ModeContext&, const ModePointer&) {}  ///< after a press that was taken
  virtual bool key(const ModeContext&, int /*key*/, Qt::KeyboardModifiers) { return false; }
  /// The wheel, in notches (a brush's size); false: zoom.
  virtual bool wheel(const ModeContext&, double /*notches*/, Qt::KeyboardModifiers) { return false; }
  virtual void draw(const ModeView&, RenderList&) const {}
  virtual void paint(const ModeView&, QPainter&) const {}  ///< over the picture, logical pixels
  virtual QString hint() const { return {}; }
  virtual Qt::CursorShape cursor() const { return Qt::CrossCursor; }
};

struct ModeTool {
  std::string_view id;     ///< "truss.string"
  std::string_view title;  ///< "String Springs"
  std::string_view icon;
  std::string_view keys;  ///< as for actions
  std::string_view tip;
  std::unique_ptr<ModeToolRun> (*start)(const ModeContext& context);
};

struct ModeInfo {
  std::string_view id;     ///< "metaballs"
  std::string_view title;  ///< "Metaballs"
  std::string_view icon;
  std::string_view tip;         ///< one sentence
  int order;                    ///< in the mode bar
  std::string_view panel = {};  ///< id of the dock that comes to the front with the mode; "" none
  bool at_frames = false;       ///< elements are edited where the object is in the frame that is shown (ElementStand)
  bool of_curves = false;       ///< it edits curves, given as EditedCurve (edited_thing.h), and no objects

  /// Why the object cannot be edited so, a sentence; empty: it can.
  QString (*why_not)(const Object& object) = nullptr;
  /// What would make it fit: text of the button ("Turn into metaballs"), empty when nothing does; and doing it (the object
  /// as it was is given with the change, since some remedies need its mesh). One undo step.
  QString (*remedy)(const Object& object) = nullptr;
  void (*apply_remedy)(Object& object, MeshStore& meshes) = nullptr;

  /// All elements that can be selected (not hidden ones).
  Elements (*elements)(const Object& object) = nullptr;
  /// Words for them in undo steps and status: "Ball 2", "3 nodes".
  QString (*name)(const Object& object, const Elements& elements) = nullptr;
  void (*shapes)(const ModeView& view, ElementShapes& shapes) = nullptr;
  /// The element that a click on the display model at this place (object frame before the scale) means, when no shape of
  /// rank > 0 is hit. May be null.
  std::optional<Element> (*at_surface)(const ModeView& view, const Vec3& place) = nullptr;
  /// Adds to the picture, and may change how the object itself is drawn in it.
  void (*draw)(const ModeView& view, RenderList& list) = nullptr;
  bool draws_analysis = false;  ///< the mode draws nodes and springs of the object itself: the usual overlay is off

  std::optional<ElementPlace> (*place)(const Object& object, const Elements& elements, Element active) = nullptr;
  void (*apply)(Object& object, const Elements& elements, const ElementMotion& motion) = nullptr;
  bool can_turn = false;  ///< rotating or scaling one element by itself does something (not for a lone point)
  void (*remove)(Object& object, const Elements& elements) = nullptr;
  Elements (*duplicate)(Object& object, const Elements& elements) = nullptr;  ///< returns the copies. May be null
  void (*hide)(Object& object, const Elements& elements) = nullptr;           ///< may be null
  void (*show_all)(Object& object) = nullptr;                                 ///< may be null

  std::span<const ModeAction> actions = {};
  std::span<const ModeTool> tools = {};
  std::span<const std::string_view> add_actions =
      {};  ///< ids of the program's actions for Shift+A; empty: its own Add menu
  QString (*hint)(const ModeContext& context) = nullptr;  ///< status line while nothing else speaks

  /// Which of `elements` can be chosen now, where not all can; null: all.
  bool (*meant)(ElementSelection& owner, const Object& object, Element element) = nullptr;
  /// The elements on the other side of the mirror plane `axis` added; null: the mode knows no partners.
  Elements (*with_partners)(const Object& object, const Elements& elements, int axis) = nullptr;
  /// What Alt and a click on an element selects: a ring of springs, a chain of bones. May be null.
  Elements (*ring)(const ModeView& view, Element element) = nullptr;
  /// Over the picture, logical pixels: marks and legends. May be null.
  void (*paint)(const ModeView& view, QPainter& painter) = nullptr;
};

/// The table is sorted by file name; `order` is for those who show it.
std::span<const ModeInfo* const> modes();
const ModeInfo* find_mode(std::string_view id);
std::vector<const ModeInfo*> modes_in_order();
/// Why what this id names cannot be edited so, a sentence; empty: it can.
QString mode_refusal(const Scene& scene, Id id, const ModeInfo& mode);

// What every mode does the same ---------------------------------------------------------------------------------------

/// Each is one undo step and leaves a selection that makes sense. Nothing happens in object mode.
void remove_elements(UiContext& context);
/// The gesture key of the step, for a move that belongs to it; 0: nothing was copied.
quint64 duplicate_elements(UiContext& context);
void hide_elements(UiContext& context);
void show_all_elements(UiContext& context);
void select_all_elements(UiContext& context);
void invert_elements(UiContext& context);
/// "Ball 2 in Kangaroo"; empty in object mode or with nothing selected.
QString elements_text(const UiContext& context);

/// The motion in the frame of an object, before its scale.
ElementMotion in_object(const Transform& object, TransformMode mode, const Vec3& pivot, const Vec3& move,
                        const Vec3& axis, double angle, const Mat3& frame, const Vec3& factors);

/// Under the mouse; none: nothing. `list` for the display model's surface.
std::optional<Element> element_at(const ModeInfo& mode, const ModeView& view, const RenderList& list, QPointF pixel,
                                  std::optional<Vec3>* surface = nullptr);
/// Elements with any part inside the rectangle. A hull counts only when it lies in it as a whole or by its centre.
Elements elements_in(const ModeInfo& mode, const ModeView& view, const QRectF& box);

}  // namespace hazumi
