// Motion over the picture, of what is selected: the path with a tick for every frame and a handle for every key, ghosts of frames
// before and after, and velocities. What is led is where its keys say, computed or not; the rest where frames that are there
// have it, as a read-out. Of a body that keys lead, the flight besides that it would take if physics had it from the play head on.
#pragma once

#include <optional>
#include <vector>

#include <QObject>
#include <QPointF>

#include "core/playback/frame.h"
#include "core/scene/derived/tracks.h"
#include "render/render_list.h"
#include "ui/jobs/flight_job.h"
#include "ui/model/context.h"

class QPainter;

namespace hazumi {

class MotionView : public QObject {
  Q_OBJECT
 public:
  /// A key of a place, as a handle on the path.
  struct Handle {
    Id object;
    int frame = 0;
    QPointF at;  ///< logical pixels
    Vec3 place = Vec3::Zero();
  };

  MotionView(UiContext& context, QObject* parent);

  bool paths() const { return paths_; }
  void set_paths(bool on);
  bool ghosts() const { return ghosts_; }
  void set_ghosts(bool on);
  bool velocities() const { return velocities_; }
  void set_velocities(bool on);

  bool flies() const { return flies_; }
  void set_flies(bool on);
  const FlightJob& flight_job() const { return flight_; }
  /// Why there is no flight to be taken; empty: there is one.
  QString no_flight() const;
  /// One undo step, whose tolerance F9 changes.
  Status take_flight();

  /// Adds what is on to the list, whose meshes are those of the frame that is shown.
  void draw(RenderList& list) const;
  std::vector<Handle> handles(const ViewCamera& camera, glm::vec2 size) const;
  std::optional<Handle> handle_at(const ViewCamera& camera, glm::vec2 size, QPointF mouse) const;
  void paint(QPainter& painter, const ViewCamera& camera, glm::vec2 size) const;

 signals:
  void changed();

 private:
  struct Walker;
  std::vector<Id> shown() const;
  std::optional<Id> led_body() const;
  void follow();
  void draw_flight(RenderList& list) const;
  void paint_flight(QPainter& painter, const ViewCamera& camera, glm::vec2 size) const;
  void draw_path(RenderList& list, const Walker& walker) const;
  void draw_ghosts(RenderList& list, const Walker& walker) const;
  void draw_velocity(RenderList& list, const Walker& walker) const;

  UiContext context_;
  bool paths_ = false, ghosts_ = false, velocities_ = false, flies_ = false;
  FlightJob flight_;
};

}  // namespace hazumi
