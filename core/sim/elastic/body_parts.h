// The parts that a body has come into, by the nodes that hang together: numbered in the order of their lowest nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct BodyParts {
  virtual ~BodyParts() = default;
  std::vector<std::uint32_t> of_node, sizes;  ///< part of each node; nodes of each part
  std::uint32_t count = 1, broken = 0;        ///< parts; springs that have broken
  mutable std::once_flag skin_asked;
  mutable std::shared_ptr<const void> skin;  ///< what the body makes for them once: how they are seen and collide
};

}  // namespace hazumi
