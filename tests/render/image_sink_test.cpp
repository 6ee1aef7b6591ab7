#include "render/image_sink.h"

#include <catch2/catch.hpp>

#include <filesystem>

#include "tests/render/support.h"
#include "tests/support/temporary_folder.h"

namespace image_sink_test {

using namespace hazumi;
using namespace hazumi::test;
namespace fs = std::filesystem;

namespace {

PictureOptions tiny(bool transparent = false) {
  PictureOptions options;
  options.width = 48;
  options.height = 32;
  options.samples = 4;
  options.transparent = transparent;
  return options;
}

}  // namespace

TEST_CASE("Frames become PNG and JPEG files with padded numbers", "[image_sink]") {
  const TemporaryFolder folder;
  const Scene scene = studio();
  Frame frame;
  frame.index = 7;
  for (const std::string extension : {"png", "jpg", "JPEG"}) {
    auto sink = make_image_sink((folder / ("ball.####." + extension)).string(), tiny());
    REQUIRE(sink.ok());
    const fs::path path = sink.value()->path(7);
    CHECK(path.filename().string() == "ball.0007." + extension);
    const Status status = sink.value()->write(scene, frame);
    REQUIRE(status.ok());
    const QImage image(QString::fromStdString(path.string()));
    CHECK(image.size() == QSize(48, 32));
    CHECK_FALSE(image.hasAlphaChannel());
    CHECK(std::abs(image.pixelColor(0, 0).red() - 41) < 8);
  }
  CHECK(folder.names().size() == 3);
}

TEST_CASE("A transparent PNG keeps its alpha", "[image_sink]") {
  const TemporaryFolder folder;
  auto sink = make_image_sink((folder / "a.##.png").string(), tiny(true));
  REQUIRE(sink.ok());
  REQUIRE(sink.value()->write(without(studio(), Id{1}), Frame{}).ok());
  const QImage image(QString::fromStdString((folder / "a.00.png").string()));
  REQUIRE(image.hasAlphaChannel());
  CHECK(image.pixelColor(0, 0).alpha() == 0);
}

TEST_CASE("What cannot be written is said before or when writing, and nothing is left", "[image_sink]") {
  CHECK_FALSE(make_image_sink("x.####.gif", tiny()).ok());
  CHECK_FALSE(make_image_sink("x.####.jpg", tiny(true)).ok());
  const TemporaryFolder folder;
  auto sink = make_image_sink((folder / "missing" / "a.####.png").string(), tiny());
  REQUIRE(sink.ok());
  const Status status = sink.value()->write(studio(), Frame{});
  REQUIRE_FALSE(status.ok());
  CHECK_FALSE(status.error().message.empty());
  CHECK(folder.names().size() == 0);
}

}  // namespace image_sink_test
