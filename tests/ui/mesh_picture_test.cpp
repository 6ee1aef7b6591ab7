// The small picture of the import dialog.
#include <catch2/catch.hpp>

#include <QBuffer>
#include <QColor>

#include "ui/jobs/mesh_picture.h"

namespace mesh_picture_test {

using namespace hazumi;

namespace {

/// An upright square that faces +z, with a picture: red and green below, blue and white above.
DisplayMesh square() {
  QImage image(8, 8, QImage::Format_RGB32);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      image.setPixel(
          x, y,
          y >= 4 ? (x < 4 ? qRgb(220, 30, 30) : qRgb(30, 200, 30)) : (x < 4 ? qRgb(40, 60, 220) : qRgb(250, 250, 250)));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  REQUIRE(image.save(&buffer, "PNG"));
  DisplayMesh mesh;
  for (const Vec2& corner : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) {
    mesh.positions.push_back(Vec3(corner.x(), corner.y(), 0));
    mesh.normals.push_back(Vec3(0, 0, 1));
    mesh.texture.push_back(corner);
  }
  mesh.faces = {{0, 1, 2}, {0, 2, 3}};
  mesh.parts = {{"square", 0, 2}};
  mesh.parts[0].texture = 0;
  mesh.parts[0].surface = Surface{};
  mesh.parts[0].surface->diffuse = Vec3(1, 1, 1);
  mesh.textures = {std::make_shared<const TextureFile>(TextureFile{"four.png", {bytes.begin(), bytes.end()}})};
  return mesh;
}

}  // namespace

TEST_CASE("Mesh picture: textures are seen the right way up; without them, and from behind, colours",
          "[ui][mesh_picture]") {
  DisplayMesh mesh = square();
  const QSize size(120, 120);
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  const auto drawn = [&](bool textures = true) {
    const Result<QImage> picture = mesh_picture(**renderer, mesh, size, textures);
    REQUIRE(picture.ok());
    return picture.value();
  };
  const QImage image = drawn();
  CHECK(image.size() == size);
  const QColor below_left = image.pixelColor(40, 85), below_right = image.pixelColor(80, 85);
  const QColor above_left = image.pixelColor(40, 35), above_right = image.pixelColor(80, 35);
  CHECK(below_left.red() > 2 * below_left.blue());
  CHECK(below_right.green() > 2 * below_right.red());
  CHECK(above_left.blue() > 2 * above_left.red());
  CHECK(above_right.lightness() > 180);
  CHECK(image.pixelColor(1, 1).alpha() == 0);

  const QColor plain = drawn(false).pixelColor(40, 85);
  CHECK(plain.red() == plain.blue());

  // A damaged picture, or none: the part's own colour.
  mesh.textures = {std::make_shared<const TextureFile>(TextureFile{"damaged.png", {1, 2, 3}})};
  mesh.parts[0].surface->diffuse = Vec3(0.1, 0.8, 0.1);
  CHECK(drawn().pixelColor(40, 85).green() > 120);
  mesh.parts[0].texture = -1;
  CHECK(drawn().pixelColor(40, 85).green() > 120);
  // Inside out: red, whatever lies on it.
  mesh = square();
  for (auto& face : mesh.faces) std::swap(face[0], face[1]);
  const QColor back = drawn().pixelColor(80, 85);
  CHECK(back.red() > 2 * back.green());

  // Wherever the mesh lies and however large it is.
  mesh = square();
  for (Vec3& p : mesh.positions) p = 1e-4 * p + Vec3(1e6, -3e5, 2e6);
  const QColor far = drawn().pixelColor(40, 85);
  CHECK(far.red() > 2 * far.blue());

  // A mesh without faces, and a point.
  mesh.faces.clear();
  mesh.parts.clear();
  CHECK(drawn().pixelColor(60, 60).alpha() == 0);
  mesh = square();
  for (Vec3& p : mesh.positions) p = Vec3(1, 2, 3);
  CHECK(drawn().size() == size);
}

}  // namespace mesh_picture_test
