// Comparison with pictures kept in tests/golden. HAZUMI_UPDATE=1 in the environment writes them anew.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include <QImage>
#include <QString>

namespace hazumi::test {

struct PictureDifference {
  double mean = 1e9;     ///< of the absolute difference over channels, 0…255
  double far_share = 1;  ///< share of pixels that differ by more than 24 in some channel
};

inline PictureDifference compare(const QImage& a, const QImage& b) {
  if (a.size() != b.size() || a.isNull()) return {};
  const QImage p = a.convertToFormat(QImage::Format_RGBA8888), q = b.convertToFormat(QImage::Format_RGBA8888);
  double sum = 0;
  long far = 0;
  for (int y = 0; y < p.height(); ++y) {
    const unsigned char *u = p.constScanLine(y), *v = q.constScanLine(y);
    for (int x = 0; x < p.width(); ++x, u += 4, v += 4) {
      int most = 0;
      for (int k = 0; k < 4; ++k) {
        const int d = std::abs(u[k] - v[k]);
        sum += d;
        most = std::max(most, d);
      }
      far += most > 24;
    }
  }
  const double pixels = static_cast<double>(p.width()) * p.height();
  return {sum / (4 * pixels), static_cast<double>(far) / pixels};
}

/// Drivers differ in the last bits and in what a sample at an edge hits: a mean of 0.6 of 255 and one pixel in a
/// hundred may differ.
inline bool alike(const PictureDifference& d) { return d.mean < 0.6 && d.far_share < 0.01; }

/// Empty when `image` is like tests/golden/NAME.png, else a sentence; the picture is then left in the build folder.
inline std::string against_golden(const QImage& image, const std::string& name) {
  const QString path = QString::fromStdString(HAZUMI_SOURCE_DIR "/tests/golden/" + name + ".png");
  if (std::getenv("HAZUMI_UPDATE")) {
    if (!image.save(path)) return "cannot write " + path.toStdString();
    return {};
  }
  const QImage golden(path);
  if (golden.isNull()) return path.toStdString() + " is missing (run with HAZUMI_UPDATE=1)";
  const PictureDifference d = compare(image, golden);
  if (alike(d)) return {};
  const QString seen = QString::fromStdString(HAZUMI_BINARY_DIR "/golden-" + name + ".png");
  image.save(seen);
  return name + " differs from its golden picture: mean " + std::to_string(d.mean) + ", share far off " +
         std::to_string(d.far_share) + "; what was drawn is " + seen.toStdString();
}

}  // namespace hazumi::test
