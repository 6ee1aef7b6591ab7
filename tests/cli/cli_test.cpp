// The real hazumi-cli, run as a person or a script runs it: fixed words (spec 8.6), exit codes, bad input.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "render/picture_formats.h"
#include "tests/cli/cli_support.h"
#include "tests/support/files.h"
#include "tests/support/locales.h"
#include "tests/support/small_scenes.h"

namespace cli_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::string hash_line(const Frame& frame) {
  char text[64];
  std::snprintf(text, sizeof text, "frame %d %016llx", frame.index, static_cast<unsigned long long>(frame.state_hash));
  return text;
}

/// Width and height from the header of a PNG file.
std::pair<int, int> png_size(const std::filesystem::path& path) {
  const std::string bytes = contents(path);
  if (bytes.size() < 33 || bytes.compare(0, 8, "\x89PNG\r\n\x1a\n") != 0) return {0, 0};
  const auto number = [&](std::size_t at) {
    int n = 0;
    for (std::size_t i = 0; i < 4; ++i) n = n * 256 + static_cast<unsigned char>(bytes[at + i]);
    return n;
  };
  return {number(16), number(20)};
}

}  // namespace

TEST_CASE("the command line links no widgets") {
  const std::string command = "ldd '" HAZUMI_BINARY_DIR "/bin/hazumi-cli'";
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  CHECK(::pclose(pipe) == 0);
  CHECK(text.find("libc.so") != std::string::npos);
  CHECK(text.find("Widgets") == std::string::npos);
}

TEST_CASE("help and version are no errors; what is no command is bad usage") {
  CHECK(cli("--help").code == 0);
  CHECK(cli("--version").out.rfind("hazumi-cli ", 0) == 0);
  for (const char* command : {"info", "validate", "simulate", "render", "export"}) {
    INFO(command);
    CHECK(cli(std::string(command) + " --help").code == 0);
    CHECK(cli("--help").out.find(command) != std::string::npos);
    const Outcome bare = cli(command);
    CHECK(bare.code == 2);
    check_one_sentence(bare);
  }
  for (const char* wrong :
       {"", "dance", "info", "info a.json --frames 1-2", "simulate a.json --frames", "info a b c"}) {
    INFO(wrong);
    const Outcome outcome = cli(wrong);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    check_one_sentence(outcome);
  }
}

TEST_CASE("a word that is not known is named, with the one that was probably meant") {
  const auto said = [](const std::string& arguments) {
    const Outcome outcome = cli(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    check_one_sentence(outcome);
    return outcome.err;
  };
  CHECK(said("inof scene.json").find("“inof” is not a command. Did you mean info?") != std::string::npos);
  CHECK(said("expotr").find("Did you mean export?") != std::string::npos);
  const std::string frob = said("frob");
  CHECK(frob.find("“frob” is not a command. Commands are info, validate, ") != std::string::npos);
  CHECK(frob.find("Did you mean") == std::string::npos);
  const std::string option = "“--sampels” is not an option of render. Did you mean --samples?";
  CHECK(said("render a.json --frames 0-1 --out x.png --sampels 4").find(option) != std::string::npos);
  CHECK(said("render a.json --sampels=4").find(option) != std::string::npos);  // more to the point than what is missing
  CHECK(said("render a.json --frame 0-1 --out x.png").find("Did you mean --frames?") != std::string::npos);
  CHECK(said("info a.json b.json c.json").find("“b.json” is one word too many for info.") != std::string::npos);
  CHECK(said("").find("No command is given.") != std::string::npos);
}

TEST_CASE("info says what is in a scene") {
  SceneFile s;
  const Outcome text = cli("info '" + s.file + "'");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(text.out.find("scene Busy\n") == 0);
  CHECK(text.out.find("objects 5\n") != std::string::npos);
  CHECK(text.out.find(
            "3 Soft ball: flexible (lagrange, method factored, beta 1/4, yield 0.0, keeps 1.0, breaks 0.0), 1 kg") !=
        std::string::npos);

  const Outcome json = cli("info '" + s.file + "' --json");
  CHECK(json.code == 0);
  const auto info = nlohmann::json::parse(json.out);
  CHECK(info["name"] == "Busy");
  CHECK(info["frames"] == nlohmann::json({0, 24}));
  CHECK(info["substeps"] == 3);
  REQUIRE(info["objects"].size() == 5);
  CHECK(info["objects"][2]["kind"] == "flexible");
  CHECK(info["objects"][2]["nodes"].get<int>() >= 12);
  char signature[17];
  std::snprintf(signature, sizeof signature, "%016llx", static_cast<unsigned long long>(simulation_signature(s.scene)));
  CHECK(info["signature"] == signature);
}

TEST_CASE("A solver's own parameters: info says them, validate and simulate check them") {
  Scene scene = busy_scene();
  const Id soft = scene.objects[2]->id;
  const auto with = [&](SolverParameters parameters) {
    return with_object(scene, soft, [&](Object& o) { o.body.parameters = std::move(parameters); });
  };
  SceneFile plain(scene), other(with({{"lagrange", "beta", "1/6"}})),
      unknown(with({{"lagrange", "of the future", "", 2}})), wrong(with({{"lagrange", "beta", "1/5"}}));
  const auto parameters = [](const SceneFile& s) {
    return nlohmann::json::parse(cli("info '" + s.file + "' --json").out)["objects"][2]["parameters"];
  };
  CHECK(parameters(plain) ==
        nlohmann::json({{"method", "factored"}, {"beta", "1/4"}, {"yield", 0.0}, {"keeps", 1.0}, {"breaks", 0.0}}));
  CHECK(parameters(other)["beta"] == "1/6");
  CHECK(cli("info '" + other.file + "'")
            .out.find("flexible (lagrange, method factored, beta 1/6, yield 0.0, keeps 1.0, breaks 0.0)") !=
        std::string::npos);
  CHECK(cli("validate '" + other.file + "'").err.empty());
  const Outcome warned = cli("validate '" + unknown.file + "'");
  CHECK(warned.code == 0);
  CHECK(warned.err.find("of the future") != std::string::npos);
  for (const std::string command : {"validate", "simulate --frames 0-1"}) {
    const Outcome refused = cli(command + " '" + wrong.file + "'");
    CHECK(refused.code != 0);
    CHECK(refused.err.find("body.parameters.lagrange.beta") != std::string::npos);
    CHECK(refused.err.find("must be \"1/4\", \"1/6\" or \"0\"") != std::string::npos);
  }
}

TEST_CASE("validate tells good files from bad ones") {
  SceneFile s;
  const Outcome good = cli("validate '" + s.file + "'");
  CHECK(good.code == 0);
  CHECK(good.out == s.file + ": valid\n");

  std::ofstream(s.in("garbled.json")) << contents(s.file).substr(0, 300);
  const Outcome mixed = cli("validate '" + s.file + "' '" + s.in("garbled.json") + "' '" + s.in("missing.json") + "'");
  CHECK(mixed.code == 1);
  CHECK(mixed.out == s.file + ": valid\n");
  CHECK(lines_of(mixed.err).size() == 2);
  CHECK(mixed.err.find("garbled.json") != std::string::npos);
  CHECK(mixed.err.find("missing.json") != std::string::npos);

  const Outcome json = cli("validate --json '" + s.file + "' '" + s.in("garbled.json") + "'");
  CHECK(json.code == 1);
  const auto report = nlohmann::json::parse(json.out);
  REQUIRE(report.size() == 2);
  CHECK(report[0]["valid"] == true);
  CHECK(report[1]["valid"] == false);
  CHECK(report[1]["diagnostics"].size() >= 1);
}

TEST_CASE("validate says once what the scene and its run would both say") {
  SceneFile s;
  nlohmann::json scene = nlohmann::json::parse(contents(s.file));
  scene["motion"] = {{{"id", 900},
                      {"name", "Alone"},
                      {"role", "procedure"},
                      {"kind", "throw"},
                      {"object", scene["objects"][0]["id"]}}};
  const std::string file = s.in("alone.json");
  std::ofstream(file) << scene;
  const Outcome said = cli("validate '" + file + "'");
  CHECK(said.code == 0);
  const std::vector<std::string> lines = lines_of(said.err);
  INFO(said.err);
  CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == lines.size());
  CHECK(said.err.find("Nothing ever starts \"Alone\"") != std::string::npos);
}

TEST_CASE("bad scene files: exit 1 and one sentence that names the file") {
  SceneFile s;
  std::ofstream(s.in("empty.json"));
  std::ofstream(s.in("noise.json")) << std::string(5000, '\xff');
  std::ofstream(s.in("array.json")) << "[1, 2, 3]";
  std::ofstream(s.in("deep.json")) << std::string(100000, '[');
  for (const char* name : {"empty.json", "noise.json", "array.json", "deep.json", "missing.json", ""})
    for (const std::string& command : std::vector<std::string>{
             "info '%'", "simulate '%' --frames 0-2 --hash", "render '%' --frames 0-2 --out '" + s.in("r.#.png") + "'",
             "export '%' --frames 0-2 --format obj --out '" + s.in("e.#.obj") + "'"}) {
      std::string full = command;
      full.replace(full.find('%'), 1, s.in(name));
      INFO(full);
      const Outcome outcome = cli(full);
      CHECK(outcome.code == 1);
      CHECK(outcome.out.empty());
      check_one_sentence(outcome);
      CHECK(outcome.err.find(name) != std::string::npos);
    }
  CHECK_FALSE(std::filesystem::exists(s.in("r.0.png")));
}

TEST_CASE("simulate prints the hashes that the program has inside, from any first frame, on any number of threads") {
  SceneFile s;
  const auto fresh = fresh_run(s.scene, 24);
  REQUIRE(fresh.size() == 25);
  for (const char* threads : {"", " --threads 1", " --threads 2", " --threads 5"}) {
    const Outcome all = cli("simulate '" + s.file + "' --frames 0-24 --hash" + threads);
    CHECK(all.code == 0);
    CHECK(all.err.empty());
    const auto lines = lines_of(all.out);
    REQUIRE(lines.size() == 25);
    for (std::size_t f = 0; f < 25; ++f) CHECK(lines[f] == hash_line(fresh[f]));
  }
  const Outcome part = cli("simulate '" + s.file + "' --frames 17-19 --hash");
  CHECK(part.out == hash_line(fresh[17]) + "\n" + hash_line(fresh[18]) + "\n" + hash_line(fresh[19]) + "\n");
  CHECK(cli("simulate '" + s.file + "' --frames 3 --hash").out == hash_line(fresh[3]) + "\n");
  CHECK(cli("simulate '" + s.file + "' --frames 3").out.empty());
  const auto json = nlohmann::json::parse(cli("simulate '" + s.file + "' --frames 4-5 --hash --json").out);
  CHECK(json["end"] == "complete");
  REQUIRE(json["frames"].size() == 2);
  CHECK("frame 5 " + json["frames"][1]["hash"].get<std::string>() == hash_line(fresh[5]));
}

TEST_CASE("observables are those of the model, a row per object and frame") {
  SceneFile s;
  const std::string file = s.in("o.csv");
  const Outcome outcome = cli("simulate '" + s.file + "' --frames 2-10:4 --observables '" + file + "'");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == file + "\n");  // which file was written
  const Outcome report = cli("simulate '" + s.file + "' --frames 2-3 --json --observables '" + s.in("p.csv") + "'");
  CHECK(nlohmann::json::parse(report.out).at("observables") == s.in("p.csv"));
  const auto lines = lines_of(contents(file));
  REQUIRE(lines.size() == 1 + 3 * 5);
  CHECK(lines[0] ==
        "frame,time,object,name,centre_x,centre_y,centre_z,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
        "angular_momentum_y,angular_momentum_z,kinetic_energy,elastic_energy,volume,given_energy,parts");
  Simulator simulator(compiled(s.scene), 1);
  std::size_t row = 1;
  for (int frame : {2, 6, 10}) {
    const State* state = simulator.state_at(frame);
    REQUIRE(state);
    for (std::size_t b = 0; b < simulator.model().bodies.size(); ++b, ++row) {
      INFO(lines[row]);
      std::vector<std::string> cells;
      std::stringstream stream(lines[row]);
      for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
      REQUIRE(cells.size() == 18);
      const Observables o = observe(simulator.model(), *state, b);
      CHECK(std::stoi(cells[0]) == frame);
      CHECK(cells[3] == simulator.model().bodies[b].name);
      const std::vector<double> expected = {o.centre.x(),
                                            o.centre.y(),
                                            o.centre.z(),
                                            o.momentum.x(),
                                            o.momentum.y(),
                                            o.momentum.z(),
                                            o.angular_momentum.x(),
                                            o.angular_momentum.y(),
                                            o.angular_momentum.z(),
                                            o.kinetic_energy,
                                            o.elastic_energy,
                                            o.volume,
                                            0,
                                            1};
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::strtod(cells[4 + i].c_str(), nullptr) == expected[i]);
    }
  }
}

TEST_CASE("bad ranges and options are bad usage, said in one sentence") {
  SceneFile s;
  const std::string scene = " '" + s.file + "' ";
  const std::string out = " --out '" + s.in("x.#.png") + "' ";
  for (const std::string& command :
       {"simulate" + scene + "--frames 9-3", "simulate" + scene + "--frames x", "simulate" + scene + "--frames ''",
        "simulate" + scene + "--frames 0-3 --threads 0", "simulate" + scene + "--frames 0-3 --threads many",
        "render" + scene + "--frames 1-2:0" + out, "render" + scene + "--frames 0-1" + out + "--size 12",
        "render" + scene + "--frames 0-1" + out + "--size 0x5",
        "render" + scene + "--frames 0-1" + out + "--size 99999x5",
        "render" + scene + "--frames 0-1" + out + "--samples 0",
        "render" + scene + "--frames 0-1 --out '" + s.in("x.#.#.png") + "'",
        "render" + scene + "--frames 0-1 --out '" + s.in("x.#.docx") + "'",
        "export" + scene + "--frames 0-1 --format exe" + out, "export" + scene + "--frames 0-1 --format obj --out ''",
        "export" + scene + "--frames 0-1 --format obj --object Nobody" + out}) {
    INFO(command);
    const Outcome outcome = cli(command);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    check_one_sentence(outcome);
  }
  CHECK(s.folder.names() == std::vector<std::string>{"scene.json"});
}

TEST_CASE("a locale with a decimal comma changes nothing") {
  const MadeLocales made;
  if (made.names.empty()) WARN("localedef could make none here");
  SceneFile s;
  const auto all = [&](const std::string& name) {
    if (!name.empty()) ::setenv("LC_ALL", name.c_str(), 1);
    std::string said;
    for (const std::string& command :
         {"info '" + s.file + "'",
          "simulate '" + s.file + "' --frames 0-20 --hash --observables '" + s.in("o.csv") + "' --contacts '" +
              s.in("c.csv") + "'",
          "export '" + s.file + "' --frames 20 --format csv --out '" + s.in("e.#.csv") + "'",
          "export '" + s.file + "' --frames 20 --format obj --out '" + s.in("e.#.obj") + "'"}) {
      const Outcome outcome = cli(command);
      INFO(command);
      CHECK(outcome.code == 0);
      said += outcome.out;
    }
    ::unsetenv("LC_ALL");
    for (const char* file : {"o.csv", "c.csv", "e.20.csv", "e.20.obj"}) {
      const std::string text = contents(s.in(file));
      CHECK(text.size() > 100);
      said += text;
    }
    return said;
  };
  const std::string plain = all("");
  for (const std::string& name : made.names) CHECK(all(name) == plain);
}

TEST_CASE("a run that diverges ends with 3 and what came before is there") {
  SceneFile s(diverging_scene());
  const auto fresh = fresh_run(s.scene, 300);
  REQUIRE(fresh.size() < 300);
  const std::string table = s.in("o.csv");
  const Outcome run = cli("simulate '" + s.file + "' --frames 0-300 --hash --observables '" + table + "'");
  CHECK(run.code == 3);
  check_one_sentence(run);
  CHECK(run.err.find("The run stopped after frame " + std::to_string(fresh.size() - 1)) != std::string::npos);
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == fresh.size());
  CHECK(lines.back() == hash_line(fresh.back()));
  CHECK(lines_of(contents(table)).size() == 1 + fresh.size() * s.scene.objects.size());

  const Outcome files = cli("export '" + s.file + "' --frames 0-300 --format csv --out '" + s.in("f.#.csv") + "'");
  CHECK(files.code == 3);
  CHECK(lines_of(files.out).size() == fresh.size());
  CHECK(std::filesystem::exists(s.in("f." + std::to_string(fresh.size() - 1) + ".csv")));
}

TEST_CASE("collisions are those of the run's log, a row each, with the closed form of Hertz") {
  SceneFile s;
  const std::string file = s.in("c.csv");
  const Outcome outcome = cli("simulate '" + s.file + "' --frames 5-90 --contacts '" + file + "'");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == file + "\n");
  Simulator simulator(compiled(s.scene), 1);
  REQUIRE(simulator.state_at(90));
  std::vector<std::pair<int, ContactEvent>> events;
  std::vector<std::optional<ContactMeasure>> measures;
  const auto measured = simulator.log().measured();
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const auto& [frame, event] = simulator.log().contacts[k];
    if (frame < 5 || frame > 90) continue;
    events.emplace_back(frame, event);
    measures.push_back(measured[k]);
  }
  CHECK(std::any_of(measures.begin(), measures.end(), [](const auto& m) { return m.has_value(); }));
  REQUIRE(events.size() > 2);
  const auto lines = lines_of(contents(file));
  REQUIRE(lines.size() == 1 + events.size());
  CHECK(lines[0] ==
        "frame,time,object,name,other,other_name,x,y,z,normal_x,normal_y,normal_z,speed,hertz_impulse,hertz_peak_force,"
        "hertz_time_ms,hertz_time_frames,hertz_squash,measured_impulse,measured_peak_force,measured_time_ms,"
        "measured_time_frames,measured_squash,measured_substeps,measured_end");
  for (std::size_t k = 0; k < events.size(); ++k) {
    INFO(lines[k + 1]);
    std::vector<std::string> cells;
    std::stringstream stream(lines[k + 1]);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() >= 18);  // getline() leaves out an empty last one
    CHECK(std::count(lines[k + 1].begin(), lines[k + 1].end(), ',') == 24);
    CHECK(events[k].second.measured == measures[k].has_value());
    if (measures[k] && measures[k]->state == ContactMeasure::State::part) {
      REQUIRE(cells.size() == 25);
      CHECK(cells[18].empty());
      CHECK(cells[24] == "part");
    } else if (measures[k]) {
      REQUIRE(cells.size() == 25);
      CHECK(std::stod(cells[18]) == measures[k]->impulse);
      CHECK(std::stod(cells[19]) == measures[k]->force);
      CHECK(std::stod(cells[20]) == 1e3 * (measures[k]->substeps() * simulator.model().step));
      CHECK(std::stod(cells[22]) == measures[k]->squash);
      CHECK(std::stoi(cells[23]) == measures[k]->substeps());
      CHECK((cells[24] == "parted" || cells[24] == "resting" || cells[24] == "touching"));
    } else {
      CHECK(cells[18].empty());
    }
    const auto& [frame, event] = events[k];
    CHECK(std::stoi(cells[0]) == frame);
    CHECK(std::stod(cells[1]) == static_cast<double>(event.substep) * simulator.model().step);
    CHECK(cells[3] == simulator.model().bodies.find(event.a)->name);
    CHECK(cells[5] == simulator.model().bodies.find(event.b)->name);
    CHECK(std::stod(cells[7]) == event.point.y());
    CHECK(std::stod(cells[10]) == event.normal.y());
    CHECK(std::stod(cells[12]) == event.approach_speed);
    CHECK(std::stod(cells[13]) == event.impulse);
    CHECK(std::stod(cells[14]) == event.peak_force);
    CHECK(std::stod(cells[15]) == 1e3 * event.duration);
    CHECK(std::stod(cells[16]) == event.duration * simulator.model().frame_rate);
    // F = 1.25 v²/(n₁ α), J = (1 + e) v/n₁
    const double squash = std::stod(cells[17]),
                 e = event.impulse * 1.25 * event.approach_speed / (event.peak_force * squash) - 1;
    CHECK(e >= -1e-9);
    CHECK(e <= 1 + 1e-9);
  }
  CHECK(cli("simulate '" + s.file + "' --frames 0-2 --contacts '" + s.in("no/c.csv") + "'").code == 3);
}

TEST_CASE("what cannot be written ends with 3 and says why") {
  SceneFile s;
  const std::string scene = " '" + s.file + "' --frames 0-2 ";
  const Outcome full = cli("simulate" + scene + "--observables /dev/full");
  CHECK(full.code == 3);
  check_one_sentence(full);
  CHECK(full.err.find("Cannot write /dev/full: no space left on device.") != std::string::npos);
  CHECK(cli("simulate" + scene + "--hash", "/dev/full").code == 3);
  CHECK(cli("info '" + s.file + "' --json", "/dev/full").code == 3);
  for (const std::string& command : {"simulate" + scene + "--observables '" + s.in("no/o.csv") + "'",
                                     "render" + scene + "--out '" + s.in("no/f.#.png") + "'",
                                     "export" + scene + "--format ply --out '" + s.in("no/f.#.ply") + "'",
                                     "export" + scene + "--format ply --out '" + s.file + "/f.#.ply'"}) {
    INFO(command);
    const Outcome outcome = cli(command);
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    check_one_sentence(outcome);
    CHECK(outcome.err.find("Cannot write ") != std::string::npos);
  }
}

TEST_CASE("export writes every format, all objects or one") {
  SceneFile s;
  for (const char* format : {"obj", "ply", "json", "csv"}) {
    INFO(format);
    const std::string pattern = s.in(std::string("f.###.") + format);
    const Outcome outcome =
        cli("export '" + s.file + "' --frames 3-5:2 --format " + format + " --out '" + pattern + "'");
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out == s.in(std::string("f.003.") + format) + "\n" + s.in(std::string("f.005.") + format) + "\n");
    CHECK(std::filesystem::file_size(s.in(std::string("f.005.") + format)) > 50);
  }
  const auto frame = nlohmann::json::parse(contents(s.in("f.005.json")));
  const auto fresh = fresh_run(s.scene, 5);
  CHECK("frame 5 " + frame["state"].get<std::string>() == hash_line(fresh[5]));
  REQUIRE(frame["objects"].size() == 5);
  const auto& nodes = frame["objects"][2]["nodes"];
  const ObjectFrame* soft = fresh[5].find(Id{3});
  REQUIRE(nodes.size() == soft->nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      CHECK(nodes[i][static_cast<std::size_t>(axis)].get<float>() == soft->nodes[i][axis]);

  CHECK(cli("export '" + s.file + "' --frames 1 --format obj --object Box --out '" + s.in("one.obj") + "'").code == 0);
  const std::string one = contents(s.in("one.0001.obj"));
  CHECK(one.find("o Box\n") != std::string::npos);
  CHECK(one.find("o Floor\n") == std::string::npos);
}

TEST_CASE("every format takes its options from its table; what is no option is refused in one sentence") {
  SceneFile s;
  const auto begin = [&](const char* out) {
    return "export '" + s.file + "' --frames 1 --out '" + s.in(out) + "' --format ";
  };
  const std::string start = begin("f.#.x");
  const std::string listed = cli("formats").out;
  CHECK(cli("export --help").out.find("Formats and their options:") != std::string::npos);
  for (const ExportFormatInfo* format : all_export_formats()) {
    const std::string name(format->name);
    INFO(name);
    CHECK(listed.find("  " + name + "  " + std::string(format->label) + ": ") != std::string::npos);
    CHECK(listed.find(describe_options(*format)) != std::string::npos);
    const Outcome unknown = cli(begin(format->one_file ? "f.x" : "f.#.x") + name + " --option flavour=sweet");
    CHECK(unknown.code == 2);
    check_one_sentence(unknown);
    CHECK(unknown.err.find("“flavour” is not an option of " + std::string(format->label)) != std::string::npos);
  }
  CHECK(cli(start + "obj --option up=z --option scale=100").code == 0);
  const std::string turned = contents(s.in("f.1.x"));
  CHECK(cli(start + "obj").code == 0);
  CHECK(contents(s.in("f.1.x")) != turned);
  for (const char* bad : {"obj --option up=x", "obj --option scale=0", "jpg --option quality=101",
                          "png --option width=1.5", "png --object Box"}) {
    INFO(bad);
    const Outcome outcome = cli(start + bad);
    CHECK(outcome.code == 2);
    check_one_sentence(outcome);
  }
  const std::string picture = "png --option width=96 --option height=54 --option transparent";
  CHECK(cli(start + picture).code == 0);
  CHECK(png_size(s.in("f.1.x")) == std::make_pair(96, 54));
  CHECK(contents(s.in("f.1.x"))[25] == 6);  // colour type: RGB with alpha
  // The same picture as the command for pictures makes.
  CHECK(cli("render '" + s.file + "' --frames 1 --size 96x54 --transparent --out '" + s.in("r.#.png") + "'").code == 0);
  CHECK(contents(s.in("r.1.png")) == contents(s.in("f.1.x")));
}

TEST_CASE("files that exist can be kept, and JSON tells which were written") {
  SceneFile s;
  std::ofstream(s.in("f.1.csv")) << "mine";
  const Outcome kept =
      cli("export '" + s.file + "' --frames 0-2 --format csv --keep-existing --json --out '" + s.in("f.#.csv") + "'");
  CHECK(kept.code == 0);
  const auto report = nlohmann::json::parse(kept.out);
  CHECK(report["end"] == "complete");
  CHECK(report["written"] == 2);
  CHECK(report["skipped"] == 1);
  REQUIRE(report["files"].size() == 3);
  CHECK(report["files"][1]["written"] == false);
  CHECK(contents(s.in("f.1.csv")) == "mine");
}

TEST_CASE("render writes pictures of the size asked for, without a display") {
  SceneFile s;
  const Outcome outcome =
      cli("render '" + s.file + "' --frames 0-4:4 --out '" + s.in("p.####.png") + "' --size 96x54 --samples 2");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == s.in("p.0000.png") + "\n" + s.in("p.0004.png") + "\n");
  CHECK(png_size(s.in("p.0000.png")) == std::make_pair(96, 54));
  CHECK(png_size(s.in("p.0004.png")) == std::make_pair(96, 54));
  CHECK(contents(s.in("p.0000.png")) != contents(s.in("p.0004.png")));
  CHECK(cli("render '" + s.file + "' --frames 0 --transparent --size 32x32 --out '" + s.in("t.png") + "'").code == 0);
  const std::string bytes = contents(s.in("t.0000.png"));
  REQUIRE(bytes.size() > 26);
  CHECK(bytes[25] == 6);  // colour type: RGB with alpha
}

}  // namespace cli_test
