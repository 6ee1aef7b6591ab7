// What is said before a run, what is never written over, and how a run is ended: the real hazumi-cli.
#include <sys/stat.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/geometry/truss/strung.h"
#include "core/scene/file/scene_io.h"
#include "tests/support/files.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace cli_inputs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr const char* kProgram = HAZUMI_BINARY_DIR "/bin/hazumi-cli";
constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

struct Outcome {
  int code = -1;
  std::string out, err;
};

Outcome cli(const std::string& arguments) {
  TemporaryFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const int status = std::system(
      ("'" + std::string(kProgram) + "' " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
}

bool says(const Outcome& outcome, const std::string& words) { return outcome.err.find(words) != std::string::npos; }

/// Two boxes of one name, one of them a mesh read from a file.
Scene two_named(const TemporaryFolder& folder) {
  std::ofstream(folder / "t.obj") << kTetrahedron;
  Scene scene;
  scene.objects = {make_object(3, "Box", {}, Vec3(0, 5, 0)), make_object(7, "Box", {}, Vec3(5, 5, 0))};
  scene.objects[1] = scene.objects[1].edited([](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.file = "t.obj";
  });
  return scene;
}

std::vector<std::string> parts_in(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".part") found.push_back(entry.path().filename().string());
  return found;
}

/// The program as a child, so that it can be sent a signal; its seconds to the end after that, and its exit code.
struct Ended {
  double seconds = 0;
  int code = -1;
};
Ended end_after(std::vector<std::string> words, double seconds, int signal) {
  std::vector<char*> arguments;
  words.insert(words.begin(), kProgram);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);  // of a shell that runs the tests in the background it is ignored
    (void)!std::freopen("/dev/null", "w", stdout);
    (void)!std::freopen("/dev/null", "w", stderr);
    ::execv(kProgram, arguments.data());
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto from = std::chrono::steady_clock::now();
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  return {took.count(), WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
}

}  // namespace

TEST_CASE("validate says what a run would: every message has its path") {
  TemporaryFolder folder;
  const std::string file = (folder / "s.json").string();
  Scene scene = two_named(folder);
  scene.objects[0] = scene.objects[0].edited([](Object& o) {
    o.part_materials.push_back({"lid", o.material});
    o.transform.position = Vec3(0.4, 5, 0);
  });
  scene.objects.push_back(make_object(8, "Other", {}, Vec3(0.2, 5, 0)));
  scene.objects.push_back(
      make_object(9, "Sheet", {PrimitiveShape::plane, Vec3(1, 1, 1), {1, 1, 1}}, Vec3(0, 50, 0), BodyKind::rigid));
  scene.objects[3] = scene.objects[3].edited([](Object& o) { o.body.mass_source = MassSource::material; });
  Object soft = make_object(10, "Soft", {}, Vec3(0, 90, 0), BodyKind::flexible);
  soft.analysis.kind = AnalysisKind::strung;
  StrungTruss pieces = to_strung(make_truss({TrussShape::octahedron, {1, 1, 1}, Vec3(1, 1, 1), Vec3::Zero()}));
  const StrungTruss one = pieces;
  for (StrungNode node : one.nodes) {
    node.position.x() += 3;
    pieces.nodes.push_back(node);
  }
  const auto shift = static_cast<std::uint32_t>(one.nodes.size());
  for (StrungSpring spring : one.springs) {
    spring.a += shift;
    spring.b += shift;
    pieces.springs.push_back(spring);
  }
  soft.analysis.strung = std::make_shared<const StrungTruss>(pieces);
  soft.mapping.kind = MappingKind::skeleton;
  scene.objects.push_back(Shared<Object>(soft));
  REQUIRE(save_scene(scene, file));
  std::filesystem::remove(folder / "t.obj");

  const Outcome told = cli("validate '" + file + "'");
  INFO(told.err);
  CHECK(told.code == 0);
  CHECK(says(told, "objects[1] \"Box\" display.mesh.file: The mesh \"t.obj\" is not shown"));
  CHECK(says(told, "objects[0] \"Box\" part_materials: There is a material for the part \"lid\""));
  CHECK(says(told, "objects[0] \"Box\": It overlaps objects[2] \"Other\" by "));
  CHECK(says(told, "objects[3] \"Sheet\": The display model encloses no volume, so the mass is the given one, 1 kg."));
  CHECK(says(told, "objects[4] \"Soft\" analysis: The truss is in 2 pieces"));
  CHECK(says(told, "objects[4] \"Soft\": "));  // the mapping by a skeleton without bones
  for (const std::string& line : lines_of(told.err)) CHECK(line.find("s.json: objects[") != std::string::npos);
  CHECK(cli("validate --strict '" + file + "'").code == 1);

  Scene unknown = two_named(folder);
  Object ball = soft;
  ball.analysis.kind = AnalysisKind::octahedron;
  ball.body.solver = "magic";
  unknown.objects = {Shared<Object>(ball)};
  REQUIRE(save_scene(unknown, file));
  const Outcome refused = cli("validate '" + file + "'");
  CHECK(refused.code == 1);
  CHECK(says(refused, "objects[0] \"Soft\": There is no elastic solver \"magic\"."));
}

TEST_CASE("validate says in one sentence what no source of particles can be") {
  TemporaryFolder folder;
  const std::string file = (folder / "s.json").string();
  Scene scene;
  scene.objects = {make_object(3, "Block", {PrimitiveShape::cylinder, Vec3(1, 1, 1), {24, 6, 4}}, Vec3::Zero())};
  ParticleSource source;
  source.id = Id{5};
  source.name = "Jet";
  source.position = Vec3(0, 3, 0);
  source.life = 7.25;
  source.collides = true;
  scene.particles = {source};
  REQUIRE(save_scene(scene, file));
  const std::string good = contents(file);
  const auto said = [&](const std::string& from, const std::string& to, int code) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    std::ofstream(file) << text.replace(text.find(from), from.size(), to);
    const Outcome outcome = cli("validate '" + file + "'");
    CHECK(outcome.code == code);
    const auto lines = lines_of(outcome.err);
    REQUIRE(lines.size() == 1);
    return lines[0].substr(lines[0].find("s.json: ") + 8);
  };
  CHECK(cli("validate '" + file + "'").err.empty());
  const std::string life = "\"life\": 7.25";
  CHECK(said(life, "\"life\": -1", 1).find("\"Jet\" life (line ") != std::string::npos);
  CHECK(said(life, "\"life\": -1", 1).ends_with(": Life must be above 0 s."));
  CHECK(said(life, "\"life\": 1e300", 1).ends_with(": Life must be at most 1000000 s."));
  for (const char* no : {"NaN", "Infinity"})
    CHECK(
        said(life, "\"life\": " + std::string(no), 1).find("NaN and Infinity are not numbers that a scene can hold.") !=
        std::string::npos);
  CHECK(said(life, life + ", \"burst\": 1000000000", 1).ends_with(": Burst must be at most 1000000."));
  CHECK(said(life, life + ", \"carrier\": 77", 0).find("The object that carried Jet is gone; it gives nothing.") !=
        std::string::npos);
  scene.particles[0] = scene.particles[0].edited([](ParticleSource& s) { s.position = Vec3::Zero(); });
  REQUIRE(save_scene(scene, file));
  const Outcome buried = cli("validate '" + file + "'");
  CHECK(buried.code == 0);
  CHECK(lines_of(buried.err).size() == 1);
  CHECK(says(buried, "Jet: It is inside objects[0] \"Block\", which its particles leave as if it were not there."));
}

TEST_CASE("names with line ends and bytes that are no UTF-8 come out escaped") {
  TemporaryFolder folder;
  const std::string file = (folder / "s.json").string();
  Scene scene;
  scene.objects = {make_object(1, "a\nerror: b\x1b[31m", {}), make_object(2, "Täss", {}, Vec3(0.2, 0, 0))};
  REQUIRE(save_scene(scene, file));
  const Outcome told = cli("validate '" + file + "'");
  CHECK(lines_of(told.err).size() == 1);
  CHECK(says(told, "a\\nerror: b\\x1b[31m"));
  CHECK(says(told, "Täss"));
  const Outcome info = cli("info '" + file + "'");
  CHECK(info.out.find("a\\nerror: b\\x1b[31m: rigid") != std::string::npos);
  const Outcome bad = cli("info '" + (folder / "no\xff.json").string() + "'");
  CHECK(says(bad, "no\\xff.json"));
}

TEST_CASE("two objects of one name are told apart by id") {
  TemporaryFolder folder;
  const std::string file = (folder / "s.json").string();
  REQUIRE(save_scene(two_named(folder), file));
  const std::string start =
      "export '" + file + "' --frames 0 --format obj --out '" + (folder / "o.#.obj").string() + "'";
  const Outcome which = cli(start + " --object Box");
  CHECK(which.code == 2);
  CHECK(says(which, "2 objects are named “Box”: #3, #7. Say which by its id, as --object '#3'."));
  CHECK(cli(start + " --object '#7'").code == 0);
  const std::string text = contents(folder / "o.0.obj");
  CHECK(std::count(text.begin(), text.end(), 'f') >= 4);
  CHECK(cli(start + " --object '#8'").code == 2);
}

TEST_CASE("what was read is not written over, however its path is spelled") {
  TemporaryFolder folder;
  const std::string file = (folder / "scene.json").string();
  REQUIRE(save_scene(two_named(folder), file));
  const std::string before = contents(file), mesh = contents(folder / "t.obj");
  std::filesystem::create_symlink("scene.json", folder / "link.csv");
  std::filesystem::create_directory(folder / "sub");
  for (const std::string& out : {file, (folder / "sub/../scene.json").string(), (folder / "link.csv").string(),
                                 (folder / "t.obj").string(), "//" + file}) {
    INFO(out);
    for (const char* option : {"--observables", "--contacts"}) {
      const Outcome refused = cli("simulate '" + file + "' --frames 0-1 " + option + " '" + out + "'");
      CHECK(refused.code == 2);
      CHECK(says(refused, "is a file that the scene is read from"));
    }
  }
  const std::string same = (folder / "both.csv").string();
  CHECK(cli("simulate '" + file + "' --frames 0-1 --observables '" + same + "' --contacts '" + same + "'").code == 2);
  // Frames too: scene.0003.json is read, and would be one of them.
  const std::string third = (folder / "s.0003.json").string();
  std::filesystem::copy_file(file, third);
  const Outcome frames =
      cli("export '" + third + "' --frames 0-5 --format json --out '" + (folder / "s.####.json").string() + "'");
  CHECK(frames.code == 2);
  CHECK(says(frames, "s.0003.json is a file that the scene is read from"));
  CHECK_FALSE(std::filesystem::exists(folder / "s.0000.json"));
  CHECK(contents(third) == before);
  CHECK(contents(file) == before);
  CHECK(contents(folder / "t.obj") == mesh);
}

TEST_CASE("Ctrl+C ends every stage within a second, SIGTERM leaves no part of a file", "[time]") {
  TemporaryFolder folder;
  const std::string file = (folder / "s.json").string();
  Scene scene;  // 19³ boxes in one another: minutes to look through
  for (std::uint64_t i = 0; i < 4000; ++i)
    scene.objects.push_back(
        make_object(i + 1, "Box " + std::to_string(i), {},
                    Vec3(0.01 * static_cast<double>(i % 50), 0, 0.01 * static_cast<double>(i / 50))));
  REQUIRE(save_scene(scene, file));
  for (const double wait : {0.3, 2.0, 4.0})
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"simulate", file, "--frames", "0-1000", "--hash"}, {"validate", file}}) {
      INFO(words.front() << " after " << wait << " s");
      const Ended ended = end_after(words, wait, SIGINT);
      CHECK(ended.seconds < 1.0);
      CHECK((ended.code == 130 || ended.code == 0));
    }
  Scene soft;  // 19,683 nodes: minutes until its matrix is factored; 0.57 s
  Object block = make_object(1, "Block", {}, Vec3(0, 5, 0), BodyKind::flexible);
  block.analysis.kind = AnalysisKind::box_grid;
  block.analysis.divisions = {26, 26, 26};
  soft.objects = {Shared<Object>(block)};
  REQUIRE(save_scene(soft, file));
  for (const double wait : {0.5, 3.0}) {
    const Ended ended = end_after({"simulate", file, "--frames", "0-20", "--hash"}, wait, SIGINT);
    CHECK(ended.seconds < 1.0);
    CHECK(ended.code == 130);
  }
  Scene cube;
  cube.objects = {make_object(1, "Ball", {PrimitiveShape::sphere, Vec3(1, 1, 1), {120, 60, 1}})};
  REQUIRE(save_scene(cube, file));
  for (const double wait : {0.6, 1.1, 1.7}) {
    const Ended ended =
        end_after({"export", file, "--frames", "0-5000", "--format", "obj", "--out", (folder / "o.####.obj").string()},
                  wait, SIGTERM);
    CHECK(ended.seconds < 1.0);
    CHECK((ended.code == 143 || ended.code == 130));
    CHECK(parts_in(folder.path()).empty());
  }
}

}  // namespace cli_inputs_test
