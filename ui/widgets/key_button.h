// The diamond beside a field that can be keyed: a faint dot without keys, hollow where keys are at other frames, full where one is
// at this frame. A click sets or deletes the key; what else can be done is in the menu.
#pragma once

#include <QAbstractButton>

#include "ui/model/keying.h"

namespace hazumi {

class KeyButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit KeyButton(QWidget* parent);
  void set_state(KeyState state);
  KeyState state() const { return state_; }

  QSize sizeHint() const override { return {15, 18}; }

 private:
  void paintEvent(QPaintEvent*) override;
  KeyState state_ = KeyState::none;
};

/// A diamond around a point, as keys are drawn everywhere.
void paint_key(QPainter& painter, QPointF centre, double radius, const QColor& line, const QColor& fill);

}  // namespace hazumi
