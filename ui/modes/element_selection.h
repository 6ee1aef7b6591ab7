// Which edit mode the window is in and what is selected inside the active object: primitives of a metaball group, nodes and
// springs of a truss, bones. Not part of the scene and not undone; but undo and redo bring back the elements that were
// selected at that place of the undo stack, so that "delete, undo" leaves the deleted ones selected again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <typeindex>

#include <QObject>
#include <QString>

#include "core/base/id.h"
#include "core/playback/frame.h"
#include "ui/modes/edited_thing.h"

class QUndoCommand;

namespace hazumi {

class DocumentController;
class Selection;
struct ModeInfo;
struct RenderList;

/// A part of an object that a mode can select. What `type` and `number` mean is the mode's matter (mode.h).
struct Element {
  std::uint8_t type = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const Element&, const Element&) = default;
};

using Elements = std::set<Element>;

/// Where the edited object stands in a frame of its run, of modes that edit it there (ModeInfo::at_frames).
struct ElementStand {
  Transform place;    ///< with the object's own scale
  FramePtr frame;     ///< what is around it; null: nothing is computed
  bool here = false;  ///< it is of the frame that is asked for, and of the run as it is
  friend bool operator==(const ElementStand& a, const ElementStand& b) {
    return a.place.position == b.place.position && a.place.rotation.coeffs() == b.place.rotation.coeffs() &&
           a.place.scale == b.place.scale && a.frame == b.frame && a.here == b.here;
  }
};

class ElementSelection : public QObject {
  Q_OBJECT
 public:
  ElementSelection(DocumentController& document, Selection& selection, QObject* parent = nullptr);

  /// Null in object mode.
  const ModeInfo* mode() const { return mode_; }
  bool in(std::string_view mode_id) const;
  /// The object whose parts are edited, or what stands for a curve (edited_thing.h); null in object mode. Valid until the next edit.
  const Object* object() const;
  Id object_id() const { return object_; }

  /// Edits the active object in this mode. Empty when done; else the sentence that says why not, and nothing changed.
  QString enter(const ModeInfo& mode);
  void leave();
  /// Tab: object mode, or back into the mode that was left last (if it fits; else the first that does). Empty when done.
  QString toggle();

  const Elements& elements() const { return elements_; }
  /// Elements of one type, ascending numbers.
  std::set<std::uint32_t> numbers(std::uint8_t type) const;
  Element active() const { return active_; }
  bool has_active() const { return elements_.count(active_) != 0; }
  bool contains(Element element) const { return elements_.count(element) != 0; }
  bool empty() const { return elements_.empty(); }

  void set(Elements elements);  ///< active: kept when among them, else the last one
  void set(Elements elements, Element active);
  void select_only(Element element) { set({element}, element); }
  void toggle(Element element);
  void add(const Elements& elements);
  void clear() { set({}); }

  /// Symmetric editing: the axis whose mirror plane (through the origin of the object's frame) edits are repeated across,
  /// 0 x, 1 y, 2 z; −1: none. Modes that know partners (ModeInfo::with_partners) follow it.
  int mirror() const { return mirror_; }
  void set_mirror(int axis);
  /// m, object frame before its scale: how far around the selection the rest goes along, of modes in which it does; 0: not at all.
  double soft() const { return soft_; }
  void set_soft(double radius);
  /// None: the object is edited where its run begins.
  const std::optional<ElementStand>& stand() const { return stand_; }
  void set_stand(std::optional<ElementStand> stand);
  /// Where the edited object is seen.
  const Transform& place_of(const Object& object) const { return stand_ ? stand_->place : object.transform; }
  /// What a mode remembers as long as the program runs (colours, a brush): made from this selection at the first question.
  template <class Memory>
  Memory& memory() {
    std::unique_ptr<QObject>& known = memories_[typeid(Memory)];
    if (!known) known = std::make_unique<Memory>(*this);
    return static_cast<Memory&>(*known);
  }
  /// Says that something a mode remembers changed: the view is drawn again.
  void redraw() { emit look_changed(); }

  /// Changes the picture of the start pose for as long as somebody looks at it (a vibration that swings): not an edit, not
  /// in frames. Ends by itself when the active object changes or playing starts, with Esc, and with an empty function.
  using Preview = std::function<void(RenderList&)>;
  void set_preview(Preview preview);
  const Preview& preview() const { return preview_; }
  /// The preview draws something else now.
  void redraw_preview() { emit preview_moved(); }

 signals:
  void changed();       ///< elements or the active one
  void mode_changed();  ///< mode or object; changed() follows when elements changed with it
  void look_changed();  ///< mirror, preview, or what redraw() was called for
  void preview_moved();

 private:
  struct Step {
    const QUndoCommand* command;  ///< the one before this place of the stack: a new one there is another history
    Elements elements;
    Element active;
  };
  void on_document();
  void on_selection();
  void on_undo_index(int index);
  void take(Elements elements, Element active);
  void remember();

  DocumentController& document_;
  Selection& selection_;
  const ModeInfo* mode_ = nullptr;
  const ModeInfo* last_mode_ = nullptr;
  Id object_;
  EditedThing edited_;
  Elements elements_;
  Element active_;
  std::map<int, Step> steps_;  ///< by undo index, of the present mode and object
  int index_ = 0;
  int mirror_ = -1;
  double soft_ = 0;
  std::optional<ElementStand> stand_;
  Preview preview_;
  std::map<std::type_index, std::unique_ptr<QObject>> memories_;
};

}  // namespace hazumi
