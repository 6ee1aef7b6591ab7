// hazumi-cli validate FILE…: reads every file and says what is wrong with it.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/geometry/truss/select.h"
#include "core/motion/compile.h"
#include "core/playback/overlaps.h"
#include "core/scene/derived/takes.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/sim/model.h"

namespace hazumi::cli {

namespace {

std::string place(const Scene& scene, std::size_t index) {
  return "objects[" + std::to_string(index) + "] \"" + scene.objects[index]->name + "\"";
}

void check_parts(const Object& object, const DisplayMesh& mesh, const std::string& where, Diagnostics& all) {
  if (object.display.kind == DisplayKind::mesh && object.display.mesh.mesh == nullptr) return;  // said already
  for (const PartMaterial& of : object.part_materials) {
    const bool there =
        std::any_of(mesh.parts.begin(), mesh.parts.end(), [&](const Part& p) { return p.name == of.part; });
    if (!there)
      all.push_back({Severity::warning, where + " part_materials",
                     "There is a material for the part \"" + of.part + "\", which the display model does not have.",
                     "Name a part that it has, or take the material away."});
  }
}

void check_truss(const Object& object, const std::string& where, Diagnostics& all) {
  const bool strung = object.analysis.kind == AnalysisKind::strung && object.analysis.strung;  // others hang together
  if (!body_kind(object.body.kind).deforms || !strung) return;
  const std::uint32_t pieces = connected_pieces(*object.analysis.strung).count;
  if (pieces > 1)
    all.push_back({Severity::warning, where + " analysis",
                   "The truss is in " + std::to_string(pieces) + " pieces that no spring joins.",
                   "String springs between them, or make an object of each."});
}

/// What a run would say before its first step.
void check_run(const Scene& scene, Diagnostics& all) {
  MeshStore meshes;
  const Stage stage("Checking the scene");
  const auto surfaces = meshes.prepare(scene, 0, was_interrupted);
  if (!surfaces) return;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = *scene.objects[i];
    check_parts(object, *meshes.mesh(object), place(scene, i), all);
    check_truss(object, place(scene, i), all);
  }
  // compile() names objects; here every message has its path, also where two have one name.
  Scene placed = scene;
  std::map<Id, std::string> places;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    places[scene.objects[i]->id] = place(scene, i);
    placed.objects[i] = placed.objects[i].edited([&](Object& o) { o.name = place(scene, i); });
  }
  const auto model = compile(placed, meshes);
  for (const Diagnostic& d : model.diagnostics()) all.push_back(d);
  if (!model) return;
  for (const Overlap& overlap : start_overlaps(*model.value())) {
    char depth[32];
    std::snprintf(depth, sizeof depth, "%.3g", overlap.depth);
    all.push_back({Severity::warning, places[overlap.a],
                   "It overlaps " + places[overlap.b] + " by " + depth + " m at the start.",
                   "Move them apart, or let them ignore each other."});
  }
}

/// What of `more` has not been said yet, its places behind `where`.
void add_unsaid(Diagnostics more, const std::string& where, Diagnostics& all) {
  std::erase_if(more, [&](const Diagnostic& one) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Diagnostic& d) { return d.path == one.path && d.message == one.message; });
  });
  for (Diagnostic& d : more) {
    d.path = where + d.path;
    all.push_back(std::move(d));
  }
}

/// What a run of a take that waits would say besides.
void check_takes(const Scene& scene, Diagnostics& all) {
  for (std::size_t i = 0; i < scene.takes.size(); ++i) {
    const Take& take = *scene.takes[i];
    if (take.current || was_interrupted()) continue;
    Diagnostics own;
    check_run(in_take(scene, take.id), own);
    add_unsaid(std::move(own), "takes[" + std::to_string(i) + "] \"" + take.name + "\" ", all);
  }
}

Diagnostics check(const std::string& file) {
  auto scene = load_scene(file);
  Diagnostics all = scene.diagnostics();
  if (!scene) return all;
  const Diagnostics more = validate(scene.value());
  all.insert(all.end(), more.begin(), more.end());
  if (has_error(all)) return all;
  Diagnostics of_run;
  check_run(scene.value(), of_run);
  add_unsaid(std::move(of_run), "", all);
  check_takes(scene.value(), all);
  return all;
}

}  // namespace

Run add_validate(Words& words) {
  struct Options {
    std::vector<std::string> files;
    bool json = false, strict = false;
  };
  auto options = std::make_shared<Options>();
  words.places("files", options->files, "Scene files", "FILE");
  words.flag("--json", options->json, "As JSON");
  words.flag("--strict", options->strict, "Warnings count as errors");
  return [options]() -> int {
    int code = done;
    nlohmann::ordered_json report = nlohmann::ordered_json::array();
    for (const std::string& file : options->files) {
      const Diagnostics all = check(file);
      if (was_interrupted()) return interrupted;
      const bool warned =
          std::any_of(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity != Severity::info; });
      const bool good = !has_error(all) && !(options->strict && warned);
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
      if (good) std::cout << escaped(file) << ": valid\n";
    }
    if (options->json) std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return code;
  };
}

}  // namespace hazumi::cli
