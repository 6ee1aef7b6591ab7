// How pictures of the scene look: what lights it, the curve, shadows and darkened corners. The scene keeps it; pictures that are written
// have it too.
#include <functional>

#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

// What a switch sets that was off; the panel of the scene has the numbers.
constexpr double kOccluded = 0.7;
const double kSoft = radians(4);

const SceneLook& look_of(UiContext& c) { return c.keying.shown().settings.look; }

void change_look(UiContext& c, const char* undo, const std::function<void(SceneLook&)>& change) {
  Scene next = c.keying.shown();
  change(next.settings.look);
  const Status done = c.keying.edit(tr(undo), std::move(next));
  if (!done.ok()) emit c.document.refused(sentence_of(done.error()));
}

template <StudioLight light>
void light_with(UiContext& c) {
  static const char* const kUndo[] = {"Light with the Scene's Lights", "Light as in a Studio", "Light as by Day",
                                      "Light as under Clouds", "Light as in the Evening"};
  if (look_of(c).light == light) return;
  change_look(c, kUndo[static_cast<int>(light)], [](SceneLook& look) { look.light = light; });
}
template <StudioLight light>
bool is_lit_with(UiContext& c) {
  return look_of(c).light == light;
}

void toggle_film(UiContext& c) {
  change_look(c, "Filmic Curve", [](SceneLook& look) {
    look.curve = look.curve == ToneCurve::filmic ? ToneCurve::shoulder : ToneCurve::filmic;
  });
}
void toggle_occlusion(UiContext& c) {
  change_look(c, "Darken Corners", [](SceneLook& look) { look.occlusion = look.occlusion > 0 ? 0 : kOccluded; });
}
void toggle_softness(UiContext& c) {
  change_look(c, "Soft Shadows", [](SceneLook& look) { look.softness = look.softness > 0 ? 0 : kSoft; });
}
void toggle_floors(UiContext& c) {
  change_look(c, "Fading Floor", [](SceneLook& look) { look.floor_fades = !look.floor_fades; });
}

}  // namespace

const CommandTable& commands_view_look() {
  static const Command rows[] = {
      {"look.scene", "&Lights of the Scene", "", "", "View/Look", "Light the scene with its own lights.",
       &light_with<StudioLight::scene>, nullptr, &is_lit_with<StudioLight::scene>},
      {"look.studio", "&Studio", "", "", "View/Look",
       "Light the scene with three lamps in place of its own: a key from the left, a fill and a rim.",
       &light_with<StudioLight::studio>, nullptr, &is_lit_with<StudioLight::studio>},
      {"look.daylight", "&Daylight", "", "", "View/Look",
       "Light the scene with a sun and a blue sky in place of its own lights.", &light_with<StudioLight::daylight>,
       nullptr, &is_lit_with<StudioLight::daylight>},
      {"look.overcast", "&Overcast", "", "", "View/Look",
       "Light the scene with a clouded sky in place of its own lights: soft, nearly without shadows.",
       &light_with<StudioLight::overcast>, nullptr, &is_lit_with<StudioLight::overcast>},
      {"look.evening", "&Evening", "", "", "View/Look",
       "Light the scene with a low warm sun and a violet sky in place of its own lights.",
       &light_with<StudioLight::evening>, nullptr, &is_lit_with<StudioLight::evening>},
      {"look.film", "&Filmic Curve", "", "", "View/Look",
       "Deeper darks, and bright colours that run to white as on film; off, they are rounded off near white.",
       &toggle_film, nullptr, [](UiContext& c) { return look_of(c).curve == ToneCurve::filmic; }, true},
      {"look.occlusion", "Darken &Corners", "", "", "View/Look",
       "Ambient occlusion: darken corners and the places where things meet.", &toggle_occlusion, nullptr,
       [](UiContext& c) { return look_of(c).occlusion > 0; }},
      {"look.soft_shadows", "So&ft Shadows", "", "", "View/Look",
       "Shadows are sharp at the contact and soften away from it.", &toggle_softness, nullptr,
       [](UiContext& c) { return look_of(c).softness > 0; }},
      {"look.floor", "Fading Floo&r", "", "", "View/Look",
       "Fixed planes fade into the background before their edge is seen.", &toggle_floors, nullptr,
       [](UiContext& c) { return look_of(c).floor_fades; }},
  };
  static const CommandTable table{5, rows};
  return table;
}

}  // namespace hazumi
