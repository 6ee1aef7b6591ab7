// Runner of the interface tests: Catch2 inside a QApplication. Nothing a person has is touched: home, settings and caches are
// in a temporary folder, and Qt's test mode is on. On a display there is one at a time, since its windows want mouse and
// keyboard; half of the cases take a second one where there is one (tests/run.sh).
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/file.h>

#include <QApplication>
#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <string_view>

#include "tests/support/checked_accounts.h"
#include "ui/viewport/canvas.h"
#include "ui/widgets/theme.h"

namespace {

/// Held until the process ends; those that it starts share it.
void take_display() {
  if (qEnvironmentVariableIsSet("HAZUMI_TEST_HAS_DISPLAY")) return;
  qputenv("HAZUMI_TEST_HAS_DISPLAY", "1");
  const QByteArray other = qgetenv("HAZUMI_OTHER_DISPLAY");
  if (!other.isEmpty() && qgetenv("HAZUMI_TEST_LANE") == "2") qputenv("DISPLAY", other);
  const QString name =
      QDir::temp().filePath(QStringLiteral("hazumi_tests_on") + qEnvironmentVariable("DISPLAY").replace('/', '_'));
  const int file = ::open(name.toLocal8Bit().constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file >= 0) ::flock(file, LOCK_EX);  // else: several people's tests in one folder, who have displays of their own
}

}  // namespace

int main(int argc, char** argv) {
  // Asked for its cases while it is built, it needs no display.
  if (argc > 1 && std::string_view(argv[argc - 1]).starts_with("--list")) return Catch::Session().run(argc, argv);
  hazumi::test::check_accounts();
  QTemporaryDir home;
  // A process that a test starts, to be killed, works in the folder that the test looks into.
  const QByteArray shared = qgetenv("HAZUMI_TEST_HOME");
  take_display();
  qputenv("HOME", shared.isEmpty() ? home.path().toUtf8() : shared);
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) qunsetenv(name);
  QStandardPaths::setTestModeEnabled(true);
  hazumi::prepare_opengl();
  hazumi::ViewCanvas::smooth_when_at_rest(qEnvironmentVariableIsSet("HAZUMI_SHOTS"));  // pictures for people
  int qt_argc = 1;
  QApplication application(qt_argc, argv);
  QApplication::setApplicationName(QStringLiteral("hazumi-tests"));
  hazumi::apply_theme(application);
  return Catch::Session().run(argc, argv);
}
