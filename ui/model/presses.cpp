#include "ui/model/presses.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"
#include "ui/model/markers.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

bool has_key(const MotionNode& node, const std::string& key) {
  if (!node.visible || node.role != MotionRole::event || node.kind != "marker") return false;
  const MotionParameter* own = find_parameter(node, "key");
  return own && own->word == key;
}

}  // namespace

bool has_key_while_playing(const UiContext& context, int digit) {
  const std::string key = std::to_string(digit);
  const auto& motion = context.document.scene().motion;
  return context.playback.playing() &&
         std::any_of(motion.begin(), motion.end(), [&](const auto& node) { return has_key(*node, key); });
}

void press_while_playing(UiContext& context, int digit) {
  const std::string key = std::to_string(digit);
  Scene scene = context.document.scene();
  const double time = context.playback.frame() / scene.settings.frame_rate;
  std::set<std::string> pressed;
  for (auto& node : scene.motion) {
    if (!has_key(*node, key)) continue;
    const Marker* like = find_marker(scene, Id{node->other});
    const MotionKind* kind = kind_of(*node);
    Marker marker;
    marker.name = like ? like->name : !node->name.empty() ? node->name : std::string(kind->label) + " " + key;
    if (like) marker.colour = like->colour;
    marker.id = next_id(scene);
    marker.time = time;
    const bool there = std::any_of(scene.markers.begin(), scene.markers.end(), [&](const auto& each) {
      return each->visible && each->name == marker.name && frame_of(context, *each) == context.playback.frame();
    });
    const Id id = marker.id;
    if (!pressed.insert(marker.name).second || (there && like)) continue;
    scene.markers.push_back(Shared<Marker>(std::move(marker)));
    if (!like) node = node.edited([&](MotionNode& n) { n.other = id.value; });
  }
  if (scene.markers.size() > context.document.scene().markers.size())
    (void)context.document.edit(tr("Press %1").arg(digit), std::move(scene));
}

}  // namespace hazumi
