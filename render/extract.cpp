// Length: what draws objects, their instances and the copies that particles are shares one Picture and its materials.
#include "render/extract.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/playback/film.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "core/scene/values/materials.h"
#include "render/convert.h"
#include "render/depth.h"
#include "render/extract_parts.h"
#include "render/field_symbols.h"
#include "render/force_arrows.h"
#include "render/frame_looks.h"
#include "render/joint_symbols.h"
#include "render/particles.h"
#include "render/studio_look.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kLightColour{0.98f, 0.86f, 0.52f, 0.95f};
constexpr glm::vec4 kHiddenLightColour{0.55f, 0.52f, 0.45f, 0.7f};
constexpr glm::vec4 kCameraColour{0.62f, 0.72f, 0.86f, 0.9f};
constexpr glm::vec4 kShadeColour{0.07f, 0.08f, 0.10f, 0.45f};  // around the lines of cameras
constexpr glm::vec4 kArrowColour{0.36f, 0.82f, 0.74f, 0.95f};
constexpr glm::vec4 kMissingColour{0.93f, 0.45f, 0.62f, 1.0f};
constexpr glm::vec4 kActiveColour{1.0f, 0.66f, 0.25f, 1.0f};
constexpr glm::vec4 kSelectedColour{0.85f, 0.48f, 0.14f, 1.0f};
constexpr float kDotSize = 9;    // logical pixels: an object without any model
constexpr float kSpeckSize = 3;  // … and one that is too small in the view to be seen

DrawMaterial draw_material(const Surface& surface) {
  DrawMaterial m;
  m.ambient = to_glm(surface.ambient);
  m.diffuse = to_glm(surface.diffuse);
  m.specular = to_glm(surface.specular);
  m.shininess = static_cast<float>(surface.shininess);
  m.opacity = static_cast<float>(surface.opacity);
  return m;
}

// Clear things cast no shadow.
bool dense(const DrawMaterial& material) { return material.opacity > 0.3f; }

bool same(const DrawMaterial& a, const DrawMaterial& b) {
  return a.ambient == b.ambient && a.diffuse == b.diffuse && a.specular == b.specular && a.shininess == b.shininess &&
         a.opacity == b.opacity;
}

// Ranges of faces that look alike; nothing when all of the mesh looks as the object does. Neighbouring parts of one look are
// drawn together: an imported model may have hundreds.
std::vector<DrawPart> draw_parts(const Object& object, const DisplayMesh& mesh, const DrawMaterial& material) {
  std::vector<DrawPart> parts;
  const bool wanted = object.display.kind != DisplayKind::mesh || object.display.mesh.settings.textures;
  const bool textured = wanted && mesh.texture.size() == mesh.positions.size() && !mesh.textures.empty();
  if (object.part_materials.empty() && !textured) return parts;
  bool plain = true;
  std::uint32_t next = 0;
  const auto add = [&](std::uint32_t first, std::uint32_t count, const DrawMaterial& look,
                       std::shared_ptr<const TextureFile> texture) {
    if (count == 0) return;
    plain = plain && same(look, material) && !texture;
    if (!parts.empty() && same(parts.back().material, look) && parts.back().texture == texture)
      parts.back().face_count += count;
    else
      parts.push_back({first, count, look, std::move(texture)});
    next = first + count;
  };
  const auto faces = static_cast<std::uint32_t>(mesh.faces.size());
  for (const Part& part : mesh.parts) {
    if (part.first_face < next || part.first_face > faces) continue;  // overlaps: the first one has the faces
    add(next, part.first_face - next, material, nullptr);             // faces of no part look as the object does
    const bool pictured =
        textured && part.texture >= 0 && static_cast<std::size_t>(part.texture) < mesh.textures.size();
    const Material& own = material_of_part(object, part.name);
    add(part.first_face, std::min(part.face_count, faces - part.first_face),
        &own == &object.material ? material : draw_material(own.surface),
        pictured ? mesh.textures[static_cast<std::size_t>(part.texture)] : nullptr);
  }
  add(next, faces - next, material, nullptr);
  if (plain) parts.clear();
  return parts;
}

// Analysis models alike in shape: nodes and springs need building once per picture for all copies of an object (masses
// and stiffness, which differ, are not drawn).
class TrussMemo {
 public:
  const Truss& truss(const Object& object, const DisplayMesh& mesh) {
    for (const Entry& entry : entries_)
      if (alike(*entry.object, object)) return *entry.truss;
    if (entries_.size() == kKept) entries_.erase(entries_.begin());
    // Masses are not drawn; from a mesh of a million faces they take a second.
    Object light = object;
    light.body.mass_source = MassSource::given;
    entries_.push_back({&object, std::make_unique<Truss>(object_truss(light, mesh))});
    return *entries_.back().truss;
  }

 private:
  static constexpr std::size_t kKept = 16;
  struct Entry {
    const Object* object;
    std::unique_ptr<Truss> truss;
  };
  static bool alike(const Object& a, const Object& b) {
    return a.analysis.kind == b.analysis.kind && a.analysis.strung == b.analysis.strung &&
           a.analysis.divisions == b.analysis.divisions && a.analysis.size == b.analysis.size &&
           a.analysis.offset == b.analysis.offset && a.transform.scale == b.transform.scale;
  }
  std::vector<Entry> entries_;
};

// Everything of one extract() call that its pieces write into.
struct Picture {
  const ViewOptions& options;
  const ViewSelection& selection;
  const ViewCamera& camera;
  RenderList& list;
  DrawLines truss, truss_hidden, helpers, shades, polylines, curves;
  TrussMemo trusses;
  bool floors_fade = false;

  bool is_selected(Id id) const { return selection.selected.count(id) != 0; }
};

// In a view over kilometres a ball is less than a pixel: it would flicker or be gone, and no click would meet it.
void add_speck(Picture& picture, const DrawMesh& mesh) {
  if (picture.options.height <= 0 || !mesh.bounds.valid()) return;
  const glm::vec3 at = to_glm(mesh.bounds.centre());
  const float metre = picture.camera.metres_per_pixel(at, {1, picture.options.height});
  if (static_cast<float>(mesh.bounds.size().maxCoeff()) > kSpeckSize * metre) return;
  const glm::vec4 colour = mesh.active     ? kActiveColour
                           : mesh.selected ? kSelectedColour
                                           : glm::vec4(mesh.material.diffuse, 1.0f);
  picture.list.points.push_back({at, colour, mesh.selected ? kSpeckSize + 3 : kSpeckSize});
  PickSymbol symbol;
  symbol.id = mesh.id;
  symbol.points.push_back(at);
  picture.list.symbols.push_back(std::move(symbol));
}

/// A frame may have one of its own.
std::shared_ptr<const DisplayMesh> seen_mesh(const ShownObject& shown, MeshStore& meshes) {
  return shown.moved && shown.moved->surface ? shown.moved->surface : meshes.mesh(*shown.object);
}

void add_mesh(Picture& picture, const ShownObject& shown, const FramePtr& frame,
              const std::shared_ptr<const DisplayMesh>& mesh, MeshStore& meshes) {
  const Object& object = *shown.object;
  DrawMesh draw;
  draw.id = object.id;
  draw.mesh = mesh;
  if (shown.moved && shown.moved->deformed && shown.moved->vertices.size() == mesh->positions.size() &&
      shown.moved->normals.size() == mesh->positions.size()) {
    draw.frame = frame;
    draw.deformed = shown.moved;
  } else {
    draw.model = shown.model;
  }
  draw.material = draw_material(object.material.surface);
  draw.parts = draw_parts(object, *mesh, draw.material);
  draw.facts = meshes.facts(mesh);
  draw.selected = picture.is_selected(object.id);
  draw.active = draw.selected && picture.selection.active == object.id;
  draw.bounds = world_mesh_box(shown, *mesh, draw.facts->box());
  // A fixed flat sheet is a floor or a wall: nothing lies behind it that should be in its shadow.
  const bool sheet = object.display.kind == DisplayKind::primitive &&
                     object.display.primitive.shape == PrimitiveShape::plane && !body_kind(object.body.kind).moves;
  draw.casts_shadow =
      !sheet && (draw.parts.empty() ? dense(draw.material)
                                    : std::any_of(draw.parts.begin(), draw.parts.end(),
                                                  [](const DrawPart& part) { return dense(part.material); }));
  if (sheet && !draw.deformed && picture.floors_fade)
    draw.fade = glm::vec2(0.5 * object.display.primitive.size.x(), 0.5 * object.display.primitive.size.z());
  const bool bare = !picture.options.display_models;
  const ShadeMode shade = bare ? ShadeMode::wireframe : picture.options.shade;
  draw.wireframe = shade == ShadeMode::wireframe;
  if (draw.wireframe) draw.casts_shadow = false;
  if (shade == ShadeMode::solid_wireframe) {
    picture.list.meshes.push_back(draw);
    draw.wireframe = true;
    draw.casts_shadow = false;
  }
  add_speck(picture, draw);
  picture.list.meshes.push_back(std::move(draw));
}

// Springs and nodes. Over a display model they are drawn twice: faintly over everything, so that what lies inside the
// skin is seen, and in full where nothing is in front.
void add_analysis(Picture& picture, const ShownObject& shown, const Truss& truss, bool over_skin) {
  const Id id = shown.object->id;
  const bool selected = picture.is_selected(id);
  const TrussStyle style = truss_style(selected, selected && picture.selection.active == id);
  const std::vector<glm::vec3> nodes = truss_nodes(shown, truss);
  const bool strained = shown.moved && shown.moved->nodes.size() == truss.nodes.size();
  std::vector<PointVertex>& points = over_skin ? picture.list.points_on_top : picture.list.points;
  const std::size_t first = picture.truss.vertices.size();
  add_truss(truss, nodes, strained, style, picture.truss.vertices, points);
  if (over_skin) {
    for (std::size_t i = first; i < picture.truss.vertices.size(); ++i) {
      LineVertex v = picture.truss.vertices[i];
      v.colour.a *= selected ? 0.7f : 0.5f;
      picture.truss_hidden.vertices.push_back(v);
    }
    return;
  }
  PickSymbol symbol;
  symbol.id = id;
  symbol.points = nodes;
  for (const Spring& spring : truss.springs) {
    symbol.segments.push_back(nodes[spring.a]);
    symbol.segments.push_back(nodes[spring.b]);
  }
  picture.list.symbols.push_back(std::move(symbol));
}

void add_missing(Picture& picture, const ShownObject& shown) {
  const bool selected = picture.is_selected(shown.object->id);
  std::vector<LineVertex>& lines = picture.truss.vertices;
  const std::size_t first = lines.size();
  add_box(missing_mesh_box(*shown.object), shown.model, true, selected ? kActiveColour : kMissingColour, lines);
  PickSymbol symbol;
  symbol.id = shown.object->id;
  symbol.points.push_back(glm::vec3(shown.model[3]));
  for (std::size_t i = first; i < lines.size(); ++i) symbol.segments.push_back(lines[i].position);
  picture.list.symbols.push_back(std::move(symbol));
}

void add_dot(Picture& picture, const ShownObject& shown) {
  const Id id = shown.object->id;
  const glm::vec3 at(shown.model[3]);
  const bool selected = picture.is_selected(id), active = selected && picture.selection.active == id;
  if (selected) picture.list.points.push_back({at, active ? kActiveColour : kSelectedColour, kDotSize + 5});
  picture.list.points.push_back({at, glm::vec4(to_glm(shown.object->material.surface.diffuse), 1.0f), kDotSize});
  PickSymbol symbol;
  symbol.id = id;
  symbol.points.push_back(at);
  picture.list.symbols.push_back(std::move(symbol));
}

void add_object(Picture& picture, const ShownObject& shown, const FramePtr& frame, MeshStore& meshes) {
  const Object& object = *shown.object;
  const std::shared_ptr<const DisplayMesh> mesh = seen_mesh(shown, meshes);
  const bool missing = mesh_is_missing(object, *mesh);
  const bool has_skin = !mesh->empty();
  const bool has_analysis = object.analysis.kind != AnalysisKind::none;
  const bool wanted = picture.options.analysis == AnalysisOverlay::all || !picture.options.display_models ||
                      (picture.options.analysis == AnalysisOverlay::selected && picture.is_selected(object.id));
  const bool show_skin = has_skin && (picture.options.display_models || !has_analysis);
  if (show_skin) add_mesh(picture, shown, frame, mesh, meshes);
  if (missing) add_missing(picture, shown);
  const bool bare = !show_skin && !missing;
  if (has_analysis && (bare || wanted)) {
    const Truss& truss = picture.trusses.truss(object, *mesh);
    if (!truss.empty()) return add_analysis(picture, shown, truss, !bare);
  }
  if (bare) add_dot(picture, shown);
}

void add_lights(Picture& picture, const Scene& scene) {
  bool shadow_taken = false;
  const bool own = scene.settings.look.light == StudioLight::scene;  // else those of a set shine in their place
  const Standing standing(scene);
  for (const Shared<Light>& entry : scene.lights) {
    const Light& light = *entry;
    const bool shines = own && standing.visible(light);
    if (shines) {
      DrawLight draw;
      draw.directional = light.kind == LightKind::directional;
      draw.position = to_glm(light.position);
      draw.target = to_glm(light.target);
      draw.colour = to_glm(light.colour) * static_cast<float>(light.intensity);
      draw.shadow = light.shadow && !shadow_taken;
      shadow_taken = shadow_taken || draw.shadow;
      picture.list.lights.push_back(draw);
    }
    if (!picture.options.helpers) continue;
    const bool selected = picture.is_selected(light.id);
    const glm::vec4 colour = selected ? (picture.selection.active == light.id ? kActiveColour : kSelectedColour)
                             : shines ? kLightColour
                                      : kHiddenLightColour;
    add_light_symbol(light, picture.camera, colour, selected, picture.helpers.vertices);
    PickSymbol symbol;
    symbol.id = light.id;
    symbol.points.push_back(to_glm(light.position));
    symbol.radius = symbol_radius(picture.camera, to_glm(light.position));
    picture.list.symbols.push_back(std::move(symbol));
  }
  if (own && scene.lights.empty()) {
    // A scene without any light would be black: a lamp over the viewer's left shoulder.
    DrawLight lamp;
    const ViewCamera& c = picture.camera;
    lamp.target = c.target;
    lamp.position = c.position() + c.distance * (0.6f * c.up() - 0.5f * c.right());
    lamp.colour = glm::vec3(0.9f);
    picture.list.lights.push_back(lamp);
  }
}

/// One that the view looks from has no symbol: its lines would go through the eye.
void add_cameras(Picture& picture, const Scene& scene, const Frame* frame) {
  const Standing standing(scene);
  const Id taking = filming_camera(scene, frame).id;
  for (const Shared<Camera>& entry : scene.cameras) {
    if (!standing.visible(*entry) || entry->id == picture.options.through) continue;
    const float apart = glm::length(to_glm(entry->position) - picture.camera.position());
    if (apart <= 0.02f * picture.camera.distance) continue;
    const bool selected = picture.is_selected(entry->id);
    CameraLook look;
    look.colour = selected ? (picture.selection.active == entry->id ? kActiveColour : kSelectedColour) : kCameraColour;
    look.taking = entry->id == taking;
    look.sight = selected;
    const std::size_t first = picture.helpers.vertices.size();
    const Camera camera = aimed(*entry, scene, frame);
    const std::size_t body = add_camera_symbol(camera, picture.camera, look, picture.helpers.vertices);
    PickSymbol symbol;
    symbol.id = entry->id;
    symbol.points.push_back(to_glm(camera.position));
    for (std::size_t i = first; i < first + body; ++i) symbol.segments.push_back(picture.helpers.vertices[i].position);
    // Dark around them, so that they are seen before a bright sky too.
    for (std::size_t i = first; i < picture.helpers.vertices.size(); ++i)
      picture.shades.vertices.push_back({picture.helpers.vertices[i].position, kShadeColour});
    picture.list.symbols.push_back(std::move(symbol));
  }
}

/// With an arrow head where it ends, so that one sees which way it goes, or where a closed one begins.
void add_curves(Picture& picture, const Scene& scene) {
  const Standing standing(scene);
  for (const Shared<Curve>& curve : scene.curves) {
    if (!standing.visible(*curve)) continue;
    const bool selected = picture.is_selected(curve->id);
    const glm::vec4 colour = selected ? (picture.selection.active == curve->id ? kActiveColour : kSelectedColour)
                                      : glm::vec4(to_glm(curve->colour), 0.95f);
    const std::vector<Vec3> course = course_of(curve);
    PickSymbol symbol;
    symbol.id = curve->id;
    const auto line = [&](const glm::vec3& a, const glm::vec3& b) {
      picture.shades.vertices.insert(picture.shades.vertices.end(), {{a, kShadeColour}, {b, kShadeColour}});
      picture.curves.vertices.insert(picture.curves.vertices.end(), {{a, colour}, {b, colour}});
    };
    for (std::size_t i = 0; i < course.size(); ++i) {
      symbol.points.push_back(to_glm(course[i]));
      if (i == 0) continue;
      const glm::vec3 a = to_glm(course[i - 1]), b = to_glm(course[i]);
      line(a, b);
      symbol.segments.insert(symbol.segments.end(), {a, b});
    }
    if (course.size() > 1) {
      const glm::vec3 tip = to_glm(course.back());
      const glm::vec3 way = to_glm(way_of(curve)->tangent(1)), eye = picture.camera.position() - tip;
      const glm::vec3 across = glm::cross(way, eye),
                      aside = glm::length(across) > 1e-6f ? glm::normalize(across) : picture.camera.right();
      const float size = 0.9f * symbol_radius(picture.camera, tip);
      line(tip, tip - size * way + 0.5f * size * aside);
      line(tip, tip - size * way - 0.5f * size * aside);
    }
    picture.list.points.push_back({to_glm(course.front()), colour, 6});
    picture.list.symbols.push_back(std::move(symbol));
  }
}

void add_helpers(Picture& picture, const Scene& scene, const std::vector<ShownObject>& shown, const Frame* frame) {
  add_cameras(picture, scene, frame);
  add_curves(picture, scene);
  if (frame && frame->index > 0) return;  // arrows tell how things start
  for (const ShownObject& s : shown)
    if (body_kind(s.object->body.kind).moves)
      add_velocity_arrow(glm::vec3(s.model[3]), to_glm(s.object->body.velocity), picture.camera, kArrowColour,
                         picture.helpers.vertices);
}

/// The shown object of a frame's block; null: it is hidden, or gone from the scene.
const ShownObject* owner_of(const std::vector<ShownObject>& shown, Id id) {
  const auto it = std::lower_bound(shown.begin(), shown.end(), id,
                                   [](const ShownObject& s, Id wanted) { return s.object->id < wanted; });
  return it != shown.end() && it->object->id == id ? &*it : nullptr;
}

glm::mat4 instance_model(const InstanceBlock& block, std::size_t i) {
  Eigen::Matrix4f model = Eigen::Matrix4f::Identity();
  if (!block.rotations.empty()) model.topLeftCorner<3, 3>() = block.rotations[i].toRotationMatrix();
  if (!block.scales.empty()) model.topLeftCorner<3, 3>() *= block.scales[i];
  model.topRightCorner<3, 1>() = block.positions[i];
  glm::mat4 out;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) out[column][row] = model(row, column);
  return out;
}

// Copies of a mesh: one drawn mesh each, in the material of the object that they belong to.
void add_instances(Picture& picture, const ShownObject& owner, const InstanceBlock& block, MeshStore& meshes) {
  DrawMesh draw;
  draw.id = block.id;
  draw.mesh = block.mesh;
  draw.material = draw_material(owner.object->material.surface);
  draw.facts = meshes.facts(block.mesh);
  draw.selected = picture.is_selected(block.id);
  draw.active = draw.selected && picture.selection.active == block.id;
  draw.wireframe = picture.options.shade == ShadeMode::wireframe;
  draw.casts_shadow = !draw.wireframe && dense(draw.material);
  for (std::size_t i = 0; i < block.positions.size(); ++i) {
    draw.model = instance_model(block, i);
    draw.bounds = transformed(draw.facts->box(), draw.model);
    picture.list.meshes.push_back(draw);
  }
}

/// Copies of an object's display model, one at each particle and as large as that.
void add_copies(Picture& picture, const Scene& scene, const ParticleBlock& block, const ParticleSource& source,
                MeshStore& meshes) {
  const Object* object = find_object(scene, shown_copy(source));
  if (!object || (gives_copies(source) && !object->visible)) return;
  DrawMesh draw;
  draw.id = source.id;
  draw.mesh = meshes.mesh(*object);
  if (draw.mesh->empty()) return;
  draw.material = draw_material(object->material.surface);
  draw.parts = draw_parts(*object, *draw.mesh, draw.material);
  draw.facts = meshes.facts(draw.mesh);
  draw.selected = picture.is_selected(source.id);
  draw.active = draw.selected && picture.selection.active == source.id;
  draw.wireframe = picture.options.shade == ShadeMode::wireframe;
  draw.casts_shadow = !draw.wireframe && dense(draw.material);
  const Box3 box = draw.facts->box();
  const auto largest = static_cast<float>(box.size().maxCoeff());
  if (!(largest > 0)) return;
  for (std::size_t i = 0; i < block.positions.size(); ++i) {
    const bool bodies = !block.rotations.empty();
    const float size =
        bodies ? block.sizes[i] : particle_shade(source, block.numbers[i], block.ages[i], block.sizes[i]).size;
    const Eigen::Matrix3f turn = bodies ? block.rotations[i].toRotationMatrix()
                                        : copy_turn(source, block.numbers[i], block.times[i]).toRotationMatrix();
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) draw.model[column][row] = size / largest * turn(row, column);
    draw.model[3] = glm::vec4(to_glm(block.positions[i]), 1.0f);
    draw.bounds = transformed(box, draw.model);
    picture.list.meshes.push_back(draw);
  }
}

void add_polylines(Picture& picture, const ShownObject& owner, const PolylineBlock& block) {
  const bool selected = picture.is_selected(block.id), active = selected && picture.selection.active == block.id;
  const glm::vec4 colour = active     ? kActiveColour
                           : selected ? kSelectedColour
                                      : glm::vec4(to_glm(owner.object->material.surface.diffuse), 1.0f);
  std::size_t first = 0;
  for (const std::uint32_t count : block.counts) {
    for (std::size_t i = 1; i < count; ++i)
      for (const std::size_t end : {first + i - 1, first + i})
        picture.polylines.vertices.push_back({to_glm(block.points[end]), colour});
    first += count;
  }
}

// Of what is very much larger than the view the part around what is looked at: spread over all of it, the shadow map would have
// no texel left for a shadow that can be seen. Steps of an octave, so that edges do not crawl in a zoom.
Box3 near_view(const Box3& box, const ViewCamera& camera) {
  constexpr double kWide = 20, kReach = 4;  // times the distance to what is looked at
  const double distance = std::exp2(std::ceil(std::log2(camera.distance)));
  if (!box.valid() || 0.5 * box.size().norm() <= kWide * distance) return box;
  const Vec3 middle = to_eigen(camera.target), reach = Vec3::Constant(kReach * distance);
  const Box3 around{middle - reach, middle + reach};
  return around.meets(box) ? Box3{box.low.cwiseMax(around.low), box.high.cwiseMin(around.high)} : box;
}

// What the shadow map must cover. Fixed things much larger than all that moves (grounds, walls) would waste it: shadows
// fall on them all the same.
Box3 shadow_bounds(const RenderList& list, const std::vector<ShownObject>& shown, const ViewCamera& camera) {
  Box3 moving, all;
  const auto grow = [](Box3& box, const Box3& with) {
    box.add(with.low);
    box.add(with.high);
  };
  const auto is_fixed = [&](Id id) {
    const ShownObject* owner = owner_of(shown, id);
    return owner != nullptr && !body_kind(owner->object->body.kind).moves;
  };
  for (const DrawMesh& mesh : list.meshes) {
    if (!mesh.casts_shadow || !mesh.bounds.valid()) continue;
    grow(all, mesh.bounds);
    if (!is_fixed(mesh.id)) grow(moving, mesh.bounds);
  }
  Box3 result = moving.valid() ? moving : all;
  if (moving.valid()) {
    const double size = moving.size().norm(), limit = std::max(2 * size, std::min(20 * size, 3.0));
    for (const DrawMesh& mesh : list.meshes)
      if (mesh.casts_shadow && mesh.bounds.valid() && is_fixed(mesh.id) && mesh.bounds.size().norm() <= limit)
        grow(result, mesh.bounds);
  }
  return near_view(result, camera);
}

}  // namespace

RenderList extract(const Scene& as_said, const FramePtr& frame, const ViewCamera& camera, float aspect,
                   const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes) {
  const bool looks = frame && frame->looks;
  const Scene other = looks ? with_looks(as_said, *frame->looks) : Scene();
  const Scene& scene = looks ? other : as_said;
  RenderList list;
  add_look(list, scene.settings);
  list.grid = options.grid;

  Picture picture{options, selection, camera, list, {}, {}, {}, {}, {}, {}, {}, scene.settings.look.floor_fades};
  const std::vector<ShownObject> shown = shown_objects(scene, frame.get(), options.aside);
  list.meshes.reserve(shown.size());
  for (const ShownObject& s : shown) add_object(picture, s, frame, meshes);
  if (frame != nullptr && options.display_models) {
    for (const InstanceBlock& block : frame->instances)
      if (const ShownObject* owner = owner_of(shown, block.id)) add_instances(picture, *owner, block, meshes);
    for (const PolylineBlock& block : frame->polylines)
      if (const ShownObject* owner = owner_of(shown, block.id)) add_polylines(picture, *owner, block);
    const Standing standing(scene, &options.aside);
    bool copies = false;
    for (const ParticleBlock& block : frame->particles)
      if (const ParticleSource* source = find_source(scene, block.id);
          source && shows_copies(*source) && standing.visible(*source)) {
        add_copies(picture, scene, block, *source, meshes);
        copies = true;
      }
    add_particles(list, scene, *frame, camera, options, selection);
    if (!frame->instances.empty() || copies)
      std::stable_sort(list.meshes.begin(), list.meshes.end(),
                       [](const DrawMesh& a, const DrawMesh& b) { return a.id < b.id; });
  }
  if (looks) tint(list, *frame->looks);
  add_lights(picture, scene);
  if (options.helpers) add_helpers(picture, scene, shown, frame.get());
  if (options.helpers) add_field_symbols(list, scene, camera, options, selection);
  if (options.helpers) add_source_symbols(list, scene, frame.get(), camera, options, selection);
  if (options.helpers) add_forces(list, scene, frame.get(), camera, options, selection, meshes);
  if (options.helpers && options.joints) add_joints(list, scene, frame.get(), camera, options, selection, meshes);
  list.shadow_bounds = shadow_bounds(list, shown, camera);
  find_reach(list);
  std::sort(list.symbols.begin(), list.symbols.end(),
            [](const PickSymbol& a, const PickSymbol& b) { return a.id < b.id; });

  picture.truss.width = 1.6f;
  picture.truss_hidden.width = 1.6f;
  picture.truss_hidden.on_top = true;
  picture.helpers.width = 1.4f;
  picture.shades.width = 3.6f;
  picture.polylines.width = 1.4f;
  picture.curves.width = 2;
  for (DrawLines* lines :
       {&picture.polylines, &picture.truss, &picture.truss_hidden, &picture.shades, &picture.curves, &picture.helpers})
    if (!lines->vertices.empty()) list.lines.push_back(std::move(*lines));
  set_view(list, camera, aspect);
  return list;
}

namespace {

Box3 shown_box(const ShownObject& shown, MeshStore& meshes) {
  const std::shared_ptr<const DisplayMesh> mesh = seen_mesh(shown, meshes);
  Box3 box = world_mesh_box(shown, *mesh);
  if (box.valid()) return box;
  if (mesh_is_missing(*shown.object, *mesh)) return transformed(missing_mesh_box(*shown.object), shown.model);
  if (shown.object->analysis.kind != AnalysisKind::none)
    for (const glm::vec3& node : truss_nodes(shown, object_truss(*shown.object, *mesh))) box.add(to_eigen(node));
  if (!box.valid()) box.add(to_eigen(glm::vec3(shown.model[3])));
  return box;
}

}  // namespace

Box3 shown_bounds(const Scene& scene, const Frame* frame, Id id, MeshStore& meshes) {
  for (const ShownObject& s : shown_objects(scene, frame, {}))
    if (s.object->id == id) return shown_box(s, meshes);
  Box3 box;
  if (const Light* light = find_light(scene, id)) box.add(light->position);
  if (const Camera* camera = find_camera(scene, id)) box.add(camera->position);
  if (const Shared<Curve>* curve = find_shared_curve(scene, id.value))
    for (const Vec3& place : course_of(*curve)) box.add(place);
  if (const Force* force = find_force(scene, id))
    if (const auto arrow = force_arrow(scene, *force, frame, meshes)) {
      box.add(arrow->from);
      box.add(arrow->tip);
    }
  if (const ForceField* field = find_force_field(scene, id))
    for (const Vec3& place : field_outline(scene, *field)) box.add(place);
  if (const ParticleSource* source = find_source(scene, id))
    for (const Vec3& place : source_outline(scene, *source, frame)) box.add(place);
  if (const Joint* joint = find_joint(scene, id))
    if (const auto places = shown_joint(scene, *joint, frame, meshes)) {
      box.add(places->a);
      box.add(places->b);
    }
  return box;
}

Box3 shown_bounds(const Scene& scene, const Frame* frame, MeshStore& meshes, const std::set<Id>& aside,
                  const std::function<bool(const Object&)>& wanted) {
  Box3 box;
  for (const ShownObject& s : shown_objects(scene, frame, aside)) {
    if (wanted && !wanted(*s.object)) continue;
    const Box3 one = shown_box(s, meshes);
    box.add(one.low);
    box.add(one.high);
  }
  return box;
}

}  // namespace hazumi
