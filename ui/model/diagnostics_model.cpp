#include "ui/model/diagnostics_model.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include <QApplication>
#include <QStyle>

#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/piece_faults.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/camera_problems.h"
#include "ui/model/cloth_problems.h"
#include "ui/model/document_controller.h"
#include "ui/model/joint_problems.h"
#include "ui/model/motion_problems.h"
#include "ui/model/overlap_problems.h"
#include "ui/model/piece_problems.h"
#include "ui/model/playback_controller.h"
#include "ui/model/run_problems.h"

namespace hazumi {

namespace {

/// Number in brackets after `key` at the start of `path`: "objects[3].name" with key "objects" gives 3.
std::optional<std::size_t> index_in(const std::string& path, const std::string& key) {
  const auto at = path.find(key + "[");
  if (at == std::string::npos) return std::nullopt;
  std::size_t number = 0;
  const char* begin = path.data() + at + key.size() + 1;
  const auto [end, error] = std::from_chars(begin, path.data() + path.size(), number);
  if (error != std::errc() || end == path.data() + path.size() || *end != ']') return std::nullopt;
  return number;
}

/// A load warning about a mesh file is settled once the object no longer wants the file, or has it.
bool settled(const Scene& scene, const DiagnosticsModel::Entry& entry) {
  if (!entry.object) return false;
  if (const Camera* camera = find_camera(scene, entry.object))  // of its picture: it wants another one now
    return camera->picture.file.empty() || entry.diagnostic.message.find(camera->picture.file) == std::string::npos;
  const Object* object = find_object(scene, entry.object);
  if (!object) return !visit_thing(scene, entry.object, [](const auto&, const auto&) {});
  if (entry.diagnostic.path.find("mesh") == std::string::npos) return false;
  return object->display.kind != DisplayKind::mesh || object->display.mesh.mesh != nullptr;
}

}  // namespace

Id diagnostic_object(const Scene& scene, const std::string& path) {
  Id found;
  visit_scene_lists([&](const auto& list) {
    const auto& things = scene.*list.member;
    if (const auto number = index_in(path, std::string(list.path)); number && *number < things.size())
      found = things[*number]->id;
  });
  if (found) return found;
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member)
      if (!found && thing->name == path) found = thing->id;
  });
  if (found) return found;
  // What a body is refused for begins with its name (sim/body/flexible.cpp); of two that fit the longer one is meant.
  std::size_t longest = 0;
  for (const auto& object : scene.objects)
    if (object->name.size() > longest && path.starts_with(object->name + ": ")) {
      longest = object->name.size();
      found = object->id;
    }
  return found;
}

DiagnosticsModel::DiagnosticsModel(DocumentController& document, PlaybackController& playback, QObject* parent)
    : QAbstractListModel(parent), document_(document), playback_(playback) {
  connect(&document, &DocumentController::changed, this, &DiagnosticsModel::on_change);
  connect(&document, &DocumentController::document_replaced, this, &DiagnosticsModel::clear);
  connect(&document, &DocumentController::refused, this, &DiagnosticsModel::add_refused_edit);
  connect(&playback, &PlaybackController::fill_changed, this, &DiagnosticsModel::on_fill);
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Entry& entry = entries_[static_cast<std::size_t>(index.row())];
  const QString message = QString::fromStdString(entry.diagnostic.message);
  const QString hint = QString::fromStdString(entry.diagnostic.hint);
  switch (role) {
    case Qt::DisplayRole:
      return hint.isEmpty() ? message : message + "\n" + hint;
    case Qt::DecorationRole: {
      const auto icon = entry.diagnostic.severity == Severity::error     ? QStyle::SP_MessageBoxCritical
                        : entry.diagnostic.severity == Severity::warning ? QStyle::SP_MessageBoxWarning
                                                                         : QStyle::SP_MessageBoxInformation;
      return QApplication::style()->standardIcon(icon);
    }
    case Qt::ToolTipRole:
      return entry.object ? (entry.others.empty() ? tr("A click selects it.") : tr("A click selects both."))
                          : QString::fromStdString(entry.diagnostic.path);
    case object_role:
      return QVariant::fromValue<qulonglong>(entry.object.value);
    case message_role:
      return message;
    case hint_role:
      return hint;
    case place_role: {
      QString place = QString::fromStdString(entry.diagnostic.path);
      visit_thing(document_.scene(), entry.object,
                  [&](const auto&, const auto& thing) { place = QString::fromStdString(thing->name); });
      return place;
    }
    case severity_role:
      return static_cast<int>(entry.diagnostic.severity);
    default:
      return {};
  }
}

void DiagnosticsModel::put(std::vector<Entry> entries) {
  const bool other_count = entries.size() != entries_.size();
  beginResetModel();
  entries_ = std::move(entries);
  endResetModel();
  if (other_count) emit count_changed(static_cast<int>(entries_.size()));
}

void DiagnosticsModel::set_load_diagnostics(Diagnostics diagnostics) {
  std::vector<Entry> entries;
  const Scene& scene = document_.scene();
  const std::vector<LooseModel> loose = loose_models(scene);
  for (auto& diagnostic : diagnostics) {
    const Id object = diagnostic_object(scene, diagnostic.path);
    // Told by piece_problems(), joint_problems() and motion_problems_of(), with remedies.
    if (std::any_of(loose.begin(), loose.end(), [&](const LooseModel& one) { return one.path == diagnostic.path; }))
      continue;
    if (find_joint(scene, object) || find_force(scene, object) || find_force_field(scene, object) ||
        find_source(scene, object) || find_motion(scene, object))
      continue;
    entries.push_back({std::move(diagnostic), object, Source::load});
  }
  for (const auto& entry : entries_)
    if (entry.source != Source::load) entries.push_back(entry);
  put(std::move(entries));
}

void DiagnosticsModel::add_load_diagnostic(Diagnostic diagnostic, Id object) {
  std::vector<Entry> entries;
  for (const auto& entry : entries_)  // one warning for each object: a new one replaces what was said before
    if (entry.source != Source::load || entry.object != object) entries.push_back(entry);
  entries.push_back({std::move(diagnostic), object, Source::load});
  put(std::move(entries));
}

void DiagnosticsModel::set_save_diagnostics(Diagnostics diagnostics) {
  std::vector<Entry> entries;
  for (const auto& entry : entries_)
    if (entry.source != Source::save) entries.push_back(entry);
  for (auto& diagnostic : diagnostics) {
    const Id object = diagnostic_object(document_.scene(), diagnostic.path);
    entries.push_back({std::move(diagnostic), object, Source::save});
  }
  if (!entries.empty() || !entries_.empty()) put(std::move(entries));
}

void DiagnosticsModel::set_sound_diagnostics(const Diagnostics& diagnostics) {
  std::vector<Entry> found;
  for (const Diagnostic& diagnostic : diagnostics)
    found.push_back({diagnostic, diagnostic_object(document_.scene(), diagnostic.path), Source::sound});
  replace(Source::sound, std::move(found));
}

void DiagnosticsModel::add_refused_edit(const QString& sentence) {
  std::vector<Entry> entries;
  for (const auto& entry : entries_)
    if (entry.source != Source::edit) entries.push_back(entry);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.message = tr("The last edit was refused: %1").arg(sentence).toStdString();
  diagnostic.hint = tr("Nothing was changed.").toStdString();
  entries.push_back({std::move(diagnostic), {}, Source::edit});
  put(std::move(entries));
}

void DiagnosticsModel::clear() {
  std::vector<Entry> said = group_problems(document_.scene());
  for (Entry& entry : camera_problems(document_.scene(), document_.meshes())) said.push_back(std::move(entry));
  for (Entry& entry : joint_problems(document_.scene())) said.push_back(std::move(entry));
  for (Entry& entry : motion_problems_of(document_.scene())) said.push_back(std::move(entry));
  for (Entry& entry : cloth_problems(document_.scene())) said.push_back(std::move(entry));
  for (Entry& entry : piece_problems(document_.scene())) said.push_back(std::move(entry));
  if (!entries_.empty() || !said.empty()) put(std::move(said));
}

void DiagnosticsModel::on_change(const ChangeSet&) {
  const auto goes = [&](const Entry& entry) {
    if (entry.source == Source::edit) return true;
    if (entry.source == Source::load) return settled(document_.scene(), entry);
    if (entry.source != Source::start) return false;
    const auto gone = [&](Id id) { return id && !find_object(document_.scene(), id); };
    return gone(entry.object) || std::any_of(entry.others.begin(), entry.others.end(), gone);
  };
  std::vector<Entry> entries;
  for (const auto& entry : entries_)
    if (!goes(entry)) entries.push_back(entry);
  if (entries.size() != entries_.size()) put(std::move(entries));
  on_fill();  // other names
  replace(Source::rules, group_problems(document_.scene()));
  replace(Source::camera, camera_problems(document_.scene(), document_.meshes()));
  replace(Source::joint, joint_problems(document_.scene()));
  replace(Source::motion, motion_problems_of(document_.scene()));
  replace(Source::cloth, cloth_problems(document_.scene()));
  replace(Source::pieces, piece_problems(document_.scene()));
}

void DiagnosticsModel::on_fill() {
  on_failure();
  on_start();
  on_rooms();
}

/// While the start of a new run is not known yet, what was told of the last one stays, so that nothing flickers in a drag.
void DiagnosticsModel::on_start() {
  const auto start = playback_.status().start;
  if (!start) return;
  replace(Source::start, overlap_problems(document_.scene(), *start));
}

void DiagnosticsModel::on_failure() {
  const FillStatus status = playback_.status();
  std::vector<Entry> found;
  if (status.failure) found.push_back(run_problem(document_.scene(), status, *playback_.log()));
  replace(Source::run, std::move(found));
}

/// Until a new run has come as far, what was told of the last one stays, as of the start, for sources that are still there.
void DiagnosticsModel::on_rooms() {
  const Scene& scene = document_.scene();
  const FillStatus status = playback_.status();
  std::vector<RoomProblem> told;
  if (may_lack_room(scene, status)) told = room_problems(scene, status, *playback_.log());
  std::vector<Entry> found;
  std::map<Id, int> frames;
  for (const auto& shared : scene.particles) {
    const ParticleSource& source = *shared;
    const auto now =
        std::find_if(told.begin(), told.end(), [&](const RoomProblem& one) { return one.line.object == source.id; });
    const auto was = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.source == Source::room && entry.object == source.id;
    });
    if (now != told.end()) {
      found.push_back(std::move(now->line));
      frames[source.id] = now->frame;
    } else if (was != entries_.end() && status.phase != FillStatus::Phase::complete &&
               status.computed - 1 <= room_frames_[source.id]) {
      found.push_back(*was);
      frames[source.id] = room_frames_[source.id];
    }
  }
  room_frames_ = std::move(frames);
  replace(Source::room, std::move(found));
}

/// Puts these in the place of all of a source, at the front of the list if it is why the run stopped.
void DiagnosticsModel::replace(Source source, std::vector<Entry> found) {
  std::vector<Entry> entries, known;
  for (const auto& entry : entries_) (entry.source == source ? known : entries).push_back(entry);
  const auto same = [](const Entry& x, const Entry& y) {
    const auto same_remedy = [](const Remedy& a, const Remedy& b) { return a.text == b.text; };
    return x.object == y.object && x.others == y.others && x.diagnostic.message == y.diagnostic.message &&
           x.diagnostic.path == y.diagnostic.path &&
           std::equal(x.remedies.begin(), x.remedies.end(), y.remedies.begin(), y.remedies.end(), same_remedy);
  };
  if (std::equal(found.begin(), found.end(), known.begin(), known.end(), same)) return;
  entries.insert(source == Source::run ? entries.begin() : entries.end(), std::make_move_iterator(found.begin()),
                 std::make_move_iterator(found.end()));
  put(std::move(entries));
}

}  // namespace hazumi
