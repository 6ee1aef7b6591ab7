// Materials that a person saved, kept in the user's configuration: look and physics under a name. In a scene they are stored
// by value (surface and substance), so a scene opens the same elsewhere.
#pragma once

#include <string>
#include <vector>

#include <QString>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct OwnMaterial {
  QString name;
  Material material;
};

class OwnMaterials {
 public:
  /// `file` empty: materials.json in the user's configuration folder.
  explicit OwnMaterials(QString file = {});
  const std::vector<OwnMaterial>& all() const { return all_; }
  /// Adds, or replaces the one of the same name; written at once.
  Status save(const QString& name, const Material& material);
  Status remove(const QString& name);

 private:
  void load();
  Status write() const;
  QString file_;
  std::vector<OwnMaterial> all_;  ///< by name
};

}  // namespace hazumi
