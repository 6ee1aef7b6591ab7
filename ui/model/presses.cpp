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

std::string key_of(const MotionNode& node) {
  if (!node.visible || node.role != MotionRole::event || node.kind != "marker") return {};
  const MotionParameter* own = find_parameter(node, "key");
  return own ? own->word : std::string();
}

bool is_button(const std::string& key) { return key.ends_with(" button"); }

bool is_pressed(const Scene& scene, const MotionNode& node, const LivePress& press) {
  if (key_of(node) != press.key) return false;
  const MotionParameter* over = find_parameter(node, "over");
  if (!is_button(press.key) || !over || over->number == 0) return true;
  const std::vector<Id> all = actors(scene, node.object);
  return std::find(all.begin(), all.end(), press.under) != all.end();
}

}  // namespace

bool has_press_while_playing(const UiContext& context, const LivePress& press) {
  const Scene& scene = context.document.scene();
  return context.playback.playing() && std::any_of(scene.motion.begin(), scene.motion.end(),
                                                   [&](const auto& node) { return is_pressed(scene, *node, press); });
}

bool has_buttons_while_playing(const UiContext& context) {
  const auto& motion = context.document.scene().motion;
  return context.playback.playing() &&
         std::any_of(motion.begin(), motion.end(), [](const auto& node) { return is_button(key_of(*node)); });
}

void press_while_playing(UiContext& context, const LivePress& press) {
  Scene scene = context.document.scene();
  const double time = context.playback.frame() / scene.settings.frame_rate;
  std::set<std::string> pressed;
  for (auto& node : scene.motion) {
    if (!is_pressed(context.document.scene(), *node, press)) continue;
    const Marker* like = find_marker(scene, Id{node->other});
    const MotionKind* kind = kind_of(*node);
    Marker marker;
    marker.name = like ? like->name : !node->name.empty() ? node->name : std::string(kind->label) + " " + press.key;
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
    (void)context.document.edit(tr("Press %1").arg(QString::fromStdString(press.key)), std::move(scene));
}

}  // namespace hazumi
