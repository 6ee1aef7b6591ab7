#include "ui/model/key_words.h"

#include <cmath>

#include "core/motion/kinds.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/text.h"

namespace hazumi {
namespace {

using Words = std::vector<std::pair<double, QString>>;

void add_things(const auto& things, Words& words) {
  for (const auto& thing : things)
    words.emplace_back(static_cast<double>(thing->id.value), QString::fromStdString(thing->name));
}

QString nothing_named(OtherUse use) {
  return use == OtherUse::anything ? tr("anything")
         : use == OtherUse::number ? tr("its object, the scene")
                                   : tr("nothing");
}

Words others_of_box(const Scene& scene, OtherUse use) {
  Words words;
  if (use == OtherUse::anything || use == OtherUse::number) words.emplace_back(0, nothing_named(use));
  if (use == OtherUse::anything || use == OtherUse::thing) {
    add_things(scene.objects, words);
    add_things(scene.collections, words);
  }
  if (use == OtherUse::curve) add_things(scene.curves, words);
  if (use == OtherUse::camera) add_things(scene.cameras, words);
  if (use == OtherUse::sound) add_things(scene.sounds, words);
  if (use == OtherUse::marker) add_things(scene.markers, words);
  if (use == OtherUse::number) {
    add_things(scene.joints, words);
    add_things(scene.forces, words);
    add_things(scene.fields, words);
  }
  if (use == OtherUse::number || use == OtherUse::source) add_things(scene.particles, words);
  return words;
}

OtherUse use_of(const Scene& scene, const Track& track) {
  const MotionNode* node = find_motion(scene, Id{track.target});
  const MotionKind* kind = node ? kind_of(*node) : nullptr;
  return kind ? kind->other : OtherUse::none;
}

QString capital(std::string_view word) {
  QString text = text_of(word);
  text.replace(QLatin1Char('_'), QLatin1Char(' '));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

bool is_number_told(const Track& track) { return track.field == "procedure.set.number"; }

QString told_label(std::size_t number) {
  const SettableNumber& told = settable_numbers()[number];
  return told.of == NumberOf::scene ? tr("%1 of the scene").arg(text_of(told.label)) : text_of(told.label);
}

}  // namespace

QString key_word(const Scene& scene, const Track& track, double value) {
  const auto field = track_field(scene, track.target, track.field);
  if (!field) return {};
  const FieldRange& range = field->range;
  if (range.type == FieldType::boolean) return value >= 0.5 ? tr("On") : tr("Off");
  const double whole = std::round(value);
  if (range.type == FieldType::choice) {
    if (!(whole >= 0 && whole < static_cast<double>(range.choices.size()))) return tr("Missing (%1)").arg(whole);
    const auto at = static_cast<std::size_t>(whole);
    return is_number_told(track) ? told_label(at) : capital(range.choices[at]);
  }
  if (range.refers == Refers::nothing) return {};
  if (!(whole > 0)) return nothing_named(use_of(scene, track));
  const QString name = name_of(scene, Id{static_cast<std::uint64_t>(whole)});
  return name.isEmpty() ? tr("Missing (%1)").arg(whole, 0, 'f', 0) : name;
}

std::vector<std::pair<double, QString>> key_words(const Scene& scene, const Track& track) {
  const auto field = track_field(scene, track.target, track.field);
  Words words;
  if (!field) return words;
  const FieldRange& range = field->range;
  if (range.type == FieldType::boolean) return {{0, tr("Off")}, {1, tr("On")}};
  for (std::size_t i = 0; i < range.choices.size(); ++i)
    words.emplace_back(static_cast<double>(i), is_number_told(track) ? told_label(i) : capital(range.choices[i]));
  if (range.refers == Refers::thing) return others_of_box(scene, use_of(scene, track));
  if (range.refers == Refers::camera) add_things(scene.cameras, words);
  if (range.refers == Refers::object) {
    words.emplace_back(0, tr("nothing"));
    add_things(scene.objects, words);
  }
  return words;
}

}  // namespace hazumi
