// JPEG: small files, no transparency.
#include "render/picture_formats.h"

namespace hazumi {

namespace {

constexpr ExportOption kJpgOptions[] = {
    kWidthOption,
    kHeightOption,
    kSamplesOption,
    kQualityOption,
    {"quality", "Quality", "Of the compression: 100 is the best and the largest.", OptionType::whole, 94, 1, 100},
    kSoundOption,
};

Result<std::unique_ptr<FrameSink>> make_jpg(const ExportTarget& target) {
  const int quality = static_cast<int>(option_value(kJpgOptions, target.values, "quality"));
  return make_picture_sink(target, picture_options(target, false),
                           [quality](const QImage& image, std::string& problem) {
                             return encode_with_qt(image, "jpeg", -1, quality, problem);
                           });
}

}  // namespace

const ExportFormatInfo& picture_jpg() {
  static const ExportFormatInfo info{
      "jpg",       "JPEG",  ".jpg", "Pictures through the scene's cameras, small.", ExportKind::pictures,
      kJpgOptions, make_jpg};
  return info;
}

}  // namespace hazumi
