// All frames as one animated binary glTF (gltf_clip.h says how): they are collected, and written when the last is there.
#include "core/export/format.h"
#include "core/export/gltf_clip.h"

namespace hazumi {

namespace {

std::span<const ExportOption> options() {
  static constexpr ExportOption kRows[] = {
      {"largest", "Largest size",
       "What would take more is refused before it is written: programs that open the file hold all of it in memory.",
       OptionType::whole, kMaxClipBytes >> 20, 1, 2048, "MB"},
  };
  return kRows;
}

class ClipSink final : public FrameSink {
 public:
  ClipSink(std::filesystem::path path, const ExportTarget& target)
      : path_(std::move(path)),
        empty_(target.meshes, target.object,
               static_cast<std::size_t>(option_value(options(), target.values, "largest")) << 20),
        clip_(empty_) {}
  std::filesystem::path path(int) const override { return path_; }
  bool one_file() const override { return true; }
  Status write(const Scene& scene, const Frame& frame) override { return clip_.add(scene, frame); }
  Status finish(const Scene& scene, const FrameRange&, const FrameCues*) override {
    const auto bytes = clip_.glb(scene);
    changes_ = clip_.changes();
    clip_ = empty_;
    if (!bytes) return bytes.diagnostics();
    Status written = write_whole_file(path_, bytes.value());
    return written ? Status(Done{}, bytes.diagnostics()) : written;
  }
  std::vector<MeshChange> changes() const override { return changes_; }

 private:
  std::filesystem::path path_;
  std::vector<MeshChange> changes_;
  const GltfClip empty_;
  GltfClip clip_;
};

Result<std::unique_ptr<FrameSink>> make_glb(const ExportTarget& target) {
  auto path = clip_path(target.pattern);
  if (!path) return path.diagnostics();
  return std::unique_ptr<FrameSink>(std::make_unique<ClipSink>(std::move(path).value(), target));
}

}  // namespace

const ExportFormatInfo& export_glb() {
  static const ExportFormatInfo info{
      "glb",
      "glTF animation",
      ".glb",
      "All frames in one file: rigid objects and copies that particles are with keys, what bends with shapes.",
      ExportKind::models,
      options(),
      make_glb,
      true};
  return info;
}

}  // namespace hazumi
