#include "ui/model/sounds.h"

#include <algorithm>
#include <array>
#include <functional>

#include <QFileInfo>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kLatestStart = 1e6;  // s, as in the field table
constexpr std::array kSuffixes = {"wav", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "au", "caf", "w64"};

void change(UiContext& context, const QString& text, Id id, const std::function<void(Sound&)>& edit,
            quint64 gesture = 0) {
  const Sound* sound = find_sound(context, id);
  if (!sound) return;
  const QString step = text.arg(QString::fromStdString(sound->name));
  Scene scene = context.document.scene();
  for (auto& each : scene.sounds)
    if (each->id == id) each = each.edited(edit);
  (void)context.document.edit(step, std::move(scene), gesture);
}

/// Of a link the file itself: links that lead out of a folder are not copied on save.
QString absolute(const QString& file) {
  const QFileInfo info(file);
  const QString real = info.isSymLink() ? info.canonicalFilePath() : QString();
  return real.isEmpty() ? info.absoluteFilePath() : real;
}

/// "bang", "bang 2", "bang 3" …
std::string free_name(const Scene& scene, const QString& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.sounds.begin(), scene.sounds.end(), [&](const auto& each) { return each->name == name; });
  };
  const QString stem = wanted.isEmpty() ? tr("Sound") : wanted.left(60);  // 200 bytes in any script
  std::string name = stem.toStdString();
  for (int number = 2; taken(name); ++number) name = (stem + QStringLiteral(" %1").arg(number)).toStdString();
  return name;
}

}  // namespace

const Sound* find_sound(const UiContext& context, Id id) { return find_sound(context.document.scene(), id); }

bool is_sound_file_name(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [&](const char* each) { return suffix == QLatin1String(each); });
}

QString sound_filter() {
  QStringList patterns;
  for (const char* suffix : kSuffixes) patterns << QStringLiteral("*.") + QLatin1String(suffix);
  return tr("Sounds (%1);;All files (*)").arg(patterns.join(QLatin1Char(' ')));
}

Id add_sound(UiContext& context, const QString& file, double start) {
  Scene scene = context.document.scene();
  Sound sound;
  sound.id = next_id(scene);
  sound.name = free_name(scene, QFileInfo(file).completeBaseName());
  sound.file = absolute(file).toStdString();
  sound.start = std::clamp(start, -kLatestStart, kLatestStart);
  const Id id = sound.id;
  const QString text = tr("Import %1").arg(QString::fromStdString(sound.name));
  scene.sounds.push_back(Shared<Sound>(std::move(sound)));
  return context.document.edit(text, std::move(scene)).ok() ? id : Id{};
}

void move_sound(UiContext& context, Id id, double start, quint64 gesture) {
  change(
      context, tr("Move %1"), id, [&](Sound& s) { s.start = std::clamp(start, -kLatestStart, kLatestStart); }, gesture);
}

void set_gain(UiContext& context, Id id, double gain, quint64 gesture) {
  change(
      context, tr("Gain of %1"), id, [&](Sound& s) { s.gain = gain; }, gesture);
}

void mute_sound(UiContext& context, Id id, bool mute) {
  change(context, mute ? tr("Mute %1") : tr("Unmute %1"), id, [&](Sound& s) { s.visible = !mute; });
}

void let_sound_wait(UiContext& context, Id id, bool wait) {
  change(context, wait ? tr("%1 Only in Motions") : tr("%1 at Its Start"), id, [&](Sound& s) { s.waits = wait; });
}

void rename_sound(UiContext& context, Id id, const QString& name) {
  const Sound* sound = find_sound(context, id);
  const std::string wanted = name.trimmed().toStdString();
  if (!sound || wanted.empty() || wanted == sound->name) return;
  change(context, tr("Rename %1"), id, [&](Sound& s) { s.name = wanted; });
}

void change_sound_file(UiContext& context, Id id, const QString& file) {
  change(context, tr("File of %1"), id, [&](Sound& s) { s.file = absolute(file).toStdString(); });
}

void delete_sound(UiContext& context, Id id) {
  const Sound* sound = find_sound(context, id);
  if (!sound) return;
  const QString text = tr("Delete %1").arg(QString::fromStdString(sound->name));
  Scene scene = context.document.scene();
  std::erase_if(scene.sounds, [&](const auto& each) { return each->id == id; });
  (void)context.document.edit(text, std::move(scene));
}

}  // namespace hazumi
