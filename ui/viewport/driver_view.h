// "Show Drivers": which analysis nodes and bones move a display vertex of the active object. Lines from the vertex under the
// mouse (or the one that was clicked) to its nodes, with shares; a click on a node or bone colours the object by how far it
// reaches. The mapping is made in a thread of its own; what is shown follows the frame that is shown.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointF>
#include <QString>

#include "core/geometry/mapping/mapping.h"
#include "render/camera.h"
#include "render/render_list.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QPainter;
class QRectF;

namespace hazumi {

class DriverView : public QObject {
  Q_OBJECT
 public:
  /// What is looked at, and through what.
  struct View {
    ViewCamera camera;
    glm::vec2 size{1};  ///< logical pixels
    FramePtr frame;     ///< null: the pose as authored
  };
  struct Driver {
    bool bone = false;
    std::uint32_t number = 0;  ///< node, or Bone::id
    friend bool operator==(const Driver&, const Driver&) = default;
  };

  DriverView(UiContext& context, QObject* parent);

  bool on() const { return on_; }
  void set_on(bool on);
  bool ready() const { return mapping_ != nullptr; }
  QString hint() const;

  /// The mouse is here (`list`: what is drawn). True: something else is shown now.
  bool hover(const RenderList& list, const View& view, QPointF mouse);
  void leave();
  /// True: taken (a node, a bone, or a vertex of the active object).
  bool click(const RenderList& list, const View& view, QPointF mouse);
  /// Gives the object the colours of the chosen driver.
  void colour(RenderList& list) const;
  void paint(QPainter& painter, const View& view, const QRectF& area) const;

  std::optional<std::size_t> vertex() const { return pinned_ ? pinned_ : hovered_; }
  std::optional<Driver> chosen() const { return chosen_; }
  /// Nodes of the vertex that is shown, heaviest first, and its bones.
  std::vector<NodeWeight> nodes() const;
  std::vector<BoneWeight> bones() const;
  /// Where it is on the screen; nothing behind the eye.
  std::optional<QPointF> node_pixel(const View& view, std::uint32_t node) const;
  std::optional<QPointF> vertex_pixel(const View& view, std::size_t vertex) const;

 signals:
  void changed();

 private:
  void update();
  void choose(std::optional<Driver> driver);
  const Object* object() const;
  Pose pose(const View& view) const;
  Vec3 vertex_at(const View& view, std::size_t vertex) const;
  Vec3 node_at(const View& view, std::uint32_t node) const;
  std::optional<std::size_t> vertex_under(const RenderList& list, const View& view, QPointF mouse) const;
  std::optional<Driver> driver_under(const View& view, QPointF mouse) const;
  std::vector<Vec3> bone_ends(const View& view) const;  ///< head and tail of each bone, world; empty without skeleton

  UiContext context_;
  bool on_ = false;
  Id id_;  ///< the object that the mapping is of
  std::shared_ptr<const Mapping> mapping_;
  std::shared_ptr<const DisplayMesh> mesh_, heat_;
  double heat_most_ = 0;  ///< share that the hottest colour stands for
  Truss truss_;
  std::vector<Bone> bones_;  ///< scaled
  std::uint64_t key_ = 0;
  quint64 request_ = 0;
  std::optional<std::size_t> hovered_, pinned_;
  std::optional<Driver> chosen_;
  Worker worker_;  ///< last: ends before what it delivers to
};

}  // namespace hazumi
