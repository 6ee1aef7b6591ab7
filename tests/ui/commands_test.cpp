// A command is one row: what it does, why it cannot be done, whether it is on come from its functions and from nowhere else.
#include <catch2/catch.hpp>

#include "tests/ui/support.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace commands_test {

using namespace hazumi;
using namespace hazumi::test;

struct Lamp {
  int pressed = 0;
  bool on = false, broken = false;
};
struct Nobody {};

const Command kRows[] = {
    {"lamp.press", "&Press", "", "Ctrl+L", "Lamp", "Turns the lamp on or off.",
     [](Lamp& lamp) {
       ++lamp.pressed;
       lamp.on = !lamp.on;
     },
     [](const Lamp& lamp) { return lamp.broken ? QString("It is broken.") : QString(); },
     [](const Lamp& lamp) { return lamp.on; }, true,
     [](const Lamp& lamp) { return lamp.on ? QString("&Off") : QString("&On"); }},
    {"nobody.ask", "&Ask", "", "", "Lamp", "Asks somebody who is not there.", [](Nobody&) { FAIL("nobody is there"); },
     [](Nobody&) { return QString("never asked"); }},
};
const CommandTable kTable{1, kRows};
const CommandTable* const kTables[] = {&kTable};

TEST_CASE("A row runs its function and shows what its functions say", "[ui][commands]") {
  ActionSet actions(kTables);
  QAction* press = actions["lamp.press"];
  CHECK(press->isCheckable());
  CHECK_FALSE(actions["nobody.ask"]->isCheckable());
  press->trigger();  // nobody attends yet
  CHECK_FALSE(press->isChecked());
  Lamp lamp;
  bool busy = false;
  auto life = std::make_unique<QObject>();
  actions.attend(lamp, *life, [&] { return busy; });
  CHECK(press->text() == "&On");
  press->trigger();
  CHECK(lamp.pressed == 1);
  CHECK(press->isChecked());
  CHECK(press->text() == "&Off");
  busy = true;
  press->trigger();
  CHECK(lamp.pressed == 1);
  CHECK(press->isChecked());  // Qt had changed the check by itself
  busy = false;
  lamp.broken = true;
  actions.refresh();
  CHECK_FALSE(press->isEnabled());
  CHECK(press->statusTip() == "It is broken.");
  CHECK(press->toolTip().contains("It is broken."));
  lamp.broken = false;
  actions.refresh();
  CHECK(press->isEnabled());
  CHECK(press->statusTip() == "Turns the lamp on or off.");
  actions["nobody.ask"]->trigger();
  CHECK(actions["nobody.ask"]->isEnabled());
  life.reset();
  press->trigger();
  CHECK(lamp.pressed == 1);
}

TEST_CASE("Every command of the program has a function, and who it speaks to is there", "[ui][commands]") {
  Window w;
  CHECK(command_tables().size() >= 7);
  for (const Command* row : w->context().actions.rows()) {
    INFO(row->id);
    CHECK_FALSE(row->run.empty());
    CHECK(w->context().actions.attended(row->run));
  }
  Session alone;  // without a window the commands that need none still work
  CHECK(alone.actions.attended(alone.actions.row("add.box").run));
  CHECK_FALSE(alone.actions.attended(alone.actions.row("file.open").run));
  alone.actions["add.box"]->trigger();
  CHECK(alone.document.scene().objects.size() == 2);
}

}  // namespace commands_test
