#include "ui/jobs/metaball_job.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <QGuiApplication>

#include "core/base/parallel.h"
#include "core/geometry/metaball/polygonise.h"
#include "ui/model/document_controller.h"

namespace hazumi {

namespace {

constexpr std::size_t kRemembered = 256;
constexpr int kRest = 180;                 // ms without an edit, no button held: then the final mesh is made
constexpr double kWhole = 4;               // times as long it may take when all of it is made
constexpr double kLate = 45;               // ms: what takes longer is not waited for with the picture
constexpr int kPreviews = 30;              // steps of a drag until the final surface is tried again
constexpr std::size_t kMeasured = 100000;  // faces, of which it is told how far they are off

bool shows_metaballs(const Object& object) {
  return object.display.kind == DisplayKind::metaballs && !object.display.metaballs.primitives.empty();
}

/// Nothing that the mesh depends on differs.
bool same_surface(const Object& a, const Object& b) {
  const MetaballGroup &x = a.display.metaballs, &y = b.display.metaballs;
  if (a.display.kind != b.display.kind || x.own_colours != y.own_colours || shape_hash(x) != shape_hash(y))
    return false;
  if (!x.own_colours) return true;
  return std::equal(x.primitives.begin(), x.primitives.end(), y.primitives.begin(), y.primitives.end(),
                    [](const auto& p, const auto& q) { return p.surface == q.surface; });
}

/// One thread is left for the interface; on two cores a preview takes both for its moment.
int threads() { return std::max(2, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

}  // namespace

struct MetaballJob::Outcome {
  Shared<Object> object;
  bool final = false;
  std::shared_ptr<const DisplayMesh> mesh;  ///< null: called off
  bool closed = false, exact = false;
  double milliseconds = 0;
  quint64 document = 0;
};

/// What the worker remembers of each object, so that moving one metaball of many redoes only its surroundings.
class MetaballJob::Surfaces {
 public:
  /// Null: called off.
  std::shared_ptr<const DisplayMesh> final(const Object& object, const std::atomic<bool>& cancel) {
    Pair& pair = pairs_[object.id];
    const bool whole = !pair.made;
    double milliseconds = 0;
    const auto mesh = run(pair.final, object, object.display.metaballs.final_tolerance, cancel, milliseconds);
    if (!mesh || mesh == pair.newest) return mesh;  // the second: nothing was to be done
    pair.newest = mesh;
    pair.milliseconds = milliseconds;
    pair.made = true;
    pair.pace = whole ? milliseconds / kWhole : 0.7 * pair.pace + 0.3 * milliseconds;
    pair.previews = 0;
    return mesh;
  }
  /// That the newest final surface took.
  double milliseconds(Id object) { return pairs_[object].milliseconds; }
  /// What keeps up with the mouse: the final surface where that takes up to `quick` ms (`exact`), else a preview.
  std::shared_ptr<const DisplayMesh> moving(const Object& object, double quick, const std::atomic<bool>& cancel,
                                            bool& exact) {
    Pair& pair = pairs_[object.id];
    if (pair.previews >= kPreviews) pair.pace = std::min(pair.pace, quick);
    exact = pair.made && pair.pace <= quick;
    if (exact) return final(object, cancel);
    ++pair.previews;
    double milliseconds = 0;
    return run(pair.preview, object, object.display.metaballs.preview_tolerance, cancel, milliseconds);
  }
  void forget() { pairs_.clear(); }
  void forget(Id object) { pairs_.erase(object); }

 private:
  struct Pair {
    Polygoniser preview, final;
    bool made = false;                          ///< a final surface, once
    double pace = 0;                            ///< ms of the last final ones
    int previews = 0;                           ///< since the last final one
    std::shared_ptr<const DisplayMesh> newest;  ///< final one
    double milliseconds = 0;                    ///< that it took
  };
  std::shared_ptr<const DisplayMesh> run(Polygoniser& polygoniser, const Object& object, double tolerance,
                                         const std::atomic<bool>& cancel, double& milliseconds) {
    PolygoniseOptions options;
    options.tolerance = tolerance;
    options.cancel = &cancel;
    const auto begin = std::chrono::steady_clock::now();
    auto mesh = polygoniser.update(object.display.metaballs, options, executor_);
    milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return mesh;
  }
  std::map<Id, Pair> pairs_;
  Executor executor_{threads()};
};

MetaballJob::MetaballJob(DocumentController& document, QObject* parent)
    : QObject(parent), document_(document), meshes_(document.mesh_store()), surfaces_(std::make_unique<Surfaces>()) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, &MetaballJob::finish);
  connect(&document, &DocumentController::changed, this, &MetaballJob::look);
  connect(&document, &DocumentController::document_replaced, this, [this] {
    forget();
    look();
    finish();  // nobody drags anything yet
  });
  look();
}

MetaballJob::~MetaballJob() {
  cancel_ = true;
  worker_.clear();
}

bool MetaballJob::soon() const {
  return std::any_of(awaited_.begin(), awaited_.end(), [](const auto& entry) { return entry.second < kLate; });
}

bool MetaballJob::idle() const { return under_way_ == 0 && !rest_.isActive(); }

MetaballFigures MetaballJob::figures(Id object) const {
  const auto found = figures_.find(object);
  return found == figures_.end() ? MetaballFigures{} : found->second;
}

void MetaballJob::forget() {
  {
    const std::lock_guard lock(mutex_);
    ++document_number_;
    waiting_.clear();
    cancel_ = true;
  }
  worker_.clear();
  worker_.post([this] { surfaces_->forget(); });
  rest_.stop();
  asked_.clear();
  figures_.clear();
  awaited_.clear();
  under_way_ = 0;
  meshes_->forget_previews();
  emit figures_changed();
}

void MetaballJob::look() {
  bool told = false;
  for (auto it = asked_.begin(); it != asked_.end();) {
    const Object* object = find_object(document_.scene(), it->first);
    if (object && shows_metaballs(*object)) {
      ++it;
      continue;
    }
    worker_.post([this, id = it->first] { surfaces_->forget(id); });
    awaited_.erase(it->first);
    it = asked_.erase(it);
  }
  for (const auto& object : document_.scene().objects) {
    if (!shows_metaballs(*object)) continue;
    const auto asked = asked_.find(object->id);
    const bool known =
        asked != asked_.end() && (asked->second.same_as(object) || same_surface(*asked->second, *object));
    if (known) continue;
    asked_.insert_or_assign(object->id, object);
    awaited_.erase(object->id);
    if (const auto mesh = meshes_->ready(*object)) {
      // Undone, redone, a copy, or polygonised by somebody else: it has been made before.
      const auto known_figures = made_.find(shape_hash(object->display.metaballs));
      MetaballFigures& figures = figures_[object->id];
      if (known_figures != made_.end())
        figures = known_figures->second;
      else
        figures.error.reset();
      if (!figures.error) ask(object, true);  // whether it is closed, or how near it is, is still to be found out
      figures.triangles = mesh->faces.size();
      figures.final = true;
      figures.working = false;
      told = true;
      emit supplied(object->id);
      continue;
    }
    MetaballFigures& figures = figures_[object->id];
    figures.working = true;
    if (figures.triangles > 0) awaited_[object->id] = figures.milliseconds;
    told = true;
    ask(object, false);
    rest_.start();
  }
  if (told) emit figures_changed();
}

/// The mouse rests: what is seen becomes final. Asked for also when a run was quicker: its mesh is then taken, and shown.
void MetaballJob::finish() {
  if (QGuiApplication::mouseButtons() != Qt::NoButton) {
    rest_.start();
    return;
  }
  rest_.stop();
  for (const auto& object : document_.scene().objects)
    if (shows_metaballs(*object) && figures_[object->id].working) ask(object, true);
}

void MetaballJob::ask(const Shared<Object>& object, bool final) {
  {
    const std::lock_guard lock(mutex_);
    waiting_[object->id] = {object, final};
    // A final mesh of what is no more; or one that a drag elsewhere would wait for: it is asked for again at rest.
    if (running_ && (running_ == object->id || !final)) cancel_ = true;
  }
  ++under_way_;
  worker_.post([this] { work(); });
}

void MetaballJob::work() {
  Request request;
  quint64 document = 0;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      // Served by an earlier task: a newer request took its place.
      Worker::deliver(this, [this, number = document_number_] {
        if (number == document_number_) --under_way_;
      });
      return;
    }
    // Previews first: they are quick, and somebody is dragging.
    auto next = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& entry) { return !entry.second.final; });
    if (next == waiting_.end()) next = waiting_.begin();
    request = next->second;
    waiting_.erase(next);
    cancel_ = false;
    running_ = request.final ? request.object->id : Id{};
    document = document_number_;
  }
  Outcome outcome;
  outcome.object = request.object;
  outcome.final = request.final;
  outcome.document = document;
  const Object& object = *request.object;
  if (request.final) {
    bool own = false;
    const MeshStore::Polygonised made = meshes_->surface(
        object,
        [&](const std::atomic<bool>& cancel) {
          own = true;
          return surfaces_->final(object, cancel);
        },
        [this] { return cancel_.load(); });
    outcome.mesh = made.mesh;
    // What the drag has made took its time then.
    outcome.milliseconds = own ? surfaces_->milliseconds(object.id) : 1000 * made.seconds;
    outcome.exact = true;
  } else {
    const auto begin = std::chrono::steady_clock::now();
    outcome.mesh = surfaces_->moving(object, quick_, cancel_, outcome.exact);
    outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  if (outcome.mesh && request.final) outcome.closed = is_closed(*outcome.mesh);
  Worker::deliver(this, [this, outcome] { take(outcome); });
  if (outcome.mesh && request.final) measure(outcome);
  const std::lock_guard lock(mutex_);
  running_ = {};
}

/// The next edit calls it off as it would the surface.
void MetaballJob::measure(const Outcome& outcome) {
  const SurfaceError error = surface_error(outcome.object->display.metaballs, *outcome.mesh, kMeasured, &cancel_);
  if (!cancel_) Worker::deliver(this, [this, outcome, error] { take_error(outcome, error); });
}

void MetaballJob::take_error(const Outcome& outcome, const SurfaceError& error) {
  if (outcome.document != document_number_) return;
  const Object& object = *outcome.object;
  const auto made = made_.find(shape_hash(object.display.metaballs));
  if (made != made_.end()) made->second.error = error;
  const Object* now = find_object(document_.scene(), object.id);
  if (!now || !shows_metaballs(*now) || !same_surface(*now, object)) return;
  figures_[object.id].error = error;
  emit figures_changed();
}

void MetaballJob::take(const Outcome& outcome) {
  if (outcome.document != document_number_) return;
  --under_way_;
  if (!outcome.mesh) return;  // what called it off has asked anew
  const Id id = outcome.object->id;
  const Object* now = find_object(document_.scene(), id);
  meshes_->supply_preview(*outcome.object, outcome.mesh);  // shown until what the object becomes next is polygonised
  if (!now || !shows_metaballs(*now)) return;
  const bool newest = same_surface(*now, *outcome.object);
  if (newest) awaited_.erase(id);
  // Late, of a moment that an undo has left: what is shown is in the store already.
  if (!newest && meshes_->ready(*now)) return;
  MetaballFigures& figures = figures_[id];
  figures.triangles = outcome.mesh->faces.size();
  figures.closed = outcome.closed;
  figures.final = outcome.final && newest;
  figures.exact = outcome.exact && newest;
  figures.milliseconds = outcome.milliseconds;
  figures.working = !figures.final;
  figures.error.reset();
  if (outcome.final) {
    if (made_.size() >= kRemembered) made_.erase(made_.begin());
    made_[shape_hash(outcome.object->display.metaballs)] = figures;
  }
  emit supplied(id);
  emit figures_changed();
}

}  // namespace hazumi
