// Writes the shipped scenes. They are ordinary scene files (open and edit them in Hazumi); this program records how the
// numbers were chosen. `make_scenes DIR`.
#include <cmath>
#include <cstdio>
#include <string>

#include "core/scene/materials.h"
#include "core/scene/scene_io.h"
#include "core/scene/validate.h"
#include "scenes/characters.h"

using namespace hazumi;

namespace {

struct Builder {
  Scene scene;
  std::uint64_t next = 1;

  Builder(const char* name, const char* description, int last_frame) {
    scene.name = name;
    scene.description = description;
    scene.settings.last_frame = last_frame;
    Light key;
    key.id = {next++};
    key.name = "Key light";
    key.position = Vec3(4, 8, 5);
    key.colour = Vec3(1, 0.97, 0.92);
    key.intensity = 0.85;
    key.shadow = true;
    scene.lights.push_back(key);
    Light fill;
    fill.id = {next++};
    fill.name = "Fill light";
    fill.position = Vec3(-6, 4, 3);
    fill.colour = Vec3(0.75, 0.85, 1);
    fill.intensity = 0.3;
    scene.lights.push_back(fill);
  }

  void camera(const Vec3& position, const Vec3& target) {
    scene.camera.position = position;
    scene.camera.target = target;
  }

  Object object(const std::string& name, const char* material, PrimitiveShape shape, const Vec3& size, const Vec3& position) {
    Object o;
    o.id = {next++};
    o.name = name;
    o.display.primitive.shape = shape;
    o.display.primitive.size = size;
    o.display.primitive.divisions = shape == PrimitiveShape::sphere ? std::array<int, 3>{48, 24, 1}
                                    : shape == PrimitiveShape::box  ? std::array<int, 3>{12, 12, 12}
                                                                    : std::array<int, 3>{40, 8, 4};
    o.transform.position = position;
    o.material = apply_preset(o.material, *find_material(material));
    return o;
  }

  /// Floor in y = 0; its Young's modulus decides the Hertz times together with the bodies'.
  void floor(double young, double restitution = 0.7, double size = 14) {
    Object o = object("Floor", "white rubber", PrimitiveShape::plane, Vec3(size, 1, size), Vec3::Zero());
    o.display.primitive.divisions = {1, 1, 1};
    o.body.kind = BodyKind::fixed;
    o.material.surface.diffuse = Vec3(0.42, 0.43, 0.45);
    o.material.surface.ambient = Vec3(0.35, 0.36, 0.38);
    o.material.surface.specular = Vec3(0.05, 0.05, 0.05);
    physics(o, young, restitution);
    add(o);
  }

  static void physics(Object& o, double young, double restitution, double friction = 0.5) {
    o.material.substance_follows = false;
    o.material.substance.young = young;
    o.material.substance.restitution = restitution;
    o.material.substance.friction = friction;
  }

  static void flexible(Object& o, AnalysisKind kind, std::array<int, 3> divisions, double mass, double stiffness,
                       double damping, double cross_section) {
    o.analysis.kind = kind;
    o.analysis.divisions = divisions;
    o.analysis.size = o.display.primitive.size;
    o.body.kind = BodyKind::flexible;
    o.body.mass = mass;
    o.body.stiffness = stiffness;
    o.body.damping = damping;
    o.body.cross_section = cross_section;
  }

  /// Turns an icosahedron truss so that it lands on a face, not on a node: its bottom face becomes horizontal. The face
  /// next to the pole leans by 37.377° in the direction 36° from +z towards +x.
  static void land_on_face(Object& o) {
    o.transform.rotation =
        Quat(Eigen::AngleAxisd(radians(37.377), Vec3(-std::cos(radians(36)), 0, std::sin(radians(36)))));
  }

  void add(const Object& o) { scene.objects.push_back(o); }
};

// Thesis figure 3.16: equal mass, radius and impact speed; the right ball's Young's modulus is 100 times the left one's
// and equal to the floor's. E = l k / A with l = 0.53 m, A = 18 cm²: 13 kPa and 1.3 MPa, pulses near 0.05 s and 0.01 s.
Scene soft_and_hard_ball() {
  Builder b("Soft and hard ball",
            "Two icosahedron trusses of equal mass, radius and impact speed; the right one is 100 times stiffer.", 240);
  b.floor(1.3e6, 0.8);
  Object soft = b.object("Soft ball", "red plastic", PrimitiveShape::sphere, Vec3(1, 1, 1), Vec3(-0.85, 2.1, 0));
  Builder::flexible(soft, AnalysisKind::icosahedron, {1, 1, 1}, 1.0, 45, 0.22, 0.0018);
  Builder::physics(soft, 1.3e4, 0.8);
  Builder::land_on_face(soft);
  b.add(soft);
  Object hard = b.object("Hard ball", "cyan plastic", PrimitiveShape::sphere, Vec3(1, 1, 1), Vec3(0.85, 2.1, 0));
  Builder::flexible(hard, AnalysisKind::icosahedron, {1, 1, 1}, 1.0, 4500, 2.2, 0.0018);
  Builder::physics(hard, 1.3e6, 0.8);
  Builder::land_on_face(hard);
  b.add(hard);
  b.camera(Vec3(0.3, 1.7, 5.8), Vec3(0, 1.15, 0));
  return b.scene;
}

// Thesis figure 3.17: equal density, Young's modulus and impact speed, radius 1 : 2, so mass 1 : 8; F 4 times, T twice.
// E = l k / A stays: l doubles and A = 4 times, so k = E A / l doubles.
Scene small_and_large_ball() {
  Builder b("Small and large ball", "Equal material and impact speed; the right ball has twice the radius.", 240);
  b.floor(2e5, 0.75);
  Object small = b.object("Small ball", "gold", PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), Vec3(-1.0, 1.8, 0));
  Builder::flexible(small, AnalysisKind::icosahedron, {1, 1, 1}, 0.25, 40, 0.08, 0.00096);
  Builder::physics(small, 1.3e4, 0.75);
  Builder::land_on_face(small);
  b.add(small);
  Object large = b.object("Large ball", "copper", PrimitiveShape::sphere, Vec3(1.2, 1.2, 1.2), Vec3(0.7, 2.1, 0));
  Builder::flexible(large, AnalysisKind::icosahedron, {1, 1, 1}, 2.0, 80, 0.3, 0.00384);
  Builder::physics(large, 1.3e4, 0.75);
  Builder::land_on_face(large);
  b.add(large);
  b.camera(Vec3(0.5, 1.9, 6.6), Vec3(-0.1, 1.0, 0));
  return b.scene;
}

// Thesis figure 3.18: mass 1 : 10 with k ∝ mass, each on a plate of the light body's mass and Young's modulus, lying
// on the floor.
Scene light_and_heavy() {
  Builder b("Light and heavy body on a plate",
            "Equal shape and vibration, ten times the mass: the heavy one hits harder and rises less.", 240);
  b.floor(1e6, 0.8);
  for (int k = 0; k < 2; ++k) {
    const double x = k ? 1.1 : -1.1, factor = k ? 10 : 1;
    const std::string name = k ? "Heavy body" : "Light body";
    Object plate = b.object(name + "'s plate", "brass", PrimitiveShape::box, Vec3(1.5, 0.12, 1.5), Vec3(x, 0.0601, 0));
    plate.display.primitive.divisions = {4, 1, 4};
    plate.body.kind = BodyKind::rigid;
    plate.body.mass = 1.0;
    Builder::physics(plate, 3e4, 0.8);
    b.add(plate);
    Object body = b.object(name, k ? "ruby" : "pearl", PrimitiveShape::box, Vec3(0.8, 0.8, 0.8), Vec3(x, 2.0, 0));
    Builder::flexible(body, AnalysisKind::box_grid, {2, 2, 2}, factor, 90 * factor, 0.15 * factor, 0.002 * factor);
    body.transform.rotation = Quat(Eigen::AngleAxisd(0.12, Vec3(0.2, 0.4, 1).normalized()));
    Builder::physics(body, 3e4, 0.8);
    b.add(body);
  }
  b.camera(Vec3(0.8, 2.3, 6.6), Vec3(0, 1.0, 0));
  return b.scene;
}

// A box that spins about its middle axis turns over again and again (Dzhanibekov effect); its neighbours about the
// axes of least and greatest inertia do not.
Scene tumbling_box() {
  Builder b("Tumbling box",
            "Spin about the intermediate axis is unstable: the middle box flips, its neighbours do not.", 600);
  b.scene.settings.gravity = Vec3::Zero();
  const char* names[3] = {"Least inertia", "Intermediate inertia", "Greatest inertia"};
  const char* materials[3] = {"green plastic", "red plastic", "cyan plastic"};
  for (int k = 0; k < 3; ++k) {
    Object o = b.object(names[k], materials[k], PrimitiveShape::box, Vec3(1.2, 0.7, 0.25), Vec3(2.0 * (k - 1), 1.2, 0));
    o.display.primitive.divisions = {1, 1, 1};
    o.body.mass = 1.0;
    o.body.spin = Vec3(0.01, 0.01, 0.01);
    o.body.spin[k] = 6.0;
    b.add(o);
  }
  b.camera(Vec3(1.2, 2.6, 6.8), Vec3(0, 1.2, 0));
  return b.scene;
}

// Thesis figure 2.8: the attitude of a soft box is not held by anything; a push off its centre moves, turns and deforms it.
Scene pushed_soft_box() {
  Builder b("Soft box pushed and spinning",
            "A ball strikes a soft box off its centre: the push moves it, turns it and deforms it.", 240);
  b.scene.settings.gravity = Vec3::Zero();
  Object box = b.object("Soft box", "jade", PrimitiveShape::box, Vec3(1.2, 1.2, 1.2), Vec3(0, 1.2, 0));
  Builder::flexible(box, AnalysisKind::box_grid, {2, 2, 2}, 1.0, 5, 0.012, 0.0003);
  Builder::physics(box, 2e4, 0.7);
  b.add(box);
  Object ball = b.object("Ball", "polished bronze", PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), Vec3(-2.2, 1.45, 0.3));
  ball.body.mass = 0.8;
  ball.body.velocity = Vec3(5, 0, 0);
  Builder::physics(ball, 1e6, 0.7);
  b.add(ball);
  b.camera(Vec3(2.2, 3.0, 6.6), Vec3(1.0, 1.0, 0));
  return b.scene;
}

Scene heap() {
  Builder b("Heap of twenty", "Twenty soft and rigid bodies of many materials fall into a heap.", 360);
  b.floor(1e7, 0.4);
  const char* materials[] = {"emerald",  "ruby",   "gold",  "turquoise",      "red rubber",
                             "obsidian", "copper", "pearl", "yellow plastic", "silver"};
  for (int k = 0; k < 20; ++k) {
    // Three by three columns in layers, turned and shifted by fixed amounts so that they tumble.
    const int layer = k / 9, cell = k % 9;
    const Vec3 place(0.62 * (cell % 3 - 1) + 0.07 * ((k * 7) % 5 - 2), 0.7 + 0.85 * layer + 0.13 * ((k * 3) % 4),
                     0.62 * (cell / 3 - 1) + 0.06 * ((k * 5) % 5 - 2));
    const bool round = k % 2 == 0;
    const double size = 0.36 + 0.05 * ((k * 11) % 4);
    Object o = b.object(std::string(round ? "Ball " : "Box ") + std::to_string(k / 2 + 1), materials[k % 10],
                        round ? PrimitiveShape::sphere : PrimitiveShape::box,
                        Vec3(size, round ? size : 0.8 * size, size), place);
    o.display.primitive.divisions = round ? std::array<int, 3>{32, 16, 1} : std::array<int, 3>{4, 4, 4};
    o.transform.rotation = Quat(Eigen::AngleAxisd(0.35 * k, Vec3(1, 0.3 * (k % 3), 0.5).normalized()));
    o.body.mass = 0.4 + 0.2 * (k % 4);
    if (k % 4 == 0) Builder::flexible(o, AnalysisKind::icosahedron, {1, 1, 1}, o.body.mass, 900, 2.0, 0.002);
    Builder::physics(o, 1e6, 0.4, 0.55);
    b.add(o);
  }
  b.camera(Vec3(2.6, 2.6, 4.6), Vec3(0, 0.6, 0));
  return b.scene;
}

// Thesis figure 2.29: locality. One character, an octahedron around all of it and a truss that follows head, body, tail
// and legs; each has the other's truss to switch to.
Scene kangaroos() {
  Builder b("Kangaroo in a coarse and a fine truss",
            "Both hop alike. The octahedron on the left deforms as a whole; on the right head, tail and legs give way "
            "on their own.", 240);
  b.floor(2e5, 0.55, 20);
  const MetaballGroup group = kangaroo();
  Box3 box;
  for (const auto& p : group.primitives) {
    const Vec3 seen = seen_fraction(p.weight) * effective_extent(p);
    box.add(p.centre - seen);
    box.add(p.centre + seen);
  }
  AnalysisModel coarse, fine;
  coarse.name = "Coarse";
  coarse.kind = AnalysisKind::octahedron;
  coarse.divisions = {1, 1, 1};
  coarse.size = 1.5 * box.size();
  coarse.offset = box.centre();
  StrungTruss octahedron = to_strung(make_truss(truss_recipe(coarse)));
  fine.name = "Fine";
  fine.kind = AnalysisKind::strung;
  StrungTruss limbs = follow(group, 0.14);
  // Heavy feet and tail keep them upright.
  for (StrungTruss* truss : {&octahedron, &limbs})
    for (StrungNode& node : truss->nodes)
      if (node.position.y() < 0.3) node.mass = truss == &limbs ? 8 : 12;
  coarse.kind = AnalysisKind::strung;
  coarse.strung = std::make_shared<const StrungTruss>(octahedron);
  fine.strung = std::make_shared<const StrungTruss>(limbs);
  for (int k = 0; k < 2; ++k) {
    Object o = b.object(k ? "Kangaroo, fine truss" : "Kangaroo, coarse truss", "white plastic", PrimitiveShape::box,
                        Vec3(1, 1, 1), Vec3(k ? 1.25 : -1.05, 0.1, 0));
    o.display.kind = DisplayKind::metaballs;
    o.display.metaballs = group;
    o.analysis = k ? fine : coarse;
    o.other_analyses = {k ? coarse : fine};
    o.body.kind = BodyKind::flexible;
    o.body.mass = 8;
    o.body.stiffness = k ? 5000 : 1500;
    o.body.damping = k ? 25 : 15;
    o.body.cross_section = 0.002;
    o.body.velocity = Vec3(0.2, 2.8, 0);
    Builder::physics(o, 1e5, 0.25, 0.9);
    o.material.surface.diffuse = Vec3(0.62, 0.38, 0.2);
    o.material.surface.ambient = 0.9 * o.material.surface.diffuse;
    o.material.surface.specular = Vec3(0.12, 0.12, 0.12);
    b.add(o);
  }
  b.camera(Vec3(0.9, 1.7, 5.4), Vec3(0.1, 0.85, 0));
  return b.scene;
}

bool write(const std::string& folder, const char* file, const Scene& scene) {
  for (const auto& d : validate(scene)) std::fprintf(stderr, "%s: %s\n", file, to_string(d).c_str());
  const Status saved = save_scene(scene, folder + "/" + file);
  if (!saved) std::fprintf(stderr, "%s\n", to_string(saved.error()).c_str());
  return saved.ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_scenes DIR\n");
    return 2;
  }
  const std::string folder = argv[1];
  bool ok = write(folder, "soft_and_hard_ball.json", soft_and_hard_ball());
  ok = write(folder, "small_and_large_ball.json", small_and_large_ball()) && ok;
  ok = write(folder, "light_and_heavy.json", light_and_heavy()) && ok;
  ok = write(folder, "tumbling_box.json", tumbling_box()) && ok;
  ok = write(folder, "pushed_soft_box.json", pushed_soft_box()) && ok;
  ok = write(folder, "heap.json", heap()) && ok;
  ok = write(folder, "kangaroos.json", kangaroos()) && ok;
  return ok ? 0 : 1;
}
