// Large pictures are drawn in tiles of at most 2048 pixels (bounded memory at any size), more samples than the card has
// in several passes whose sample pattern is shifted by a fraction of a pixel (Halton sequence, bases 2 and 3), so that
// the same request gives the same picture.
#include "render/offscreen.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <epoxy/gl.h>
#include <glm/gtc/matrix_transform.hpp>

#include "core/playback/film.h"
#include "core/scene/derived/keyed.h"
#include "render/egl_context.h"
#include "render/gl/occlusion.h"
#include "render/renderer.h"

namespace hazumi {

namespace {

constexpr int kTile = 2048, kLargest = 16384, kMostSamples = 64;

double halton(int index, int base) {
  double value = 0, share = 1;
  for (; index > 0; index /= base) {
    share /= base;
    value += share * (index % base);
  }
  return value;
}

Diagnostic problem(std::string message, std::string hint) {
  return {Severity::error, "picture", std::move(message), std::move(hint)};
}

// Colour and depth, multisampled when samples > 1, and a plain one that it is resolved into.
class Buffers {
 public:
  bool make(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return true;
    destroy();
    width_ = width;
    height_ = height;
    samples_ = samples;
    while (glGetError() != GL_NO_ERROR) {
    }
    glGenFramebuffers(2, framebuffers_);
    glGenRenderbuffers(3, renderbuffers_);
    storage(renderbuffers_[0], GL_RGBA8, samples > 1 ? samples : 0);
    storage(renderbuffers_[1], GL_DEPTH24_STENCIL8, samples > 1 ? samples : 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffers_[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, renderbuffers_[1]);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (samples > 1) {
      storage(renderbuffers_[2], GL_RGBA8, 0);
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[1]);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffers_[2]);
      complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    complete = complete && glGetError() == GL_NO_ERROR;
    if (!complete) destroy();
    return complete;
  }

  GLuint target() const { return framebuffers_[0]; }

  /// RGBA, premultiplied, rows from the bottom.
  void read(std::vector<std::uint8_t>& pixels) {
    pixels.resize(4 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    GLuint from = framebuffers_[0];
    if (samples_ > 1) {
      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers_[0]);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers_[1]);
      glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      from = framebuffers_[1];
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  }

  void destroy() {
    if (!framebuffers_[0]) return;
    glDeleteFramebuffers(2, framebuffers_);
    glDeleteRenderbuffers(3, renderbuffers_);
    framebuffers_[0] = framebuffers_[1] = 0;
    width_ = height_ = samples_ = 0;
  }

 private:
  void storage(GLuint name, GLenum format, int samples) const {
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width_, height_);
  }

  GLuint framebuffers_[2] = {0, 0}, renderbuffers_[3] = {0, 0, 0};
  int width_ = 0, height_ = 0, samples_ = 0;
};

struct TilePlace {
  int x, y, width, height;  // pixels of the picture, origin bottom left

  /// With so many pixels around it, as far as the picture goes.
  TilePlace wider(int margin, const QImage& image) const {
    const int left = std::max(0, x - margin), low = std::max(0, y - margin);
    return {left, low, std::min(image.width(), x + width + margin) - left,
            std::min(image.height(), y + height + margin) - low};
  }
};

// Sums of the passes over what was drawn → straight alpha, of the tile in it into the picture (rows from the top).
void write_tile(const std::vector<std::uint32_t>& sums, std::uint32_t passes, const TilePlace& drawn,
                const TilePlace& tile, bool transparent, QImage& image) {
  for (int row = 0; row < tile.height; ++row) {
    std::uint8_t* out = image.scanLine(image.height() - 1 - (tile.y + row)) + 4 * static_cast<std::ptrdiff_t>(tile.x);
    const std::uint32_t* in =
        sums.data() + 4 * (static_cast<std::size_t>(tile.y - drawn.y + row) * static_cast<std::size_t>(drawn.width) +
                           static_cast<std::size_t>(tile.x - drawn.x));
    for (int x = 0; x < tile.width; ++x, in += 4, out += 4) {
      const std::uint32_t alpha = transparent ? in[3] : 255 * passes;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t value =
            transparent ? (alpha ? (in[k] * 255 + alpha / 2) / alpha : 0) : (in[k] + passes / 2) / passes;
        out[k] = static_cast<std::uint8_t>(std::min<std::uint32_t>(value, 255));
      }
      out[3] = static_cast<std::uint8_t>((alpha + passes / 2) / passes);
    }
  }
}

/// The same for one pass of an opaque picture, whose bytes stay as they are.
void write_opaque(const std::vector<std::uint8_t>& pixels, const TilePlace& drawn, const TilePlace& tile,
                  QImage& image) {
  for (int row = 0; row < tile.height; ++row) {
    std::uint8_t* out = image.scanLine(image.height() - 1 - (tile.y + row)) + 4 * static_cast<std::ptrdiff_t>(tile.x);
    std::memcpy(
        out,
        pixels.data() + 4 * (static_cast<std::size_t>(tile.y - drawn.y + row) * static_cast<std::size_t>(drawn.width) +
                             static_cast<std::size_t>(tile.x - drawn.x)),
        4 * static_cast<std::size_t>(tile.width));
    for (int x = 0; x < tile.width; ++x) out[4 * x + 3] = 255;
  }
}

}  // namespace

struct OffscreenRenderer::Data {
  EglThread thread;
  Renderer* renderer = nullptr;  // made, used and destroyed in the thread
  Buffers buffers;
  std::vector<std::uint8_t> pixels;  // as read, kept for the next picture
  int most_samples = 1;

  // Empty on success.
  std::string draw_tile(const RenderList& list, const PictureOptions& options, const TilePlace& part, QImage& image) {
    // Occlusion looks around: what it sees beyond the tile is drawn too.
    const bool looks_around = options.final_quality || list.look.occlusion > 0;
    const TilePlace tile = part.wider(looks_around ? gl::Occlusion::kFarthest : 0, image);
    const int wanted = options.final_quality ? std::max(options.samples, kFinalSamples) : options.samples;
    const int samples = std::clamp(wanted, 1, most_samples);
    const int passes = (wanted + samples - 1) / samples;
    if (!buffers.make(tile.width, tile.height, samples))
      return "The graphics driver has no memory for a picture of this size and number of samples.";
    const auto size = 4 * static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
    const bool summed = passes > 1 || options.transparent;
    std::vector<std::uint32_t> sums(summed ? size : 0, 0);
    RenderList shifted = list;
    for (int pass = 0; pass < passes; ++pass) {
      // Several passes fill the gaps of the card's own pattern: they move by less than the room of one of its samples.
      const double room = passes > 1 ? 1 / std::sqrt(static_cast<double>(samples)) : 0;
      const double dx = room * (halton(pass + 1, 2) - 0.5), dy = room * (halton(pass + 1, 3) - 0.5);
      const double scale_x = static_cast<double>(options.width) / tile.width;
      const double scale_y = static_cast<double>(options.height) / tile.height;
      // The tile's part of the clip square blown up to the whole.
      const double move_x = (options.width - 2.0 * tile.x + 2 * dx) / tile.width - 1;
      const double move_y = (options.height - 2.0 * tile.y + 2 * dy) / tile.height - 1;
      glm::mat4 crop(1);
      crop[0][0] = static_cast<float>(scale_x);
      crop[1][1] = static_cast<float>(scale_y);
      crop[3][0] = static_cast<float>(move_x);
      crop[3][1] = static_cast<float>(move_y);
      shifted.projection = crop * list.projection;
      renderer->draw(shifted, {buffers.target(), tile.width, tile.height, 1.0f, options.transparent, options.quick,
                               options.final_quality, pass});
      buffers.read(pixels);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += pixels[i];
    }
    if (const GLenum code = glGetError(); code != GL_NO_ERROR)
      return code == GL_OUT_OF_MEMORY ? "The graphics driver ran out of memory while drawing the picture."
                                      : "The graphics driver reported an error while drawing the picture.";
    if (summed)
      write_tile(sums, static_cast<std::uint32_t>(passes), tile, part, options.transparent, image);
    else
      write_opaque(pixels, tile, part, image);
    return {};
  }
};

OffscreenRenderer::OffscreenRenderer() : data_(std::make_unique<Data>()) {}

OffscreenRenderer::~OffscreenRenderer() {
  if (!data_->renderer) return;
  data_->thread.run([this] {
    delete data_->renderer;
    data_->buffers.destroy();
  });
}

Result<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create() {
  std::unique_ptr<OffscreenRenderer> made(new OffscreenRenderer());
  Data& d = *made->data_;
  if (!d.thread.problem().empty()) return problem(d.thread.problem(), "");
  std::string refused;
  d.thread.run([&] {
    d.renderer = new Renderer();
    refused = d.renderer->initialise();
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    d.most_samples = std::max(1, static_cast<int>(most));
  });
  if (!refused.empty()) return problem(refused, "Update the graphics driver.");
  return made;
}

Result<QImage> OffscreenRenderer::draw(const RenderList& list, const PictureOptions& options) {
  if (options.width < 1 || options.height < 1 || options.width > kLargest || options.height > kLargest)
    return problem("A picture of " + std::to_string(options.width) + " × " + std::to_string(options.height) +
                       " pixels cannot be made.",
                   "Width and height go from 1 to 16384.");
  if (options.samples < 1 || options.samples > kMostSamples)
    return problem(std::to_string(options.samples) + " samples per pixel cannot be taken.", "Enter 1 to 64.");
  QImage image(options.width, options.height, options.transparent ? QImage::Format_RGBA8888 : QImage::Format_RGBX8888);
  if (image.isNull())
    return problem("There is no memory for a picture of " + std::to_string(options.width) + " × " +
                       std::to_string(options.height) + " pixels.",
                   "Choose a smaller size.");
  std::string refused;
  data_->thread.run([&] {
    for (int y = 0; y < options.height && refused.empty(); y += kTile)
      for (int x = 0; x < options.width && refused.empty(); x += kTile)
        refused = data_->draw_tile(
            list, options, {x, y, std::min(kTile, options.width - x), std::min(kTile, options.height - y)}, image);
  });
  if (!refused.empty()) return problem(refused, "Choose a smaller size or fewer samples.");
  return image;
}

Result<QImage> OffscreenRenderer::picture(const Scene& scene, const FramePtr& frame, MeshStore& meshes,
                                          const PictureOptions& options) {
  const std::optional<MeshStore::Held> surfaces = meshes.prepare(scene, 0);
  const Scene seen = shown_at(scene, frame ? frame->index / scene.settings.frame_rate : 0.0);
  ViewOptions view;
  view.grid = false;
  view.helpers = false;
  const float aspect = static_cast<float>(options.width) / static_cast<float>(std::max(options.height, 1));
  const Camera* named = options.camera ? find_camera(seen, options.camera) : nullptr;
  const Camera camera = aimed(named ? *named : filming_camera(seen, frame.get()), seen, frame.get());
  return draw(extract(seen, frame, from_scene_camera(camera), aspect, view, {}, meshes), options);
}

}  // namespace hazumi
