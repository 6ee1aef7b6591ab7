#include "ui/panels/analysis_panel.h"

#include <cmath>

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSlider>
#include <QStyleOptionSlider>

#include "core/scene/derived/own_weight.h"
#include "ui/jobs/metaball_job.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/truss_commands.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/panels/pose_section.h"
#include "ui/panels/strung_section.h"
#include "ui/panels/truss_builder.h"
#include "ui/panels/vibration_section.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/variant_row.h"
#include "ui/widgets/vibration_plot.h"

namespace hazumi {

namespace {

constexpr std::size_t kMeasuredAtOnce = 20000;  // faces: in some milliseconds

// The slider covers what animation uses, five powers of ten; a typed value may lie beyond.
constexpr double kSoftest = 1, kHardest = 1e6;  // N/m
constexpr int kSteps = 1000;
constexpr double kSunkTold = 0.25;  // of its height: less is what soft means

int slider_position(double stiffness) {
  const double share = std::log(stiffness / kSoftest) / std::log(kHardest / kSoftest);
  return static_cast<int>(std::lround(kSteps * (1 - std::clamp(share, 0.0, 1.0))));
}

double slider_stiffness(int position) {
  const double k = kSoftest * std::pow(kHardest / kSoftest, 1 - double(position) / kSteps);
  return QString::number(k, 'g', 3).toDouble();
}

/// A slider whose handle jumps to the click, as one expects of a scale.
class JumpSlider : public QSlider {
 public:
  using QSlider::QSlider;
  std::function<void()> on_press;

 protected:
  void mousePressEvent(QMouseEvent* event) override {
    if (on_press) on_press();
    if (event->button() == Qt::LeftButton) {
      QStyleOptionSlider option;
      initStyleOption(&option);
      const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
      if (!handle.contains(event->position().toPoint())) {
        const int span = width() - handle.width();
        setValue(QStyle::sliderValueFromPosition(minimum(), maximum(),
                                                 static_cast<int>(event->position().x()) - handle.width() / 2, span));
      }
    }
    QSlider::mousePressEvent(event);
  }
  void wheelEvent(QWheelEvent* event) override { hasFocus() ? QSlider::wheelEvent(event) : event->ignore(); }
};

}  // namespace

AnalysisPanel::AnalysisPanel(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), binding_(new ObjectBinding(context, this)) {
  page_ = new PanelPage("analysis",
                        tr("Select an object to give it an analysis model: the nodes and springs that move it."), this);
  QWidget* content = page_->content();
  add_softness();
  QGridLayout* motion = make_form_grid(page_->add_section(tr("Moves as")));
  bodies_ = new Segments({{tr("Fixed"), "fixed", tr("Stays where it is; others can hit it.")},
                          {tr("Point"), "point", tr("Moves without turning.")},
                          {tr("Rigid"), "rigid", tr("Moves and turns, does not bend.")},
                          {tr("Flexible"), "flexible", tr("Moves, turns and bends: nodes and springs.")}},
                         true, content);
  bodies_->setObjectName("body_kinds");
  motion->addWidget(bodies_, 0, 0, 1, 2);
  unused_ = new QLabel(tr("Its truss is not used: only a flexible body bends."), content);
  unused_->setObjectName("truss_unused");
  unused_->setWordWrap(true);
  QPalette warning = unused_->palette();
  warning.setColor(QPalette::WindowText, theme_colours().warning);
  unused_->setPalette(warning);
  motion->addWidget(unused_, 1, 0, 1, 2);
  mass_ = binding_->add_row("body.mass", motion, content);
  binding_->add_row("body.mass_source", motion, content);
  binding_->add_row("body.shell", motion, content);
  mass_note_ = new QLabel(content);
  mass_note_->setObjectName("mass_note");
  mass_note_->setWordWrap(true);
  mass_note_->setPalette(warning);
  motion->addWidget(mass_note_, motion->rowCount(), 0, 1, 2);

  QGridLayout* shape = make_form_grid(page_->add_section(tr("Truss")));
  kinds_ = new Segments(
      {{tr("None"), "close", tr("No analysis model.")},
       {tr("Plane"), "plane", tr("Plane grid: a board, one cell thick.")},
       {tr("Box"), "grid", tr("Box grid: cells with all their diagonals.")},
       {tr("Octa"), "truss", tr("Octahedron: eight faces, few nodes, tumbles well.")},
       {tr("Icosa"), "sphere", tr("Icosahedron: round, for balls.")},
       {tr("Cloth"), "cloth",
        tr("Cloth: one layer of squares that folds and drapes; flexible, solved by springs that pull along where they "
           "are.")},
       {tr("Rope"), "rope",
        tr("Rope: a line of nodes, as thick as what is seen of it; flexible, solved by springs that pull along where "
           "they "
           "are.")},
       {tr("Strung"), "string_spring", tr("Nodes and springs strung by hand; begins with the shape that was there.")}},
      true, content);
  kinds_->setObjectName("truss_kinds");
  shape->addWidget(kinds_, 0, 0, 1, 2);
  truss_box_ = new QWidget(content);
  QGridLayout* truss = make_form_grid(truss_box_);
  shape_box_ = new QWidget(truss_box_);
  QGridLayout* catalogue = make_form_grid(shape_box_);
  divisions_ = static_cast<VectorField*>(binding_->add_row("analysis.divisions", catalogue, shape_box_));
  binding_->add_row("analysis.size", catalogue, shape_box_);
  binding_->add_row("analysis.offset", catalogue, shape_box_);
  hollow_box_ = new QWidget(shape_box_);
  binding_->add_row("analysis.hollow", make_form_grid(hollow_box_), hollow_box_);
  catalogue->addWidget(hollow_box_, catalogue->rowCount(), 0, 1, 2);
  cloth_box_ =
      new QWidget(truss_box_);  // apart from what is of the catalogue alone: a cloth from a mesh has Bending, too
  QGridLayout* cloth = make_form_grid(cloth_box_);
  for (const char* row : {"analysis.shear", "analysis.bending"}) binding_->add_row(row, cloth, cloth_box_);
  fit_ = action_button(context_.actions["analysis.fit"], tr("Fit to Display Model"), shape_box_);
  fit_->setObjectName("fit_to_display");
  catalogue->addWidget(fit_, catalogue->rowCount(), 1);
  counts_ = new QLabel(shape_box_);
  counts_->setObjectName("truss_counts");
  counts_->setForegroundRole(QPalette::PlaceholderText);
  catalogue->addWidget(counts_, catalogue->rowCount(), 1);
  truss->addWidget(shape_box_, 0, 0, 1, 2);
  const auto mass_of_object = [this](const Object& o) { return mass_of(o); };
  strung_ = new StrungSection(context_, binding_, mass_of_object, truss_box_);
  truss->addWidget(cloth_box_, 1, 0, 1, 2);
  truss->addWidget(strung_, 2, 0, 1, 2);
  shape->addWidget(truss_box_, 1, 0, 1, 2);
  builder_ = new TrussBuilder(context_, binding_, content);
  shape->addWidget(builder_, 2, 0, 1, 2);

  variants_box_ = page_->add_section(tr("Variants"));
  variants_ = new VariantRow(context, content);
  make_form_grid(variants_box_)->addWidget(variants_, 0, 0, 1, 2);

  flexible_box_ = page_->add_section(tr("Springs"));
  QGridLayout* springs = make_form_grid(flexible_box_);
  stiffness_ = binding_->add_row("body.stiffness", springs, content);
  damping_ = binding_->add_row("body.damping", springs, content);
  binding_->add_row("body.stiffness_source", springs, content);
  binding_->add_row("body.cross_section", springs, content);
  vibration_ = new VibrationSection(context_, binding_, mass_of_object, content);
  springs->addWidget(vibration_, springs->rowCount(), 0, 1, 2);

  poses_box_ = page_->add_section(tr("Poses"));
  poses_ = new PoseSection(context_, binding_, content);
  make_form_grid(poses_box_)->addWidget(poses_, 0, 0, 1, 2);

  connect(kinds_, &Segments::picked, this, &AnalysisPanel::pick_kind);
  connect(bodies_, &Segments::picked, this, &AnalysisPanel::pick_body);
  connect(softness_, &QSlider::valueChanged, this, &AnalysisPanel::soften);
  connect(binding_, &BindingBase::shown_changed, this, &AnalysisPanel::refresh);
  connect(&context.document, &DocumentController::changed, this, [this](const ChangeSet& change) {
    if (change.settings) vibration_->refresh();  // the words speak of the frame rate
  });
  connect(&context_.elements, &ElementSelection::mode_changed, this, &AnalysisPanel::refresh);
  // What can be made from a metaball surface is known when the surface is there.
  connect(&context_.metaballs, &MetaballJob::supplied, this, [this] { builder_->refresh(); });
  connect(vibration_, &VibrationSection::solved, this, [this] { counts_->setText(vibration_->counts()); });
  binding_->refresh();
}

/// First of all: what is dragged most. It stays in its place for what does not bend, so that nothing jumps under the mouse.
void AnalysisPanel::add_softness() {
  QWidget* content = page_->content();
  QGridLayout* grid = make_form_grid(page_->add_section(tr("Softness")));
  auto* slider = new JumpSlider(Qt::Horizontal, content);
  slider->on_press = [this] { continues_ = false; };
  softness_ = slider;
  softness_->setObjectName("softness");
  softness_->setRange(0, kSteps);
  softness_->setSingleStep(10);
  softness_->setPageStep(100);
  softness_->setAccessibleName(tr("Softness"));
  softness_scale_ = new QWidget(content);
  auto* row = new QHBoxLayout(softness_scale_);
  row->setContentsMargins(0, 0, 0, 0);
  auto* hard = new QLabel(tr("hard"), softness_scale_);
  auto* soft = new QLabel(tr("soft"), softness_scale_);
  for (QLabel* end : {hard, soft}) end->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(hard);
  row->addWidget(softness_, 1);
  row->addWidget(soft);
  grid->addWidget(softness_scale_, 0, 0, 1, 2);
  softness_note_ = new QLabel(content);
  softness_note_->setObjectName("softness_note");
  softness_note_->setWordWrap(true);
  softness_note_->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(softness_note_, 1, 0, 1, 2);
}

VibrationPlot* AnalysisPanel::plot() const { return vibration_->plot(); }
QLabel* AnalysisPanel::words() const { return vibration_->words(); }

void AnalysisPanel::refresh() {
  const auto objects = binding_->objects();
  page_->show_content(!objects.empty());
  if (objects.empty()) return;
  const auto common = [&](auto get) {
    for (const Object* object : objects)
      if (get(*object) != get(*objects.front())) return -1;
    return static_cast<int>(get(*objects.front()));
  };
  const int kind = common([](const Object& o) { return o.analysis.kind; });
  kinds_->set_current(kind);
  bodies_->set_current(common([](const Object& o) { return o.body.kind; }));
  truss_box_->setVisible(kind != static_cast<int>(AnalysisKind::none));
  variants_box_->setVisible(kind != static_cast<int>(AnalysisKind::none));
  variants_->refresh();
  const Object& active = *objects.front();
  const bool strung = kind == static_cast<int>(AnalysisKind::strung);
  shape_box_->setVisible(!strung);
  hollow_box_->setVisible(kind == static_cast<int>(AnalysisKind::octahedron) ||
                          kind == static_cast<int>(AnalysisKind::icosahedron));
  const bool rope = active.analysis.kind == AnalysisKind::rope;
  cloth_box_->setVisible(kind == static_cast<int>(AnalysisKind::cloth) || (rope && kind >= 0) ||
                         (strung && is_sheet(active.analysis)));
  strung_->refresh();
  builder_->refresh();
  // Only the numbers that count can be changed: parts of every edge of a solid, two directions of a sheet.
  const bool solid =
      active.analysis.kind == AnalysisKind::octahedron || active.analysis.kind == AnalysisKind::icosahedron;
  divisions_->field(1)->setEnabled(!solid && !rope && active.analysis.kind != AnalysisKind::plane_grid &&
                                   active.analysis.kind != AnalysisKind::cloth);
  divisions_->field(2)->setEnabled(!solid && !rope);

  const bool flexible =
      std::all_of(objects.begin(), objects.end(), [](const Object* o) { return body_kind(o->body.kind).deforms; });
  flexible_box_->setVisible(flexible);
  poses_box_->setVisible(flexible && active.analysis.kind != AnalysisKind::none);
  poses_->refresh();
  tell_mass(active);
  unused_->setVisible(kind > static_cast<int>(AnalysisKind::none) && !flexible);
  const bool given = std::all_of(objects.begin(), objects.end(),
                                 [](const Object* o) { return o->body.stiffness_source == StiffnessSource::given; });
  softness_scale_->setEnabled(flexible);
  softness_->setToolTip(flexible
                            ? tr("Left hard, right soft. Moves stiffness and damping together, so that it dies away "
                                 "after as many swings as before.")
                            : tr("Only what is flexible is soft: choose Flexible under Moves as."));
  QStringList notes;
  if (flexible && !given)
    notes << tr("The stiffness follows the material (E A / l of every spring); moving this takes it as given.");
  if (const QString weight = flexible ? weight_note(active) : QString(); !weight.isEmpty()) notes << weight;
  softness_note_->setText(notes.join(QLatin1Char('\n')));
  softness_note_->setVisible(!notes.isEmpty());
  if (!softness_->isSliderDown()) {
    const QSignalBlocker block(softness_);
    softness_->setValue(slider_position(active.body.stiffness));
  }
  vibration_->refresh();
  counts_->setText(vibration_->counts());
}

void AnalysisPanel::pick_kind(int kind) {
  binding_->edit(
      tr("Analysis model"),
      [&](Object& o) {
        if (kind == static_cast<int>(AnalysisKind::strung)) return string_by_hand(o, context_.document.meshes());
        const AnalysisKind before = o.analysis.kind;
        if (before == AnalysisKind::none || before == AnalysisKind::strung) {
          const std::string name = o.analysis.name;
          o.analysis = fitting_analysis(o, context_.document.meshes());
          o.analysis.name = name;
        }
        o.analysis.kind = static_cast<AnalysisKind>(kind);
        const bool solid = o.analysis.kind == AnalysisKind::octahedron || o.analysis.kind == AnalysisKind::icosahedron;
        const bool was_solid = before == AnalysisKind::octahedron || before == AnalysisKind::icosahedron;
        // Cells of a grid and parts of an edge mean different things: begin with what is usual.
        if (solid && !was_solid) o.analysis.divisions = {1, 1, 1};
        if (o.analysis.kind == AnalysisKind::plane_grid && before != AnalysisKind::plane_grid)
          o.analysis.divisions = {4, 1, 4};
        if (o.analysis.kind == AnalysisKind::box_grid && before != AnalysisKind::box_grid)
          o.analysis.divisions = {2, 2, 2};
        if (o.analysis.kind == AnalysisKind::cloth) make_cloth(o);
        if (o.analysis.kind == AnalysisKind::rope) make_rope(o);
        // A flexible body has to have nodes.
        if (o.analysis.kind == AnalysisKind::none && bends(o.body)) o.body.kind = kMovingBody;
      },
      false, kinds_);
  refresh();
}

void AnalysisPanel::pick_body(int kind) {
  binding_->edit(
      tr("Moves as"),
      [&](Object& o) {
        o.body.kind = static_cast<BodyKind>(kind);
        if (body_kind(o.body.kind).deforms && o.analysis.kind == AnalysisKind::none)
          o.analysis = fitting_analysis(o, context_.document.meshes());
      },
      false, bodies_);
  refresh();
}

void AnalysisPanel::soften(int position) {
  const double k = slider_stiffness(position);
  const bool continues = continues_ && softness_->isSliderDown();
  continues_ = true;
  binding_->edit(
      tr("Softness"),
      [k](Object& o) {
        // ζ = c / (2 √(k μ)): c grows with the root of k.
        o.body.damping *= std::sqrt(k / o.body.stiffness);
        o.body.stiffness = k;
        o.body.stiffness_source = StiffnessSource::given;
      },
      continues, softness_);
}

double AnalysisPanel::mass_of(const Object& object) {
  if (object.body.mass_source == MassSource::given) return object.body.mass;
  auto mesh = context_.document.meshes().mesh(object);
  if (mesh != weighed_) {
    // Walking over a large mesh at every change of softness would be felt, and over a very large one even once.
    weighed_ = mesh;
    is_measured_ = mesh->faces.size() <= kMeasuredAtOnce;
    worker_.clear();
    if (is_measured_)
      measure_ = measure(*mesh);
    else
      worker_.post([this, mesh] {
        Worker::deliver(this, [this, mesh, found = measure(*mesh)] {
          if (mesh != weighed_) return;
          measure_ = found;
          is_measured_ = true;
          refresh();
        });
      });
  }
  return is_measured_ ? object_mass(object, measure_) : object.body.mass;
}

/// Softer than its weight is heap: said while it is dragged there, before a run shows it.
QString AnalysisPanel::weight_note(const Object& object) {
  const double mass = mass_of(object);
  if (object.body.mass_source != MassSource::given && !is_measured_) return {};
  const double sunk = sunk_by_own_weight(object, mass, context_.document.scene().settings.gravity.norm());
  if (sunk < kSunkTold) return {};
  const QString weight = mass < 100 ? tr("%1 kg").arg(mass, 0, 'g', 3) : tr("%L1 kg").arg(std::lround(mass));
  return sunk < 1 ? tr("Standing, its %1 press it down by about %2 %.").arg(weight).arg(std::lround(100 * sunk))
                  : tr("So soft it cannot carry its %1: it lies flat, whatever its shape.").arg(weight);
}

void AnalysisPanel::tell_mass(const Object& active) {
  (void)mass_of(active);
  const bool known = is_measured_ || active.body.mass_source == MassSource::given || !body_kind(active.body.kind).moves;
  const MassNote note = known ? mass_note(active, measure_) : MassNote{tr("Measuring the mesh…").toStdString(), ""};
  mass_note_->setText(QString::fromStdString(note.message + " " + note.hint));
  mass_note_->setVisible(!note.message.empty());
}

const PanelInfo& panel_analysis_panel() {
  static const PanelInfo info{"analysis", "Analysis", Qt::RightDockWidgetArea,  1,
                              1,          "truss",    make_panel<AnalysisPanel>};
  return info;
}

}  // namespace hazumi
