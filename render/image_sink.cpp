#include "render/image_sink.h"

#include <algorithm>
#include <cctype>

#include <QBuffer>
#include <QByteArray>
#include <QImageWriter>

namespace hazumi {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class ImageSink final : public FrameSink {
 public:
  ImageSink(std::string pattern, const PictureOptions& options, bool jpeg, std::shared_ptr<MeshStore> meshes)
      : pattern_(std::move(pattern)), options_(options), jpeg_(jpeg), meshes_(std::move(meshes)) {}

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
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, jpeg_ ? "jpeg" : "png");
    if (jpeg_)
      writer.setQuality(94);
    else
      writer.setCompression(60);
    const QImage plain = options_.transparent ? image.value() : image.value().convertToFormat(QImage::Format_RGB888);
    if (!writer.write(plain))
      return Diagnostic{Severity::error, path(frame.index).string(),
                        "The picture cannot be encoded: " + writer.errorString().toStdString() + ".", ""};
    return write_whole_file(path(frame.index),
                            std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
  }

 private:
  std::string pattern_;
  PictureOptions options_;
  bool jpeg_;
  std::shared_ptr<MeshStore> meshes_;
  std::unique_ptr<OffscreenRenderer> renderer_;
};

}  // namespace

Result<std::unique_ptr<FrameSink>> make_image_sink(const std::string& pattern, const PictureOptions& options,
                                                   std::shared_ptr<MeshStore> meshes) {
  const Result<std::filesystem::path> first = frame_path(pattern, 0);
  if (!first) return first.diagnostics();
  const std::string extension = lower(first->extension().string());
  const bool jpeg = extension == ".jpg" || extension == ".jpeg";
  if (!jpeg && extension != ".png")
    return Diagnostic{Severity::error, pattern, "Pictures are written as .png, .jpg or .jpeg.",
                      "End the name with one of these."};
  if (jpeg && options.transparent)
    return Diagnostic{Severity::error, pattern, "A JPEG file cannot be transparent.",
                      "Write PNG, or switch the transparent background off."};
  return std::unique_ptr<FrameSink>(std::make_unique<ImageSink>(pattern, options, jpeg, std::move(meshes)));
}

}  // namespace hazumi
