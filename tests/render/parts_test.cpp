// Materials of parts, textures and colours of vertices: in the picture list, on the picture, under the mouse.
#include <catch2/catch.hpp>

#include <QBuffer>
#include <QByteArray>
#include <QImage>

#include "core/scene/values/materials.h"
#include "render/picking.h"
#include "render/texture_image.h"
#include "tests/render/golden.h"
#include "tests/render/support.h"

namespace parts_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::shared_ptr<const TextureFile> picture_file(const std::string& name, const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  REQUIRE(image.save(&buffer, "PNG"));
  return std::make_shared<const TextureFile>(TextureFile{name, {bytes.begin(), bytes.end()}});
}

/// Red, green below; blue, white above: what is up and what is right can be told.
QImage four_colours() {
  QImage image(64, 64, QImage::Format_RGB32);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      image.setPixel(x, y,
                     y >= 32 ? (x < 32 ? qRgb(220, 30, 30) : qRgb(30, 200, 30))
                             : (x < 32 ? qRgb(40, 60, 220) : qRgb(250, 250, 250)));
  return image;
}

/// A row of upright squares facing +z, 1 m wide each, one part each: "a", "b", "c", …
DisplayMesh squares(int count) {
  DisplayMesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const double x = i - 0.5 * count;
    for (const Vec2& corner : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) {
      mesh.positions.push_back(Vec3(x + 0.05 + 0.9 * corner.x(), 0.9 * corner.y(), 0));
      mesh.normals.push_back(Vec3(0, 0, 1));
      mesh.texture.push_back(corner);
    }
    mesh.parts.push_back(
        {std::string(1, static_cast<char>('a' + i)), static_cast<std::uint32_t>(mesh.faces.size()), 2});
    mesh.faces.push_back({first, first + 1, first + 2});
    mesh.faces.push_back({first, first + 2, first + 3});
  }
  return mesh;
}

Material flat(const Vec3& diffuse, double opacity = 1) {
  Material material;
  material.surface.ambient = Vec3::Zero();
  material.surface.diffuse = diffuse;
  material.surface.specular = Vec3::Zero();
  material.surface.opacity = opacity;
  return material;
}

/// Four squares: red (the object's), green (its own), clear blue (its own), with a picture.
Scene row_of_squares() {
  auto mesh = std::make_shared<DisplayMesh>(squares(4));
  mesh->textures = {picture_file("four.png", four_colours())};
  mesh->parts[3].texture = 0;
  Object object = make_object(1, "Row", PrimitiveShape::box, Vec3::Ones(), Vec3::Zero());
  object.display.kind = DisplayKind::mesh;
  object.display.mesh.mesh = mesh;
  object.material = flat(Vec3(0.8, 0.1, 0.1));
  object.part_materials = {
      {"b", flat(Vec3(0.1, 0.8, 0.1))}, {"c", flat(Vec3(0.1, 0.1, 0.9), 0.4)}, {"d", flat(Vec3(1, 1, 1))}};
  Scene scene;
  scene.objects.push_back(object);
  scene.lights.push_back(make_light(2, LightKind::directional, Vec3(0, 0.5, 5), 0.9, false));
  scene.cameras.push_back(make_camera(9, Vec3(0, 0.45, 6), Vec3(0, 0.45, 0), 0.4));
  return scene;
}

PictureOptions small() {
  PictureOptions options;
  options.width = 320;
  options.height = 180;
  return options;
}

QImage picture(const Scene& scene, const FramePtr& frame = nullptr) {
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  MeshStore meshes;
  auto image = renderer.value()->picture(scene, frame, meshes, small());
  REQUIRE(image.ok());
  return std::move(image).value();
}

/// Middle of square i of four, moved by a share of its width and height.
QColor at_square(const QImage& image, int i, double right = 0, double up = 0) {
  const double metre = 180 / (2 * 6 * std::tan(0.2));  // pixels
  return image.pixelColor(static_cast<int>(160 + metre * (i - 1.5 + 0.9 * right)),
                          static_cast<int>(90 - metre * 0.9 * up));
}

}  // namespace

TEST_CASE("Parts of one look are drawn together, faces of no part as the object", "[parts]") {
  Scene scene = row_of_squares();
  MeshStore meshes;
  const auto parts = [&](const Scene& s) {
    return extract(s, nullptr, ViewCamera(), 1, {}, {}, meshes).meshes.at(0).parts;
  };
  const auto all = parts(scene);
  REQUIRE(all.size() == 4);
  CHECK(all[1].first_face == 2);
  CHECK(all[1].face_count == 2);
  CHECK(all[2].material.opacity == Approx(0.4));
  CHECK(all[3].texture != nullptr);
  CHECK(all[0].texture == nullptr);

  scene = with_object(scene, Id{1}, [](Object& o) {
    o.part_materials = {{"b", flat(Vec3(0, 1, 0))}, {"c", flat(Vec3(0, 1, 0))}, {"gone", flat(Vec3(1, 1, 1))}};
    auto mesh = std::make_shared<DisplayMesh>(squares(4));
    mesh->parts.erase(mesh->parts.begin() + 3);
    o.display.mesh.mesh = mesh;
  });
  const auto joined = parts(scene);
  REQUIRE(joined.size() == 3);
  CHECK(joined[1].face_count == 4);
  CHECK(joined[2].first_face == 6);
  CHECK(joined[2].face_count == 2);
  CHECK(joined[2].material.diffuse == joined[0].material.diffuse);

  scene = with_object(scene, Id{1}, [](Object& o) { o.part_materials = {{"gone", flat(Vec3(1, 1, 1))}}; });
  CHECK(parts(scene).empty());
}

TEST_CASE("Golden: parts with materials of their own, a clear one and one with a picture", "[golden][parts]") {
  const QImage image = picture(row_of_squares());
  CHECK(at_square(image, 0).red() > 2 * at_square(image, 0).green());
  CHECK(at_square(image, 1).green() > 2 * at_square(image, 1).red());
  CHECK(at_square(image, 2).blue() > at_square(image, 2).red() + 40);
  CHECK(at_square(image, 2).red() > at_square(image, 1).red() - 60);  // the background shines through
  // Up and right are up and right: rows of the picture run from above, texture coordinates from below.
  const QColor below_left = at_square(image, 3, -0.25, -0.25), below_right = at_square(image, 3, 0.25, -0.25);
  const QColor above_left = at_square(image, 3, -0.25, 0.25), above_right = at_square(image, 3, 0.25, 0.25);
  CHECK(below_left.red() > 2 * below_left.blue());
  CHECK(below_right.green() > 2 * below_right.red());
  CHECK(above_left.blue() > 2 * above_left.red());
  CHECK(above_right.lightness() > 150);
  CHECK(against_golden(image, "parts") == "");
}

TEST_CASE("A bent frame keeps materials and pictures of its parts", "[parts]") {
  const Scene scene = row_of_squares();
  const auto& mesh = *scene.objects[0]->display.mesh.mesh;
  Frame frame;
  ObjectFrame moved;
  moved.id = Id{1};
  moved.deformed = true;
  for (const Vec3& p : mesh.positions) moved.vertices.push_back(Vec3(p + Vec3(0, 0.05, 0)).cast<float>());
  for (const Vec3& n : mesh.normals) moved.normals.push_back(n.cast<float>());
  frame.objects.push_back(moved);
  const QImage still = picture(scene), bent = picture(scene, std::make_shared<const Frame>(frame));
  for (int i = 0; i < 4; ++i)
    CHECK((std::abs(at_square(still, i, 0.2, 0.2).green() - at_square(bent, i, 0.2, 0.2).green()) < 4 &&
           at_square(bent, i, 0.2, 0.2) != bent.pixelColor(2, 2)));
}

TEST_CASE("A picture times the diffuse colour, as bright as the plain colour would be", "[parts]") {
  Scene scene = row_of_squares();
  QImage grey(8, 8, QImage::Format_RGB32);
  grey.fill(qRgb(128, 128, 128));
  const auto with = [&](bool picture_on, const Vec3& diffuse) {
    return with_object(scene, Id{1}, [&](Object& o) {
      auto mesh = std::make_shared<DisplayMesh>(squares(4));
      mesh->textures = {picture_file("grey.png", grey)};
      if (picture_on) mesh->parts[3].texture = 0;
      o.display.mesh.mesh = mesh;
      o.part_materials = {{"d", flat(diffuse)}};
    });
  };
  const QColor pictured = at_square(picture(with(true, Vec3(1, 1, 1))), 3);
  const QColor plain = at_square(picture(with(false, Vec3::Constant(128.0 / 255))), 3);
  CHECK(std::abs(pictured.red() - plain.red()) <= 2);
  const QColor tinted = at_square(picture(with(true, Vec3(1, 0, 0))), 3);
  CHECK(tinted.red() > 60);
  CHECK(tinted.green() < 10);
}

TEST_CASE("A damaged picture leaves the plain colour and gives one warning", "[parts]") {
  Scene scene = with_object(row_of_squares(), Id{1}, [](Object& o) {
    auto mesh = std::make_shared<DisplayMesh>(squares(4));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    four_colours().save(&buffer, "PNG");
    bytes.truncate(40);
    mesh->textures = {std::make_shared<const TextureFile>(TextureFile{"torn.png", {bytes.begin(), bytes.end()}}),
                      std::make_shared<const TextureFile>(TextureFile{"none.jpg", {}})};
    mesh->parts[3].texture = 0;
    mesh->parts[0].texture = 1;
    mesh->parts[1].texture = 7;  // there is no such picture
    o.display.mesh.mesh = mesh;
  });
  scene.objects.push_back(scene.objects[0].edited([](Object& o) {
    o.id = Id{9};
    o.visible = false;
  }));
  const QColor plain = at_square(picture(scene), 3);
  CHECK(plain.red() > 150);
  CHECK(plain.red() == plain.green());
  const Diagnostics problems = texture_problems(scene);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].severity == Severity::warning);
  CHECK(problems[0].path == "objects[0].display.mesh.file");
  CHECK(problems[0].message.find("torn.png") != std::string::npos);
  CHECK(problems[1].message == "The picture “none.jpg” cannot be shown: The file is empty or missing.");
  CHECK_FALSE(problems[0].hint.empty());
  CHECK(texture_problems(row_of_squares()).empty());
}

TEST_CASE("Large pictures are made smaller, odd ones keep their rows", "[parts]") {
  QImage wide(4100, 3, QImage::Format_RGB32);
  wide.fill(qRgb(10, 20, 30));
  const auto image = decode_texture(*picture_file("wide.png", wide));
  CHECK(image->width == 4096);
  CHECK(image->height >= 1);
  QImage odd(3, 2, QImage::Format_ARGB32);
  odd.fill(qRgba(0, 0, 0, 0));
  odd.setPixel(2, 0, qRgba(1, 2, 3, 255));  // above right
  const auto small_one = decode_texture(*picture_file("odd.png", odd));
  REQUIRE(small_one->pixels.size() == 24);
  CHECK(small_one->pixels[3 * 4 + 2 * 4] == 1);  // second row from below
  CHECK(small_one->pixels[3] == 255);            // without alpha
}

TEST_CASE("Golden: colours of vertices blend over the surface", "[golden][parts]") {
  Primitive ball;
  ball.shape = PrimitiveShape::sphere;
  ball.size = Vec3(1.6, 1.6, 1.6);
  ball.divisions = {48, 32, 1};
  auto mesh = std::make_shared<DisplayMesh>(make_primitive(ball));
  for (const Vec3& p : mesh->positions) {
    const float t = static_cast<float>(p.x() / 1.6 + 0.5);
    mesh->looks.push_back({Vec3f::Constant(0.05f), (1 - t) * Vec3f(0.9f, 0.5f, 0.1f) + t * Vec3f(0.1f, 0.3f, 0.9f),
                           t * Vec3f::Constant(0.9f), 5 + 90 * t});
  }
  Scene scene = studio();
  scene = with_object(scene, Id{2}, [&](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.mesh = mesh;
  });
  const QImage image = picture(scene);
  CHECK(against_golden(image, "vertex_colours") == "");
  // The same in a bent frame.
  Frame frame;
  ObjectFrame moved;
  moved.id = Id{2};
  moved.deformed = true;
  const Object& object = *find_object(scene, Id{2});
  for (const Vec3& p : mesh->positions) moved.vertices.push_back(Vec3(object.transform * p).cast<float>());
  for (const Vec3& n : mesh->normals) moved.normals.push_back(n.cast<float>());
  frame.objects.push_back(moved);
  CHECK(alike(compare(picture(scene, std::make_shared<const Frame>(frame)), image)));
}

TEST_CASE("A clear part casts no shadow, the rest of its mesh does", "[parts]") {
  Scene scene = row_of_squares();
  scene.lights[0] = make_light(2, LightKind::directional, Vec3(0, 4, 0.01), 0.9, true);
  const auto lying = [](Object& o) {
    o.transform.position = Vec3(0, 1, 0);
    o.transform.rotation = Quat(Eigen::AngleAxisd(-1.5707963, Vec3::UnitX()));
  };
  scene = with_object(scene, Id{1}, lying);
  scene = with_object(scene, Id{1}, [](Object& o) { o.part_materials[1].material.surface.opacity = 0.1; });
  Object floor = make_object(5, "Floor", PrimitiveShape::plane, Vec3(12, 0, 12), Vec3::Zero());
  floor.body.kind = BodyKind::fixed;
  floor.material = flat(Vec3(0.8, 0.8, 0.8));
  scene.objects.push_back(floor);
  scene.cameras = {make_camera(9, Vec3(0, 0.4, 6), Vec3(0, 0, -0.45), 0.4)};
  const QImage image = picture(scene);
  const ViewCamera camera = from_scene_camera(active_camera(scene));
  const auto floor_at = [&](double x) {
    const glm::vec3 p = camera.project(glm::vec3(x, 0, -0.45), {320, 180});
    return brightness(image, static_cast<int>(p.x), static_cast<int>(p.y));
  };
  CHECK(floor_at(-0.5) < 0.8 * floor_at(0.5));  // below "b", below "c"
  CHECK(floor_at(-1.5) < 0.8 * floor_at(0.5));
}

TEST_CASE("The mouse tells parts apart", "[parts]") {
  const Scene scene = row_of_squares();
  MeshStore meshes;
  const ViewCamera camera = from_scene_camera(active_camera(scene));
  const RenderList list = extract(scene, nullptr, camera, 320.0f / 180, {}, {}, meshes);
  for (int i = 0; i < 4; ++i) {
    const glm::vec3 at = camera.project(glm::vec3(i - 1.5, 0.3, 0), {320, 180});
    const auto hit = pick(list, scene, camera, glm::vec2(at), {320, 180});
    REQUIRE(hit);
    CHECK(hit->part == i);
  }
}

TEST_CASE("A big mesh is picked by its tree where every face would have been tried", "[parts]") {
  Scene scene;
  Object object = make_object(1, "Big", PrimitiveShape::torus, Vec3(3, 1, 3), Vec3(0.3, 0.2, 0));
  object.display.primitive.divisions = {160, 100, 1};
  object.transform.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 0.5).normalized()));
  scene.objects.push_back(object);
  MeshStore meshes;
  ViewCamera camera;
  camera.distance = 6;
  RenderList list = extract(scene, nullptr, camera, 1.5f, {}, {}, meshes);
  REQUIRE(list.meshes.at(0).facts->pending());
  std::vector<std::optional<PickHit>> tried;
  const auto all_over = [&] {
    std::vector<std::optional<PickHit>> hits;
    for (int y = 5; y < 200; y += 13)
      for (int x = 5; x < 300; x += 13) hits.push_back(pick(list, scene, camera, glm::vec2(x, y), {300, 200}));
    return hits;
  };
  const auto before = all_over();
  list.meshes[0].facts->prepare(*list.meshes[0].mesh);
  const auto after = all_over();
  int met = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    REQUIRE(before[i].has_value() == after[i].has_value());
    if (!before[i]) continue;
    ++met;
    CHECK(before[i]->distance == after[i]->distance);
  }
  CHECK(met > 40);
  // Another extract finds what is known, and nothing is worked out again.
  CHECK_FALSE(extract(scene, nullptr, camera, 1.5f, {}, {}, meshes).meshes.at(0).facts->pending());
}

TEST_CASE("In motion a big mesh is drawn by fewer faces and looks much the same", "[parts]") {
  Scene scene;
  Primitive ring;
  ring.shape = PrimitiveShape::torus;
  ring.size = Vec3(3, 1, 3);
  ring.divisions = {400, 250, 1};
  auto mesh = std::make_shared<DisplayMesh>(make_primitive(ring));
  const auto faces = static_cast<std::uint32_t>(mesh->faces.size());
  mesh->parts = {{"one", 0, faces / 2}, {"other", faces / 2, faces - faces / 2}};
  Object object = make_object(1, "Ring", PrimitiveShape::box, Vec3::Ones(), Vec3(0, 0.5, 0));
  object.display.kind = DisplayKind::mesh;
  object.display.mesh.mesh = mesh;
  object.material.surface = plastic(Vec3(0.8, 0.3, 0.2));
  object.part_materials = {{"other", flat(Vec3(0.1, 0.4, 0.8))}};
  scene.objects.push_back(object);
  scene.lights.push_back(make_light(2, LightKind::directional, Vec3(3, 5, 4), 0.9, true));
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  MeshStore meshes;
  const RenderList list = extract(scene, nullptr, from_scene_camera(active_camera(scene)), 16.0f / 9, {}, {}, meshes);
  list.meshes.at(0).facts->prepare(*mesh);
  REQUIRE(list.meshes[0].facts->coarse() != nullptr);
  CHECK(list.meshes[0].facts->coarse()->faces.size() < 100'000);
  PictureOptions options = small();
  const QImage whole = renderer.value()->draw(list, options).value();
  options.quick = true;
  const QImage quick = renderer.value()->draw(list, options).value();
  const PictureDifference difference = compare(whole, quick);
  CHECK(difference.mean < 0.07);
  CHECK(difference.far_share < 2.6e-3);
  CHECK(whole != quick);  // else nothing was left out
  options.quick = false;
  CHECK(renderer.value()->draw(list, options).value() == whole);
}

TEST_CASE("Many small things in motion are drawn by fewer faces, and look alike", "[render][parts]") {
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer);
  Scene scene;
  for (int i = 0; i < 60; ++i) {
    Object ball;
    ball.id = Id{static_cast<std::uint64_t>(i + 1)};
    ball.display.primitive = {PrimitiveShape::sphere, Vec3(0.3, 0.3, 0.3), {48, 40, 1}};
    ball.transform.position = Vec3(0.45 * (i % 10 - 4.5), 0.45 * (i / 10), 0.2 * (i % 3));
    scene.objects.push_back(ball);
  }
  MeshStore meshes;
  const RenderList list = extract(scene, nullptr, ViewCamera(), 1.5f, {}, {}, meshes);
  PictureOptions options = small();
  const QImage whole = renderer.value()->draw(list, options).value();
  options.quick = true;
  const QImage quick = renderer.value()->draw(list, options).value();
  const PictureDifference difference = compare(whole, quick);
  INFO("mean " << difference.mean << ", far " << difference.far_share);
  CHECK(whole != quick);
  CHECK(difference.mean < 1);
  CHECK(difference.far_share < 0.02);
  options.quick = false;
  CHECK(renderer.value()->draw(list, options).value() == whole);
}

}  // namespace parts_test
