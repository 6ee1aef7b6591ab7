// Polygonises the metaballs that are shown, off the interface thread, into the program's mesh store: what a run, an export or
// a thumbnail has polygonised is taken from there, and the other way round. An
// edit is followed first by a surface that keeps up with the mouse: the final one where redoing what the edit touches is quick
// enough, else a preview with the group's coarse tolerance. Once the mouse rests the final one goes into the store. The
// newest wins: of waiting requests only the last is served, and a final one that is under way at rest is called off by the
// next edit. What a drag has asked for is let finish, since it would otherwise show nothing until it stops.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include <QObject>
#include <QTimer>

#include "core/base/id.h"
#include "core/base/shared.h"
#include "core/geometry/metaball/surface_error.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

/// What is known of an object's blended surface.
struct MetaballFigures {
  std::size_t triangles = 0;
  bool closed = false;  ///< said of a final mesh
  bool final = false;
  bool exact = false;                 ///< made with the final tolerance, in the store or not yet
  double milliseconds = 0;            ///< of the polygoniser
  bool working = false;               ///< a newer mesh is under way
  std::optional<SurfaceError> error;  ///< of a final mesh, once it is measured
};

class MetaballJob : public QObject {
  Q_OBJECT
 public:
  explicit MetaballJob(DocumentController& document, QObject* parent = nullptr);
  ~MetaballJob() override;

  /// Nothing waits, runs or is about to be asked for.
  bool idle() const;
  MetaballFigures figures(Id object) const;
  /// A surface of something as it is now is asked for and will be there within some hundredths of a second, as far as the last one tells.
  bool soon() const;
  /// How long the document has to be left alone before the final mesh is made.
  void set_rest(int milliseconds) { rest_.setInterval(milliseconds); }
  /// How long a final surface may take, on the average of the last ones, that a drag is followed by it.
  void set_quick(double milliseconds) { quick_ = milliseconds; }

 signals:
  void supplied(hazumi::Id object);  ///< a mesh is in the store: repaint
  void figures_changed();

 private:
  struct Request {
    Shared<Object> object;
    bool final = false;
  };
  struct Outcome;
  class Surfaces;

  void look();
  void forget();
  void ask(const Shared<Object>& object, bool final);
  void finish();
  void work();
  void take(const Outcome& outcome);
  void measure(const Outcome& outcome);
  void take_error(const Outcome& outcome, const SurfaceError& error);

  DocumentController& document_;
  std::shared_ptr<MeshStore> meshes_;
  QTimer rest_;
  std::map<Id, Shared<Object>> asked_;  ///< what the last request of each object was made from
  std::map<Id, MetaballFigures> figures_;
  std::map<Id, double> awaited_;  ///< objects of which the newest surface is asked for: ms that the last one took
  std::map<std::uint64_t, MetaballFigures> made_;  ///< by shape_hash(), for what undo and redo bring back
  quint64 document_number_ = 0;
  int under_way_ = 0;

  mutable std::mutex mutex_;
  std::map<Id, Request> waiting_;
  Id running_;  ///< final run of this object; guarded by the mutex
  std::atomic<bool> cancel_{false};
  std::atomic<double> quick_{45};
  std::unique_ptr<Surfaces> surfaces_;  ///< used by the worker only
  Worker worker_;                       ///< last: ends before what it uses
};

}  // namespace hazumi
