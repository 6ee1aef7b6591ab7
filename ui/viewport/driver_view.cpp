#include "ui/viewport/driver_view.h"

#include <algorithm>
#include <cmath>

#include <QLinearGradient>
#include <QPainter>

#include "core/geometry/mapping/skeleton.h"
#include "core/sim/body_mapping.h"
#include "render/picking.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/tools/transform_math.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostNodes = 8;  // lines from one vertex; a lattice has more drivers than one can read
constexpr double kReach = 9;           // pixels around a node that a click still takes

/// Blue over green and yellow to red, 0…1.
QColor heat_colour(double t) {
  return QColor::fromHsvF(static_cast<float>(0.66 * (1 - std::clamp(t, 0.0, 1.0))), 0.82f,
                          static_cast<float>(0.55 + 0.4 * t));
}

Vec3f linear(const QColor& c) {
  const auto one = [](double x) { return static_cast<float>(std::pow(x, 2.2)); };
  return {one(c.redF()), one(c.greenF()), one(c.blueF())};
}

double length(QPointF p) { return std::hypot(p.x(), p.y()); }

double distance_to_segment(QPointF p, QPointF a, QPointF b) {
  const QPointF e = b - a;
  const double square = QPointF::dotProduct(e, e);
  const double t = square > 0 ? std::clamp(QPointF::dotProduct(p - a, e) / square, 0.0, 1.0) : 0.0;
  return length(p - a - t * e);
}

std::optional<QPointF> on_screen(const DriverView::View& view, const Vec3& world) {
  const glm::vec3 p = view.camera.project(to_float(world), view.size);
  if (!(p.z > 0 && p.z < 1)) return std::nullopt;
  return QPointF(p.x, p.y);
}

void draw_label(QPainter& painter, QPointF at, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const QRectF plate(at + QPointF(8, -metrics.height() / 2 - 1),
                     QSizeF(metrics.horizontalAdvance(text) + 10, metrics.height() + 2));
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 205));
  painter.drawRoundedRect(plate, 4, 4);
  painter.setPen(theme_colours().text);
  painter.drawText(plate, Qt::AlignCenter, text);
}

QString percent(double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'f', share < 0.0995 ? 1 : 0); }

}  // namespace

DriverView::DriverView(UiContext& context, QObject* parent) : QObject(parent), context_(context) {
  connect(&context.document, &DocumentController::changed, this, &DriverView::update);
  connect(&context.document, &DocumentController::document_replaced, this, &DriverView::update);
  connect(&context.selection, &Selection::changed, this, &DriverView::update);
}

void DriverView::set_on(bool on) {
  if (on == on_) return;
  on_ = on;
  update();
  emit changed();
}

const Object* DriverView::object() const { return find_object(context_.document.scene(), context_.selection.active()); }

void DriverView::update() {
  const Object* active = on_ ? object() : nullptr;
  const bool any =
      active != nullptr && body_kind(active->body.kind).deforms && active->analysis.kind != AnalysisKind::none;
  if (!any || active->id != id_) {
    mapping_.reset();
    heat_.reset();
    hovered_.reset();
    pinned_.reset();
    chosen_.reset();
    key_ = 0;
  }
  worker_.clear();
  ++request_;
  id_ = any ? active->id : Id{};
  if (!any) return;
  // The mesh is in the cache already: it is being drawn.
  worker_.post(
      [this, copy = *active, mesh = context_.document.meshes().mesh(*active), known = key_, request = request_] {
        Truss truss = object_truss(copy, *mesh);
        const MappingSettings settings = scaled_mapping(copy);
        const std::uint64_t key = mapping_key(settings, *mesh, truss);
        if (key == known || worker_.cancelled()) return;
        auto mapping = make_mapping(settings, *mesh, truss).mapping;
        Worker::deliver(this, [this, mesh, mapping, key, request, truss = std::move(truss), bones = settings.bones] {
          if (request != request_) return;
          mapping_ = mapping;
          mesh_ = mesh;
          truss_ = truss;
          bones_ = bones;
          key_ = key;
          hovered_.reset();
          if (pinned_ && *pinned_ >= mesh->positions.size()) pinned_.reset();
          choose(chosen_);
          emit changed();
        });
      });
}

QString DriverView::hint() const {
  const Object* active = object();
  if (active == nullptr) return tr("Show Drivers: select a flexible object");
  const QString name = QString::fromStdString(active->name);
  if (!body_kind(active->body.kind).deforms)
    return tr("Show Drivers: %1 does not bend; nothing drives single vertices of it").arg(name);
  if (!mapping_) return tr("Show Drivers: finding out what moves %1…").arg(name);
  if (chosen_) return tr("Colours show how far the chosen driver reaches · click it again to leave it");
  if (pinned_) return tr("Click the vertex again to let it go · click a node or bone to see how far it reaches");
  return tr("Point at %1 to see what moves a vertex · click keeps it · click a node or bone to see how far it reaches")
      .arg(name);
}

Pose DriverView::pose(const View& view) const {
  if (const ObjectFrame* shown = view.frame ? view.frame->find(id_) : nullptr)
    return {shown->position.cast<double>(), shown->rotation.cast<double>().normalized()};
  const Object* active = object();
  return active ? Pose{active->transform.position, active->transform.rotation.normalized()} : Pose();
}

Vec3 DriverView::vertex_at(const View& view, std::size_t vertex) const {
  const ObjectFrame* shown = view.frame ? view.frame->find(id_) : nullptr;
  if (shown && shown->deformed && vertex < shown->vertices.size()) return shown->vertices[vertex].cast<double>();
  return pose(view) * mesh_->positions[vertex];
}

Vec3 DriverView::node_at(const View& view, std::uint32_t node) const {
  const ObjectFrame* shown = view.frame ? view.frame->find(id_) : nullptr;
  if (shown && node < shown->nodes.size()) return shown->nodes[node].cast<double>();
  return pose(view) * truss_.nodes[node];
}

std::vector<Vec3> DriverView::bone_ends(const View& view) const {
  std::vector<Vec3> ends;
  const auto* skeleton = dynamic_cast<const SkeletonMapping*>(mapping_.get());
  if (skeleton == nullptr) return ends;
  std::vector<Vec3> nodes;
  for (std::uint32_t i = 0; i < truss_.nodes.size(); ++i) nodes.push_back(node_at(view, i));
  const Pose place = pose(view);
  const auto motions = skeleton->bone_motions(nodes, {place * reference_origin(truss_), place.rotation});
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    ends.push_back(motions[b] * bones_[b].head);
    ends.push_back(motions[b] * bones_[b].tail);
  }
  return ends;
}

std::optional<QPointF> DriverView::node_pixel(const View& view, std::uint32_t node) const {
  return node < truss_.nodes.size() ? on_screen(view, node_at(view, node)) : std::nullopt;
}

std::optional<QPointF> DriverView::vertex_pixel(const View& view, std::size_t vertex) const {
  return mesh_ && vertex < mesh_->positions.size() ? on_screen(view, vertex_at(view, vertex)) : std::nullopt;
}

std::vector<NodeWeight> DriverView::nodes() const {
  return mapping_ && vertex() ? node_shares(mapping_->drivers(*vertex()), kMostNodes) : std::vector<NodeWeight>();
}

std::vector<BoneWeight> DriverView::bones() const {
  return mapping_ && vertex() ? mapping_->drivers(*vertex()).bones : std::vector<BoneWeight>();
}

std::optional<std::size_t> DriverView::vertex_under(const RenderList& list, const View& view, QPointF mouse) const {
  const auto hit = pick(list, context_.document.scene(), view.camera,
                        {static_cast<float>(mouse.x()), static_cast<float>(mouse.y())}, view.size);
  if (!hit || hit->id != id_) return std::nullopt;
  const Vec3 place(hit->point.x, hit->point.y, hit->point.z);
  std::optional<std::size_t> best;
  double least = 1e300;
  for (std::size_t v = 0; v < mesh_->positions.size(); ++v) {
    const double d = (vertex_at(view, v) - place).squaredNorm();
    if (d < least) least = d, best = v;
  }
  return best;
}

std::optional<DriverView::Driver> DriverView::driver_under(const View& view, QPointF mouse) const {
  std::optional<Driver> best;
  double least = kReach;
  // With a vertex shown its own nodes are what one means; hidden ones lie behind them.
  std::vector<std::uint32_t> candidates;
  for (const NodeWeight& w : nodes()) candidates.push_back(w.node);
  if (candidates.empty())
    for (std::uint32_t i = 0; i < truss_.nodes.size(); ++i) candidates.push_back(i);
  for (std::uint32_t i : candidates)
    if (const auto at = node_pixel(view, i); at && length(*at - mouse) < least) {
      least = length(*at - mouse);
      best = Driver{false, i};
    }
  if (best) return best;
  const auto ends = bone_ends(view);
  for (std::size_t b = 0; b < ends.size() / 2; ++b) {
    const auto head = on_screen(view, ends[2 * b]), tail = on_screen(view, ends[2 * b + 1]);
    if (head && tail && distance_to_segment(mouse, *head, *tail) < std::min(least, 6.0)) {
      least = distance_to_segment(mouse, *head, *tail);
      best = Driver{true, bones_[b].id};
    }
  }
  return best;
}

bool DriverView::hover(const RenderList& list, const View& view, QPointF mouse) {
  if (!on_ || !mapping_ || pinned_) return false;
  // On the way from the vertex to one of its nodes the lines stay.
  if (hovered_ && driver_under(view, mouse)) return false;
  const auto now = vertex_under(list, view, mouse);
  if (now == hovered_) return false;
  hovered_ = now;
  return true;
}

void DriverView::leave() {
  if (!hovered_) return;
  hovered_.reset();
  emit changed();
}

bool DriverView::click(const RenderList& list, const View& view, QPointF mouse) {
  if (!on_ || !mapping_) return false;
  if (const auto driver = driver_under(view, mouse)) {
    choose(chosen_ == driver ? std::nullopt : driver);
    emit changed();
    return true;
  }
  const auto now = vertex_under(list, view, mouse);
  if (!now && !pinned_) return false;
  pinned_ = now == pinned_ ? std::nullopt : now;
  hovered_ = now;
  emit changed();
  return true;
}

void DriverView::choose(std::optional<Driver> driver) {
  chosen_ = driver;
  heat_.reset();
  if (!chosen_ || !mapping_) return;
  if (!chosen_->bone && chosen_->number >= truss_.nodes.size()) {
    chosen_.reset();
    return;
  }
  std::vector<float> heat(mesh_->positions.size());
  chosen_->bone ? mapping_->bone_heat(chosen_->number, heat) : mapping_->node_heat(chosen_->number, heat);
  float most = 0;
  for (float& h : heat) most = std::max(most, h = std::abs(h));
  heat_most_ = most;
  auto coloured = std::make_shared<DisplayMesh>(*mesh_);
  coloured->looks.resize(heat.size());
  coloured->texture.clear();
  for (std::size_t v = 0; v < heat.size(); ++v) {
    const Vec3f colour = linear(heat_colour(most > 0 ? static_cast<double>(heat[v] / most) : 0.0));
    coloured->looks[v] = {0.6f * colour, colour, Vec3f::Constant(0.05f), 8};
  }
  heat_ = std::move(coloured);
}

void DriverView::colour(RenderList& list) const {
  if (!on_ || !heat_) return;
  for (DrawMesh& mesh : list.meshes)
    if (mesh.id == id_ && mesh.mesh && mesh.mesh->positions.size() == heat_->positions.size()) mesh.mesh = heat_;
}

void DriverView::paint(QPainter& painter, const View& view, const QRectF& area) const {
  if (!on_ || !mapping_) return;
  const ThemeColours& colours = theme_colours();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = painter.font();
  font.setPixelSize(12);
  painter.setFont(font);

  const auto ends = bone_ends(view);
  const auto own_bones = bones();
  for (std::size_t b = 0; b < ends.size() / 2; ++b) {
    const auto head = on_screen(view, ends[2 * b]), tail = on_screen(view, ends[2 * b + 1]);
    if (!head || !tail) continue;
    double share = 0;
    for (const BoneWeight& w : own_bones)
      if (w.bone == bones_[b].id) share = w.weight;
    const bool chosen = chosen_ == Driver{true, bones_[b].id};
    QColor colour = chosen ? colours.accent : QColor(0xd8, 0xdc, 0xe2);
    colour.setAlphaF(chosen || share > 0 ? 0.95f : 0.45f);
    painter.setPen(QPen(QColor(0, 0, 0, 110), 4 + 5 * share, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(*head, *tail);
    painter.setPen(QPen(colour, 2 + 5 * share, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(*head, *tail);
    if (share > 0.005)
      draw_label(painter, 0.5 * (*head + *tail),
                 QStringLiteral("%1 · %2").arg(QString::fromStdString(bones_[b].name), percent(share)));
  }

  if (const auto at = vertex() ? vertex_pixel(view, *vertex()) : std::nullopt) {
    const auto shares = nodes();
    for (const NodeWeight& w : shares)
      if (const auto node = node_pixel(view, w.node)) {
        painter.setPen(QPen(QColor(0, 0, 0, 120), 2.5 + 4 * w.weight));
        painter.drawLine(*at, *node);
        painter.setPen(QPen(heat_colour(0.25 + 0.75 * w.weight), 1 + 4 * w.weight));
        painter.drawLine(*at, *node);
      }
    for (const NodeWeight& w : shares)
      if (const auto node = node_pixel(view, w.node)) {
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
        painter.setBrush(heat_colour(0.25 + 0.75 * w.weight));
        painter.drawEllipse(*node, 3.5 + 4 * w.weight, 3.5 + 4 * w.weight);
        if (own_bones.empty() && w.weight >= 0.02) draw_label(painter, *node, percent(w.weight));
      }
    painter.setPen(QPen(pinned_ ? colours.accent : QColor(Qt::white), 2));
    painter.setBrush(QColor(0x17, 0x18, 0x1a, 220));
    painter.drawEllipse(*at, 4.5, 4.5);
  }

  if (chosen_ && heat_) {
    if (const auto node = chosen_->bone ? std::nullopt : node_pixel(view, chosen_->number)) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(colours.accent, 2.5));
      painter.drawEllipse(*node, 9, 9);
    }
    // What the colours mean.
    QString name = tr("Node %1").arg(chosen_->number);
    for (const Bone& bone : bones_)
      if (chosen_->bone && bone.id == chosen_->number) name = QString::fromStdString(bone.name);
    const QRectF bar(area.left() + 14, area.bottom() - 62, 150, 9);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0x17, 0x18, 0x1a, 205));
    painter.drawRoundedRect(bar.adjusted(-8, -22, 8, 20), 5, 5);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int k = 0; k <= 8; ++k) gradient.setColorAt(k / 8.0, heat_colour(k / 8.0));
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setPen(colours.text);
    painter.drawText(bar.adjusted(0, -20, 0, -9), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, 150));
    painter.setPen(colours.quiet_text);
    painter.drawText(bar.adjusted(0, 9, 0, 18), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(bar.adjusted(0, 9, 0, 18), Qt::AlignRight | Qt::AlignVCenter, percent(heat_most_));
  }
  painter.restore();
}

}  // namespace hazumi
