// hazumi-cli export SCENE --frames A-B --format F --out PATH [--object NAME] [--option NAME=VALUE]…, and hazumi-cli formats:
// every format there is, with its options, from their table.
#include <algorithm>
#include <iostream>

#include "app/cli/command.h"
#include "render/picture_formats.h"
#include "render/texture_image.h"

namespace hazumi::cli {

namespace {

std::string format_names() {
  std::string names;
  for (const ExportFormatInfo* format : all_export_formats()) {
    if (!names.empty()) names += ", ";
    names += format->name;
  }
  return names;
}

std::string described_formats() {
  std::string text;
  for (const ExportFormatInfo* format : all_export_formats())
    text += "  " + std::string(format->name) + "  " + std::string(format->label) + ": " +
            std::string(format->description) + "\n" + describe_options(*format);
  return text;
}

struct ExportWords : WriteOptions {
  std::string format, object, camera;
  std::vector<std::string> options;
};

Result<Id> chosen_object(const Scene& scene, const std::string& wanted) {
  std::vector<NamedThing> objects;
  for (const auto& object : scene.objects) objects.push_back({object->id, object->name});
  return chosen_thing(objects, "object", "--object", wanted);
}

int run_words(const ExportWords& words) {
  const auto range = read_frames(words.frames);
  if (!range) return bad_usage;
  const ExportFormatInfo* format = find_any_format(words.format);
  if (!format)
    return usage("“" + words.format.substr(0, 40) + "” is not a format to export.",
                 "Choose one of " + format_names() + ".");
  ExportTarget target{words.out, std::nullopt, {}, words.meshes};
  if (const auto path = output_path(*format, target.pattern, 0); !path) {
    say(path.diagnostics());
    return bad_usage;
  }
  for (const std::string& option : words.options)
    if (const Status set = set_export_option(*format, option, target.values); !set) {
      say(set.diagnostics());
      return bad_usage;
    }
  auto opened = open_scene(words.scene);
  if (!opened) return bad_input;
  const auto scene = in_chosen_take(std::move(*opened), words.take);
  if (!scene) return bad_usage;
  if (!words.object.empty()) {
    const auto id = chosen_object(*scene, words.object);
    if (!id) {
      say(id.diagnostics());
      return bad_usage;
    }
    target.object = *id;
  }
  if (!words.camera.empty()) {
    if (format->kind != ExportKind::pictures)
      return usage("Only pictures are taken with a camera.", "Leave --camera out, or write pictures.");
    const auto id = chosen_camera(*scene, words.camera);
    if (!id) {
      say(id.diagnostics());
      return bad_usage;
    }
    target.camera = *id;
  }
  auto sink = format->make(target);
  if (!sink) {
    say(sink.diagnostics());
    return bad_usage;
  }
  if (format->kind == ExportKind::pictures) say(texture_problems(*scene));
  return write_frames(*scene, *sink.value(), words, *range);
}

}  // namespace

Run add_export(Words& words) {
  auto said = std::make_shared<ExportWords>();
  said->add(words, "Where the files go; # stands for the frame number, where each has a file");
  words.text("--format", said->format, "One of " + format_names(), "F", Words::required);
  words.text("--object", said->object, "Only the object of this name, or of this id as #12", "NAME");
  words.text("--camera", said->camera, kCameraHelp, "NAME");
  words.texts("--option", said->options, "An option of the format; may be said several times", "NAME=VALUE");
  words.below_help("Formats and their options:\n" + described_formats());
  return [said] { return run_words(*said); };
}

Run add_formats(Words&) {
  return [] {
    std::cout << described_formats();
    return done;
  };
}

}  // namespace hazumi::cli
