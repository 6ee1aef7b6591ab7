#include "core/import/fbx_turns.h"

#include <vector>

namespace hazumi {

bool has_post_rotations(std::string_view fbx) { return fbx.find("PostRotation") != std::string_view::npos; }

void invert_post_rotations(aiNode& root) {
  std::vector<aiNode*> open{&root};
  while (!open.empty()) {
    aiNode* const node = open.back();
    open.pop_back();
    if (std::string_view(node->mName.C_Str()).ends_with("_$AssimpFbx$_PostRotation")) node->mTransformation.Inverse();
    for (unsigned i = 0; i < node->mNumChildren; ++i) open.push_back(node->mChildren[i]);
  }
}

}  // namespace hazumi
