// Writes the shipped scenes. They are ordinary scene files (open and edit them in Hazumi); this program records how the
// numbers were chosen. `make_scenes DIR [PART OF A FILE NAME]` writes them, `make_scenes --check DIR` says which differ from what is
// shipped (a test).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "scenes/builder.h"
#include "scenes/motions.h"
#include "scenes/shipped.h"

using namespace hazumi;

namespace {

struct Springs {
  double mass, stiffness, damping, cross_section;  // kg, N/m, N s/m, m²
};

/// A ball in an icosahedron truss that lands on a face.
void add_truss_ball(Builder& b, const char* name, const char* material, double diameter, const Vec3& place,
                    const Springs& springs, double young, double restitution) {
  Object o = b.object(name, material, PrimitiveShape::sphere, Vec3::Constant(diameter), place);
  Builder::flexible(o, AnalysisKind::icosahedron, {1, 1, 1}, springs.mass, springs.stiffness, springs.damping,
                    springs.cross_section);
  Builder::physics(o, young, restitution);
  Builder::land_on_face(o);
  b.add(o);
}

// Thesis figure 3.16: equal mass, radius and impact speed; the right ball's Young's modulus is 100 times the left one's
// and equal to the floor's. E = l k / A with l = 0.53 m, A = 18 cm²: 13 kPa and 1.3 MPa, pulses near 0.05 s and 0.01 s.
Scene soft_and_hard_ball() {
  Builder b("Soft and hard ball",
            "Two icosahedron trusses of equal mass, radius and impact speed; the right one is 100 times stiffer.", 240);
  b.floor(1.3e6, 0.8);
  add_truss_ball(b, "Soft ball", "red plastic", 1, Vec3(-0.85, 2.1, 0), {1.0, 45, 0.22, 0.0018}, 1.3e4, 0.8);
  add_truss_ball(b, "Hard ball", "cyan plastic", 1, Vec3(0.85, 2.1, 0), {1.0, 4500, 2.2, 0.0018}, 1.3e6, 0.8);
  b.camera(Vec3(0.3, 1.7, 5.8), Vec3(0, 1.15, 0));
  return b.done();
}

// Thesis figure 3.17: equal density, Young's modulus and impact speed, radius 1 : 2, so mass 1 : 8; F 4 times, T twice.
// E = l k / A stays: l doubles and A = 4 times, so k = E A / l doubles.
Scene small_and_large_ball() {
  Builder b("Small and large ball", "Equal material and impact speed; the right ball has twice the radius.", 240);
  b.floor(2e5, 0.75);
  add_truss_ball(b, "Small ball", "gold", 0.6, Vec3(-1.0, 1.8, 0), {0.25, 40, 0.08, 0.00096}, 1.3e4, 0.75);
  add_truss_ball(b, "Large ball", "copper", 1.2, Vec3(0.7, 2.1, 0), {2.0, 80, 0.3, 0.00384}, 1.3e4, 0.75);
  b.camera(Vec3(0.5, 1.9, 6.6), Vec3(-0.1, 1.0, 0));
  return b.done();
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
  return b.done();
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
  return b.done();
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
  return b.done();
}

Scene heap() {
  Builder b("Heap of twenty", "Twenty soft and rigid bodies of many materials fall into a heap.", 360);
  b.floor(1e7, 0.4);
  const char* materials[] = {"emerald",  "ruby",   "gold",  "turquoise",      "red rubber",
                             "obsidian", "copper", "pearl", "yellow plastic", "silver"};
  for (int k = 0; k < 20; ++k) {
    // Three by three columns in layers, turned and shifted by fixed amounts so that they tumble.
    const int layer = k / 9, cell = k % 9;
    const Vec3 place(0.84 * (cell % 3 - 1) + 0.07 * ((k * 7) % 5 - 2), 0.7 + 0.85 * layer + 0.13 * ((k * 3) % 4),
                     0.84 * (cell / 3 - 1) + 0.06 * ((k * 5) % 5 - 2));
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
  return b.done();
}

bool write(const std::string& folder, const char* file, const Scene& scene) {
  for (const auto& d : validate(scene)) std::fprintf(stderr, "%s: %s\n", file, to_string(d).c_str());
  const Status saved = save_scene(scene, folder + "/" + file);
  if (!saved) std::fprintf(stderr, "%s\n", to_string(saved.error()).c_str());
  return saved.ok();
}

/// As it is read from the file, and written anew: a row that is written more briefly by now is the same scene. "" when it cannot be.
std::string read_anew(const char* what, const char* file, const std::string& text) {
  const Result<Scene> read = part_from_text(text);
  if (!read.ok()) std::fprintf(stderr, "%s, %s: %s\n", file, what, to_string(read.error()).c_str());
  return read.ok() ? scene_to_text(read.value()) : std::string();
}

bool check(const std::string& folder, const char* file, const Scene& scene) {
  std::ifstream stream(folder + "/" + file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::istringstream made(read_anew("made", file, scene_to_text(scene))), shipped(read_anew("shipped", file, text));
  std::string ours, theirs;
  for (int line = 1;; ++line) {
    const bool more_made = !!std::getline(made, ours), more_shipped = !!std::getline(shipped, theirs);
    if (!more_made && !more_shipped) return line > 1;
    if (more_made == more_shipped && ours == theirs) continue;
    std::fprintf(stderr, "%s, line %d: made\n%s\nbut shipped\n%s\n", file, line, ours.c_str(), theirs.c_str());
    return false;
  }
}

struct Maker {
  const char* file;
  Scene (*alone)() = nullptr;
  Scene (*with_mesh)(const std::string& folder) = nullptr;  ///< the mesh lies in the folder too
};

constexpr Maker kMakers[] = {{"soft_and_hard_ball.json", soft_and_hard_ball},
                             {"small_and_large_ball.json", small_and_large_ball},
                             {"light_and_heavy.json", light_and_heavy},
                             {"tumbling_box.json", tumbling_box},
                             {"pushed_soft_box.json", pushed_soft_box},
                             {"heap.json", heap},
                             {"kangaroos.json", shipped::kangaroos},
                             {"fish.json", shipped::fish},
                             {"falling_fish.json", shipped::falling_fish},
                             {"thrown_back.json", shipped::thrown_back},
                             {"cushions.json", shipped::cushions},
                             {"clay.json", shipped::clay},
                             {"bent_bars.json", shipped::bent_bars},
                             {"puddings.json", shipped::puddings},
                             {"lattices.json", shipped::lattices},
                             {"pressed_flat.json", shipped::pressed_flat},
                             {"cut_and_turned.json", shipped::cut_and_turned},
                             {"taught_cloths.json", shipped::taught_cloths},
                             {"caterpillars.json", shipped::caterpillars},
                             {"gap_creatures.json", shipped::gap_creatures},
                             {"directed_bounce.json", shipped::directed_bounce},
                             {"twist_and_bend.json", shipped::twist_and_bend},
                             {"car.json", shipped::car},
                             {"teddy.json", shipped::teddy},
                             {"taught_teddy.json", shipped::taught_teddy},
                             {"clock.json", shipped::clock},
                             {"ten_pin.json", shipped::ten_pin},
                             {"linear_and_lattice.json", shipped::linear_and_lattice},
                             {"dominoes.json", shipped::dominoes},
                             {"poured_box.json", shipped::poured_box},
                             {"juggler.json", shipped::juggler},
                             {"thrower.json", shipped::thrower},
                             {"gripper.json", shipped::gripper},
                             {"bus.json", shipped::bus},
                             {"soft_bus.json", shipped::soft_bus},
                             {"soft_car.json", shipped::soft_car},
                             {"dolls.json", shipped::dolls},
                             {"lights.json", shipped::lights},
                             {"cuts.json", shipped::cuts},
                             {"chain.json", shipped::chain},
                             {"driven_car.json", shipped::driven_car},
                             {"crane.json", shipped::crane},
                             {"puppet.json", shipped::puppet},
                             {"flag.json", shipped::flag},
                             {"bowling.json", shipped::bowling},
                             {"branches.json", shipped::branches},
                             {"hopping_ball.json", shipped::cartoon_ball},
                             {"twelve_principles.json", shipped::twelve_principles},
                             {"clock_with_arms.json", shipped::clock_with_arms},
                             {"rearing_car.json", shipped::rearing_car},
                             {"domino_branch.json", shipped::domino_branch},
                             {"fan.json", shipped::fan},
                             {"running_kangaroo.json", shipped::running_kangaroo},
                             {"two_links.json", shipped::two_links},
                             {"flag_in_the_wind.json", shipped::flag_in_the_wind},
                             {"tablecloth.json", shipped::tablecloth},
                             {"curtain.json", shipped::curtain},
                             {"rope_bridge.json", shipped::rope_bridge},
                             {"balloons.json", shipped::balloons},
                             {"four_cars.json", shipped::four_cars},
                             {"floating_boxes.json", shipped::floating_boxes},
                             {"fountain.json", shipped::fountain},
                             {"marbles.json", shipped::marbles},
                             {"chimney.json", shipped::chimney},
                             {"explosion.json", shipped::explosion},
                             {"snowfall.json", shipped::snowfall},
                             {"dusty_car.json", shipped::dusty_car},
                             {"boat.json", shipped::boat},
                             {"spot.json", nullptr, shipped::spot},
                             {"biscuit.json", nullptr, shipped::biscuit},
                             {"wrecking_ball.json", nullptr, shipped::wrecking_ball},
                             {"loop.json", nullptr, shipped::loop},
                             {"jelly.json", nullptr, shipped::jelly},
                             {"ring_toss.json", nullptr, shipped::ring_toss},
                             {"poncho.json", nullptr, shipped::poncho},
                             {"tea_table.json", nullptr, shipped::tea_table}};

/// Every scene of the folder has its maker.
bool all_made(const std::string& folder) {
  bool ok = true;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.front() == '.') continue;
    if (std::any_of(std::begin(kMakers), std::end(kMakers), [&](const Maker& maker) { return name == maker.file; }))
      continue;
    std::fprintf(stderr, "%s: nobody makes it\n", name.c_str());
    ok = false;
  }
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  const bool checks = argc > 1 && std::string(argv[1]) == "--check";
  const int at = checks ? 2 : 1;
  if (argc < at + 1 || argc > at + 2) {
    std::fprintf(stderr, "usage: make_scenes [--check] DIR [PART OF A FILE NAME]\n");
    return 2;
  }
  const std::string folder = argv[at], part = argc > at + 1 ? argv[at + 1] : "";
  bool ok = !checks || all_made(folder);
  for (const Maker& maker : kMakers) {
    if (std::string(maker.file).find(part) == std::string::npos) continue;
    const Scene scene = maker.alone ? maker.alone() : maker.with_mesh(folder);
    ok = (checks ? check(folder, maker.file, scene) : write(folder, maker.file, scene)) && ok;
  }
  const std::string motions = folder + "/../assets/motions";
  for (const shipped::ShippedMotion& one : shipped::shipped_motions()) {
    const std::string file = one.file + ".json";
    if (file.find(part) == std::string::npos) continue;
    ok = (checks ? check(motions, file.c_str(), one.motion) : write(motions, file.c_str(), one.motion)) && ok;
  }
  return ok ? 0 : 1;
}
