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

/// A widget that can have no keys says why where a person asks for one.
void say_unkeyed(QWidget& widget, const QString& sentence);
QString unkeyed_sentence(const QWidget& widget);  ///< empty: it says nothing of that

/// A diamond around a point, as keys are drawn everywhere.
void paint_key(QPainter& painter, QPointF centre, double radius, const QColor& line, const QColor& fill);

}  // namespace hazumi
