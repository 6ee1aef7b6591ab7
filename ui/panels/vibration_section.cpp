#include "ui/panels/vibration_section.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/sim/body_mapping.h"
#include "core/sim/elastic/setup.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/modes/truss_commands.h"
#include "ui/panels/owners.h"
#include "ui/viewport/vibration_preview.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/vibration_plot.h"

namespace hazumi {

namespace {

constexpr int kModes = 6;
constexpr std::size_t kMostMapped = 250'000;      // display vertices that still swing with the truss
constexpr double kSlowest = 0.4, kFastest = 2.0;  // Hz: what the eye can follow

/// Everything of an object that decides of what it is made and where it is stiff, heavy and damped, but not how much.
std::string shape_key(const Object& object) {
  std::ostringstream text;
  text.precision(17);
  const AnalysisModel& a = object.analysis;
  const Vec3& s = object.transform.scale;
  text << static_cast<int>(a.kind) << ' ' << a.divisions[0] << ' ' << a.divisions[1] << ' ' << a.divisions[2] << ' '
       << a.size.transpose() << ' ' << a.offset.transpose() << ' ' << s.transpose() << ' '
       << static_cast<int>(object.body.stiffness_source) << ' ' << body_kind(object.body.kind).deforms << ' '
       << object.body.solver;
  if (a.kind == AnalysisKind::strung && a.strung) text << ' ' << truss_hash(*a.strung);
  return text.str();
}

/// … and how much.
std::string value_key(const Object& object, double mass) {
  std::ostringstream text;
  text.precision(17);
  const Substance& s = object.material.substance;
  text << mass << ' ' << object.body.stiffness << ' ' << object.body.cross_section << ' ' << object.body.damping << ' '
       << s.density << ' ' << s.young << ' ' << s.poisson << ' '
       << parameters_hash(object.body.parameters, object.body.solver);
  return text.str();
}

/// What the object's solver says of its stiffness, damping and mass.
Result<LinearSystem> linear_system(const Object& object, const Truss& truss) {
  const ElasticSolverInfo* info = find_elastic_solver(object.body.solver);
  if (info == nullptr || info->linearise == nullptr)
    return Diagnostic{Severity::error, "", "The solver of this object knows no modes.", ""};
  const Result<ElasticSetup> setup = setup_of_object(*info, object, truss, 0);
  if (!setup.ok()) return setup.diagnostics();
  return info->linearise(*setup);
}

QString frequency_text(const Vibration& v) {
  return v.frequency > 0 ? QStringLiteral("%1 Hz").arg(v.frequency, 0, 'g', 3) : VibrationSection::tr("creeps");
}

QString decay_text(const Vibration& v) {
  return std::isfinite(v.half_time) ? VibrationSection::tr("halves in %1").arg(time_text(v.half_time))
                                    : VibrationSection::tr("never dies away");
}

}  // namespace

VibrationSection::VibrationSection(UiContext& context, ObjectBinding* binding,
                                   std::function<double(const Object&)> mass, QWidget* parent)
    : QWidget(parent), context_(context), binding_(binding), mass_(std::move(mass)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  plot_ = new VibrationPlot(this);
  column->addWidget(plot_);
  words_ = two_line_label("vibration_words", this);
  column->addWidget(words_);

  list_ = new QTreeWidget(this);
  list_->setObjectName("vibration_modes");
  list_->setAccessibleName(tr("Lowest modes"));
  list_->setToolTip(tr("The lowest ways in which the whole model swings; the curve shows the one that is chosen."));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setHeaderLabels({tr("Mode"), tr("Frequency"), tr("Decay")});
  list_->header()->setSectionsMovable(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(list_);

  swing_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(swing_row_);
  row->setContentsMargins(0, 0, 0, 0);
  animate_ = new QToolButton(swing_row_);
  animate_->setObjectName("vibration_animate");
  animate_->setText(tr("Animate"));
  animate_->setIcon(theme_icon("wave"));
  animate_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  animate_->setCheckable(true);
  animate_->setToolTip(
      tr("Let the view swing in the chosen mode, slowed down or sped up so that it can be seen. Esc stops it."));
  amplitude_ = new QSlider(Qt::Horizontal, swing_row_);
  amplitude_->setObjectName("vibration_amplitude");
  amplitude_->setAccessibleName(tr("Amplitude"));
  amplitude_->setToolTip(tr("How far it swings in the view."));
  amplitude_->setRange(1, 60);
  amplitude_->setValue(25);
  row->addWidget(animate_);
  row->addWidget(amplitude_, 1);
  column->addWidget(swing_row_);

  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
    const Object* object = binding_->active();
    if (!object || !solved_) return;
    show_modes(*object);
    if (preview_) start_preview(*object);
  });
  connect(animate_, &QToolButton::clicked, this, &VibrationSection::set_animating);
  connect(&timer_, &QTimer::timeout, this, &VibrationSection::tick);
  timer_.setInterval(16);
  connect(&context_.elements, &ElementSelection::changed, this, &VibrationSection::refresh);
  connect(&context_.elements, &ElementSelection::look_changed, this, [this] {
    if (preview_ && !context_.elements.preview()) set_animating(false);  // Esc, another selection, playing
  });
}

VibrationSection::~VibrationSection() {
  if (stop_) *stop_ = true;
}

QString VibrationSection::counts() const {
  return solved_ ? tr("%1 nodes, %2 springs").arg(solved_->truss.nodes.size()).arg(solved_->truss.springs.size())
                 : QString(" ");
}

std::size_t VibrationSection::chosen() const {
  const QTreeWidgetItem* item = list_->currentItem();
  return item ? static_cast<std::size_t>(list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item))) : 0;
}

/// In the worker: the modes of an object, those solved last where they differ by factors only.
std::shared_ptr<const VibrationSection::Solved> VibrationSection::solve(const Object& object, const Solved* last,
                                                                        const std::function<bool()>& cancelled) {
  auto found = std::make_shared<Solved>();
  found->truss = object_truss(object, DisplayMesh{});
  if (!body_kind(object.body.kind).deforms) return found;
  Result<LinearSystem> system = linear_system(object, found->truss);
  if (!system.ok()) {
    found->reason = system.error().message;
    return found;
  }
  if (last != nullptr && last->reason.empty()) {
    if (auto scaled = scaled_modes(last->system, last->modes, *system)) {
      found->modes = std::move(*scaled);
      found->system = std::move(system).value();
      return found;
    }
  }
  ModesOptions options;
  options.count = kModes;
  options.cancelled = cancelled;
  const Result<VibrationModes> modes = vibration_modes(*system, options);
  if (modes.ok())
    found->modes = *modes;
  else
    found->reason = modes.error().message;
  found->system = std::move(system).value();
  return found;
}

void VibrationSection::refresh() {
  const Object* object = binding_->active();
  if (!object) return set_animating(false);
  const double mass = mass_(*object);
  std::string shape = shape_key(*object), values = value_key(*object, mass);
  const bool same_shape = shape == shape_;
  if (same_shape && preview_) {
    if (previewed_ == object->id)
      preview_->set_transform(object->transform);
    else
      set_animating(false);
  }
  if (same_shape && values == values_) return show_modes(*object);
  if (!same_shape) {  // what is being solved is of no use any more
    set_animating(false);
    if (stop_) *stop_ = true;
    stop_ = std::make_shared<std::atomic<bool>>(false);
    worker_.clear();
    solved_.reset();
  }
  shape_ = std::move(shape);
  values_ = std::move(values);
  show_modes(*object);
  if (object->analysis.kind == AnalysisKind::none) return;
  Object own = *object;
  own.body.mass_source = MassSource::given;
  own.body.mass = mass;
  // Off the interface thread: the eigen-solve of a fine grid takes seconds. Another shape calls it off; other values of
  // the same shape wait for it, and then only the newest are looked at.
  worker_.post(
      [this, own = std::move(own), wanted = shape_, stop = stop_, newest = newest_, number = ++*newest_, last = last_] {
        if (*stop || number != *newest) return;
        const auto found = solve(own, last->get(), [stop] { return stop->load(); });
        if (*stop) return;
        *last = found;
        Worker::deliver(this, [this, found, wanted] {
          if (wanted != shape_) return;
          solved_ = found;
          if (const Object* now = binding_->active()) show_modes(*now);
          emit solved();
        });
      });
}

void VibrationSection::show_modes(const Object& object) {
  if (const auto truss = edited_truss(context_.elements); truss && truss == object.analysis.strung) {
    const Elements& chosen_elements = context_.elements.elements();
    if (chosen_elements.size() == 1 && chosen_elements.begin()->type == 1 &&
        chosen_elements.begin()->number < truss->springs.size())
      return show_spring(object, chosen_elements.begin()->number);
  }
  const bool truss = object.analysis.kind != AnalysisKind::none;
  const std::size_t count = solved_ && truss ? solved_->modes.modes.size() : 0;
  list_->setVisible(count > 0);
  swing_row_->setVisible(count > 0);
  if (count == 0) {
    plot_->set_reason(!truss                     ? tr("Give the object a truss to see how it swings.")
                      : !solved_                 ? tr("Computing how it swings…")
                      : !solved_->reason.empty() ? QString::fromStdString(solved_->reason)
                                                 : tr("This truss does not swing."));
    plot_->set_vibration(std::nullopt);
    words_->setText({});
    return;
  }
  const QSignalBlocker block(list_);
  const std::size_t wanted = std::min(chosen(), count - 1);
  while (list_->topLevelItemCount() > static_cast<int>(count))
    delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < static_cast<int>(count)) list_->addTopLevelItem(new QTreeWidgetItem);
  for (std::size_t i = 0; i < count; ++i) {
    const Vibration& v = solved_->modes.modes[i].vibration;
    QTreeWidgetItem* item = list_->topLevelItem(static_cast<int>(i));
    item->setText(0, QString::number(i + 1));
    item->setText(1, frequency_text(v));
    item->setText(2, decay_text(v));
  }
  list_->setCurrentItem(list_->topLevelItem(static_cast<int>(wanted)));
  const int line = std::max(list_->sizeHintForRow(0), 1);
  list_->setFixedHeight(list_->header()->sizeHint().height() + line * static_cast<int>(count) + 4);
  const Vibration vibration = solved_->modes.modes[wanted].vibration;
  QString text = vibration_text(vibration, 1 / context_.document.scene().settings.frame_rate);
  if (solved_->modes.mechanisms > 0) text += tr(" Some nodes are loose: no spring resists how they move.");
  words_->setText(text);
  plot_->set_vibration(vibration);
}

/// The two nodes and their spring alone, as the object's solver sees them.
void VibrationSection::show_spring(const Object& object, std::uint32_t spring) {
  list_->hide();
  swing_row_->hide();
  const StrungTruss& truss = *object.analysis.strung;
  const TrussTotals totals = totals_of(object, mass_(object));
  const StrungSpring& s = truss.springs[spring];
  const auto nothing = [this](const QString& reason) {
    plot_->set_reason(reason);
    plot_->set_vibration(std::nullopt);
    words_->setText({});
  };
  if (truss.nodes[s.a].pinned && truss.nodes[s.b].pinned) return nothing(tr("Both nodes of this spring are pinned."));
  Truss pair;
  for (const std::uint32_t node : {s.a, s.b}) {
    if (truss.nodes[node].pinned) pair.pinned.push_back(static_cast<std::uint32_t>(pair.nodes.size()));
    pair.nodes.push_back(truss.nodes[node].position);
    pair.masses.push_back(node_mass(truss, node, totals));
  }
  pair.springs = {{0, 1, spring_stiffness(truss, spring, totals), spring_damping(truss, spring, totals)}};
  const Result<LinearSystem> system = linear_system(object, pair);
  if (!system.ok()) return nothing(QString::fromStdString(system.error().message));
  const Result<VibrationModes> modes = vibration_modes(*system, {.count = 1});
  if (!modes.ok() || modes->modes.empty()) return nothing(tr("This spring does not swing."));
  const Vibration& v = modes->modes[0].vibration;
  words_->setText(tr("This spring alone between its nodes: ") +
                  vibration_text(v, 1 / context_.document.scene().settings.frame_rate));
  plot_->set_vibration(v);
}

void VibrationSection::set_animating(bool on) {
  const Object* object = binding_->active();
  if (on && object && solved_ && !solved_->modes.modes.empty()) {
    context_.playback.play(false);
    context_.playback.to_start();
    start_preview(*object);
    return;
  }
  timer_.stop();
  animate_->setChecked(false);
  if (!preview_) return;
  preview_.reset();
  context_.elements.set_preview({});
}

void VibrationSection::start_preview(const Object& object) {
  const VibrationMode mode = solved_->modes.modes[std::min(chosen(), solved_->modes.modes.size() - 1)];
  auto mesh = context_.document.meshes().mesh(object);
  preview_ = std::make_shared<VibrationPreview>(object, solved_->truss, mode.shape, mesh, nullptr);
  previewed_ = object.id;
  frequency_ = std::clamp(mode.vibration.frequency, kSlowest, kFastest);
  animate_->setChecked(true);
  clock_.restart();
  timer_.start();
  context_.elements.set_preview(
      [preview = preview_, swing = swing_](RenderList& list) { preview->draw(*swing, list); });
  tick();
  if (mesh->positions.empty() || mesh->positions.size() > kMostMapped) return;
  // The display model joins in as soon as its mapping is made.
  worker_.post([this, object, mesh, mode, truss = solved_->truss, wanted = preview_] {
    auto mapping = make_mapping(scaled_mapping(object), *mesh, truss).mapping;
    if (!mapping) return;
    auto full = std::make_shared<VibrationPreview>(object, truss, mode.shape, mesh, mapping);
    Worker::deliver(this, [this, full, wanted] {
      if (preview_ != wanted) return;
      preview_ = full;
      if (const Object* now = binding_->active(); now && now->id == previewed_) preview_->set_transform(now->transform);
      context_.elements.set_preview(
          [preview = preview_, swing = swing_](RenderList& list) { preview->draw(*swing, list); });
    });
  });
}

void VibrationSection::tick() {
  if (!preview_) return timer_.stop();
  const double time = 1e-3 * static_cast<double>(clock_.elapsed());
  const double reach = preview_->size() * amplitude_->value() / 100.0;
  *swing_ = reach * std::cos(2 * kPi * frequency_ * time);
  context_.elements.redraw_preview();
}

}  // namespace hazumi
