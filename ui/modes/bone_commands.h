// Bones of the skeleton mapping as the bones mode edits them: which joints belong together, and the commands. Each command is
// one undo step.
#pragma once

#include "core/geometry/mapping/bones.h"
#include "ui/modes/mode.h"

namespace hazumi {

/// Elements of the mode; their number is Bone::id.
namespace bone_element {
inline constexpr std::uint8_t bone = 0, head = 1, tail = 2;
}

const Bone* find_bone(const MappingSettings& mapping, std::uint32_t id);
/// The bone of the active element, else of the last one selected; none when nothing is selected.
std::optional<std::uint32_t> active_bone(const ElementSelection& elements);
/// Ids of all bones that the elements belong to, ascending.
std::vector<std::uint32_t> bones_of(const Elements& elements);
/// The bone and all that hang on it, ascending.
std::vector<std::uint32_t> with_children(const std::vector<Bone>& bones, std::uint32_t id);

struct BoneEnd {
  std::size_t bone = 0;  ///< place in the list
  bool tail = false;
  friend auto operator<=>(const BoneEnd&, const BoneEnd&) = default;
};
/// What moves with the elements: a bone takes its children along, and ends of parent and child at one place stay together.
std::vector<BoneEnd> moved_ends(const std::vector<Bone>& bones, const Elements& elements);
Vec3& end_of(std::vector<Bone>& bones, const BoneEnd& end);

/// Display vertices before the object's scale, or the nodes where there is nothing to see: what a skeleton is laid through.
std::vector<Vec3> model_points(const Object& object, MeshStore& meshes);
/// A skeleton that runs through the display model, when the object has none.
void give_skeleton(Object& object, MeshStore& meshes);

/// A bone from the tail of the active one; the mouse moves its tail.
void extrude_bone(const ModeContext& context);
/// A bone without parent, or (Shift) a child of the active one. Selects its tail.
void add_bone(const ModeContext& context, const Vec3& head, const Vec3& tail, bool child);
/// The selected bones become children of the active one.
void parent_bones(const ModeContext& context);
void free_bones(const ModeContext& context);
void forget_painted(const ModeContext& context);

}  // namespace hazumi
