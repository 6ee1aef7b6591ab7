// What the viewport's pictures need and what takes long to make: facts about big meshes (tree for picking, edges, whether closed)
// and decoded textures. A worker makes them once each; until they are there the picture is drawn without.
#pragma once

#include <map>
#include <memory>
#include <set>

#include <QObject>

#include "render/render_list.h"
#include "render/texture_image.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class LooksJob : public QObject {
  Q_OBJECT
 public:
  explicit LooksJob(QObject* parent = nullptr);
  /// Starts on the big meshes of a picture that nobody has looked into yet.
  void look(const RenderList& list);
  /// For a Renderer of this thread. May outlive the job: then there are no pictures.
  TextureSource texture_source();
  bool busy() const { return under_way_ > 0; }

 signals:
  /// Something more is known: draw again.
  void done();
  /// A picture cannot be shown; once for each file. The diagnostic has no place yet.
  void failed(const hazumi::Diagnostic& diagnostic, const std::shared_ptr<const hazumi::TextureFile>& file);

 private:
  struct Picture {
    std::weak_ptr<const TextureFile> file;
    std::shared_ptr<const TextureImage> image;  ///< decoded and not fetched yet
    bool told = false, under_way = false;
  };
  std::shared_ptr<const TextureImage> fetch(const std::shared_ptr<const TextureFile>& file);

  std::set<std::weak_ptr<const DisplayMesh>, std::owner_less<>> started_;
  std::map<const TextureFile*, Picture> pictures_;
  int under_way_ = 0;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
