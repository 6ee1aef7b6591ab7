// The program itself, started as a person starts it: how much memory it takes when it idles with a scene.
#include <algorithm>

#include <QProcess>

#include "tests/ui/flow_support.h"

namespace flow_program_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Resident memory of a process in kB, from /proc; 0 when it is gone.
long resident(qint64 process) {
  QFile file(QString("/proc/%1/status").arg(process));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith("VmRSS:")) return line.mid(6).trimmed().split(' ').first().toLong();
  return 0;
}

}  // namespace

TEST_CASE("Flow: the program with the ball scene, all frames computed, idles below 300 MB", "[ui][flow][memory]") {
  QProcess program;
  program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  program.start(HAZUMI_BINARY_DIR "/bin/hazumi", {shipped("soft_and_hard_ball.json")});
  REQUIRE(program.waitForStarted());
  long now = 0, most = 0;
  int same = 0;
  // Until it has not grown for three seconds: the scene is loaded, drawn, and all of its frames are computed.
  for (int i = 0; i < 240 && same < 12; ++i) {
    QTest::qWait(250);
    REQUIRE(program.state() == QProcess::Running);
    const long seen = resident(program.processId());
    same = i > 20 && std::abs(seen - now) < 512 ? same + 1 : 0;
    now = seen;
    most = std::max(most, seen);
  }
  CHECK(same >= 12);
  WARN("resident memory idle: " << now / 1024 << " MB, most " << most / 1024 << " MB");
  CHECK(now > 40 * 1024);  // it is the whole program that was measured
  CHECK(now < 300 * 1024);
  program.terminate();
  if (!program.waitForFinished(5000)) program.kill();
  program.waitForFinished(5000);
}

}  // namespace flow_program_test
