// What is selected: ids of objects, lights and other things of the outliner, one of them active (the last one clicked; what the panels show). Not part of the
// scene and not undone, but undo and redo bring along a selection that makes sense (things that are gone are dropped).
#pragma once

#include <set>
#include <vector>

#include <QObject>

#include "core/base/id.h"

namespace hazumi {

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  const std::set<Id>& ids() const { return ids_; }
  Id active() const { return active_; }
  bool contains(Id id) const { return ids_.count(id) != 0; }
  bool empty() const { return ids_.empty(); }
  /// The ids in the order in which they were selected one by one; empty: several came at once, as by a box.
  const std::vector<Id>& order() const { return order_; }

  void set(std::set<Id> ids, Id active = {});  ///< active none: the largest id
  void select_only(Id id);
  void toggle(Id id);
  void add(const std::set<Id>& ids);
  void clear();
  /// The viewport tells that a click met this part of an object (whatever became of the selection).
  void announce_part(Id id, const QString& part) { emit part_clicked(id, part); }

 signals:
  void changed();
  void part_clicked(hazumi::Id id, const QString& part);

 private:
  void put_in_order();

  std::set<Id> ids_;
  std::vector<Id> order_;
  Id active_;
};

}  // namespace hazumi
