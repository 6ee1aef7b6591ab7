// What the gallery shows at first (scenes/pictures) is what the scenes look like.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <QImage>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"
#include "render/offscreen.h"

namespace gallery_pictures_test {

using namespace hazumi;
namespace fs = std::filesystem;

namespace {

/// Mean over pixels and colours, of 255.
double apart(const QImage& a, const QImage& b) {
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      sum += std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
    }
  return sum / (3.0 * a.width() * a.height());
}

}  // namespace

TEST_CASE("every shipped scene has its picture for the gallery, made by scenes/make_pictures.sh", "[slow]") {
  const fs::path scenes = fs::path(HAZUMI_SOURCE_DIR) / "scenes";
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  MeshStore meshes;
  PictureOptions options;
  options.width = 256;
  options.height = 160;
  int count = 0;
  QImage before;
  for (const auto& entry : fs::directory_iterator(scenes)) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    INFO(entry.path().filename());
    const QImage shipped(QString::fromStdString((scenes / "pictures" / entry.path().stem()).string()) + ".jpg");
    REQUIRE(shipped.size() == QSize(256, 160));
    const auto scene = load_scene(entry.path());
    REQUIRE(scene.ok());
    REQUIRE(meshes.prepare(*scene, 2));
    auto model = compile(*scene, meshes);
    REQUIRE(model.ok());
    Simulator simulator(model.value(), 2);
    const int stride = std::max(1, static_cast<int>(std::lround(scene->settings.frame_rate / 12)));
    const int frame = std::min(7 * stride, scene->settings.last_frame);
    REQUIRE(simulator.state_at(frame));
    const auto picture =
        renderer.value()->picture(*scene, std::make_shared<const Frame>(simulator.frame_at(frame)), meshes, options);
    REQUIRE(picture.ok());
    CHECK(apart(*picture, shipped) < 4);                       // 0.5 to 2.2: what JPEG loses
    if (!before.isNull()) CHECK(apart(*picture, before) > 4);  // another scene's
    before = *picture;
  }
  int pictures = 0;
  for (const auto& entry : fs::directory_iterator(scenes / "pictures")) pictures += entry.path().extension() == ".jpg";
  CHECK(pictures == count);
}

}  // namespace gallery_pictures_test
