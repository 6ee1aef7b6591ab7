// Which fields I keys: a button with a menu beside auto-key. The menu chooses a keying set, makes one of the selected tracks, and
// names, empties and deletes the scene's own.
#pragma once

#include <QPointer>
#include <QToolButton>

#include "ui/model/context.h"

class QMenu;

namespace hazumi {

class NameEdit;

class KeyingSetButton : public QToolButton {
  Q_OBJECT
 public:
  explicit KeyingSetButton(UiContext& context, QWidget* parent = nullptr);

 private:
  void refresh();
  void fill(QMenu& menu);
  void add_own(QMenu& menu);
  void type_name();

  UiContext context_;
  QPointer<NameEdit> name_;
};

}  // namespace hazumi
