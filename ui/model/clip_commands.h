// What an imported clip becomes in the scene: an object for each piece, led by keys or standing still, as one undo step.
#pragma once

#include <optional>
#include <vector>

#include "core/scene/derived/clip_motion.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// Beside each other: a mesh, whether a bone carries it, and its motion for each piece of a file.
struct ClipImport {
  std::string clip;                   ///< its name
  std::vector<MeshReference> meshes;  ///< with source and settings, MeshSettings::piece among them
  std::vector<bool> bones;
  std::vector<PieceMotion> motion;
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
