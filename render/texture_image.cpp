#include "render/texture_image.h"

#include <set>

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QImageReader>

namespace hazumi {

namespace {

constexpr int kLargestTexture = 4096;  // pixels a side

std::shared_ptr<const TextureImage> unusable(std::string problem) {
  TextureImage image;
  image.problem = std::move(problem);
  return std::make_shared<const TextureImage>(std::move(image));
}

}  // namespace

std::shared_ptr<const TextureImage> decode_texture(const TextureFile& file) {
  QByteArray bytes(reinterpret_cast<const char*>(file.bytes.data()), static_cast<qsizetype>(file.bytes.size()));
  if (bytes.isEmpty()) return unusable("The file is empty or missing.");
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::ReadOnly);
  QImageReader reader(&buffer);
  reader.setAutoTransform(true);
  const QSize size = reader.size();
  if (size.isValid() && (size.width() > kLargestTexture || size.height() > kLargestTexture))
    reader.setScaledSize(size.scaled(kLargestTexture, kLargestTexture, Qt::KeepAspectRatio).expandedTo(QSize(1, 1)));
  QImage picture = reader.read();
  if (picture.isNull()) return unusable(reader.errorString().toStdString() + ".");
  if (picture.width() > kLargestTexture || picture.height() > kLargestTexture)
    picture = picture.scaled(kLargestTexture, kLargestTexture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  // Without alpha: importers do not say whether it means anything, and most files carry it by accident.
  picture = picture.convertToFormat(QImage::Format_RGBX8888);
  TextureImage image;
  image.width = picture.width();
  image.height = picture.height();
  const std::size_t row = std::size_t{4} * static_cast<std::size_t>(image.width);
  image.pixels.reserve(row * static_cast<std::size_t>(image.height));
  for (int y = image.height - 1; y >= 0; --y) {
    const uchar* line = picture.constScanLine(y);
    image.pixels.insert(image.pixels.end(), line, line + row);
  }
  return std::make_shared<const TextureImage>(std::move(image));
}

Diagnostic texture_problem(const std::string& where, const TextureFile& file, const TextureImage& image) {
  return {Severity::warning, where, "The picture “" + file.name + "” cannot be shown: " + image.problem,
          "The surface has its plain colour. Mend the picture in an image editor and import the model again."};
}

Diagnostics texture_problems(const Scene& scene) {
  Diagnostics found;
  std::set<const TextureFile*> seen;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const DisplayModel& display = scene.objects[i]->display;
    if (display.kind != DisplayKind::mesh || !display.mesh.mesh) continue;
    for (const auto& texture : display.mesh.mesh->textures) {
      if (!texture || !seen.insert(texture.get()).second) continue;
      const auto image = decode_texture(*texture);
      if (image->width == 0)
        found.push_back(texture_problem("objects[" + std::to_string(i) + "].display.mesh.file", *texture, *image));
    }
  }
  return found;
}

}  // namespace hazumi
