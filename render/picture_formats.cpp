#include "render/picture_formats.h"

#include <algorithm>
#include <cctype>

#include <QBuffer>
#include <QImageWriter>

#include "core/export/sound_file.h"

namespace hazumi {

namespace {

class PictureSink final : public FrameSink {
 public:
  PictureSink(const ExportTarget& target, const PictureOptions& options, PictureEncoder encode)
      : pattern_(target.pattern),
        options_(options),
        encode_(std::move(encode)),
        meshes_(target.meshes),
        sound_(option_value({&kSoundOption, 1}, target.values, kSoundOption.name) != 0) {}

  std::filesystem::path path(int frame) const override {
    // The pattern was checked when the sink was made.
    return frame_path(pattern_, frame).value();
  }

  Status write(const Scene& scene, const Frame& frame) override {
    if (!renderer_) {
      Result<std::unique_ptr<OffscreenRenderer>> made = OffscreenRenderer::create();
      if (!made) return made.diagnostics();
      renderer_ = std::move(made).value();
    }
    // A copy that the renderer may hold on to: the caller keeps `frame` for this call only.
    const Result<QImage> image = renderer_->picture(scene, std::make_shared<const Frame>(frame), *meshes_, options_);
    if (!image) return image.diagnostics();
    const QImage plain = options_.transparent ? image.value() : image.value().convertToFormat(QImage::Format_RGB888);
    std::string problem;
    const QByteArray bytes = encode_(plain, problem);
    if (!problem.empty())
      return Diagnostic{Severity::error, path(frame.index).string(), "The picture cannot be encoded: " + problem + ".",
                        ""};
    return write_whole_file(path(frame.index),
                            std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
  }

  std::filesystem::path beside(const Scene& scene, const FrameRange& range) const override {
    return sound_ && is_heard(scene, range) ? sound_path(scene, pattern_) : std::filesystem::path();
  }

  Status finish(const Scene& scene, const FrameRange& range, const FrameCues* cues) override {
    const std::filesystem::path path = beside(scene, range);
    if (path.empty()) return Done{};
    const Result<std::string> sound = film_sound(scene, range, cues);
    if (!sound) return sound.diagnostics();
    const Status written = write_whole_file(path, sound.value());
    return written ? Status(Done{}, sound.diagnostics()) : written;
  }

 private:
  std::string pattern_;
  PictureOptions options_;
  PictureEncoder encode_;
  std::shared_ptr<MeshStore> meshes_;
  std::unique_ptr<OffscreenRenderer> renderer_;
  bool sound_;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::vector<const ExportFormatInfo*> all_export_formats() {
  const auto pictures = picture_formats(), others = export_formats();
  std::vector<const ExportFormatInfo*> all(pictures.begin(), pictures.end());
  all.insert(all.end(), others.begin(), others.end());
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->kind < b->kind; });
  return all;
}

const ExportFormatInfo* find_any_format(std::string_view name) {
  for (const ExportFormatInfo* format : all_export_formats())
    if (format->name == name) return format;
  return nullptr;
}

const ExportFormatInfo* picture_format_of(const std::string& pattern) {
  std::string extension = lower(std::filesystem::path(pattern).extension().string());
  if (extension == ".jpeg") extension = ".jpg";
  for (const ExportFormatInfo* format : picture_formats())
    if (format->extension == extension) return format;
  return nullptr;
}

PictureOptions picture_options(const ExportTarget& target, bool transparent) {
  const auto whole = [&](const ExportOption& option) {
    return static_cast<int>(option_value({&option, 1}, target.values, option.name));
  };
  return {whole(kWidthOption),       whole(kHeightOption), whole(kSamplesOption), transparent, target.camera, false,
          whole(kQualityOption) == 1};
}

Result<std::unique_ptr<FrameSink>> make_picture_sink(const ExportTarget& target, const PictureOptions& options,
                                                     PictureEncoder encode) {
  const Result<std::filesystem::path> first = frame_path(target.pattern, 0);
  if (!first) return first.diagnostics();
  if (target.object)
    return Diagnostic{Severity::error, "", "A picture shows the whole scene, not one object.",
                      "Export all objects, or a model."};
  return std::unique_ptr<FrameSink>(std::make_unique<PictureSink>(target, options, std::move(encode)));
}

QByteArray encode_with_qt(const QImage& image, const char* format, int compression, int quality, std::string& problem) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QImageWriter writer(&buffer, format);
  if (compression >= 0) writer.setCompression(compression);
  if (quality >= 0) writer.setQuality(quality);
  if (!writer.write(image)) problem = writer.errorString().toStdString();
  return bytes;
}

}  // namespace hazumi
