#include "ui/jobs/flight_job.h"

#include <algorithm>
#include <chrono>

#include <QPointer>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/diff.h"
#include "ui/model/baking.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace hazumi {

namespace {

constexpr int kFlightRest = 150;                        // ms
constexpr int kLongestFlight = 600;                     // frames
constexpr std::chrono::milliseconds kFlightShown{100};  // between two looks at what is done of it

}  // namespace

FlightJob::FlightJob(DocumentController& document, PlaybackController& playback, QObject* parent)
    : QObject(parent), document_(document), playback_(playback) {
  rest_.setSingleShot(true);
  rest_.setInterval(kFlightRest);
  connect(&rest_, &QTimer::timeout, this, &FlightJob::begin);
  connect(&document_, &DocumentController::changed, this, [this](const ChangeSet& change) {
    if (change.first_frame != kNoFrame || change.settings) begin_anew();
  });
  connect(&document_, &DocumentController::document_replaced, this, [this] { want({}); });
  connect(&playback_, &PlaybackController::frame_changed, this, &FlightJob::begin_anew);
  connect(&playback_, &PlaybackController::playing_changed, this, &FlightJob::begin_anew);
}

FlightJob::~FlightJob() { cancel(); }

void FlightJob::want(std::optional<Id> body) {
  if (body == body_) return;
  body_ = body;
  begin_anew();
}

void FlightJob::cancel() {
  rest_.stop();
  if (stop_) *stop_ = true;
  stop_.reset();
}

void FlightJob::begin_anew() {
  cancel();
  if (flight_) {
    flight_.reset();
    emit changed();
  }
  if (body_ && !playback_.playing()) rest_.start();
}

/// From the frame before: in its last sub-step keys have the body still.
void FlightJob::begin() {
  const int from = std::max(0, playback_.frame() - 1);
  stop_ = std::make_shared<std::atomic<bool>>(false);
  playback_.want_state(
      from,
      [here = QPointer<FlightJob>(this), from, stop = stop_](std::shared_ptr<const Model> model,
                                                             std::shared_ptr<const State> state) {
        if (!here || stop != here->stop_) return;
        if (state && model->signature == simulation_signature(here->document_.scene()))
          here->run(model, state, from);
        else
          here->stop_.reset();
      },
      [stop = stop_] { return stop->load(); });
}

void FlightJob::run(const std::shared_ptr<const Model>& model, const std::shared_ptr<const State>& state, int from) {
  const Scene& scene = document_.scene();
  const int first = playback_.frame(), last = std::min(scene.settings.last_frame, first + kLongestFlight);
  const double frame_rate = scene.settings.frame_rate;
  const Id body = *body_;
  flight_ = PhysicsFlight{body, first, {}, false};
  Scene free = let_go_for_good(scene, body, first / frame_rate);
  worker_.post([this, stop = stop_, meshes = document_.mesh_store(), free = std::move(free), model, state, from, first,
                last, frame_rate, body] {
    const auto cancelled = [&] { return stop->load(); };
    std::vector<MotionSample> way;
    const auto tell = [&](bool complete) {
      Worker::deliver(this, [this, stop, way, complete] {
        if (stop == stop_) take(way, complete);
      });
    };
    if (cancelled()) return;
    const auto surfaces = meshes->prepare(free, 1, cancelled);
    if (!surfaces) return;
    const auto compiled = compile(free, *meshes, model.get());
    if (!compiled.ok()) return tell(true);
    Simulator simulator(compiled.value(), 1);
    simulator.add_checkpoint(from, *state);
    if (!simulator.state_at(from, cancelled)) return;
    simulator.set_checkpoint_budget(1);  // it never goes back
    auto told = std::chrono::steady_clock::now();
    for (int frame = first; frame <= last && simulator.state_at(frame, cancelled); ++frame) {
      const Frame made = simulator.frame_at(frame);
      const ObjectFrame* own = made.find(body);
      if (!own || !own->present) break;
      way.push_back({frame / frame_rate, {own->position.cast<double>(), own->rotation.cast<double>().normalized()}});
      if (std::chrono::steady_clock::now() - told < kFlightShown) continue;
      tell(false);
      told = std::chrono::steady_clock::now();
    }
    if (!cancelled()) tell(true);
  });
}

void FlightJob::take(std::vector<MotionSample> way, bool complete) {
  flight_->way = std::move(way);
  flight_->complete = complete;
  if (complete) stop_.reset();
  emit changed();
}

}  // namespace hazumi
