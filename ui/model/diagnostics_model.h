// The problems that are there now: what loading complained about, why the run stopped, what overlaps at its start, groups that are
// ignored and empty, what the camera's planes leave out, which edit was refused. One list for the diagnostics panel and for whoever counts them (status bar). An entry
// goes when its cause goes: a load warning when its object is removed or gets its mesh, an overlap when the start of the new run has
// been looked at, what a save complained about with the next save, a refused edit with the next edit that is accepted.
#pragma once

#include <map>
#include <vector>

#include <QAbstractListModel>

#include "core/base/diagnostic.h"
#include "core/base/id.h"
#include "core/scene/diff.h"
#include "core/scene/values/scene.h"
#include "ui/model/problem.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

class DiagnosticsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using Source = Problem::Source;
  using Entry = Problem;
  enum Role { object_role = Qt::UserRole + 1, message_role, hint_role, place_role, severity_role };

  DiagnosticsModel(DocumentController& document, PlaybackController& playback, QObject* parent = nullptr);

  const std::vector<Entry>& entries() const { return entries_; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  /// Does what the button of a remedy says.
  void apply(const Remedy& remedy) { remedy.apply(document_, playback_); }

 public slots:
  /// Warnings that came with the scene that is open now. Call after DocumentController::reset(), which clears the list.
  void set_load_diagnostics(hazumi::Diagnostics diagnostics);
  /// Further warnings about meshes of the open scene, about the object each is given for.
  void add_load_diagnostic(hazumi::Diagnostic diagnostic, hazumi::Id object);
  /// Warnings of the last save; they stand until the next one.
  void set_save_diagnostics(hazumi::Diagnostics diagnostics);
  /// Of the sounds that cannot be heard as they are now.
  void set_sound_diagnostics(const hazumi::Diagnostics& diagnostics);
  void add_refused_edit(const QString& sentence);
  void clear();  ///< leaves what the open scene itself says

 signals:
  void count_changed(int count);

 private:
  void on_change(const ChangeSet& change);
  void on_fill();
  void on_failure();
  void on_start();
  void on_rooms();
  void replace(Source source, std::vector<Entry> found);
  void put(std::vector<Entry> entries);

  DocumentController& document_;
  PlaybackController& playback_;
  std::vector<Entry> entries_;
  std::map<Id, int> room_frames_;  ///< of those of Source::room, by source: the frame that is told of
};

/// The object or light that a diagnostic's path speaks of: "objects[3].body.mass", "lights[0]", or a name.
Id diagnostic_object(const Scene& scene, const std::string& path);

}  // namespace hazumi
