// A name that is typed where it stands, over a strip of the time line.
#pragma once

#include <functional>

#include <QKeyEvent>
#include <QLineEdit>

namespace hazumi {

/// Typed into; Esc leaves what was there.
class NameEdit : public QLineEdit {
 public:
  NameEdit(const QString& name, const char* object_name, int most, QWidget* parent) : QLineEdit(name, parent) {
    setObjectName(QLatin1String(object_name));
    setMaxLength(most);
  }
  /// Shown with all of it selected; done(name) once, unless Esc came first. `owner`: done is not called after its end.
  void begin(const QRect& place, QObject* owner, const std::function<void(const QString&)>& done) {
    setGeometry(place);
    connect(this, &QLineEdit::editingFinished, owner, [this, done] {
      const QString name = text();
      leave();
      done(name);
    });
    show();
    selectAll();
    setFocus();
  }

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
    leave();
  }

 private:
  void leave() {
    blockSignals(true);  // hiding it ends it once more
    clearFocus();
    hide();
    deleteLater();
  }
};

}  // namespace hazumi
