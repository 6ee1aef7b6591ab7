#include "ui/viewport/force_view.h"

#include <cmath>

#include <QPainter>

#include "core/scene/derived/collections.h"
#include "render/convert.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/selection.h"
#include "ui/modes/element_selection.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr double kTipReach = 8, kTipSize = 5;  // logical pixels
}

ForceView::ForceView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture)
    : context_(context), navigation_(navigation), picture_(picture) {}

std::vector<ForceView::Tip> ForceView::tips() const {
  std::vector<Tip> all;
  if (context_.elements.mode()) return all;
  const Scene& scene = context_.keying.shown();
  const Standing standing(scene);
  const FramePtr frame = picture_.frame();
  MeshStore& meshes = context_.document.meshes();
  for (const auto& force : scene.forces) {
    if (!context_.selection.contains(force->id) || standing.locked(*force) || !standing.visible(*force)) continue;
    const auto arrow = force_arrow(scene, *force, frame.get(), meshes);
    if (!arrow) continue;
    const glm::vec3 at = navigation_.camera().project(to_float(arrow->tip), navigation_.size());
    if (!(at.z > 0 && at.z < 1)) continue;
    const double metres = metres_per_newton(scene, *find_object(scene, Id{force->object}), meshes);
    all.push_back({force->id, *arrow, metres, QPointF(at.x, at.y)});
  }
  return all;
}

std::optional<ForceView::Tip> ForceView::tip_at(QPointF mouse) const {
  for (Tip& tip : tips())
    if (std::hypot(tip.at.x() - mouse.x(), tip.at.y() - mouse.y()) <= kTipReach) return tip;
  return std::nullopt;
}

void ForceView::paint(QPainter& painter) const {
  for (const Tip& tip : tips())
    for (const auto& [width, colour] : {std::pair(3.2, QColor(0, 0, 0, 170)), std::pair(1.6, theme_colours().accent)}) {
      painter.setPen(QPen(colour, width));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(tip.at, kTipSize, kTipSize);
    }
}

}  // namespace hazumi
