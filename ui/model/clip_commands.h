// What an imported clip becomes in the scene: an object for each piece, led by keys or standing still, as one undo step.
#pragma once

#include <optional>
#include <vector>

#include "core/scene/derived/clip_motion.h"
#include "core/scene/derived/skinning.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

struct ClipImport {
  /// A mesh that bends with the pieces.
  struct Skin {
    MeshReference mesh;
    ClipSkinning goes;
  };
  std::string clip;  ///< its name
  // Beside each other, for each piece of a file:
  std::vector<MeshReference> meshes;  ///< with source and settings, MeshSettings::piece among them
  std::vector<bool> bones;            ///< it goes with a bone
  std::vector<bool> unseen;           ///< a skin shows what it would
  std::vector<PieceMotion> motion;
  std::vector<Skin> skins;
  std::vector<std::string> too_heavy;  ///< skins with more weights than an object can have
};

/// Frames per second and range that the scene takes over from a file.
struct ClipTime {
  double rate = 60;
  int first = 0, last = 240;
};

/// In a collection of the file's name where there are several; selected. Bones of one file do not touch each other. False:
/// the scene cannot take it.
bool add_clip(DocumentController& document, Selection& selection, const ClipImport& clip,
              const std::optional<ClipTime>& time);

}  // namespace hazumi
