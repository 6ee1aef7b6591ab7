// Saving to a disk that does not answer: a pipe that nobody reads yet is one.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include <QProgressDialog>
#include <QPushButton>

#include "tests/ui/flow_support.h"

namespace flow_saving_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A file that takes what is written into it from read() on.
struct SlowFile {
  QTemporaryDir folder;
  QString name = folder.filePath("slow.json");
  std::string bytes;
  std::thread reader;

  SlowFile() { REQUIRE(::mkfifo(name.toStdString().c_str(), 0600) == 0); }
  ~SlowFile() {
    if (reader.joinable()) reader.join();
  }
  void read() {
    reader = std::thread([this] {
      const int handle = ::open(name.toStdString().c_str(), O_RDONLY);
      std::array<char, 4096> block{};
      for (ssize_t count; (count = ::read(handle, block.data(), block.size())) > 0;)
        bytes.append(block.data(), static_cast<std::size_t>(count));
      ::close(handle);
    });
  }
};

QProgressDialog* dialog_now() {
  auto* dialog = qobject_cast<QProgressDialog*>(QApplication::activeModalWidget());
  return dialog && dialog->objectName() == "save_progress" ? dialog : nullptr;
}

}  // namespace

TEST_CASE("Flow: while a slow disk takes the scene the window lives, says so, and keeps what is done meanwhile",
          "[ui][flow][saving]") {
  Flow f;
  SlowFile slow;
  f.action("add.box")->trigger();
  const std::string scene = scene_to_text(f.scene());
  int ticks = 0;
  bool told = false;
  QTimer beat;
  QObject::connect(&beat, &QTimer::timeout, [&] {
    ++ticks;
    if (told || !dialog_now()) return;
    told = true;
    f.shot("saving", dialog_now());
    CHECK(dialog_now()->labelText().contains("slow.json"));
    CHECK_FALSE(f.window.close());  // not while it is written
    slow.read();
  });
  beat.start(10);
  CHECK(f.window.save_to(slow.name));
  beat.stop();
  CHECK(told);
  CHECK(ticks > 2);  // however busy the machine
  CHECK(dialog_now() == nullptr);
  CHECK_FALSE(f.document().modified());
  slow.reader.join();
  const auto read = scene_from_text(slow.bytes, {});
  REQUIRE(read.ok());
  CHECK(read->objects.size() == f.scene().objects.size());
  CHECK(scene_to_text(f.scene()) == scene);
}

TEST_CASE("Flow: saving is called off; the scene stays unsaved, and the next saving goes", "[ui][flow][saving]") {
  Flow f;
  SlowFile slow;
  f.action("add.box")->trigger();
  QTimer beat;
  QObject::connect(&beat, &QTimer::timeout, [&] {
    if (auto* dialog = dialog_now()) QTest::mouseClick(dialog->findChild<QPushButton*>(), Qt::LeftButton);
  });
  beat.start(10);
  CHECK_FALSE(f.window.save_to(slow.name));
  beat.stop();
  CHECK(f.document().modified());
  CHECK(dialog_now() == nullptr);
  slow.read();  // the disk answers at last
  const QString file = slow.folder.filePath("kept.json");
  CHECK(f.window.save_to(file));
  CHECK_FALSE(f.document().modified());
  CHECK(load_scene(file.toStdString()).ok());
}

}  // namespace flow_saving_test
