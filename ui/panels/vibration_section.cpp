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
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/modes/truss_commands.h"
#include "ui/panels/owners.h"
#include "ui/viewport/vibration_preview.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/vibration_plot.h"

namespace hazumi {

namespace {

constexpr int kModes = 6;
constexpr std::size_t kMostMapped = 250'000;      // display vertices that still swing with the truss
constexpr double kSlowest = 0.4, kFastest = 2.0;  // Hz: what the eye can follow

/// Everything of an object that the truss's geometry and the distribution (not the size) of k, c and m depend on.
std::string geometry_key(const Object& object) {
  std::ostringstream text;
  text.precision(17);
  const AnalysisModel& a = object.analysis;
  const Vec3& s = object.transform.scale;
  text << static_cast<int>(a.kind) << ' ' << a.divisions[0] << ' ' << a.divisions[1] << ' ' << a.divisions[2] << ' '
       << a.size.transpose() << ' ' << a.offset.transpose() << ' ' << s.transpose() << ' '
       << static_cast<int>(object.body.stiffness_source) << ' ' << (object.body.kind == BodyKind::flexible);
  if (a.kind == AnalysisKind::strung && a.strung) text << ' ' << truss_hash(*a.strung);
  return text.str();
}

/// The factor by which all spring constants grow with the settings (given: k; material: E A).
double stiffness_factor(const Object& object) {
  return object.body.stiffness_source == StiffnessSource::given
             ? object.body.stiffness
             : object.material.substance.young * object.body.cross_section;
}

Object unit_object(Object object) {
  object.body.mass_source = MassSource::given;
  object.body.mass = object.body.stiffness = object.body.damping = object.body.cross_section = 1;
  object.material.substance.young = 1;
  return object;
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
  words_ = new QLabel(this);
  words_->setObjectName("vibration_words");
  words_->setWordWrap(true);
  words_->setMinimumHeight(2 * words_->fontMetrics().height());
  words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
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

VibrationMode VibrationSection::mode_of(const Object& object, std::size_t index) const {
  VibrationMode mode = solved_->unit.modes[index];
  const double mass = mass_(object);
  mode.values.lambda *= stiffness_factor(object) / mass;
  mode.values.gamma *= object.body.damping / mass;
  mode.vibration = make_vibration(mode.values);
  return mode;
}

void VibrationSection::refresh() {
  const Object* object = binding_->active();
  if (!object) return set_animating(false);
  std::string key = geometry_key(*object);
  if (key == key_) {
    if (preview_) {
      if (previewed_ == object->id)
        preview_->set_transform(object->transform);
      else
        set_animating(false);
    }
    return show_modes(*object);
  }
  set_animating(false);
  if (stop_) *stop_ = true;
  worker_.clear();
  key_ = std::move(key);
  solved_.reset();
  show_modes(*object);
  if (object->analysis.kind == AnalysisKind::none) return;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  // Off the interface thread: the eigen-solve of a fine grid takes seconds. A newer geometry calls this one off.
  worker_.post([this, unit = unit_object(*object), wanted = key_, stop = stop_] {
    auto found = std::make_shared<Solved>();
    found->truss = object_truss(unit, DisplayMesh{});
    if (unit.body.kind == BodyKind::flexible) {
      ModesOptions options;
      options.count = kModes;
      options.cancelled = [stop] { return stop->load(); };
      const Result<VibrationModes> modes = vibration_modes(found->truss, options);
      if (modes.ok())
        found->unit = *modes;
      else
        found->reason = modes.error().message;
    }
    if (*stop) return;
    Worker::deliver(this, [this, found, wanted] {
      if (wanted != key_) return;
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
  const std::size_t count = solved_ && truss ? solved_->unit.modes.size() : 0;
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
    const Vibration v = mode_of(object, i).vibration;
    QTreeWidgetItem* item = list_->topLevelItem(static_cast<int>(i));
    item->setText(0, QString::number(i + 1));
    item->setText(1, frequency_text(v));
    item->setText(2, decay_text(v));
  }
  list_->setCurrentItem(list_->topLevelItem(static_cast<int>(wanted)));
  const int line = std::max(list_->sizeHintForRow(0), 1);
  list_->setFixedHeight(list_->header()->sizeHint().height() + line * static_cast<int>(count) + 4);
  const Vibration vibration = mode_of(object, wanted).vibration;
  QString text = vibration_text(vibration, 1 / context_.document.scene().settings.frame_rate);
  if (solved_->unit.mechanisms > 0) text += tr(" Some nodes are loose: no spring resists how they move.");
  words_->setText(text);
  plot_->set_vibration(vibration);
}

/// The two nodes and their spring alone: μ = m₁ m₂ / (m₁ + m₂), a pinned node weighs infinitely much.
void VibrationSection::show_spring(const Object& object, std::uint32_t spring) {
  list_->hide();
  swing_row_->hide();
  const StrungTruss& truss = *object.analysis.strung;
  const TrussTotals totals = totals_of(object, mass_(object));
  const StrungSpring& s = truss.springs[spring];
  const double m1 = node_mass(truss, s.a, totals), m2 = node_mass(truss, s.b, totals);
  const bool held1 = truss.nodes[s.a].pinned, held2 = truss.nodes[s.b].pinned;
  if (held1 && held2) {
    plot_->set_reason(tr("Both nodes of this spring are pinned."));
    plot_->set_vibration(std::nullopt);
    words_->setText({});
    return;
  }
  const double mass = held1 ? m2 : held2 ? m1 : m1 * m2 / (m1 + m2);
  const Vibration v =
      make_vibration({spring_stiffness(truss, spring, totals) / mass, spring_damping(truss, spring, totals) / mass});
  words_->setText(tr("This spring alone between its nodes: ") +
                  vibration_text(v, 1 / context_.document.scene().settings.frame_rate));
  plot_->set_vibration(v);
}

void VibrationSection::set_animating(bool on) {
  const Object* object = binding_->active();
  if (on && object && solved_ && !solved_->unit.modes.empty()) {
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
  const VibrationMode mode = mode_of(object, std::min(chosen(), solved_->unit.modes.size() - 1));
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
