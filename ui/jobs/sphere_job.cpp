#include "ui/jobs/sphere_job.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "core/geometry/mesh/primitives.h"

namespace hazumi {

namespace {

// One light from above left, a weaker one from the right: shape and gloss are both seen.
const glm::vec3 kLights[][2] = {{{-2.0f, 3.0f, 3.0f}, {1, 1, 1}}, {{3.0f, 0.5f, 1.5f}, {0.3f, 0.3f, 0.33f}}};
const glm::vec3 kAmbient{0.35f, 0.35f, 0.35f};

glm::vec3 vec(const Vec3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

}  // namespace

QImage painted_sphere(const Surface& surface, int size) {
  QImage picture(size, size, QImage::Format_ARGB32_Premultiplied);
  picture.fill(Qt::transparent);
  const float radius = 0.47f * static_cast<float>(size), centre = 0.5f * static_cast<float>(size - 1);
  const glm::vec3 ambient = vec(surface.ambient) * kAmbient, diffuse = vec(surface.diffuse),
                  specular = vec(surface.specular);
  for (int row = 0; row < size; ++row) {
    auto* line = reinterpret_cast<QRgb*>(picture.scanLine(row));
    for (int column = 0; column < size; ++column) {
      const float x = (static_cast<float>(column) - centre) / radius, y = (centre - static_cast<float>(row)) / radius;
      const float r = std::sqrt(x * x + y * y);
      const float cover = std::clamp((1 - r) * radius + 0.5f, 0.0f, 1.0f);
      if (cover <= 0) continue;
      const glm::vec3 normal(x / std::max(r, 1.0f), y / std::max(r, 1.0f), std::sqrt(std::max(0.0f, 1 - r * r)));
      glm::vec3 colour = ambient;
      for (const auto& light : kLights) {
        const glm::vec3 towards = glm::normalize(light[0]);
        const float lit = glm::dot(normal, towards);
        if (lit <= 0) continue;
        const glm::vec3 half = glm::normalize(towards + glm::vec3(0, 0, 1));
        const float gloss = std::pow(std::max(0.0f, glm::dot(normal, half)), std::max(1.0f, float(surface.shininess)));
        colour += light[1] * (diffuse * lit + specular * gloss);
      }
      const float alpha = cover * static_cast<float>(surface.opacity);
      const auto part = [&](float c) { return static_cast<int>(std::lround(255 * std::clamp(c, 0.0f, 1.0f) * alpha)); };
      line[column] = qRgba(part(colour.x), part(colour.y), part(colour.z), static_cast<int>(std::lround(255 * alpha)));
    }
  }
  return picture;
}

SphereJob::SphereJob(QObject* parent) : QObject(parent) {}

SphereJob::~SphereJob() {
  worker_.clear();
  // A GL context goes in the thread that made it; the worker runs what is posted here before it ends only when asked to.
  std::mutex gone;
  std::condition_variable told;
  bool done = false;
  worker_.post([&] {
    renderer_.reset();
    const std::lock_guard lock(gone);
    done = true;
    told.notify_one();
  });
  std::unique_lock lock(gone);
  told.wait(lock, [&] { return done; });
}

void SphereJob::request(const QString& key, const Surface& surface, int size) {
  bool idle = false;
  {
    const std::lock_guard lock(mutex_);
    idle = waiting_.empty();
    waiting_[key] = {surface, size};
  }
  if (idle) worker_.post([this] { work(); });
}

void SphereJob::work() {
  for (;;) {
    QString key;
    Request request;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty() || worker_.cancelled()) return;
      key = waiting_.begin()->first;
      request = waiting_.begin()->second;
    }
    const QImage picture = draw(request);
    Worker::deliver(this, [this, key, picture] { emit done(key, picture); });
    const std::lock_guard lock(mutex_);
    const auto now = waiting_.find(key);
    const Request& after = now->second;
    const bool same =
        after.size == request.size && after.surface.ambient == request.surface.ambient &&
        after.surface.diffuse == request.surface.diffuse && after.surface.specular == request.surface.specular &&
        after.surface.shininess == request.surface.shininess && after.surface.opacity == request.surface.opacity;
    if (same) waiting_.erase(now);
    if (waiting_.empty()) return;
  }
}

QImage SphereJob::draw(const Request& request) {
  if (!tried_) {
    tried_ = true;
    if (auto renderer = OffscreenRenderer::create()) renderer_ = std::move(renderer).value();
    Primitive sphere;
    sphere.shape = PrimitiveShape::sphere;
    sphere.size = Vec3(2, 2, 2);
    sphere.divisions = {64, 40, 1};
    mesh_ = std::make_shared<const DisplayMesh>(make_primitive(sphere));
  }
  if (!renderer_) return painted_sphere(request.surface, request.size);
  RenderList list;
  const Surface& s = request.surface;
  DrawMesh ball;
  ball.mesh = mesh_;
  ball.material = {vec(s.ambient), vec(s.diffuse), vec(s.specular), float(s.shininess), float(s.opacity)};
  list.meshes.push_back(ball);
  for (const auto& light : kLights) {
    DrawLight one;
    one.position = light[0];
    one.target = glm::vec3(0);
    one.colour = light[1];
    list.lights.push_back(one);
  }
  list.ambient = kAmbient;
  list.eye = {0, 0, 8};
  list.view = glm::lookAt(list.eye, glm::vec3(0), glm::vec3(0, 1, 0));
  list.projection = glm::ortho(-1.06f, 1.06f, -1.06f, 1.06f, 1.0f, 20.0f);
  list.shadow_bounds.add(Vec3(-1, -1, -1));
  list.shadow_bounds.add(Vec3(1, 1, 1));
  const auto picture = renderer_->draw(list, {request.size, request.size, 4, true});
  return picture ? picture.value() : painted_sphere(request.surface, request.size);
}

}  // namespace hazumi
