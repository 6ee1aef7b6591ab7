#include "ui/panels/metaball_panel.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "core/geometry/metaball/catalogue.h"
#include "ui/jobs/metaball_job.h"
#include "ui/model/selection.h"
#include "ui/modes/metaball_commands.h"
#include "ui/panels/metaball_model.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/panels/surface_editor.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/section_editor.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kMostWeight = 6;  // of the slider; the number beside it takes any weight
constexpr int kWeightSteps = 600;  // of half the slider
constexpr const char* kAdd[] = {"add.metaball_ball",     "add.metaball_ellipsoid",  "add.metaball_box",
                                "add.metaball_cylinder", "add.metaball_octahedron", "add.metaball_pinched",
                                "add.metaball_torus"};

/// Both ends fine around the weights that matter: the position goes with the root.
int position_of(double weight) {
  const double t = std::sqrt(std::min(std::abs(weight), kMostWeight) / kMostWeight);
  return static_cast<int>(std::lround(std::copysign(t * kWeightSteps, weight)));
}

double weight_at(int position) {
  const double t = static_cast<double>(position) / kWeightSteps;
  return std::copysign(std::round(kMostWeight * t * t * 100) / 100, t);
}

}  // namespace

MetaballPanel::MetaballPanel(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      binding_(new ObjectBinding(context, this)),
      primitives_(new Binding<MetaballPrimitive>(context_, metaball_fields(), chosen_ones(), this)),
      model_(new MetaballModel(context.document, this)) {
  page_ = new PanelPage("metaballs", {}, this);
  connect(page_->nothing(), &QLabel::linkActivated, this, [this](const QString& id) {
    if (QAction* action = context_.actions.all().value(id)) action->trigger();
  });
  make_list(page_->add_section(tr("Metaballs")));
  make_shape(page_->add_section(tr("Shape")));
  make_surface(page_->add_section(tr("Surface")));
  make_material(page_->add_section(tr("Material")));
  make_analysis(page_->add_section(tr("Analysis Model")));
  setMinimumWidth(240);

  connect(binding_, &BindingBase::shown_changed, this, &MetaballPanel::refresh);
  connect(&context_.elements, &ElementSelection::changed, this, &MetaballPanel::refresh);
  connect(&context_.elements, &ElementSelection::mode_changed, this, &MetaballPanel::refresh);
  connect(&context_.metaballs, &MetaballJob::figures_changed, this, &MetaballPanel::show_figures);
  connect(model_, &QAbstractItemModel::modelReset, this, &MetaballPanel::show_selection);
  refresh();
}

MetaballPanel::~MetaballPanel() {
  model_->disconnect(this);
  list_->selectionModel()->disconnect(this);
}

void MetaballPanel::make_list(Section* section) {
  QWidget* box = section->body();
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(8, 6, 8, 8);
  column->setSpacing(4);
  list_ = new QTreeView(box);
  list_->setObjectName("metaball_list");
  list_->setModel(model_);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setHeaderHidden(true);
  list_->setIndentation(4);
  list_->setIconSize(QSize(16, 16));
  list_->setAllColumnsShowFocus(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setSelectionBehavior(QAbstractItemView::SelectRows);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDragDropOverwriteMode(false);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setMinimumHeight(96);
  list_->setMaximumHeight(176);
  QHeaderView* header = list_->header();
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(24);
  header->setSectionResizeMode(MetaballModel::name_column, QHeaderView::Stretch);
  for (const auto& [part, width] :
       {std::pair{MetaballModel::weight_column, 44}, std::pair{MetaballModel::colour_column, 26},
        std::pair{MetaballModel::eye_column, 26}}) {
    header->setSectionResizeMode(part, QHeaderView::Fixed);
    header->resizeSection(part, width);
  }
  list_->viewport()->installEventFilter(this);
  list_->installEventFilter(this);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MetaballPanel::take_selection);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &MetaballPanel::take_selection);
  column->addWidget(list_);

  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  const auto button = [&](const char* name, const char* icon, const QString& tip) {
    auto* made = new QToolButton(box);
    made->setObjectName(QLatin1String(name));
    made->setIcon(theme_icon(QLatin1String(icon)));
    made->setIconSize(QSize(16, 16));
    made->setFixedSize(30, 26);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    row->addWidget(made);
    return made;
  };
  QToolButton* add = button("metaball_add", "new", tr("Add a metaball to the group"));
  add->setIcon(theme_icon(QStringLiteral("metaballs")));
  add->setText(tr("Add"));
  add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add->setFixedSize(72, 26);
  add->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(add);
  for (const char* id : kAdd)
    if (QAction* action = context_.actions.all().value(QLatin1String(id))) {
      QAction* entry = menu->addAction(action->icon(), action->text());
      entry->setObjectName(QLatin1String(id));
      // Into this group, whatever mode is on.
      connect(entry, &QAction::triggered, this, [this, action] {
        if (enter_mode()) action->trigger();
      });
    }
  add->setMenu(menu);
  row->addStretch(1);
  const auto command = [&](const char* name, const char* icon, const QString& tip, auto run) {
    QToolButton* made = button(name, icon, tip);
    connect(made, &QToolButton::clicked, this, run);
    needs_selection_.push_back(made);
    return made;
  };
  command("metaball_duplicate", "duplicate", tr("Copy the selected metaballs in place"),
          [this] { (void)duplicate_elements(context_); });
  QToolButton* mirror = button("metaball_mirror", "mirror", tr("Mirrored copies of the selected metaballs"));
  mirror->setPopupMode(QToolButton::InstantPopup);
  mirror->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  auto* planes = new QMenu(mirror);
  int axis = 0;
  for (const QString& text : {tr("Across the YZ plane (left and right)"), tr("Across the ZX plane (up and down)"),
                              tr("Across the XY plane (front and back)")}) {
    connect(planes->addAction(text), &QAction::triggered, this, [this, axis] { mirror_metaballs(context_, axis); });
    ++axis;
  }
  mirror->setMenu(planes);
  needs_selection_.push_back(mirror);
  command("metaball_snap", "snap", tr("Centres to the nearest tenth of a metre"), [this] { snap_metaballs(context_); });
  command("metaball_delete", "delete", tr("Delete the selected metaballs"), [this] { remove_elements(context_); });
  column->addLayout(row);
}

void MetaballPanel::make_shape(Section* section) {
  QWidget* box = section->body();
  QGridLayout* grid = make_form_grid(section);
  auto* views = new QWidget(box);
  auto* pair = new QHBoxLayout(views);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->setSpacing(6);
  for (int i = 0; i < 2; ++i) {
    auto* editor = new SectionEditor(i == 0 ? SectionEditor::Plane::xy : SectionEditor::Plane::xz, views);
    sections_[i] = editor;
    pair->addWidget(editor, 1);
    connect(editor, &SectionEditor::edited, this,
            [this, editor](const MetaballPrimitive& next, const QString& what, bool continues) {
              // Only what the editor shapes: the rest may have changed since the drag began.
              const auto shaped = chosen();
              if (shaped.empty()) return;
              const std::uint32_t id = shaped.front()->id;
              primitives_->edit(
                  what,
                  [&](MetaballPrimitive& p) {
                    if (p.id != id) return;
                    p.radii = next.radii;
                    p.round_xy = next.round_xy;
                    p.round_xz = next.round_xz;
                    p.tube = next.tube;
                  },
                  continues, editor);
            });
    connect(editor, &SectionEditor::finished, this, &MetaballPanel::show_numbers);
  }
  grid->addWidget(views, 0, 0, 1, 2);

  weight_ = new QSlider(Qt::Horizontal, box);
  weight_->setObjectName("metaball_weight");
  weight_->setRange(-kWeightSteps, kWeightSteps);
  weight_->setSingleStep(10);
  weight_->setPageStep(60);
  weight_->setAccessibleName(tr("Weight"));
  weight_->setToolTip(
      tr("Right swells the surface, left of the middle carves it away. Alone a metaball shows from 1 on."));
  weight_number_ = new NumberField(box);
  weight_number_->setObjectName("metaball_weight_number");
  const Field<MetaballPrimitive>* field = find_field(metaball_fields(), "weight");
  weight_number_->set_name(tr("Weight"));
  weight_number_->set_range(field->low, field->high);
  weight_number_->set_step(0.01);
  weight_number_->set_default(MetaballPrimitive{}.weight);
  weight_number_->setFixedWidth(72);
  auto* weights = new QWidget(box);
  auto* weight_row = new QHBoxLayout(weights);
  weight_row->setContentsMargins(0, 0, 0, 0);
  weight_row->addWidget(weight_, 1);
  weight_row->addWidget(weight_number_);
  grid->addWidget(make_row_label(tr("Weight"), weight_->toolTip(), box), 1, 0);
  grid->addWidget(weights, 1, 1);
  connect(weight_, &QSlider::sliderPressed, this, [this] { primitives_->end_gesture(); });
  connect(weight_, &QSlider::valueChanged, this, [this](int position) {
    (void)primitives_->set("weight", weight_at(position), weight_->isSliderDown(), weight_);
  });
  connect(weight_number_, &NumberField::edited, this, [this](double weight, bool continues) {
    (void)primitives_->set("weight", weight, continues, weight_number_);
  });
  primitives_->bind("weight", [this](std::span<const FieldValue> values) { show_weight(values); });
  for (std::string_view path : {"shape", "centre", "rotation", "radii", "round_xy", "round_xz", "tube", "bone"})
    primitives_->add_row(path, grid, box);
}

void MetaballPanel::make_surface(Section* section) {
  QWidget* box = section->body();
  QGridLayout* grid = make_form_grid(section);
  auto* known = new QWidget(box);
  auto* line = new QHBoxLayout(known);
  line->setContentsMargins(0, 0, 0, 0);
  figures_ = new QLabel(known);
  figures_->setObjectName("metaball_figures");
  figures_->setWordWrap(true);
  badge_ = new QLabel(known);
  badge_->setObjectName("metaball_badge");
  line->addWidget(figures_, 1);
  line->addWidget(badge_);
  grid->addWidget(known, 0, 0, 1, 2);
  binding_->add_row("display.metaballs.final_tolerance", grid, box);
  binding_->add_row("display.metaballs.preview_tolerance", grid, box);
  binding_->add_row("display.metaballs.moving", grid, box);
}

void MetaballPanel::make_material(Section* section) {
  auto* column = new QVBoxLayout(section->body());
  column->setContentsMargins(0, 6, 0, 0);
  column->setSpacing(0);
  own_colours_ = new QCheckBox(tr("Use own colours"), section->body());
  own_colours_->setObjectName("metaball_own_colours");
  own_colours_->setToolTip(
      tr("Each metaball shows its own material, blended where they meet; else the object's covers all."));
  connect(own_colours_, &QCheckBox::clicked, this, [this](bool on) { use_own_colours(context_, on); });
  auto* inset = new QHBoxLayout;
  inset->setContentsMargins(8, 0, 8, 0);
  inset->addWidget(own_colours_);
  column->addLayout(inset);
  editor_ = new SurfaceEditor("metaballs", section->body());
  column->addWidget(editor_);
  SurfaceTarget target;
  target.values = [this] {
    std::vector<SurfaceValue> values;
    for (const MetaballPrimitive* p : chosen()) values.push_back({p->preset, p->surface});
    return values;
  };
  target.edit = [this](const QString& what, const SurfaceChange& change, bool continues, QWidget* at) {
    edit_look(
        what,
        [&](MetaballPrimitive& p) {
          SurfaceValue value{p.preset, p.surface};
          change(value);
          p.preset = value.preset;
          p.surface = value.surface;
        },
        continues, at);
  };
  target.several = tr("metaballs");
  editor_->set_target(std::move(target));
}

void MetaballPanel::make_analysis(Section* section) {
  auto* column = new QVBoxLayout(section->body());
  column->setContentsMargins(8, 6, 8, 8);
  column->setSpacing(4);
  for (const auto& [id, text] :
       {std::pair{"analysis.fit", tr("Truss Around It")}, std::pair{"analysis.decimate", tr("Truss from Its Surface…")},
        std::pair{"analysis.fill", tr("Fill with Tetrahedra…")},
        std::pair{"analysis.cells", tr("Fill with Voronoi Cells…")},
        std::pair{"analysis.cloth", tr("Cloth from Its Surface…")}})
    if (QAction* action = context_.actions.all().value(QLatin1String(id)))
      column->addWidget(action_button(action, text, section->body()));
}

// Showing -------------------------------------------------------------------------------------------------------------

const Object* MetaballPanel::object() const {
  const Object* found = find_object(context_.document.scene(), context_.selection.active());
  return found && found->display.kind == DisplayKind::metaballs ? found : nullptr;
}

std::vector<const MetaballPrimitive*> MetaballPanel::chosen() const {
  std::vector<const MetaballPrimitive*> result;
  const Object* shown = object();
  if (!shown || !context_.elements.in("metaballs") || context_.elements.object_id() != shown->id) return result;
  for (const Element& element : context_.elements.elements())
    if (const MetaballPrimitive* p = find_primitive(shown->display.metaballs, element.number)) {
      result.push_back(p);
      if (element == context_.elements.active()) std::swap(result.front(), result.back());
    }
  return result;
}

void MetaballPanel::refresh() {
  const Object* shown = object();
  if (!shown) {
    const QString link = QStringLiteral("<a href='%1' style='color:%2'>%3</a>");
    const QString accent = theme_colours().accent.name();
    page_->nothing()->setText(
        tr("Metaballs blend into one smooth surface.<br><br>%1, %2 or %3, or take another from Add › Metaballs.")
            .arg(link.arg("add.metaball_ball", accent, tr("Add a ball")),
                 link.arg("add.metaball_figure", accent, tr("a figure")),
                 link.arg("add.metaball_animal", accent, tr("an animal"))));
  }
  page_->show_content(shown != nullptr);
  model_->set_object(shown ? shown->id : Id{});
  if (!shown) return;
  show_selection();
  own_colours_->setChecked(shown->display.metaballs.own_colours);
  show_numbers();
  show_figures();
}

void MetaballPanel::show_numbers() {
  const auto primitives = chosen();
  const bool any = !primitives.empty();
  for (QToolButton* button : needs_selection_) button->setEnabled(any);
  editor_->set_note(!any ? tr("Select a metaball to give it a material of its own.")
                    : primitives.size() == 1
                        ? tr("Material of %1").arg(QString::fromStdString(primitives.front()->name))
                        : QString());
  editor_->refresh();
  weight_->setEnabled(any);
  weight_number_->setEnabled(any);
  for (SectionEditor* editor : sections_) {
    if (!editor->dragging()) editor->set_primitive(any ? std::optional(*primitives.front()) : std::nullopt);
    if (any && !sections_[0]->dragging() && !sections_[1]->dragging())
      editor->set_size_in_view(SectionEditor::fitting_size(*primitives.front()));
  }
  primitives_->refresh();
}

void MetaballPanel::show_weight(std::span<const FieldValue> weights) {
  const double weight = std::get<double>(weights.front());
  weight_number_->set_value(weight);
  weight_number_->set_mixed(std::any_of(weights.begin(), weights.end(),
                                        [&](const FieldValue& other) { return std::get<double>(other) != weight; }));
  if (!weight_->isSliderDown()) {
    const QSignalBlocker block(weight_);
    weight_->setValue(position_of(weight));
  }
  weight_->setStyleSheet(weight < 0 ? QStringLiteral("QSlider::handle:horizontal { background: #f4629e; }")
                                    : QString());
}

void MetaballPanel::show_figures() {
  const Object* shown = object();
  if (!shown || !figures_) return;
  const MetaballFigures known = context_.metaballs.figures(shown->id);
  if (shown->display.metaballs.primitives.empty()) {
    figures_->setText(tr("No metaballs yet"));
    badge_->hide();
    return;
  }
  if (known.triangles == 0) {
    figures_->setText(known.final ? tr("No surface: weights of 1 and less do not show alone")
                                  : tr("Making the surface…"));
    badge_->hide();
    return;
  }
  QString text =
      tr("%L1 triangles · %2 ms").arg(known.triangles).arg(known.milliseconds, 0, 'f', known.milliseconds < 10 ? 1 : 0);
  QString tip;
  if (known.error) {
    const double scale = 1000 * shown->transform.scale.cwiseAbs().maxCoeff();
    text += tr(" · %1 mm off").arg(scale * known.error->largest, 0, 'g', 2);
    tip =
        tr("Corners, middles of edges and middles of triangles are at most %1 mm from the surface, %2 mm in the mean.")
            .arg(scale * known.error->largest, 0, 'g', 3)
            .arg(scale * known.error->mean, 0, 'g', 3);
  }
  figures_->setText(text);
  figures_->setToolTip(tip);
  badge_->show();
  const ThemeColours& colours = theme_colours();
  const QColor colour = !known.final ? colours.quiet_text : known.closed ? colours.computed : colours.warning;
  badge_->setText(!known.final ? known.exact ? tr("final") : tr("preview") : known.closed ? tr("closed") : tr("open"));
  badge_->setToolTip(!known.final   ? known.exact ? tr("Whether it is closed is looked at when the mouse rests.")
                                                  : tr("The final surface is made when the mouse rests.")
                       : known.closed ? tr("Every edge has two triangles: it has a volume and can be filled.")
                                    : tr("The surface has edges with a single triangle."));
  badge_->setStyleSheet(
      QStringLiteral("border: 1px solid %1; color: %1; border-radius: 7px; padding: 0 6px;").arg(colour.name()));
}

// Selection -----------------------------------------------------------------------------------------------------------

bool MetaballPanel::enter_mode() {
  if (!object()) return false;
  if (context_.elements.in("metaballs") && context_.elements.object_id() == object()->id) return true;
  return context_.elements.enter(*find_mode("metaballs")).isEmpty();
}

void MetaballPanel::show_selection() {
  if (syncing_) return;
  syncing_ = true;
  QItemSelection rows;
  QModelIndex active;
  if (context_.elements.in("metaballs"))
    for (const Element& element : context_.elements.elements()) {
      const int row = model_->row(element.number);
      if (row < 0) continue;
      rows.select(model_->index(row, 0), model_->index(row, MetaballModel::column_count - 1));
      if (element == context_.elements.active()) active = model_->index(row, 0);
    }
  select_rows(list_, rows, active);
  syncing_ = false;
}

void MetaballPanel::take_selection() {
  if (syncing_) return;
  syncing_ = true;
  Elements chosen_elements;
  for (const QItemSelectionRange& range : list_->selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom(); ++row) chosen_elements.insert({0, model_->id(row)});
  const QModelIndex current = list_->selectionModel()->currentIndex();
  const Element active{0, current.isValid() ? model_->id(current.row()) : 0};
  if (chosen_elements.empty())
    context_.elements.clear();
  else if (enter_mode())
    context_.elements.set(chosen_elements, active);
  syncing_ = false;
  show_numbers();
}

void MetaballPanel::press_list(const QModelIndex& index, Qt::KeyboardModifiers) {
  std::vector<std::uint32_t> ids{model_->id(index.row())};
  // A click on one of several selected rows means all of them.
  if (list_->selectionModel()->isSelected(index))
    for (const QModelIndex& other : list_->selectionModel()->selectedRows())
      if (other.row() != index.row()) ids.push_back(model_->id(other.row()));
  model_->toggle(ids);
}

void MetaballPanel::pick_colour(const QModelIndex& index) {
  const Object* shown = object();
  const MetaballPrimitive* p = shown ? find_primitive(shown->display.metaballs, model_->id(index.row())) : nullptr;
  if (!p || !enter_mode()) return;
  if (!context_.elements.contains({0, p->id})) context_.elements.select_only({0, p->id});
  auto* editor = new ColourEditor(this);
  editor->setObjectName("metaball_colour_editor");
  editor->setWindowFlags(Qt::Popup);
  editor->setAttribute(Qt::WA_DeleteOnClose);
  editor->set_colour(p->surface.diffuse);
  primitives_->end_gesture();
  connect(editor, &ColourEditor::edited, this, [this, editor](const Vec3& colour, bool continues) {
    edit_look(
        tr("Colour"),
        [&](MetaballPrimitive& next) {
          next.surface.diffuse = colour;
          next.surface.ambient = 0.4 * colour;
        },
        continues, editor);
  });
  const QRect place = list_->visualRect(index);
  editor->adjustSize();
  editor->move(list_->viewport()->mapToGlobal(QPoint(place.right() - editor->width(), place.bottom() + 2)));
  editor->show();
}

bool MetaballPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_->viewport() &&
      (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick)) {
    auto* mouse = static_cast<QMouseEvent*>(event);
    const QModelIndex index = list_->indexAt(mouse->position().toPoint());
    if (mouse->button() == Qt::LeftButton && index.isValid()) {
      if (index.column() == MetaballModel::eye_column) {
        press_list(index, mouse->modifiers());
        return true;  // the selection stays as it is
      }
      if (index.column() == MetaballModel::colour_column) {
        pick_colour(index);
        return true;
      }
    }
  }
  if (watched == list_ && event->type() == QEvent::ShortcutOverride) {
    // F2 renames in place.
    if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
      event->accept();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void MetaballPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

Owners<MetaballPrimitive> MetaballPanel::chosen_ones() {
  using List = Owners<MetaballPrimitive>::List;
  Owners<MetaballPrimitive> owners;
  owners.shown = [this] { return chosen(); };
  owners.change = [this](Scene& next, const List& these, const std::function<void(MetaballPrimitive&)>& change) {
    std::vector<std::uint32_t> ids;
    for (const MetaballPrimitive* p : these) ids.push_back(p->id);
    next = with_object(std::move(next), object()->id, [&](Object& o) {
      for (std::uint32_t id : ids)
        if (MetaballPrimitive* p = find_primitive(o.display.metaballs, id)) change(*p);
    });
  };
  owners.subject = [this](const List& these) {
    const QString whose =
        these.size() == 1 ? QString::fromStdString(these.front()->name) : tr("%1 metaballs").arg(these.size());
    return tr("%1 in %2").arg(whose, QString::fromStdString(object()->name));
  };
  owners.touched = [](const ChangeSet&) { return false; };  // show_numbers() follows object and elements
  return owners;
}

bool MetaballPanel::edit_look(const QString& what, const std::function<void(MetaballPrimitive&)>& change,
                              bool continues, QWidget* at) {
  return primitives_->edit(what, change, continues, at, [this](Scene& next) {
    next = with_object(std::move(next), object()->id, [](Object& o) { o.display.metaballs.own_colours = true; });
  });
}

QToolButton* MetaballPanel::button(const QString& name) const { return findChild<QToolButton*>(name); }

FieldWidget* MetaballPanel::field(std::string_view path) const { return primitives_->widget(path); }

const PanelInfo& panel_metaball_panel() {
  static const PanelInfo info{"metaballs", "Metaballs", Qt::RightDockWidgetArea,  1,
                              4,           "metaballs", make_panel<MetaballPanel>};
  return info;
}

}  // namespace hazumi
