// A frame as bytes and back, bit for bit, for the disk of the program that wrote it: no file format. What all frames of a run share
// is not in them, and nothing that is asked of many frames at once, as what joints hold with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/playback/frame.h"

namespace hazumi {

/// What frames of a run have in common, or what of one stays in memory.
struct SharedParts {
  std::vector<std::shared_ptr<const DisplayMesh>> meshes;  ///< of the instances, in order
  std::shared_ptr<const FrameJoints> joints;
  std::shared_ptr<const FrameExamples> examples;
  std::shared_ptr<const FrameBodies> bodies;
  std::shared_ptr<const FrameSources> sources;
  std::shared_ptr<const FrameLooks> looks;
  std::shared_ptr<const FrameCues> cues;
  std::shared_ptr<const FrameSurfaces> surfaces;
  std::shared_ptr<const std::vector<CollisionShape>> shapes;
};

SharedParts shared_parts(const Frame& frame);
std::vector<std::byte> frame_bytes(const Frame& frame);
/// Null: the bytes are not what frame_bytes() made.
FramePtr frame_from_bytes(std::span<const std::byte> bytes, const SharedParts& shared);

}  // namespace hazumi
