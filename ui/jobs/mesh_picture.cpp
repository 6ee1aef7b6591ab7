#include "ui/jobs/mesh_picture.h"

#include <algorithm>

#include <glm/gtc/matrix_transform.hpp>

#include "render/convert.h"
#include "render/render_list.h"

namespace hazumi {

namespace {

constexpr double kPictureEdge = 0.06;  // of the picture, on each side
constexpr float kAway = 4;             // of the eye, in diagonals of the mesh

DrawMaterial material_of(const Surface& surface) {
  return {to_glm(surface.ambient), to_glm(surface.diffuse), to_glm(surface.specular),
          static_cast<float>(surface.shininess), 1};
}

Surface plain_surface(const Vec3& colour) {
  Surface surface;
  surface.ambient = surface.diffuse = colour;
  surface.specular.setConstant(0.1);
  return surface;
}

/// The mesh about its middle with its diagonal for a unit: what is drawn is floats, and files have all sizes.
DisplayMesh middled(const DisplayMesh& mesh, const Box3& box) {
  DisplayMesh copy;
  const double unit = 1 / std::max(box.size().norm(), 1e-300);
  copy.positions.reserve(mesh.positions.size());
  for (const Vec3& p : mesh.positions) copy.positions.push_back((p - box.centre()) * unit);
  copy.normals = mesh.normals;
  if (mesh.texture.size() == mesh.positions.size()) copy.texture = mesh.texture;
  copy.textures = mesh.textures;
  return copy;
}

/// Fills the faces of `mesh` with those of `from`, part by part, in each first those that show their front towards `back`.
std::vector<DrawPart> sorted_faces(const DisplayMesh& from, const Vec3& back, bool textures, DisplayMesh& mesh) {
  std::vector<DrawPart> parts;
  const DrawMaterial turned = material_of(plain_surface(Vec3(0.75, 0.22, 0.18)));
  const bool mapped = textures && !mesh.texture.empty();
  std::vector<std::array<std::uint32_t, 3>> hidden;
  const auto end_part = [&](std::size_t first, const DrawMaterial& material,
                            std::shared_ptr<const TextureFile> texture) {
    if (mesh.faces.size() > first)
      parts.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(mesh.faces.size() - first),
                       material, std::move(texture)});
  };
  for (const Part& part : from.parts) {
    const std::size_t first = mesh.faces.size();
    hidden.clear();
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
      const auto& face = from.faces[f];
      const Vec3 &a = mesh.positions[face[0]], &b = mesh.positions[face[1]], &c = mesh.positions[face[2]];
      if ((b - a).cross(c - a).dot(back) < 0)
        hidden.push_back(face);
      else
        mesh.faces.push_back(face);
    }
    const bool pictured = mapped && part.texture >= 0 && static_cast<std::size_t>(part.texture) < mesh.textures.size();
    end_part(first, material_of(part.surface ? *part.surface : plain_surface(Vec3(0.72, 0.74, 0.77))),
             pictured ? mesh.textures[static_cast<std::size_t>(part.texture)] : nullptr);
    const std::size_t turned_first = mesh.faces.size();
    mesh.faces.insert(mesh.faces.end(), hidden.begin(), hidden.end());
    end_part(turned_first, turned, nullptr);
  }
  return parts;
}

}  // namespace

Result<QImage> mesh_picture(OffscreenRenderer& renderer, const DisplayMesh& mesh, QSize size, bool textures) {
  PictureOptions options;
  options.width = std::max(1, size.width());
  options.height = std::max(1, size.height());
  options.transparent = true;
  RenderList list;
  const Vec3 back = Vec3(0.55, 0.45, 1).normalized();  // from the mesh to the eye
  const Vec3 right = Vec3(0, 1, 0).cross(back).normalized(), up = back.cross(right);
  const Vec3 eye = kAway * back;
  list.eye = to_glm(eye);
  list.view = glm::lookAt(list.eye, glm::vec3(0), to_glm(up));
  list.ambient = glm::vec3(0.3f);
  DrawLight lamp;
  lamp.position = to_glm(Vec3(0.6 * up - 0.35 * right + back));
  lamp.target = glm::vec3(0);
  lamp.colour = glm::vec3(0.85f);
  list.lights.push_back(lamp);
  const Box3 box = bounds(mesh);
  if (box.valid() && !mesh.faces.empty()) {
    auto drawn = std::make_shared<DisplayMesh>(middled(mesh, box));
    DrawMesh draw;
    draw.parts = sorted_faces(mesh, back, textures, *drawn);
    draw.casts_shadow = false;
    draw.facts = std::make_shared<MeshFacts>(*drawn);
    draw.mesh = drawn;
    Box3 seen;
    for (const auto& face : drawn->faces)
      for (const std::uint32_t v : face) {
        const Vec3& p = drawn->positions[v];
        seen.add(Vec3(p.dot(right), p.dot(up), p.dot(back)));
      }
    const Vec3 extent = seen.size().cwiseMax(1e-9), middle = seen.centre();
    const double pixel = std::max(extent.x() / options.width, extent.y() / options.height) / (1 - 2 * kPictureEdge);
    const auto x = static_cast<float>(middle.x()), y = static_cast<float>(middle.y());
    const auto wide = static_cast<float>(0.5 * pixel * options.width),
               high = static_cast<float>(0.5 * pixel * options.height);
    list.projection = glm::ortho(x - wide, x + wide, y - high, y + high, kAway - 1, kAway + 1);
    list.meshes.push_back(std::move(draw));
  }
  return renderer.draw(list, options);
}

}  // namespace hazumi
