// hazumi-cli simulate SCENE --frames A-B [--hash] [--digest] [--observables FILE.csv] [--threads N]
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/export/text_sink.h"
#include "core/playback/digest.h"
#include "core/playback/simulator.h"

namespace hazumi::cli {

namespace {

struct Options {
  std::string scene, frames, observables;
  bool hash = false, digest = false, json = false;
  int threads = 1;
};

constexpr const char* kColumns =
    "frame,time,object,name,centre_x,centre_y,centre_z,momentum_x,momentum_y,momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_energy,elastic_energy,volume\n";

void append_observables(std::string& table, const Model& model, const State& state, int frame) {
  const double time = static_cast<double>(state.substep) * model.step;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.present(time)) continue;
    const Observables o = observe(model, state, b);
    table += std::to_string(frame) + ",";
    append_number(table, time);
    table += "," + std::to_string(body.id.value) + "," + csv_field(body.name);
    for (const Vec3& v : {o.centre, o.momentum, o.angular_momentum})
      for (int i = 0; i < 3; ++i) {
        table += ',';
        append_number(table, v[i]);
      }
    for (double number : {o.kinetic_energy, o.elastic_energy, o.volume}) {
      table += ',';
      append_number(table, number);
    }
    table += '\n';
  }
}

int run(const Options& options) {
  const auto range = read_frames(options.frames);
  if (!range) return bad_usage;
  const auto scene = open_scene(options.scene);
  if (!scene) return bad_input;
  const bool observed = !options.observables.empty();
  if (observed) {
    if (const Status folder = can_write_beside(options.observables); !folder) {
      say(folder.diagnostics());
      return stopped;
    }
  }
  MeshStore meshes;
  const auto surfaces = meshes.prepare(*scene, options.threads, was_interrupted);
  if (!surfaces) return interrupted;
  const auto model = compile(*scene, meshes);
  if (!model) {
    say(model.diagnostics());
    return bad_input;
  }
  Simulator simulator(model.value(), options.threads);
  simulator.set_checkpoint_budget(0);  // frames are asked for in order: nothing is ever run again
  std::string table = kColumns;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  ProgressLine line;
  int code = done;
  for (int frame = range->first; frame <= range->last && code == done; frame += range->step) {
    const State* state = simulator.state_at(frame, was_interrupted);
    if (!state) {
      code = simulator.log().failure ? stopped : interrupted;
      break;
    }
    std::vector<std::pair<const char*, std::string>> asked;
    if (options.hash) asked.emplace_back("hash", hex(hash(*state)));
    if (options.digest) {
      asked.emplace_back("seen", hex(digest(simulator.frame_at(frame))));
      asked.emplace_back("observed", hex(observables_digest(*model.value(), *state)));
    }
    if (options.json) {
      nlohmann::ordered_json row = {{"frame", frame}};
      for (const auto& [name, value] : asked) row[name] = value;
      rows.push_back(std::move(row));
    } else if (!asked.empty()) {
      line.clear();
      std::cout << "frame " << frame;
      for (const auto& [name, value] : asked) std::cout << " " << value;
      std::cout << std::endl;
    }
    if (observed) append_observables(table, *model.value(), *state, frame);
    line.show("frame " + std::to_string(frame) + " of " + std::to_string(range->last));
  }
  line.clear();
  if (const auto& failure = simulator.log().failure) {
    Diagnostic why = failure->second;
    why.message = "The run stopped after frame " + std::to_string(failure->first) + ": " + why.message;
    say(why);
  }
  nlohmann::ordered_json report = {{"end", code == done      ? "complete"
                                           : code == stopped ? "diverged"
                                                             : "cancelled"},
                                   {"frames", rows}};
  if (observed) {
    const Status written = write_whole_file(options.observables, table);
    if (!written) {
      say(written.diagnostics());
      code = stopped;
    } else if (options.json) {
      report["observables"] = options.observables;
    } else if (!options.hash && !options.digest) {
      std::cout << options.observables << std::endl;  // as render does; beside lines of frames it would be one too many
    }
  }
  if (options.json) std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  return code;
}

}  // namespace

Run add_simulate(Words& words) {
  auto options = std::make_shared<Options>();
  words.place("scene", options->scene, "Scene file", "SCENE");
  words.text("--frames", options->frames, "First and last frame", "A-B", Words::required);
  words.flag("--hash", options->hash, "A line per frame with the hash of the state");
  words.flag("--digest", options->digest, "A line per frame with the digests of what is seen and of the observables");
  words.text("--observables", options->observables, "Momenta, energies and volume per object and frame", "FILE.csv");
  words.flag("--json", options->json, "Frames and hashes as JSON");
  add_threads(words, options->threads);
  return [options] { return run(*options); };
}

}  // namespace hazumi::cli
