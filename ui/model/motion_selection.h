// Which boxes of motion graphs are selected in their editor, which wire, and at which boxes playing stops: states of the window. What is
// gone from the scene is dropped; undo brings no selection back.
#pragma once

#include <optional>
#include <set>
#include <utility>

#include <QObject>

#include "core/base/id.h"

namespace hazumi {

class DocumentController;

class MotionSelection : public QObject {
  Q_OBJECT
 public:
  using Wire = std::pair<Id, Id>;  ///< from, to
  MotionSelection(DocumentController& document, QObject* parent);

  const std::set<Id>& ids() const { return ids_; }
  Id active() const { return active_; }  ///< the one that the panel shows; none: nothing is selected
  std::optional<Wire> wire() const { return wire_; }
  bool contains(Id id) const { return ids_.count(id) != 0; }

  void set(std::set<Id> ids, Id active = {});  ///< no wire is selected then
  void toggle(Id id);
  void set_wire(Wire wire);  ///< no box is selected then
  void clear() { set({}); }

  const std::set<Id>& stops() const { return stops_; }
  void set_stop(Id id, bool on);

 signals:
  void changed();
  void stops_changed();

 private:
  void drop_missing();

  DocumentController& document_;
  std::set<Id> ids_, stops_;
  Id active_;
  std::optional<Wire> wire_;
};

}  // namespace hazumi
