// Pictures of the shipped scenes beside the floor: the same triangles of the same frame, drawn plainly into the same buffers. One lamp, no
// shadow, no lines, floors and skins alike; what a renderer cannot be quicker than on the machine it runs on. Both in turn, so that they
// share whatever else the machine does. Bar: within 2 times at four samples with shadows.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <functional>

#include <epoxy/gl.h>
#include <glm/gtc/type_ptr.hpp>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"
#include "render/egl_context.h"
#include "render/offscreen.h"

namespace {

using namespace hazumi;

constexpr int kWidth = 1280, kHeight = 720, kSamples = 4;

const char* const kVertex = R"(#version 330 core
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
uniform mat4 model, view;
out vec3 across;
void main() { across = mat3(model) * normal; gl_Position = view * model * vec4(place, 1); })";
const char* const kFragment = R"(#version 330 core
in vec3 across;
uniform vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour * (0.3 + 0.7 * max(dot(normalize(across), vec3(0.36, 0.8, 0.48)), 0.0)), 1); })";

GLuint compiled(GLenum kind, const char* text) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  return shader;
}

/// Everything on the card once; draw() draws it and reads it back.
class Floor {
 public:
  explicit Floor(const RenderList& list) : view_(list.projection * list.view) {
    thread_.run([&] { make(list); });
  }
  bool ready() const { return ready_; }
  void draw() {
    thread_.run([&] {
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
      glViewport(0, 0, kWidth, kHeight);
      glEnable(GL_DEPTH_TEST);
      glEnable(GL_MULTISAMPLE);
      glClearColor(0.1f, 0.1f, 0.1f, 1);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      glUseProgram(program_);
      glUniformMatrix4fv(glGetUniformLocation(program_, "view"), 1, GL_FALSE, glm::value_ptr(view_));
      for (const Mesh& mesh : meshes_) {
        (mesh.closed ? glEnable : glDisable)(GL_CULL_FACE);
        glUniformMatrix4fv(glGetUniformLocation(program_, "model"), 1, GL_FALSE, glm::value_ptr(mesh.model));
        glUniform3fv(glGetUniformLocation(program_, "colour"), 1, glm::value_ptr(mesh.colour));
        glBindVertexArray(mesh.array);
        glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
      }
      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers_[0]);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers_[1]);
      glBlitFramebuffer(0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers_[1]);
      pixels_.resize(std::size_t{4} * kWidth * kHeight);
      glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    });
  }
  double triangles() const { return triangles_; }

 private:
  struct Mesh {
    GLuint array = 0;
    GLsizei count = 0;
    glm::mat4 model{1};
    glm::vec3 colour{1};
    bool closed = false;
  };

  void make(const RenderList& list) {
    program_ = glCreateProgram();
    glAttachShader(program_, compiled(GL_VERTEX_SHADER, kVertex));
    glAttachShader(program_, compiled(GL_FRAGMENT_SHADER, kFragment));
    glLinkProgram(program_);
    GLuint stores[3];
    glGenFramebuffers(2, framebuffers_);
    glGenRenderbuffers(3, stores);
    const auto store = [&](int k, GLenum format, int samples) {
      glBindRenderbuffer(GL_RENDERBUFFER, stores[k]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, kWidth, kHeight);
    };
    store(0, GL_RGBA8, kSamples);
    store(1, GL_DEPTH24_STENCIL8, kSamples);
    store(2, GL_RGBA8, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, stores[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, stores[1]);
    ready_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, stores[2]);
    for (const DrawMesh& from : list.meshes) add(from);
    ready_ = ready_ && glGetError() == GL_NO_ERROR;
  }
  void add(const DrawMesh& from) {
    const DisplayMesh& mesh = *from.mesh;
    std::vector<float> values;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      for (int k = 0; k < 3; ++k)
        values.push_back(from.deformed ? static_cast<float>(from.deformed->vertices[v][k])
                                       : static_cast<float>(mesh.positions[v][k]));
      for (int k = 0; k < 3; ++k)
        values.push_back(from.deformed ? static_cast<float>(from.deformed->normals[v][k])
                                       : static_cast<float>(mesh.normals[v][k]));
    }
    Mesh made;
    made.model = from.model;
    made.colour = from.material.diffuse;
    made.count = static_cast<GLsizei>(3 * mesh.faces.size());
    made.closed = from.facts && from.facts->solid(mesh);
    triangles_ += static_cast<double>(mesh.faces.size());
    GLuint buffers[2];
    glGenVertexArrays(1, &made.array);
    glGenBuffers(2, buffers);
    glBindVertexArray(made.array);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size() * sizeof(float)), values.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.faces.size() * sizeof(mesh.faces[0])),
                 mesh.faces.data(), GL_STATIC_DRAW);
    for (GLuint k = 0; k < 2; ++k) {
      glEnableVertexAttribArray(k);
      glVertexAttribPointer(k, 3, GL_FLOAT, GL_FALSE, 6 * sizeof(float),
                            reinterpret_cast<const void*>(3 * k * sizeof(float)));
    }
    meshes_.push_back(made);
  }

  EglThread thread_;
  glm::mat4 view_;
  GLuint program_ = 0, framebuffers_[2] = {0, 0};
  std::vector<Mesh> meshes_;
  std::vector<std::uint8_t> pixels_;
  double triangles_ = 0;
  bool ready_ = false;
};

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The camera's picture of a frame in the scene's midst; the first one of each is not counted.
void picture_over_floor(benchmark::State& bench, const std::string& file) {
  auto read = load_scene(file);
  if (!read.ok()) return bench.SkipWithError(read.error().message.c_str());
  const Scene& scene = read.value();
  MeshStore meshes;
  const auto surfaces = meshes.prepare(scene, 2);
  const auto model = compile(scene, meshes);
  if (!model.ok()) return bench.SkipWithError(model.error().message.c_str());
  Simulator simulator(*model, 2);
  const int at = std::min(scene.settings.last_frame, 10);
  if (!simulator.state_at(at)) return bench.SkipWithError("stopped");
  const auto frame = std::make_shared<const Frame>(simulator.frame_at(at));
  auto made = OffscreenRenderer::create();
  if (!made.ok()) return bench.SkipWithError(made.error().message.c_str());
  ViewCamera camera;
  if (!scene.cameras.empty()) camera = from_scene_camera(*scene.cameras.front());
  const RenderList list = extract(scene, frame, camera, 16.0f / 9, {}, {}, meshes);
  Floor floor(list);
  if (!floor.ready()) return bench.SkipWithError("no floor");
  PictureOptions options;
  options.samples = kSamples;
  const auto ours = [&] { benchmark::DoNotOptimize(made.value()->draw(list, options).ok()); };
  const auto plain = [&] { floor.draw(); };
  ours();
  plain();
  double picture = 1e300, least = 1e300;
  for (auto _ : bench)
    for (int k = 0; k < 6; ++k) {
      picture = std::min(picture, milliseconds(ours));
      least = std::min(least, milliseconds(plain));
    }
  bench.counters["picture_ms"] = picture;
  bench.counters["floor_ms"] = least;
  bench.counters["times"] = picture / least;
  bench.counters["triangles"] = floor.triangles();
}

const bool registered = [] {
  for (const auto& entry : std::filesystem::directory_iterator(HAZUMI_SOURCE_DIR "/scenes"))
    if (const std::filesystem::path& file = entry.path(); file.extension() == ".json")
      benchmark::RegisterBenchmark(("picture_over_floor/" + file.stem().string()).c_str(), picture_over_floor,
                                   file.string())
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
