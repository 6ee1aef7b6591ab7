// hazumi-cli export SCENE --frames A-B --format F --out PATH [--object NAME]
#include <algorithm>

#include "app/cli/command.h"
#include "core/export/format.h"

namespace hazumi::cli {

namespace {

std::string format_names() {
  std::string names;
  for (const ExportFormatInfo* format : export_formats()) {
    if (!names.empty()) names += ", ";
    names += format->name;
  }
  return names;
}

}  // namespace

Run add_export(CLI::App& app) {
  struct Options : WriteOptions {
    std::string format, object;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "Display and analysis models of frames as files");
  options->add(*command, "Where the files go; # stands for the frame number");
  command->add_option("--format", options->format, "One of " + format_names())->required()->type_name("F");
  command->add_option("--object", options->object, "Only the object of this name")->type_name("NAME");
  return [options]() -> int {
    const auto range = read_frames(options->frames);
    if (!range) return bad_usage;
    const ExportFormatInfo* format = find_export_format(options->format);
    if (!format)
      return usage("“" + options->format.substr(0, 40) + "” is not a format to export.",
                   "Choose one of " + format_names() + ".");
    ExportTarget target{options->out, std::nullopt, options->meshes};
    if (const auto path = frame_path(target.pattern, 0); !path) {
      say(path.diagnostics());
      return bad_usage;
    }
    const auto scene = open_scene(options->scene);
    if (!scene) return bad_input;
    if (!options->object.empty()) {
      const auto named = [&](const Shared<Object>& object) { return object->name == options->object; };
      const auto it = std::find_if(scene->objects.begin(), scene->objects.end(), named);
      if (it == scene->objects.end())
        return usage("The scene has no object named “" + options->object.substr(0, 80) + "”.",
                     "hazumi-cli info lists them.");
      target.object = (*it)->id;
    }
    auto sink = format->make(target);
    if (!sink) {
      say(sink.diagnostics());
      return bad_usage;
    }
    return write_frames(*scene, *sink.value(), *options, *range);
  };
}

}  // namespace hazumi::cli
