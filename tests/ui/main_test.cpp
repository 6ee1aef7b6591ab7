// Runner of the interface tests: Catch2 inside a QApplication. Nothing a person has is touched: home, settings and caches are
// in a temporary folder, and Qt's test mode is on.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <string_view>

#include "tests/support/checked_accounts.h"
#include "ui/viewport/canvas.h"
#include "ui/widgets/theme.h"

int main(int argc, char** argv) {
  // Asked for its cases while it is built, it needs no display.
  if (argc > 1 && std::string_view(argv[argc - 1]).starts_with("--list")) return Catch::Session().run(argc, argv);
  hazumi::test::check_accounts();
  QTemporaryDir home;
  // A process that a test starts, to be killed, works in the folder that the test looks into.
  const QByteArray shared = qgetenv("HAZUMI_TEST_HOME");
  qputenv("HOME", shared.isEmpty() ? home.path().toUtf8() : shared);
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) qunsetenv(name);
  QStandardPaths::setTestModeEnabled(true);
  hazumi::prepare_opengl();
  int qt_argc = 1;
  QApplication application(qt_argc, argv);
  QApplication::setApplicationName(QStringLiteral("hazumi-tests"));
  hazumi::apply_theme(application);
  return Catch::Session().run(argc, argv);
}
