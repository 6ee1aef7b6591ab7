// The import dialog in the real window.
#pragma once

#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include "tests/ui/flow_support.h"
#include "ui/editors/import_dialog.h"

namespace hazumi::test {

struct ImportFlow : Flow {
  ImportDialog* dialog() {
    auto* found = window.findChild<ImportDialog*>();
    REQUIRE(found);
    return found;
  }
  void settle() {
    REQUIRE(wait_for([&] { return dialog()->ready(); }));
    QTest::qWait(10);
  }
  void import_by_menu(const QString& file) {
    answer_file_dialog(file);
    menu("File", "file.import");
    settle();
  }
  template <class W>
  W* part(const char* name) {
    auto* widget = dialog()->findChild<W*>(name);
    REQUIRE(widget);
    return widget;
  }
  QString text(const char* name) { return part<QLabel>(name)->text(); }
  void press(const char* name) {
    QPointer<ImportDialog> open = dialog();
    click_in(part<QPushButton>(name), part<QPushButton>(name)->rect().center());
    REQUIRE(wait_for([&] { return open.isNull(); }));
  }
};

}  // namespace hazumi::test
