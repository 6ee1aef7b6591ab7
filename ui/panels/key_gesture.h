// Moving and scaling the selected keys by mouse or by typed numbers, as transforms of the view go: every step is worked out from the
// scene that it began with, all of them are one undo step, and taking it back leaves none.
#pragma once

#include <functional>
#include <optional>

#include <QKeyEvent>
#include <QString>

#include "ui/model/key_commands.h"
#include "ui/tools/number_entry.h"

namespace hazumi {

class KeyGesture {
 public:
  enum class Kind { move, scale };
  struct Place {
    double frame = 0;
    double height = 0;  ///< in shown units of the curve that was taken hold of
  };
  /// Where it may go beside time: the keys after they were moved by `way` in value. None: in time only.
  using Values = std::function<KeyEdit(const KeyEdit& edit, double way)>;
  struct Start {
    Kind kind = Kind::move;
    bool copies = false;   ///< what is moved are copies
    bool by_drag = false;  ///< ends when the button is released
    Place mouse;
    QString value_unit = {};
  };

  KeyGesture(UiContext& context, const Start& start, Values values = {});

  bool by_drag() const { return start_.by_drag; }
  void mouse_moved(const Place& mouse, Qt::KeyboardModifiers held);
  enum class Answer { goes_on, take, give_up };
  Answer key(const QKeyEvent& event);
  void give_up();
  QString hint() const;

 private:
  enum class Axis { both, time, value };

  void apply();
  Retime retime() const;
  double way_in_value() const;
  double scale() const;

  UiContext& context_;
  Start start_;
  Values values_;
  Shared<Scene> scene_;
  KeyTimes keys_;
  std::optional<KeyRef> active_;
  double head_ = 0, rate_ = 60;
  quint64 gesture_ = 0;
  Place mouse_;
  bool fine_ = false;  ///< between frames too
  Axis axis_ = Axis::both;
  NumberEntry entry_;
};

}  // namespace hazumi
