#include "ui/panels/strung_section.h"

#include <algorithm>

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/modes/truss_commands.h"
#include "ui/modes/truss_options.h"
#include "ui/panels/owners.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

template <class Get>
void show_values(NumberField* field, const std::vector<std::uint32_t>& numbers, Get get) {
  field->setEnabled(!numbers.empty());
  if (numbers.empty()) {
    field->set_mixed(true);
    return;
  }
  const double first = get(numbers.front());
  // Factors times totals: the same to the last digits that are shown.
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](std::uint32_t n) { return std::abs(get(n) - first) <= 1e-9 * std::abs(first); });
  field->set_value(first);
  field->set_mixed(!same);
}

}  // namespace

StrungSection::StrungSection(UiContext& context, ObjectBinding* binding, std::function<double(const Object&)> mass,
                             QWidget* parent)
    : QWidget(parent),
      context_(context),
      binding_(binding),
      selected_(new Binding<Object>(context_, {}, selection(), this)),
      mass_(std::move(mass)) {
  QGridLayout* grid = make_form_grid(this);
  counts_ = new QLabel(this);
  counts_->setObjectName("strung_counts");
  counts_->setWordWrap(true);
  grid->addWidget(counts_, 0, 0, 1, 2);
  rigidity_ = new QLabel(this);
  rigidity_->setObjectName("strung_rigidity");
  rigidity_->setWordWrap(true);
  grid->addWidget(rigidity_, 1, 0, 1, 2);
  loose_ = new QPushButton(tr("Select Loose Nodes"), this);
  loose_->setObjectName("select_loose");
  grid->addWidget(loose_, 2, 0, 1, 2);
  edit_ = new QPushButton(theme_icon("truss"), tr("Edit Nodes and Springs"), this);
  edit_->setObjectName("edit_truss");
  edit_->setToolTip(tr("Truss mode of the view: select, move, string, cut and paint. Tab in the view does the same."));
  grid->addWidget(edit_, 3, 0, 1, 2);

  selection_box_ = new QWidget(this);
  QGridLayout* values = make_form_grid(selection_box_);
  title_ = new QLabel(selection_box_);
  title_->setObjectName("strung_selection");
  make_bold(title_);
  values->addWidget(title_, 0, 0, 1, 2);
  node_mass_ = add_number(values, tr("Mass"), "kg",
                          tr("Of every selected node. A given mass of the body becomes the new sum; one from the "
                             "material stays, and the other nodes share the rest."));
  pinned_ = new QCheckBox(tr("held where it starts"), selection_box_);
  add_form_row(values, tr("Pinned"), tr("The selected nodes stay where they are at the start of the run."), pinned_);
  stiffness_ = add_number(values, tr("Stiffness"), "N/m", tr("Of every selected spring."));
  damping_ = add_number(values, tr("Damping"), "N s/m", tr("Of every selected spring."));
  section_ = add_number(values, tr("Cross-section"), "m²",
                        tr("Of every selected spring; counts when the stiffness comes from the material (E A / l)."));
  symmetry_ = new Segments({{tr("Off"), "", tr("Each side for itself.")},
                            {"x", "", tr("What is done on one side of x = 0 is done on the other.")},
                            {"y", "", tr("What is done on one side of y = 0 is done on the other.")},
                            {"z", "", tr("What is done on one side of z = 0 is done on the other.")}},
                           false, selection_box_);
  symmetry_->setObjectName("truss_symmetry");
  add_form_row(values, tr("Symmetric"), tr("Symmetric editing: nodes on the other side follow."), symmetry_);
  grid->addWidget(selection_box_, 4, 0, 1, 2);
  make_brush();
  grid->addWidget(brush_box_, 5, 0, 1, 2);

  connect(loose_, &QPushButton::clicked, this, [this] {
    const Object* o = object();
    if (!o) return;
    const NodeSelection nodes = TrussOptions::of(context_.elements).loose(o->analysis.strung);
    if (!editing() && !context_.elements.enter(*find_mode("truss")).isEmpty()) return;
    context_.elements.set(as_elements(nodes));
  });
  connect(edit_, &QPushButton::clicked, this, [this] {
    if (const QString why = context_.elements.enter(*find_mode("truss")); !why.isEmpty()) Bubble::show_at(edit_, why);
  });
  connect(node_mass_, &NumberField::edited, this, &StrungSection::set_node_masses);
  connect(stiffness_, &NumberField::edited, this, [this](double value, bool continues) {
    set_springs(tr("Stiffness"), &set_spring_stiffness, value, continues, stiffness_);
  });
  connect(damping_, &NumberField::edited, this, [this](double value, bool continues) {
    set_springs(tr("Damping"), &set_spring_damping, value, continues, damping_);
  });
  connect(section_, &NumberField::edited, this, [this](double value, bool continues) {
    set_springs(tr("Cross-section"), &set_spring_cross_section, value, continues, section_);
  });
  connect(pinned_, &QCheckBox::clicked, this, [this] {
    if (editing()) pin_nodes(context_);
    show_selection();
  });
  connect(symmetry_, &Segments::picked, this, [this](int index) { context_.elements.set_mirror(index - 1); });
  const ElementSelection* elements = &context_.elements;
  connect(elements, &ElementSelection::changed, this, &StrungSection::show_selection);
  connect(elements, &ElementSelection::mode_changed, this, &StrungSection::refresh);
  connect(elements, &ElementSelection::look_changed, this, [this] {
    symmetry_->set_current(context_.elements.mirror() + 1);
    show_brush();
  });
}

StrungSection::~StrungSection() {
  if (stop_) *stop_ = true;
}

NumberField* StrungSection::add_number(QGridLayout* grid, const QString& name, const QString& unit,
                                       const QString& tip) {
  auto* field = new NumberField(grid->parentWidget());
  field->set_name(name);
  field->set_unit(unit);
  field->set_range(0, 1e12, name != tr("Damping"));
  add_form_row(grid, name, tip, field);
  return field;
}

void StrungSection::make_brush() {
  brush_box_ = new QWidget(this);
  QGridLayout* grid = make_form_grid(brush_box_);
  grid->addWidget(bold_label(tr("Brush"), brush_box_), 0, 0, 1, 2);
  quantity_ = new Segments(
      {{tr("Mass"), "", tr("Paints how heavy nodes are.")},
       {tr("Stiff"), "", tr("Paints how stiff springs are.")},
       {tr("Damp"), "", tr("Paints how much springs damp.")},
       {tr("Area"), "",
        tr("Cross-section: paints how thick springs are; counts when the stiffness comes from the material.")}},
      false, brush_box_);
  quantity_->setObjectName("brush_quantity");
  add_form_row(grid, tr("Paints"), tr("What a stroke of the brush changes."), quantity_);
  action_ = new Segments(
      {{tr("More"), "", tr("Multiplies.")},
       {tr("Less"), "", tr("Divides; Ctrl while painting swaps more and less.")},
       {tr("Set"), "", tr("Goes towards a factor.")},
       {tr("Even"), "", tr("Goes towards the mean of the neighbours; Shift while painting does the same.")}},
      false, brush_box_);
  action_->setObjectName("brush_action");
  add_form_row(grid, tr("Does"), tr("How a stroke changes it."), action_);
  radius_ = add_number(grid, tr("Radius"), "m", tr("Of the circle; in the view the wheel or F changes it."));
  strength_ = add_number(grid, tr("Strength"), "", tr("Of one dab, 0 to 1."));
  falloff_ = add_number(grid, tr("Softness"), "", tr("Of the rim: 0 hard, 1 soft."));
  target_ = add_number(grid, tr("Factor"), "", tr("Times what the body's own settings give; 1 is as they are."));
  target_label_ = grid->itemAtPosition(grid->rowCount() - 1, 0)->widget();
  strength_->set_range(0, 1, true);
  falloff_->set_range(0, 1);
  target_->set_range(1e-4, 1e4);
  for (NumberField* field : {strength_, falloff_}) field->set_step(0.01);
  const auto change = [this](auto set) {
    return [this, set](auto value) {
      TrussOptions& options = TrussOptions::of(context_.elements);
      TrussBrush brush = options.brush();
      set(brush, value);
      options.set_brush(brush);
    };
  };
  connect(quantity_, &Segments::picked, this,
          change([](TrussBrush& b, int i) { b.quantity = static_cast<BrushQuantity>(i); }));
  connect(action_, &Segments::picked, this,
          change([](TrussBrush& b, int i) { b.action = static_cast<BrushAction>(i); }));
  connect(radius_, &NumberField::edited, this, change([](TrussBrush& b, double x) { b.radius = x; }));
  connect(strength_, &NumberField::edited, this, change([](TrussBrush& b, double x) { b.strength = x; }));
  connect(falloff_, &NumberField::edited, this, change([](TrussBrush& b, double x) { b.falloff = x; }));
  connect(target_, &NumberField::edited, this, change([](TrussBrush& b, double x) { b.target = x; }));
}

const Object* StrungSection::object() const {
  const Object* o = binding_->active();
  return o && o->analysis.kind == AnalysisKind::strung && o->analysis.strung ? o : nullptr;
}

bool StrungSection::editing() const {
  const Object* o = object();
  return o && context_.elements.in("truss") && context_.elements.object_id() == o->id;
}

void StrungSection::refresh() {
  const Object* o = object();
  setVisible(o != nullptr);
  if (!o) return;
  const StrungTruss& truss = *o->analysis.strung;
  const auto pins = std::count_if(truss.nodes.begin(), truss.nodes.end(), [](const StrungNode& n) { return n.pinned; });
  QString text = tr("%1 nodes, %2 springs").arg(truss.nodes.size()).arg(truss.springs.size());
  if (!truss.cells.empty()) text += tr(", %1 cells").arg(truss.cells.back()[0] + 1);
  if (!truss.tetrahedra.empty()) text += tr(", %1 tetrahedra").arg(truss.tetrahedra.size());
  text += pins == 0 ? tr("; none pinned") : tr("; %1 pinned").arg(pins);
  counts_->setText(text);
  edit_->setVisible(!editing());
  selection_box_->setVisible(editing());
  brush_box_->setVisible(editing());
  check_rigidity();
  show_selection();
  show_brush();
}

void StrungSection::show_selection() {
  const Object* o = object();
  if (!o || !editing()) return;
  const StrungTruss& truss = *o->analysis.strung;
  const Elements& elements = context_.elements.elements();
  const TrussTotals totals = totals_of(*o, mass_(*o));
  const NodeSelection nodes = meant_nodes(truss, elements);
  const SpringSelection springs = meant_springs(truss, elements);
  title_->setText(elements.empty() ? tr("Nothing selected") : context_.elements.mode()->name(*o, elements));
  show_values(node_mass_, nodes, [&](std::uint32_t n) { return node_mass(truss, n, totals); });
  show_values(stiffness_, springs, [&](std::uint32_t s) { return spring_stiffness(truss, s, totals); });
  show_values(damping_, springs, [&](std::uint32_t s) { return spring_damping(truss, s, totals); });
  show_values(section_, springs, [&](std::uint32_t s) { return spring_cross_section(truss, s, totals); });
  const auto held = static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return truss.nodes[n].pinned; }));
  pinned_->setEnabled(!nodes.empty());
  pinned_->setCheckState(nodes.empty() || held == 0 ? Qt::Unchecked
                         : held == nodes.size()     ? Qt::Checked
                                                    : Qt::PartiallyChecked);
  symmetry_->set_current(context_.elements.mirror() + 1);
}

void StrungSection::show_brush() {
  if (!editing()) return;
  const TrussBrush& brush = TrussOptions::of(context_.elements).brush();
  quantity_->set_current(static_cast<int>(brush.quantity));
  action_->set_current(static_cast<int>(brush.action));
  radius_->set_value(brush.radius);
  strength_->set_value(brush.strength);
  falloff_->set_value(brush.falloff);
  target_->set_value(brush.target);
  target_->setVisible(brush.action == BrushAction::set);
  target_label_->setVisible(brush.action == BrushAction::set);
}

void StrungSection::check_rigidity() {
  const auto truss = object()->analysis.strung;
  if (truss == checked_) return;
  checked_ = truss;
  if (stop_) *stop_ = true;
  worker_.clear();
  stop_ = std::make_shared<std::atomic<bool>>(false);
  loose_->hide();
  rigidity_->setPalette({});
  if (!truss->sheet.empty()) return rigidity_->setText(tr("A cloth from a mesh: it folds."));
  if (rigidity_->text().isEmpty()) rigidity_->setText(tr("Checking whether it holds its shape…"));
  worker_.post([this, truss, stop = stop_] {
    const Rigidity found = diagnose_rigidity(*truss, [stop] { return stop->load(); });
    if (*stop) return;
    Worker::deliver(this, [this, truss, found] {
      if (truss != checked_) return;
      rigidity_->setText(QString::fromStdString(found.sentence));
      QPalette palette = rigidity_->palette();
      palette.setColor(QPalette::WindowText, found.rigid() ? theme_colours().computed : theme_colours().warning);
      rigidity_->setPalette(palette);
      loose_->setVisible(!found.loose.empty());
      TrussOptions::of(context_.elements).set_loose(truss, found.loose);
    });
  });
}

Owners<Object> StrungSection::selection() {
  Owners<Object> owners = selected_objects(context_);
  owners.shown = [this] { return editing() ? Owners<Object>::List{object()} : Owners<Object>::List{}; };
  owners.subject = [this](const Owners<Object>::List& these) {
    const Object& o = *these.front();
    return tr("%1 in %2")
        .arg(context_.elements.mode()->name(o, context_.elements.elements()), QString::fromStdString(o.name));
  };
  owners.touched = [](const ChangeSet&) { return false; };  // it has no widgets of its own
  return owners;
}

void StrungSection::refuse(QWidget* at, const Diagnostic& problem) {
  show_selection();
  Bubble::show_at(at, sentence_of(problem));
}

void StrungSection::set_node_masses(double mass, bool continues) {
  const Object* o = object();
  if (!o || !editing()) return;
  const StrungTruss& truss = *o->analysis.strung;
  const TrussTotals totals = totals_of(*o, mass_(*o));
  const NodeSelection nodes =
      with_partners(truss, meant_nodes(truss, context_.elements.elements()), symmetry_of(context_.elements));
  MassEdit edit;
  edit.body_mass = o->body.mass;
  if (o->body.mass_source == MassSource::given) {
    Result<MassEdit> both = set_node_mass_and_total(truss, nodes, mass, totals);
    if (!both.ok()) return refuse(node_mass_, both.error());
    edit = std::move(both).value();
  } else {
    Result<StrungTruss> alone = set_node_mass(truss, nodes, mass, totals);
    if (!alone.ok()) return refuse(node_mass_, alone.error());
    edit.truss = std::move(alone).value();
  }
  auto next = std::make_shared<const StrungTruss>(std::move(edit.truss));
  const bool done = selected_->edit(
      tr("Mass"),
      [&](Object& changed) {
        changed.analysis.strung = next;
        changed.body.mass = edit.body_mass;
      },
      continues, node_mass_);
  if (!done) show_selection();
}

void StrungSection::set_springs(const QString& text, SetSprings set, double value, bool continues, QWidget* at) {
  const Object* o = object();
  if (!o || !editing()) return;
  const StrungTruss& truss = *o->analysis.strung;
  const SpringSelection springs =
      springs_with_partners(truss, meant_springs(truss, context_.elements.elements()), symmetry_of(context_.elements));
  Result<StrungTruss> edit = set(truss, springs, value, totals_of(*o, mass_(*o)));
  if (!edit.ok()) return refuse(at, edit.error());
  auto next = std::make_shared<const StrungTruss>(std::move(edit).value());
  const bool done = selected_->edit(
      text, [&](Object& changed) { changed.analysis.strung = next; }, continues, at);
  if (!done) show_selection();
}

}  // namespace hazumi
