// hazumi-cli simulate SCENE --frames A-B [--take NAME] [--hash] [--digest] [--observables FILE.csv] [--contacts FILE.csv] [--threads N]
#include <iostream>
#include <span>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/export/text_sink.h"
#include "core/motion/compile.h"
#include "core/playback/digest.h"
#include "core/playback/simulator.h"
#include "core/sim/contact/hertz.h"

namespace hazumi::cli {

namespace {

struct Options {
  std::string scene, frames, observables, contacts, take;
  bool hash = false, digest = false, json = false;
  int threads = 1;
};

constexpr const char* kColumns =
    "frame,time,object,name,centre_x,centre_y,centre_z,momentum_x,momentum_y,momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,kinetic_energy,elastic_energy,volume,given_energy,"
    "parts\n";

/// J, what a body was given before `substep` to come out of overlaps at its start.
double given_energy(const RunLog& log, Id id, std::int64_t substep) {
  double sum = 0;
  for (const auto& [frame, gift] : log.gifts)
    if (gift.substep < substep) sum += gift.a == id ? gift.energy_a : gift.b == id ? gift.energy_b : 0;
  return sum;
}

void append_observables(std::string& table, const Model& model, const State& state, const RunLog& log, int frame) {
  const double time = model.clock.film(state.substep);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.present(time, state.bodies[b].values)) continue;
    const Observables o = observe(model, state, b);
    table += std::to_string(frame) + ",";
    append_number(table, time);
    table += "," + std::to_string(body.id.value) + "," + csv_field(body.name);
    for (const Vec3& v : {o.centre, o.momentum, o.angular_momentum})
      for (int i = 0; i < 3; ++i) {
        table += ',';
        append_number(table, v[i]);
      }
    for (double number : {o.kinetic_energy, o.elastic_energy, o.volume, given_energy(log, body.id, state.substep)}) {
      table += ',';
      append_number(table, number);
    }
    table += "," + std::to_string(o.parts) + "\n";
  }
}

constexpr const char* kContactColumns =
    "frame,time,object,name,other,other_name,x,y,z,normal_x,normal_y,normal_z,speed,hertz_impulse,hertz_peak_force,"
    "hertz_time_ms,hertz_time_frames,hertz_squash,measured_impulse,measured_peak_force,measured_time_ms,"
    "measured_time_frames,measured_squash,measured_substeps,measured_end\n";

constexpr const char* kNotMeasured = ",,,,,,,";

/// The columns of what the run showed; empty where both are rigid.
void append_measured(std::string& table, const Model& model, const ContactMeasure& measure) {
  if (measure.state == ContactMeasure::State::part) {
    table += ",,,,,,,part";
    return;
  }
  const double time = measure.substeps() * model.step;
  for (const double number : {measure.impulse, measure.force, 1e3 * time, time * model.frame_rate, measure.squash}) {
    table += ',';
    append_number(table, number);
  }
  table += "," + std::to_string(measure.substeps());
  table += measure.state == ContactMeasure::State::parted    ? ",parted"
           : measure.state == ContactMeasure::State::resting ? ",resting"
                                                             : ",touching";
}

/// Collisions that began in frames `first` to `last`.
std::string contacts_table(const Model& model, const RunLog& log, int first, int last) {
  std::string table = kContactColumns;
  const auto name = [&](Id id) {
    const Body* body = model.bodies.find(id);
    return std::to_string(id.value) + "," + (body ? csv_field(body->name) : std::string());
  };
  const auto measured = log.measured();
  for (std::size_t k = 0; k < log.contacts.size(); ++k) {
    const auto& [frame, event] = log.contacts[k];
    if (frame < first || frame > last) continue;
    table += std::to_string(frame) + ",";
    append_number(table, model.clock.film(event.substep));
    table += "," + name(event.a) + "," + name(event.b);
    std::vector<double> numbers;
    for (const Vec3& v : {event.point, event.normal})
      for (int i = 0; i < 3; ++i) numbers.push_back(v[i]);
    for (const double n : {event.approach_speed, event.impulse, event.peak_force, 1e3 * event.duration,
                           event.duration * model.frame_rate, hertz_squash(event.approach_speed, event.duration)})
      numbers.push_back(n);
    for (const double number : numbers) {
      table += ',';
      append_number(table, number);
    }
    if (measured[k])
      append_measured(table, model, *measured[k]);
    else
      table += kNotMeasured;
    table += '\n';
  }
  return table;
}

/// A file that is written when the run has ended, and its name in the report.
struct Table {
  const char* name;
  const std::string& file;
  std::string text = {};
};

/// Said before the run, which may take hours.
int refuse_outputs(const Options& options, const Scene& scene, std::span<const Table> tables) {
  for (const Table& t : tables) {
    if (t.file.empty()) continue;
    if (const Status apart = leaves_input(options.scene, scene, t.file); !apart) {
      say(apart.diagnostics());
      return bad_usage;
    }
    if (const Status folder = can_write_beside(t.file); !folder) {
      say(folder.diagnostics());
      return stopped;
    }
    clean_up_in(std::filesystem::path(t.file).parent_path());
  }
  std::error_code error;
  const auto whole = [&](const std::string& file) { return std::filesystem::weakly_canonical(file, error); };
  if (!options.observables.empty() && !options.contacts.empty() &&
      whole(options.observables) == whole(options.contacts))
    return usage("Observables and contacts would be written to the same file.", "Give each a name of its own.");
  return done;
}

int run(const Options& options) {
  const auto range = read_frames(options.frames);
  if (!range) return bad_usage;
  auto opened = open_scene(options.scene);
  if (!opened) return bad_input;
  const auto scene = in_chosen_take(std::move(*opened), options.take);
  if (!scene) return bad_usage;
  const bool observed = !options.observables.empty();
  Table tables[] = {{"observables", options.observables, kColumns}, {"contacts", options.contacts}};
  if (const int refused = refuse_outputs(options, *scene, tables); refused != done) return refused;
  MeshStore meshes;
  std::optional<Stage> stage("Making surfaces of metaballs");
  const auto surfaces = meshes.prepare(*scene, options.threads, was_interrupted);
  if (!surfaces) return interrupted;
  stage.emplace("Compiling the scene");
  const auto model = compile(*scene, meshes);
  stage.reset();
  if (!model) {
    say(model.diagnostics());
    return bad_input;
  }
  Simulator simulator(model.value(), options.threads);
  simulator.set_checkpoint_budget(0);  // frames are asked for in order: nothing is ever run again
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
    if (observed) append_observables(tables[0].text, *model.value(), *state, simulator.log(), frame);
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
  if (!options.contacts.empty())
    tables[1].text = contacts_table(*model.value(), simulator.log(), range->first, range->last);
  for (const Table& t : tables) {
    if (t.file.empty()) continue;
    const Status written = write_whole_file(t.file, t.text);
    if (!written) {
      say(written.diagnostics());
      code = stopped;
    } else if (options.json) {
      report[t.name] = t.file;
    } else if (!options.hash && !options.digest) {
      std::cout << t.file << std::endl;  // as render does; beside lines of frames it would be one too many
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
  words.text("--take", options->take, kTakeHelp, "NAME");
  words.flag("--hash", options->hash, "A line per frame with the hash of the state");
  words.flag("--digest", options->digest, "A line per frame with the digests of what is seen and of the observables");
  words.text("--observables", options->observables, "Momenta, energies and volume per object and frame", "FILE.csv");
  words.text("--contacts", options->contacts, "Collisions: when, where, how fast, impulse, force and duration",
             "FILE.csv");
  words.flag("--json", options->json, "Frames and hashes as JSON");
  add_threads(words, options->threads);
  return [options] { return run(*options); };
}

}  // namespace hazumi::cli
