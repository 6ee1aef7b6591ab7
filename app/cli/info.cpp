// hazumi-cli info SCENE [--take NAME] [--json]: what is in a scene.
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/scene/derived/takes.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/sim/elastic/solver.h"

namespace hazumi::cli {

namespace {

/// The solver's own parameters as they are, defaults too.
nlohmann::ordered_json parameters_of(const Object& object) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Field<Object>& field : elastic_parameter_fields()) {
    if (!field.shown(object)) continue;
    const std::string name(field.path.substr(field.path.rfind('.') + 1));
    const FieldValue value = field.get(object);
    if (!field_problem(field, value).empty())
      out[name] = nullptr;  // hazumi-cli validate says why
    else if (field.type == FieldType::choice)
      out[name] = field.choices[static_cast<std::size_t>(std::get<std::int64_t>(value))];
    else if (const auto* tick = std::get_if<bool>(&value))
      out[name] = *tick;
    else if (const auto* whole = std::get_if<std::int64_t>(&value))
      out[name] = *whole;
    else
      out[name] = std::get<double>(value);
  }
  return out;
}

nlohmann::ordered_json describe(const Scene& scene) {
  const SceneSettings& s = scene.settings;
  nlohmann::ordered_json out;
  out["name"] = scene.name;
  out["description"] = scene.description;
  out["version"] = kSceneVersion;
  out["frames"] = {s.first_frame, s.last_frame};
  out["frame_rate"] = s.frame_rate;
  out["substeps"] = s.substeps;
  out["signature"] = hex(simulation_signature(scene));
  out["lights"] = scene.lights.size();
  out["cameras"] = nlohmann::ordered_json::array();
  for (const auto& camera : scene.cameras)
    out["cameras"].push_back(
        {{"id", camera->id.value}, {"name", camera->name}, {"focal_length", camera->focal_length}});
  if (!scene.takes.empty()) out["takes"] = nlohmann::ordered_json::array();
  for (const auto& take : scene.takes)
    out["takes"].push_back({{"id", take->id.value},
                            {"name", take->name},
                            {"current", take->current},
                            {"differs_in", difference_of(scene, *take)}});
  out["objects"] = nlohmann::ordered_json::array();
  MeshStore meshes;
  const auto surfaces = meshes.prepare(scene, 0);
  for (const auto& object : scene.objects) {
    const auto mesh = meshes.mesh(*object);
    const Truss truss = object_truss(*object, *mesh);
    nlohmann::ordered_json row;
    row["id"] = object->id.value;
    row["name"] = object->name;
    const BodyKindInfo& kind = body_kind(object->body.kind);
    row["kind"] = std::string(kind.name);
    if (kind.deforms) {
      row["solver"] = object->body.solver;
      row["parameters"] = parameters_of(*object);
    }
    if (kind.moves) row["mass"] = object_mass(*object, *mesh);
    row["material"] = object->material.preset;
    row["vertices"] = mesh->positions.size();
    row["faces"] = mesh->faces.size();
    row["nodes"] = truss.nodes.size();
    row["springs"] = truss.springs.size();
    out["objects"].push_back(std::move(row));
  }
  return out;
}

void print(const nlohmann::ordered_json& info) {
  std::cout << "scene " << escaped(info["name"].get<std::string>()) << "\n";
  if (const auto text = info["description"].get<std::string>(); !text.empty())
    std::cout << "about " << escaped(text) << "\n";
  const double rate = info["frame_rate"].get<double>();
  const int first = info["frames"][0].get<int>(), last = info["frames"][1].get<int>();
  std::cout << "frames " << first << "-" << last << ", " << rate << " a second, " << info["substeps"].get<int>()
            << " sub-steps each\n";
  std::cout << "lights " << info["lights"].get<std::size_t>() << "\n";
  if (info.contains("takes")) std::cout << "takes " << info["takes"].size() << "\n";
  for (const auto& take : info.value("takes", nlohmann::ordered_json::array())) {
    const auto differs = take["differs_in"].get<std::string>();
    std::cout << "  " << take["id"].get<std::uint64_t>() << " " << escaped(take["name"].get<std::string>())
              << (take["current"].get<bool>() ? ": current"
                  : differs.empty()           ? ": the same"
                                              : ": " + differs)
              << "\n";
  }
  std::cout << "objects " << info["objects"].size() << "\n";
  for (const auto& o : info["objects"]) {
    std::cout << "  " << o["id"].get<std::uint64_t>() << " " << escaped(o["name"].get<std::string>()) << ": "
              << o["kind"].get<std::string>();
    if (o.contains("solver")) {
      std::cout << " (" << escaped(o["solver"].get<std::string>());
      for (const auto& [name, value] : o["parameters"].items())
        std::cout << ", " << name << " " << (value.is_string() ? value.get<std::string>() : value.dump());
      std::cout << ")";
    }
    if (o.contains("mass")) std::cout << ", " << o["mass"].get<double>() << " kg";
    std::cout << ", " << escaped(o["material"].get<std::string>()) << ", " << o["vertices"].get<std::size_t>()
              << " display vertices";
    if (o["nodes"].get<std::size_t>() > 0)
      std::cout << ", " << o["nodes"].get<std::size_t>() << " nodes, " << o["springs"].get<std::size_t>() << " springs";
    std::cout << "\n";
  }
}

}  // namespace

Run add_info(Words& words) {
  struct Options {
    std::string scene, take;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  words.place("scene", options->scene, "Scene file", "SCENE");
  words.text("--take", options->take, kTakeHelp, "NAME");
  words.flag("--json", options->json, "As JSON");
  return [options]() -> int {
    auto opened = open_scene(options->scene);
    if (!opened) return bad_input;
    const auto scene = in_chosen_take(std::move(*opened), options->take);
    if (!scene) return bad_usage;
    const nlohmann::ordered_json info = describe(*scene);
    if (options->json)
      std::cout << info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    else
      print(info);
    return done;
  };
}

}  // namespace hazumi::cli
