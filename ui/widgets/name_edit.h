// A name that is typed where it stands, over a strip of the time line.
#pragma once

#include <QKeyEvent>
#include <QLineEdit>

namespace hazumi {

/// Typed into; Esc leaves what was there.
class NameEdit : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

 protected:
  bool event(QEvent* event) override {
    // The window's commands do not take the letters.
    if (event->type() == QEvent::ShortcutOverride) {
      event->accept();
      return true;
    }
    return QLineEdit::event(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Escape) return QLineEdit::keyPressEvent(event);
    blockSignals(true);
    clearFocus();
    hide();
    deleteLater();
  }
};

}  // namespace hazumi
