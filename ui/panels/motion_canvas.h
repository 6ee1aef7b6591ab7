// The canvas of motion graphs: boxes and wires of the scene, moved, wired and taken away by mouse. Every change is an edit of the document.
//   box    click, Shift+click, box selection; drag moves; double click renames; L loop, M mute, Del, Ctrl+D, Ctrl+C, Ctrl+V
//   wire   drag from the right of a box to another one, or to the empty: what may follow there; click and Del takes it away
//   relate drag with Alt, or from the lower edge of an event, to another event
//   group  Ctrl+G puts a frame round boxes, Ctrl+Shift+G takes it away; its title: click selects them, drag moves, double click renames
//   view   wheel zooms at the pointer, middle button pans, Home frames all
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <QGraphicsView>

#include "core/base/shared.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/values/scene.h"
#include "ui/model/context.h"
#include "ui/model/motion_log.h"
#include "ui/model/motion_selection.h"
#include "ui/panels/motion_items.h"

class QMenu;

namespace hazumi {

class HoverKeys;
class Sight;

class MotionCanvas : public QGraphicsView {
  Q_OBJECT
 public:
  MotionCanvas(UiContext& context, MotionSelection& chosen, QWidget* parent);
  ~MotionCanvas() override;

  /// Null: it is not shown.
  const MotionBox* box(Id id) const;
  const MotionWireItem* wire(Id from, Id to) const;
  bool only_selected() const { return only_selected_; }
  void set_only_selected(bool on);  ///< boxes of what is selected in the view alone
  void frame_all();
  void frame_selected();

  /// A new box in the middle of what is seen, or behind the active one, where it is free.
  void add(MotionRole role, std::string_view kind);
  /// A new box whose middle is there, an undo step; selected.
  Id add_at(MotionRole role, std::string_view kind, QPointF middle);
  /// An entry of the palette is dragged over a place of the screen: its box is shown there. False: that is beside the canvas.
  bool preview(MotionRole role, std::string_view kind, QPoint global);
  void drop(QPoint global);  ///< it becomes a box there, or nothing beside the canvas
  void end_preview();

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Part { none, box, exit, relation, loop, wire, group };
  struct Hit {
    Part part = Part::none;
    Id id;  ///< of the box; of a wire, from which it leads
    Id to;  ///< of a wire
    friend bool operator==(const Hit&, const Hit&) = default;
  };
  enum class Drag { none, boxes, band, wire, relate, pan, menu };

  // What is there
  void refresh();
  void refresh_looks();
  void place_wires();
  BoxLook look_of(const MotionNode& node) const;
  WireLook look_of_wire(const MotionNode& from, const MotionWire& wire) const;
  bool is_shown(const MotionNode& node) const;
  std::vector<QRectF> places() const;
  QPointF free_place(QPointF wanted) const;
  void show_view(QPointF centre, double zoom);
  void frame(const QRectF& what);
  void follow_selection();

  // Mouse and keys
  Hit hit_at(QPointF place) const;
  Id box_at(QPointF place) const;
  void hover(std::optional<QPointF> place);
  void begin_wire(Id from, bool related);
  void end_wire();
  void move_boxes(QPoint mouse);
  void take_band();
  void give_up();
  bool is(const QKeyEvent& event, const char* command) const;
  bool takes(const QKeyEvent& event) const;
  bool do_key(const QKeyEvent& event);
  void popup(QMenu* menu, QPoint at);
  QMenu* make_menu(const Hit& hit);
  void add_box_entries(QMenu& menu);
  void add_wire_entries(QMenu& menu, const Hit& hit);
  using Chosen = std::function<void(MotionRole, std::string_view)>;
  void add_kinds(QMenu& menu, bool procedures, bool events, const Chosen& chosen);
  void name_box(Id id);
  void say(const QString& sentence);

  // Edits
  bool edit(const QString& text, Scene next);
  void connect_boxes(Id from, Id to, bool related);
  void add_following(Id from, bool related, MotionRole role, std::string_view kind, QPointF middle);
  void remove_chosen();
  void duplicate_chosen();
  void copy_chosen();
  void paste();
  void toggle_loop(const std::set<Id>& ids);
  void toggle_used();
  void group_chosen();
  void ungroup_chosen();

  // Groups
  struct GroupFrame {
    QRectF frame, title;
    std::set<Id> ids;
    bool hovered = false;
  };
  std::map<std::string, GroupFrame> group_frames() const;  ///< of the boxes that are shown
  std::string group_of(Id id) const;
  std::set<Id> grouped_with(Id id) const;
  void paint_groups(QPainter& painter) const;
  void name_group(Id id);

  UiContext context_;
  MotionSelection& chosen_;
  HoverKeys* hover_keys_;
  Sight* sight_;
  std::map<Id, MotionBox*> boxes_;
  std::map<std::pair<Id, Id>, MotionWireItem*> wires_;
  BoxLights board_;
  BoxTracks keys_;
  std::map<Id, BoxLight> lights_;
  std::map<Id, QString> faults_;
  std::vector<MotionNode> copied_;
  std::vector<Shared<Track>> copied_keys_;
  bool only_selected_ = false, mouse_inside_ = false;
  bool framed_ = false, touched_ = false;  ///< all was shown once; since then a person has chosen what is seen
  QPointF centre_;
  double zoom_ = 1;

  Drag drag_ = Drag::none;
  QPoint press_, mouse_;
  Hit pressed_, hovered_;
  bool adds_ = false, was_chosen_ = false, moved_ = false;
  Shared<Scene> before_;  ///< of a drag of boxes
  quint64 gesture_ = 0;
  struct Preview {
    MotionRole role;
    std::string kind;
    QPointF middle;
  };
  std::optional<Preview> preview_;
};

}  // namespace hazumi
