#include "ui/jobs/elastic_pictures.h"

#include <algorithm>

#include <QPainter>
#include <QPolygonF>

#include "core/geometry/truss/truss.h"
#include "core/sim/elastic/setup.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const Vec3 kBar(1, 0.24, 0.24);     // m
constexpr double kMass = 1;         // kg
constexpr double kStiffness = 130;  // N/m, of each spring
constexpr double kDamping = 0.6;    // N s/m
constexpr double kPull = 9.8;       // m/s², for the first half of a loop
constexpr int kSubsteps = 12;       // a picture

ElasticSetup bar() {
  Truss truss = make_truss({.shape = TrussShape::box_grid, .divisions = {6, 2, 2}, .size = kBar});
  for (double& m : truss.masses) m *= kMass;
  for (Spring& s : truss.springs) {
    s.stiffness *= kStiffness;
    s.damping *= kDamping;
  }
  ElasticSetup setup = setup_of_truss(truss, 1.0 / (kElasticRate * kSubsteps));
  setup.spring_section = 1e-4;  // springs as they are given, not of a substance
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].x() < -0.49 * kBar.x()) setup.pinned.push_back(i);
  return setup;
}

/// The side towards the eye, cell by cell.
QImage picture_of(const ElasticSetup& setup, const std::vector<Vec3>& nodes, const QSize& size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  const ThemeColours& colours = theme_colours();
  image.fill(colours.base);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  const double scale = 0.78 * size.width() / kBar.x();
  const auto at = [&](const Vec3& x) {
    return QPointF(0.1 * size.width() + scale * (x.x() + 0.5 * kBar.x()), 0.28 * size.height() - scale * x.y());
  };
  painter.fillRect(QRectF(0, 0, 0.1 * size.width(), size.height()), colours.raised);
  painter.setPen(QPen(colours.border, std::max(1.0, size.width() / 160.0)));
  painter.setBrush(colours.computed);
  for (const auto& cell : setup.cells) {
    bool front = true;
    QPolygonF side;
    for (const std::size_t corner : {4u, 5u, 7u, 6u}) {
      front = front && setup.nodes[cell[corner]].z() > 0.49 * kBar.z();
      side << at(nodes[cell[corner]]);
    }
    if (front) painter.drawPolygon(side);
  }
  return image;
}

}  // namespace

QVector<QImage> elastic_pictures(const ElasticSolverInfo& solver, const QSize& size) {
  const ElasticSetup setup = bar();
  auto made = solver.make(setup);
  if (!made.ok()) return {};
  const ElasticSolver& body = **made;
  std::vector<double> state(body.state_size());
  body.initialise({}, Vec3::Zero(), Vec3::Zero(), state);
  const std::vector<Vec3> none(setup.nodes.size(), Vec3::Zero());
  std::vector<Vec3> nodes(setup.nodes.size());
  ElasticWorkspace workspace;
  QVector<QImage> pictures;
  for (int k = 0; k < kElasticPictures; ++k) {
    body.positions(state, nodes);
    pictures << picture_of(setup, nodes, size);
    const Vec3 pull(0, 2 * k < kElasticPictures ? -kPull : 0, 0);
    for (int n = 0; n < kSubsteps; ++n)
      if (!body.step(state, none, pull, workspace)) return pictures;
  }
  return pictures;
}

void ElasticPictures::want() {
  if (begun_) return;
  begun_ = true;
  for (const ElasticSolverInfo* solver : elastic_solvers())
    worker_.post([this, solver] {
      const QVector<QImage> pictures = elastic_pictures(*solver, size_);
      const QString name = text_of(solver->name);
      Worker::deliver(this, [this, name, pictures] {
        made_[name] = pictures;
        emit ready(name);
      });
    });
}

const QVector<QImage>& ElasticPictures::of(const QString& solver) const {
  static const QVector<QImage> none;
  const auto at = made_.find(solver);
  return at == made_.end() ? none : at->second;
}

}  // namespace hazumi
