// Where keys that the program does not know are kept, by owner and block. Private to reading and writing.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::string_view kAnalysisBlock = "analysis.";

/// Of an owner; `block` becomes the one that is told there.
template <class Owner>
Kept& kept_of(Owner& owner, std::string&) {
  return owner.kept;
}
/// What the present analysis model has goes with it when the object is switched to another.
inline Kept& kept_of(Object& object, std::string& block) {
  if (!block.starts_with(kAnalysisBlock)) return object.kept;
  block.erase(0, kAnalysisBlock.size());
  return object.analysis.kept;
}

/// All, with blocks as the owner tells them.
template <class Owner>
std::vector<KeptKey> kept_keys(const Owner& owner) {
  return owner.kept.keys();
}
inline std::vector<KeptKey> kept_keys(const Object& object) {
  std::vector<KeptKey> all = object.kept.keys();
  for (KeptKey key : object.analysis.kept.keys()) {
    key.block.insert(0, kAnalysisBlock);
    all.push_back(std::move(key));
  }
  return all;
}

}  // namespace hazumi
