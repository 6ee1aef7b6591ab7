// PNG: 8 bit a channel, with alpha when the background is left out.
#include "render/picture_formats.h"

namespace hazumi {

namespace {

constexpr ExportOption kPngOptions[] = {
    kWidthOption,
    kHeightOption,
    kSamplesOption,
    kQualityOption,
    {"transparent", "Transparent background", "Where nothing is drawn, the picture is see-through.",
     OptionType::boolean, 0},
    kSoundOption,
};

Result<std::unique_ptr<FrameSink>> make_png(const ExportTarget& target) {
  const bool transparent = option_value(kPngOptions, target.values, "transparent") != 0;
  return make_picture_sink(target, picture_options(target, transparent), [](const QImage& image, std::string& problem) {
    return encode_with_qt(image, "png", 60, -1, problem);
  });
}

}  // namespace

const ExportFormatInfo& picture_png() {
  static const ExportFormatInfo info{
      "png",       "PNG",   ".png", "Pictures through the scene's cameras, without loss.", ExportKind::pictures,
      kPngOptions, make_png};
  return info;
}

}  // namespace hazumi
