// hazumi-cli render SCENE --frames A-B[:STEP] --out 'DIR/name.####.png' [--size WxH] [--samples N]
// [--quality preview|final] [--transparent] [--sound] [--camera NAME] [--take NAME]
#include <charconv>

#include "app/cli/command.h"
#include "render/image_sink.h"
#include "render/picture_formats.h"
#include "render/texture_image.h"

namespace hazumi::cli {

namespace {

bool read_side(std::string_view text, int& side) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  return error == std::errc() && end == text.data() + text.size() && side >= 1 && side <= 16384;
}

bool read_size(std::string_view text, PictureOptions& picture) {
  const auto x = text.find('x');
  return x != std::string_view::npos && read_side(text.substr(0, x), picture.width) &&
         read_side(text.substr(x + 1), picture.height);
}

}  // namespace

Run add_render(Words& words) {
  struct Options : WriteOptions {
    std::string size = "1280x720", camera, quality = "preview";
    bool sound = false;
    PictureOptions picture;
  };
  auto options = std::make_shared<Options>();
  options->add(words, "Where the pictures go (.png or .jpg); # stands for the frame number");
  words.text("--size", options->size, "Pixels, 1280x720 unless said", "WxH");
  words.text("--camera", options->camera, kCameraHelp, "NAME");
  words.number("--samples", options->picture.samples, 1, 64, "Per pixel, 1 to 64");
  words.text("--quality", options->quality,
             "preview (as the view shows it) or final: soft shadows, occlusion, 16 samples", "NAME");
  words.flag("--transparent", options->picture.transparent, "Leave the background out (PNG)");
  words.flag("--sound", options->sound, "Write what is heard beside the pictures, as one WAV file");
  return [options]() -> int {
    const auto range = read_frames(options->frames);
    if (!range) return bad_usage;
    if (!read_size(options->size, options->picture))
      return usage("“" + options->size.substr(0, 40) + "” is not a picture size.",
                   "Write it as 1280x720, each side from 1 to 16384.");
    if (options->quality != kQualities[0] && options->quality != kQualities[1])
      return usage("“" + options->quality.substr(0, 40) + "” is no quality of pictures.", "Write preview or final.");
    options->picture.final_quality = options->quality == kQualities[1];
    auto sink = make_image_sink(options->out, options->picture, options->meshes, options->sound);
    if (!sink) {
      say(sink.diagnostics());
      return bad_usage;
    }
    auto opened = open_scene(options->scene);
    if (!opened) return bad_input;
    const auto scene = in_chosen_take(std::move(*opened), options->take);
    if (!scene) return bad_usage;
    if (!options->camera.empty()) {
      const auto camera = chosen_camera(*scene, options->camera);
      if (!camera) {
        say(camera.diagnostics());
        return bad_usage;
      }
      options->picture.camera = *camera;
      sink = make_image_sink(options->out, options->picture, options->meshes, options->sound);
    }
    say(texture_problems(*scene));
    return write_frames(*scene, *sink.value(), *options, *range);
  };
}

}  // namespace hazumi::cli
