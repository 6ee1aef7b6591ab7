#include "ui/viewport/pull_view.h"

#include <algorithm>
#include <limits>

#include <QAction>
#include <QPainter>

#include "core/scene/derived/joined.h"
#include "render/extract_parts.h"
#include "render/joint_symbols.h"
#include "render/picking.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_map.h"
#include "ui/model/keying.h"
#include "ui/model/live_pull.h"
#include "ui/model/playback_controller.h"
#include "ui/tools/transform_math.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const QColor kPullColour(0xff, 0xa8, 0x40);

/// The point of a triangle that is nearest to p, as weights of its corners.
Vec3 nearest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a, w = p - a;
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v);
  const double square = uu * vv - uv * uv;
  if (!(square > 0)) return Vec3(1, 0, 0);
  Vec3 weights;
  weights[1] = (vv * wu - uv * wv) / square;
  weights[2] = (uu * wv - uv * wu) / square;
  weights[0] = 1 - weights[1] - weights[2];
  weights = weights.cwiseMax(0.0);
  return weights / weights.sum();
}

/// Where on the body as it lies at the start that is which is at `at` on its bent skin.
Vec3 place_at_start(const Object& object, const DisplayMesh& mesh, const ObjectFrame& bent, const Vec3& at) {
  Vec3 found = Vec3::Zero();
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& face : mesh.faces) {
    Vec3 now[3], start[3];
    for (int k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(face[static_cast<std::size_t>(k)]);
      now[k] = bent.vertices[v].cast<double>();
      start[k] = mesh.positions[v];
    }
    const Vec3 w = nearest_weights(at, now[0], now[1], now[2]);
    const double apart = (w[0] * now[0] + w[1] * now[1] + w[2] * now[2] - at).squaredNorm();
    if (!(apart < nearest)) continue;
    nearest = apart;
    found = w[0] * start[0] + w[1] * start[1] + w[2] * start[2];
  }
  return found.cwiseQuotient(object.transform.scale);
}

QString force_text(double newtons) {
  if (newtons >= 9950) return QStringLiteral("%1 kN").arg(newtons / 1000, 0, 'f', 1);
  return QStringLiteral("%1 N").arg(newtons, 0, newtons < 9.95 ? 'g' : 'f', newtons < 9.95 ? 2 : 0);
}

}  // namespace

PullView::PullView(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture)
    : context_(context), navigation_(navigation), picture_(picture) {}

bool PullView::press(QPointF mouse) {
  const Scene& scene = context_.keying.shown();
  RenderList only;
  only.meshes = picture_.list().meshes;
  only.depths = picture_.list().depths;
  const FramePtr frame = context_.playback.shown();
  const auto hit = pick(only, scene, navigation_.camera(), to_glm(mouse), navigation_.size());
  const Object* object = hit ? find_object(scene, hit->id) : nullptr;
  if (!object || !frame) return false;
  taken_ = to_double(hit->point);
  Transform now = object->transform;
  const ObjectFrame* moved = frame->find(object->id);
  const auto mesh = context_.document.meshes().mesh(*object);
  Vec3 place = place_of_end(now, taken_);
  if (moved && moved->deformed && moved->vertices.size() == mesh->positions.size()) {
    place = place_at_start(*object, *mesh, *moved, taken_);
  } else if (moved) {
    now.position = moved->position.cast<double>();
    now.rotation = moved->rotation.cast<double>().normalized();
    place = place_of_end(now, taken_);
  }
  const QString why = context_.pull.take(object->id, place, taken_);
  if (why.isEmpty()) return true;
  emit context_.document.told(why);
  return false;
}

void PullView::move(QPointF mouse) {
  if (!context_.pull.holds()) return;
  const ViewCamera& camera = navigation_.camera();
  if (const auto at = on_plane(camera.ray(to_glm(mouse), navigation_.size()), taken_, to_double(camera.forward())))
    context_.pull.move(*at);
}

void PullView::release() { context_.pull.let_go(); }

QString PullView::hint() const {
  return QStringLiteral("Release to let it fly on · Esc takes the pull back · %1 keeps it")
      .arg(keys_on_screen({context_.actions["play.keep_pull"]->shortcut()}));
}

void PullView::paint(QPainter& painter) const {
  const Joint* joint = context_.pull.held();
  const FramePtr frame = picture_.frame();
  if (!joint || !frame) return;
  const auto places = shown_joint(context_.keying.shown(), *joint, frame.get(), context_.document.meshes());
  if (!places) return;
  const auto seen = [&](const Vec3& at) { return navigation_.camera().project(to_float(at), navigation_.size()); };
  const glm::vec3 a = seen(places->a), b = seen(context_.pull.target());
  if (!(a.z > 0 && a.z < 1 && b.z > 0 && b.z < 1)) return;
  const QPointF from(a.x, a.y), to(b.x, b.y);
  for (const auto& [width, colour] : {std::pair(4.0, QColor(0, 0, 0, 150)), std::pair(2.0, kPullColour)}) {
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(from, to);
    painter.drawEllipse(to, 6, 6);
  }
  painter.setBrush(kPullColour);
  painter.drawEllipse(from, 3, 3);
  // Of all that pulls in this frame it has the highest id: made last.
  double force = 0;
  if (frame->joints)
    for (const FrameJoint& one : *frame->joints)
      if (!find_joint(context_.document.scene(), one.joint)) force = one.holds ? static_cast<double>(one.force) : 0;
  const QString text = force_text(force);
  const QRectF box = painter.fontMetrics().boundingRect(text).adjusted(-5, -2, 5, 2);
  const QRectF label = box.translated(to + QPointF(14, -10) - QPointF(box.left(), 0));
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 150));
  painter.drawRoundedRect(label, 4, 4);
  painter.setPen(QColor(0xf4, 0xf5, 0xf7));
  painter.drawText(label, Qt::AlignCenter, text);
}

}  // namespace hazumi
