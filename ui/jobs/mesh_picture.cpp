#include "ui/jobs/mesh_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "render/texture_image.h"

namespace hazumi {

namespace {

constexpr int kFiner = 2;         // samples along each side of a pixel
constexpr double kMargin = 0.06;  // of the picture, on each side

QRgb shade(const Vec3& colour, double light) {
  const auto part = [&](double x) { return static_cast<int>(std::lround(255 * std::clamp(x * light, 0.0, 1.0))); };
  return qRgb(part(colour.x()), part(colour.y()), part(colour.z()));
}

/// The nearest texel; pictures repeat beyond 0 … 1, as the view draws them.
Vec3 texel(const TextureImage& image, const Vec2& at) {
  const auto place = [](double x, int count) {
    return std::clamp(static_cast<int>((x - std::floor(x)) * count), 0, count - 1);
  };
  const int column = place(at.x(), image.width), row = place(at.y(), image.height);
  const unsigned char* texel =
      &image.pixels[4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(column))];
  return Vec3(texel[0], texel[1], texel[2]) / 255;
}

}  // namespace

QImage mesh_picture(const DisplayMesh& mesh, QSize size, bool textures) {
  const int width = std::max(1, size.width()) * kFiner, height = std::max(1, size.height()) * kFiner;
  QImage image(width, height, QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  if (mesh.faces.empty()) return image.scaled(size);
  const Vec3 back = Vec3(0.55, 0.45, 1).normalized();  // from the mesh to the eye
  const Vec3 right = Vec3(0, 1, 0).cross(back).normalized(), up = back.cross(right);
  const Vec3 lamp = (0.6 * up - 0.35 * right + back).normalized();

  std::vector<Vec3> seen(mesh.positions.size());
  Box3 box;
  for (std::size_t v = 0; v < seen.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    seen[v] = Vec3(p.dot(right), p.dot(up), p.dot(back));
  }
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f) box.add(seen[v]);
  const Vec3 extent = box.size().cwiseMax(1e-300);
  const double scale = (1 - 2 * kMargin) * std::min(width / extent.x(), height / extent.y());
  for (Vec3& p : seen) {
    p.x() = 0.5 * width + (p.x() - box.centre().x()) * scale;
    p.y() = 0.5 * height - (p.y() - box.centre().y()) * scale;
  }
  std::vector<float> depth(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                           -std::numeric_limits<float>::max());
  // Decoded when a part wants it; several parts may share one.
  std::vector<std::shared_ptr<const TextureImage>> decoded(mesh.textures.size());
  const bool mapped = textures && mesh.texture.size() == mesh.positions.size();
  for (const Part& part : mesh.parts) {
    const TextureImage* texture = nullptr;
    if (mapped && part.texture >= 0 && static_cast<std::size_t>(part.texture) < decoded.size()) {
      auto& found = decoded[static_cast<std::size_t>(part.texture)];
      if (!found) found = decode_texture(*mesh.textures[static_cast<std::size_t>(part.texture)]);
      if (found->width > 0) texture = found.get();
    }
    const Vec3 own = part.surface ? part.surface->diffuse : Vec3(0.72, 0.74, 0.77);
    for (std::uint32_t i = part.first_face; i < part.first_face + part.face_count; ++i) {
      const auto& f = mesh.faces[i];
      const Vec3 &a = seen[f[0]], &b = seen[f[1]], &c = seen[f[2]];
      const double area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
      if (area == 0) continue;
      const bool front = area < 0;  // y runs downwards on the screen
      Vec3 normal = mesh.normals[f[0]] + mesh.normals[f[1]] + mesh.normals[f[2]];
      normal.normalize();
      if (normal.dot(back) < 0) normal = -normal;
      Vec3 colour = own;
      if (!mesh.looks.empty()) colour = mesh.looks[f[0]].diffuse.cast<double>();
      if (!front) colour = Vec3(0.75, 0.22, 0.18);
      const double light = 0.35 + 0.75 * std::max(0.0, normal.dot(lamp));
      const QRgb rgb = shade(colour.cwiseMax(0.05), light);
      const int x0 = std::max(0, static_cast<int>(std::floor(std::min({a.x(), b.x(), c.x()}))));
      const int x1 = std::min(width - 1, static_cast<int>(std::ceil(std::max({a.x(), b.x(), c.x()}))));
      const int y0 = std::max(0, static_cast<int>(std::floor(std::min({a.y(), b.y(), c.y()}))));
      const int y1 = std::min(height - 1, static_cast<int>(std::ceil(std::max({a.y(), b.y(), c.y()}))));
      for (int y = y0; y <= y1; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = x0; x <= x1; ++x) {
          const double px = x + 0.5, py = y + 0.5;
          const double u = ((b.x() - px) * (c.y() - py) - (c.x() - px) * (b.y() - py)) / area;
          const double v = ((c.x() - px) * (a.y() - py) - (a.x() - px) * (c.y() - py)) / area;
          if (u < 0 || v < 0 || u + v > 1) continue;
          const auto z = static_cast<float>(u * a.z() + v * b.z() + (1 - u - v) * c.z());
          float& nearest =
              depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
          if (z <= nearest) continue;
          nearest = z;
          line[x] = rgb;
          if (!texture || !front) continue;
          const Vec2 at = u * mesh.texture[f[0]] + v * mesh.texture[f[1]] + (1 - u - v) * mesh.texture[f[2]];
          line[x] = shade(colour.cwiseProduct(texel(*texture, at)).cwiseMax(0.02), light);
        }
      }
    }
  }
  return image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

}  // namespace hazumi
