#include "ui/panels/truss_builder.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/geometry/mesh/winding.h"
#include "core/geometry/truss/cloth_mesh.h"
#include "core/geometry/truss/fit.h"
#include "core/geometry/truss/tetra_fill.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/modes/truss_commands.h"
#include "ui/panels/owners.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

/// Meshes have the object's scale, trusses have not.
void unscale(StrungTruss& truss, const Vec3& scale) {
  for (StrungNode& node : truss.nodes) node.position = node.position.cwiseQuotient(scale);
}

struct Words {
  const char *name, *title, *about, *noun, *count, *start;
  int least, most, first;
};

/// In the order of TrussSource.
constexpr Words kWords[] = {
    {"decimate_dialog", QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Truss from the Mesh of %1"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog",
                       "The display model is simplified to about so many nodes; its edges, and struts "
                       "through the inside, become springs."),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Nodes"), QT_TRANSLATE_NOOP("hazumi::TrussDialog", "About so many nodes"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Make Truss"), 4, 5'000, 60},
    {"fill_dialog", QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Fill %1 with Tetrahedra"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog",
                       "The inside of the display model is filled with tetrahedra; their edges become "
                       "springs. More of them bend more finely and take longer."),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Tetrahedra"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "About so many tetrahedra"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Fill"), 20, 100'000, 1000},
    {"cells_dialog", QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Fill %1 with Voronoi Cells"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog",
                       "The inside of the display model is divided into polyhedra, each of which keeps its shape with "
                       "the solver Polyhedral elements. More of them bend more finely and take longer."),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Cells"), QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Number of cells"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Fill"), kFewestCells, kMostCells, 60},
    {"cloth_dialog", QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Cloth from the Mesh of %1"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog",
                       "The vertices of the display model become nodes, its edges springs; a mesh of more vertices is "
                       "simplified to that many. Bending is against what is flat, whatever the shape of the mesh."),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Nodes"), QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Nodes at most"),
     QT_TRANSLATE_NOOP("hazumi::TrussDialog", "Make Cloth"), kFewestOfCloth, kMostOfCloth, 400},
};

const Words& words(TrussSource source) { return kWords[static_cast<std::size_t>(source)]; }

struct Wanted {
  int count, relaxation, seed;
  bool per_part;
};

/// In the worker. Set `stop`, and it ends soon.
Result<StrungTruss> make(const DisplayMesh& mesh, TrussSource source, const Wanted& wanted,
                         const std::atomic<bool>& stop) {
  if (source == TrussSource::tetrahedra) {
    TetraFillOptions options;
    options.tetrahedra = wanted.count;
    options.cancelled = &stop;
    Result<TetraFill> fill = fill_with_tetrahedra(mesh, options);
    return fill.ok() ? Result<StrungTruss>(std::move(fill.value().truss)) : Result<StrungTruss>(fill.error());
  }
  if (source == TrussSource::voronoi) {
    VoronoiFillOptions options;
    options.cells = wanted.count;
    options.relaxation = wanted.relaxation;
    options.seed = wanted.seed;
    options.cancelled = &stop;
    Result<VoronoiFill> fill = fill_with_cells(mesh, options);
    return fill.ok() ? Result<StrungTruss>(std::move(fill.value().truss)) : Result<StrungTruss>(fill.error());
  }
  if (source == TrussSource::cloth) {
    ClothOptions options;
    options.nodes = wanted.count;
    options.cancelled = &stop;
    return cloth_of_mesh(mesh, options);
  }
  DecimationOptions options;
  options.nodes = wanted.count;
  options.per_part = wanted.per_part;
  options.cancelled = [&stop] { return stop.load(); };
  return truss_by_decimation(mesh, options);
}

void take_truss(Object& object, const std::shared_ptr<const StrungTruss>& truss) {
  object.analysis.strung = truss;
  object.analysis.kind = AnalysisKind::strung;
  // Who fills a body with springs wants it to bend.
  if (body_kind(object.body.kind).turns) object.body.kind = kBendingBody;
}

/// As thick as what contacts allow of triangles of that size: what is folded more tightly contradicts itself.
void take_cloth(Object& object, const std::shared_ptr<const StrungTruss>& truss, const DisplayMesh& mesh, bool filled) {
  constexpr double kThickest = 0.1;  // of an edge
  const double area = measure(mesh).area;
  behave_as_cloth(object, area);
  object.contact.thickness =
      std::min(object.contact.thickness, kThickest * std::sqrt(area / static_cast<double>(truss->nodes.size())));
  object.analysis.strung = truss;
  object.analysis.kind = AnalysisKind::strung;
  if (filled) object.body.volume.of = VolumeOf::surface;
}

}  // namespace

// Dialog --------------------------------------------------------------------------------------------------------------

TrussDialog::TrussDialog(UiContext& context, TrussSource source, Id object, bool closed, QWidget* parent)
    : QDialog(parent), context_(context), source_(source), object_(object) {
  const Words& w = words(source);
  setObjectName(w.name);
  setAttribute(Qt::WA_DeleteOnClose);
  const Object* o = find_object(context.document.scene(), object);
  const QString name = o ? QString::fromStdString(o->name) : QString();
  setWindowTitle(tr(w.title).arg(name));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  auto* about = new QLabel(tr(w.about), this);
  about->setWordWrap(true);
  about->setMinimumWidth(360);
  column->addWidget(about);
  auto* form = new QFormLayout;
  const auto number = [&](const QString& label, const QString& row, int least, int most, int first) {
    auto* field = new NumberField(this);
    field->set_name(label);
    field->set_integer(true);
    field->set_range(least, most);
    field->set_value(first);
    form->addRow(row, field);
    return field;
  };
  count_ = number(tr(w.noun), tr(w.count), w.least, w.most, w.first);
  if (source == TrussSource::voronoi) {
    relaxation_ = number(tr("Relaxation"), tr("Steps of relaxation"), 0, 200, 20);
    relaxation_->setToolTip(tr("How evenly the cells divide the inside: 0 leaves them as they fall."));
    seed_ = number(tr("Seed"), tr("Seed"), 0, 1'000'000, 1);
    seed_->setToolTip(tr("Another number divides the inside otherwise."));
  }
  if (source == TrussSource::decimation) {
    per_part_ = new QCheckBox(tr("every part keeps nodes of its own"), this);
    per_part_->setToolTip(tr("Thin limbs that are parts of the mesh then bend for themselves."));
    form->addRow(QString(), per_part_);
    // A group of metaballs, and most primitives, are one part.
    per_part_->setVisible(o && context.document.meshes().mesh(*o)->parts.size() > 1);
  }
  if (source == TrussSource::cloth && closed) {
    keeps_volume_ = new QCheckBox(tr("Blown up: it keeps its volume"), this);
    keeps_volume_->setToolTip(
        tr("A balloon or a cushion; without that it collapses. Volume, under Properties, Body, says more."));
    form->addRow(QString(), keeps_volume_);
  }
  column->addLayout(form);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(6);
  column->addWidget(progress_);
  message_ = two_line_label("truss_dialog_message", this);
  column->addWidget(message_);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName("truss_dialog_cancel");
  start_ = new QPushButton(tr(w.start), this);
  start_->setObjectName("truss_dialog_start");
  start_->setDefault(true);
  row->addWidget(cancel_);
  row->addWidget(start_);
  column->addLayout(row);
  connect(start_, &QPushButton::clicked, this, &TrussDialog::start);
  connect(cancel_, &QPushButton::clicked, this, &TrussDialog::reject);
  connect(&timer_, &QTimer::timeout, this, &TrussDialog::count_seconds);
  timer_.setInterval(100);
  connect(&context.document, &DocumentController::document_replaced, this, [this] {
    object_ = {};  // what is under way belongs to a scene that is closed
    if (stop_) *stop_ = true;
    QDialog::reject();
  });
  show_running(false);
}

TrussDialog::~TrussDialog() {
  if (stop_) *stop_ = true;
}

void TrussDialog::show_running(bool running) {
  progress_->setVisible(running);
  count_->setEnabled(!running);
  if (per_part_) per_part_->setEnabled(!running);
  if (relaxation_) relaxation_->setEnabled(!running);
  if (seed_) seed_->setEnabled(!running);
  if (keeps_volume_) keeps_volume_->setEnabled(!running);
  start_->setEnabled(!running);
  running ? timer_.start() : timer_.stop();
}

void TrussDialog::count_seconds() {
  message_->setText(tr("Computing for %1 s…").arg(1e-3 * static_cast<double>(clock_.elapsed()), 0, 'f', 1));
}

void TrussDialog::start() {
  const Object* o = find_object(context_.document.scene(), object_);
  if (!o || running()) return;
  auto mesh = context_.document.meshes().mesh(*o);
  const Vec3 scale = o->transform.scale;
  const int wanted = static_cast<int>(count_->value());
  const bool per_part = per_part_ && per_part_->isChecked();
  const int relaxation = relaxation_ ? static_cast<int>(relaxation_->value()) : 0;
  const int seed = seed_ ? static_cast<int>(seed_->value()) : 0;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  clock_.restart();
  show_running(true);
  count_seconds();
  worker_.post([this, mesh, scale, wanted, per_part, relaxation, seed, source = source_, stop = stop_] {
    QElapsedTimer spent;
    spent.start();
    Outcome outcome;
    Result<StrungTruss> made = make(*mesh, source, {wanted, relaxation, seed, per_part}, *stop);
    if (made.ok()) {
      StrungTruss truss = std::move(made).value();
      unscale(truss, scale);
      outcome.truss = std::make_shared<const StrungTruss>(std::move(truss));
    } else {
      outcome.sentence = sentence_of(made.error());
    }
    const double seconds = 1e-3 * static_cast<double>(spent.elapsed());
    Worker::deliver(this, [this, outcome, seconds, stop] {
      if (stop == stop_) take(outcome, seconds);
    });
  });
}

void TrussDialog::take(const Outcome& outcome, double seconds) {
  const bool called_off = *stop_;
  stop_.reset();
  show_running(false);
  if (called_off) return message_->setText(tr("Cancelled."));
  const Object* o = find_object(context_.document.scene(), object_);
  if (!o) return message_->setText(tr("The object is no longer there."));
  if (!outcome.truss) return message_->setText(outcome.sentence);
  const QString name = QString::fromStdString(o->name);
  const bool cells = source_ == TrussSource::voronoi, cloth = source_ == TrussSource::cloth;
  const QString text = cells ? tr("Fill %1 with %2 Voronoi cells").arg(name).arg(outcome.truss->cells.back()[0] + 1)
                       : source_ == TrussSource::tetrahedra
                           ? tr("Fill %1 with %2 tetrahedra").arg(name).arg(outcome.truss->tetrahedra.size())
                       : cloth ? tr("Cloth of %1 from its mesh").arg(name)
                               : tr("Truss of %1 from its mesh").arg(name);
  const Status done = context_.document.edit_object(text, object_, [&](Object& changed) {
    if (cloth)
      return take_cloth(changed, outcome.truss, *context_.document.meshes().mesh(changed),
                        keeps_volume_ && keeps_volume_->isChecked());
    take_truss(changed, outcome.truss);
    if (cells) changed.body.solver = "polyhedral";  // which they are made for
  });
  if (!done.ok()) return message_->setText(sentence_of(done.error()));
  message_->setText(tr("%1 nodes, %2 springs in %3 s.")
                        .arg(outcome.truss->nodes.size())
                        .arg(outcome.truss->springs.size())
                        .arg(seconds, 0, 'f', 1));
  accept();
}

void TrussDialog::reject() {
  if (!running()) return QDialog::reject();
  *stop_ = true;
  timer_.stop();
  message_->setText(tr("Stopping…"));
}

// Buttons -------------------------------------------------------------------------------------------------------------

TrussBuilder::TrussBuilder(UiContext& context, ObjectBinding* binding, QWidget* parent)
    : QWidget(parent), context_(context), binding_(binding) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  const auto button = [&](const char* id, const QString& text) {
    QPushButton* made = action_button(context_.actions[id], text, this);
    column->addWidget(made);
    return made;
  };
  fit_axes_ = button("analysis.fit_axes", tr("Fit Along Principal Axes"));
  decimate_ = button("analysis.decimate", tr("From Display Mesh…"));
  fill_ = button("analysis.fill", tr("Fill with Tetrahedra…"));
  cells_ = button("analysis.cells", tr("Fill with Voronoi Cells…"));
  cloth_ = button("analysis.cloth", tr("Cloth from Display Mesh…"));
  context_.actions.attend(*this, *this);
  refresh();
}

void TrussBuilder::refresh() {
  if (const Object* object = binding_->active()) look_at(*object);
  context_.actions.refresh();
}

QString TrussBuilder::why_not_string() const {
  const Object* object = binding_->active();
  if (!object) return tr("Select an object first.");
  return object->analysis.kind == AnalysisKind::strung ? tr("The truss is strung by hand already.") : QString();
}

QString TrussBuilder::why_not_mesh() const {
  if (!binding_->active()) return tr("Select an object first.");
  const bool seen = looked_at_ && !looked_at_->positions.empty();
  return seen ? QString() : tr("The object has no display model.");
}

QString TrussBuilder::why_not_fit() const {
  const Object* object = binding_->active();
  if (object && object->analysis.kind == AnalysisKind::strung)
    return tr("The truss is strung by hand; choose a shape of the catalogue to fit that.");
  return why_not_mesh();
}

QString TrussBuilder::why_not_fill() const {
  const QString no_mesh = why_not_mesh();
  if (!no_mesh.isEmpty() || surface_ == Surface::closed) return no_mesh;
  return surface_ == Surface::open
             ? tr("The surface of the display model is open: only a closed one has an inside to fill.")
             : tr("Looking whether the surface is closed…");
}

/// A large mesh takes a while to walk over.
void TrussBuilder::look_at(const Object& object) {
  auto mesh = context_.document.meshes().mesh(object);
  if (mesh == looked_at_) return;
  looked_at_ = mesh;
  surface_ = Surface::unknown;
  worker_.clear();
  if (mesh->positions.empty()) return;
  worker_.post([this, mesh] {
    const bool closed = is_closed(*mesh);
    Worker::deliver(this, [this, mesh, closed] {
      if (mesh != looked_at_) return;
      surface_ = closed ? Surface::closed : Surface::open;
      refresh();
    });
  });
}

void TrussBuilder::string() {
  MeshStore& meshes = context_.document.meshes();
  (void)binding_->edit(
      tr("Hand-strung truss"), [&](Object& o) { string_by_hand(o, meshes); }, false, this);
}

void TrussBuilder::fit() {
  MeshStore& meshes = context_.document.meshes();
  (void)binding_->edit(
      tr("Fit analysis model"),
      [&](Object& o) {
        AnalysisModel fitting = fitting_analysis(o, meshes);
        if (o.analysis.kind == AnalysisKind::none) {
          fitting.name = o.analysis.name;
          o.analysis = std::move(fitting);
          return;
        }
        const double height = o.analysis.size.y();
        o.analysis.size = fitting.size;
        o.analysis.offset = fitting.offset;
        // A sheet has no height of its own; the board keeps its thickness.
        if (o.analysis.kind == AnalysisKind::plane_grid && o.display.kind == DisplayKind::primitive &&
            o.display.primitive.shape == PrimitiveShape::plane)
          o.analysis.size.y() = height;
      },
      false, this);
}

void TrussBuilder::fit_axes() {
  MeshStore& meshes = context_.document.meshes();
  QString sentence;
  const bool done = binding_->edit(
      tr("Fit analysis model along the principal axes"),
      [&](Object& o) {
        Object unit = o;
        unit.transform.scale = Vec3::Ones();
        FitOptions options;
        AnalysisModel shape = o.analysis;
        if (shape.kind == AnalysisKind::none || shape.kind == AnalysisKind::strung ||
            shape.kind == AnalysisKind::cloth || shape.kind == AnalysisKind::rope)
          shape = fitting_analysis(o, meshes);
        options.shape = shape.kind == AnalysisKind::plane_grid   ? TrussShape::plane_grid
                        : shape.kind == AnalysisKind::box_grid   ? TrussShape::box_grid
                        : shape.kind == AnalysisKind::octahedron ? TrussShape::octahedron
                                                                 : TrussShape::icosahedron;
        options.divisions = shape.divisions;
        options.frame = FitFrame::principal_axes;
        const Result<TrussFit> fit = fit_truss(*meshes.mesh(unit), options);
        if (!fit.ok()) {
          sentence = sentence_of(fit.error());
          return;
        }
        take_truss(o, std::make_shared<const StrungTruss>(fit->strung));
      },
      false, fit_axes_);
  if (done && !sentence.isEmpty()) Bubble::show_at(fit_axes_, sentence);
}

void TrussBuilder::open(TrussSource source) {
  const Object* object = binding_->active();
  if (!object) return;
  if (dialog_) dialog_->close();
  dialog_ = new TrussDialog(context_, source, object->id, surface_ == Surface::closed, window());
  dialog_->show();
}

}  // namespace hazumi
