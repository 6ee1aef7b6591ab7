// The worker behind pictures of big meshes and textures.
#include <catch2/catch.hpp>

#include <QBuffer>
#include <QImage>
#include <QSignalSpy>

#include "core/geometry/mesh/primitives.h"
#include "render/extract.h"
#include "tests/ui/panels_support.h"
#include "ui/jobs/looks_job.h"

namespace looks_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Looks: a big mesh is looked into once, off the interface thread; small ones never", "[ui][looks]") {
  Primitive sphere;
  sphere.shape = PrimitiveShape::sphere;
  sphere.divisions = {200, 120, 1};
  Scene scene = with_object(small_scene(), Id{1}, [&](Object& o) { o.display.primitive = sphere; });
  MeshStore meshes;
  LooksJob job;
  int done = 0;
  QObject::connect(&job, &LooksJob::done, [&] { ++done; });
  const auto list = [&] { return extract(scene, nullptr, ViewCamera(), 1, {}, {}, meshes); };
  const RenderList first = list();
  REQUIRE(first.meshes.size() == 3);
  CHECK(first.meshes[0].facts->pending());
  job.look(first);
  job.look(list());
  CHECK(done == 0);
  REQUIRE(wait_for([&] { return done == 1 && !job.busy(); }));
  CHECK(list().meshes[0].facts->tree() != nullptr);
  job.look(list());
  CHECK_FALSE(job.busy());
}

TEST_CASE("Looks: a texture is decoded by the worker and handed over once; a damaged one is told of once",
          "[ui][looks]") {
  QImage image(4, 4, QImage::Format_RGB32);
  image.fill(Qt::red);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  REQUIRE(image.save(&buffer, "PNG"));
  const auto good = std::make_shared<const TextureFile>(TextureFile{"good.png", {bytes.begin(), bytes.end()}});
  const auto bad = std::make_shared<const TextureFile>(TextureFile{"bad.png", {1, 2, 3}});
  TextureSource source;
  {
    LooksJob job;
    int done = 0, failed = 0;
    QString sentence;
    QObject::connect(&job, &LooksJob::done, [&] { ++done; });
    QObject::connect(&job, &LooksJob::failed,
                     [&](const Diagnostic& diagnostic, const std::shared_ptr<const TextureFile>& file) {
                       ++failed;
                       CHECK(file == bad);
                       sentence = QString::fromStdString(diagnostic.message);
                     });
    source = job.texture_source();
    CHECK(source(good) == nullptr);
    CHECK(source(good) == nullptr);
    CHECK(source(bad) == nullptr);
    REQUIRE(wait_for([&] { return done == 2; }));
    const auto picture = source(good);
    REQUIRE(picture);
    CHECK(picture->width == 4);
    CHECK(picture->pixels[0] == 255);
    const auto broken = source(bad);
    REQUIRE(broken);
    CHECK(broken->width == 0);
    CHECK(failed == 1);
    CHECK(sentence.contains("bad.png"));
    CHECK(source(bad) == nullptr);  // asked for again: decoded again, told of no more
    REQUIRE(wait_for([&] { return done == 3; }));
    CHECK(failed == 1);
  }
  CHECK(source(good) == nullptr);  // the job is gone
}

}  // namespace looks_test
