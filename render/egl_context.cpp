#include "render/egl_context.h"

#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <epoxy/egl.h>

namespace hazumi {

namespace {

bool has_word(const char* list, const char* word) {
  const std::size_t length = std::strlen(word);
  for (const char* at = list; at && (at = std::strstr(at, word)) != nullptr; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
  return false;
}

// Displays that need no window system, best first. eglInitialize on one that is in use does nothing, and there is no
// eglTerminate: the display is one for the process, others may hold contexts on it.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> found;
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto add = [&](EGLDisplay display) {
    if (display != EGL_NO_DISPLAY) found.push_back(display);
  };
  if (has_word(extensions, "EGL_EXT_platform_base")) {
    if (has_word(extensions, "EGL_MESA_platform_surfaceless"))
      add(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    if (has_word(extensions, "EGL_EXT_platform_device") &&
        (has_word(extensions, "EGL_EXT_device_enumeration") || has_word(extensions, "EGL_EXT_device_base"))) {
      EGLDeviceEXT devices[8];
      EGLint count = 0;
      if (eglQueryDevicesEXT(8, devices, &count))
        for (EGLint i = 0; i < count; ++i) add(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    }
  }
  return found;
}

class Context {
 public:
  std::string open() {
    for (EGLDisplay display : displays())
      if (open_on(display)) return {};
    // Needs a running window system, but then it serves where the platforms above are missing.
    if (open_on(eglGetDisplay(EGL_DEFAULT_DISPLAY))) return {};
    if (!seen_display_)
      return "Pictures cannot be drawn without a window: EGL finds no display (install libegl1 and libgl1-mesa-dri).";
    return "Pictures cannot be drawn without a window: no OpenGL 3.3 context through EGL (install libgl1-mesa-dri, or "
           "update the graphics driver).";
  }

  void close() {
    if (context_ == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
    context_ = EGL_NO_CONTEXT;
    eglReleaseThread();
  }

 private:
  bool open_on(EGLDisplay display) {
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) return false;
    seen_display_ = true;
    if (!eglBindAPI(EGL_OPENGL_API)) return false;
    display_ = display;
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    EGLConfig config = EGL_NO_CONFIG_KHR;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    const bool has_config = eglChooseConfig(display, wanted, &config, 1, &count) && count > 0;
    if (!has_config) {
      if (!has_word(extensions, "EGL_KHR_no_config_context")) return false;
      config = EGL_NO_CONFIG_KHR;
    }
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) return false;
    if (has_word(extensions, "EGL_KHR_surfaceless_context") &&
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
      return true;
    if (has_config) {
      const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
      surface_ = eglCreatePbufferSurface(display, config, size);
      if (surface_ != EGL_NO_SURFACE && eglMakeCurrent(display, surface_, surface_, context_)) return true;
    }
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display, surface_);
    surface_ = EGL_NO_SURFACE;
    eglDestroyContext(display, context_);
    context_ = EGL_NO_CONTEXT;
    return false;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  EGLSurface surface_ = EGL_NO_SURFACE;
  bool seen_display_ = false;
};

}  // namespace

struct EglThread::Data {
  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void()>* work = nullptr;
  std::exception_ptr failure;
  bool opened = false, done = false, quit = false;
  std::string problem;
  std::thread thread;

  void loop() {
    Context context;
    const std::string result = context.open();
    std::unique_lock lock(mutex);
    problem = result;
    opened = true;
    changed.notify_all();
    for (;;) {
      changed.wait(lock, [&] { return quit || (work && !done); });
      if (quit) break;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        (*work)();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      failure = thrown;
      done = true;
      changed.notify_all();
    }
    lock.unlock();
    context.close();
  }
};

EglThread::EglThread() : data_(std::make_unique<Data>()) {
  data_->thread = std::thread([this] { data_->loop(); });
  std::unique_lock lock(data_->mutex);
  data_->changed.wait(lock, [this] { return data_->opened; });
}

EglThread::~EglThread() {
  {
    const std::lock_guard lock(data_->mutex);
    data_->quit = true;
  }
  data_->changed.notify_all();
  data_->thread.join();
}

const std::string& EglThread::problem() const { return data_->problem; }

void EglThread::run(const std::function<void()>& work) {
  std::unique_lock lock(data_->mutex);
  data_->work = &work;
  data_->done = false;
  data_->changed.notify_all();
  data_->changed.wait(lock, [this] { return data_->done; });
  data_->work = nullptr;
  if (data_->failure) std::rethrow_exception(std::exchange(data_->failure, nullptr));
}

}  // namespace hazumi
