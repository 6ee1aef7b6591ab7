// hazumi-cli validate FILE…: reads every file and says what is wrong with it.
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/sim/elastic/solver.h"

namespace hazumi::cli {

namespace {

Diagnostics check(const std::string& file) {
  auto scene = load_scene(file);
  Diagnostics all = scene.diagnostics();
  if (scene) {
    const Diagnostics more = validate(scene.value());
    all.insert(all.end(), more.begin(), more.end());
    for (const auto& object : scene.value().objects) {
      const ElasticSolverInfo* solver = find_elastic_solver(object->body.solver);
      if (!body_kind(object->body.kind).deforms || solver == nullptr) continue;
      const auto parameters = read_parameters(*solver, object->body.parameters);
      for (Diagnostic problem : parameters.diagnostics()) {
        problem.path = "\"" + object->name + "\" " + problem.path;
        all.push_back(std::move(problem));
      }
    }
  }
  return all;
}

}  // namespace

Run add_validate(Words& words) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  words.places("files", options->files, "Scene files", "FILE");
  words.flag("--json", options->json, "As JSON");
  return [options]() -> int {
    int code = done;
    nlohmann::ordered_json report = nlohmann::ordered_json::array();
    for (const std::string& file : options->files) {
      const Diagnostics all = check(file);
      const bool good = !has_error(all);
      if (!good) code = bad_input;
      if (options->json) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        static constexpr const char* kNames[] = {"info", "warning", "error"};
        for (const Diagnostic& d : all)
          rows.push_back({{"severity", kNames[static_cast<int>(d.severity)]},
                          {"path", d.path},
                          {"message", d.message},
                          {"hint", d.hint}});
        report.push_back({{"file", file}, {"valid", good}, {"diagnostics", rows}});
        continue;
      }
      for (Diagnostic d : all) {
        if (d.path.find(file) == std::string::npos && d.message.find(file) == std::string::npos)
          d.path = d.path.empty() ? file : file + ": " + d.path;
        say(d);
      }
      if (good) std::cout << file << ": valid\n";
    }
    if (options->json) std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return code;
  };
}

}  // namespace hazumi::cli
