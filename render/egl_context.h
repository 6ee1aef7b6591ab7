// An OpenGL context without window or display, in a thread of its own: the caller's thread may have a context of a
// window current (GLX and EGL contexts cannot share a thread), and drawing may be asked for from any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace hazumi {

class EglThread {
 public:
  EglThread();
  ~EglThread();  ///< ends the thread, which destroys its context
  EglThread(const EglThread&) = delete;
  EglThread& operator=(const EglThread&) = delete;

  /// Empty, or the sentence why there is no context.
  const std::string& problem() const;
  /// Runs `work` with the context current and returns when it is done; exceptions come back to the caller.
  void run(const std::function<void()>& work);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
