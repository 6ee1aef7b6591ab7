// How a person looks at a scene, as text: it is kept in the settings by the scene's file (Settings::viewpoint) and not in the scene. To
// look around is no edit: it is kept when nothing is saved, and no scene changes because somebody looked at it.
#pragma once

#include <optional>

#include <QString>

#include "render/camera.h"

namespace hazumi {

struct Viewpoint {
  ViewCamera camera;            ///< the free one, also while the scene's is looked through
  bool through_camera = false;  ///< the scene's
  bool by_look = false;         ///< parallel only because Front, Top … was chosen
};

QString viewpoint_text(const Viewpoint& viewpoint);
/// None: the text is none, or nobody can look so.
std::optional<Viewpoint> viewpoint_from(const QString& text);

}  // namespace hazumi
