#include "ui/panels/properties_panel.h"

#include <algorithm>
#include <type_traits>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/import/mesh_file.h"
#include "core/sim/elastic/solver.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/solver_text.h"
#include "ui/panels/bent_line.h"
#include "ui/panels/body_line.h"
#include "ui/panels/collision_line.h"
#include "ui/panels/elastic_list.h"
#include "ui/panels/family_line.h"
#include "ui/panels/joint_line.h"
#include "ui/panels/life_section.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/scroll_page.h"

namespace hazumi {

namespace {

constexpr std::string_view kMeshFile = "display.mesh.file", kPictureFile = "picture.file";

template <class Thing>
std::span<const Field<Thing>> shown_fields(const SceneList<Thing>& list) {
  return list.fields();
}

/// The rows of objects, with those of the solvers' own parameters behind the body's.
std::span<const Field<Object>> shown_fields(const SceneList<Object>&) {
  static const std::vector<Field<Object>> all = [] {
    std::vector<Field<Object>> rows(object_fields().begin(), object_fields().end());
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const auto& row) { return row.group == "Body"; });
    const auto parameters = elastic_parameter_fields();
    rows.insert(last.base(), parameters.begin(), parameters.end());
    return rows;
  }();
  return all;
}

/// Of a field that names one: what there is in the scene now.
/// `none`: what stands for none, where it is not what it is elsewhere.
std::function<std::vector<FieldSpec::Named>()> things_to_name(const UiContext& context, Refers refers,
                                                              const QString& none = {}) {
  return [context, refers, none] {
    const Scene& scene = context.document.scene();
    std::vector<FieldSpec::Named> all;
    const auto add = [&](const auto& things) {
      for (const auto& thing : things)
        all.push_back({static_cast<std::int64_t>(thing->id.value), QString::fromStdString(thing->name)});
    };
    if (refers == Refers::camera) {
      all.push_back({0, tr("The first")});
      add(scene.cameras);
    } else if (refers == Refers::joint) {
      all.push_back({0, tr("None")});
      for (const auto& joint : scene.joints)
        if (joint->kind == JointKind::hinge)
          all.push_back({static_cast<std::int64_t>(joint->id.value), QString::fromStdString(joint->name)});
    } else if (refers == Refers::collection) {
      all.push_back({0, tr("Everything")});
      add(scene.collections);
    } else if (refers == Refers::source) {
      all.push_back({0, tr("Nothing")});
      add(scene.particles);
    } else if (!none.isEmpty() && refers == Refers::object) {
      all.push_back({0, none});
      add(scene.objects);
    } else {
      all.push_back({0, refers == Refers::curve ? tr("None") : tr("Nothing")});
      if (refers == Refers::curve)
        add(scene.curves);
      else
        add(scene.objects);
    }
    return all;
  };
}

template <class Owner>
std::vector<FieldSpec> specs(const UiContext& context, std::span<const Field<Owner>> fields) {
  std::vector<FieldSpec> all;
  for (const auto& field : fields) {
    all.push_back(field_spec(field));
    if (field.refers != Refers::nothing)
      all.back().things =
          things_to_name(context, field.refers, std::is_same_v<Owner, Joint> ? tr("The world") : QString());
    if (field.path == kMeshFile) {
      const std::string_view patterns = mesh_file_patterns();
      all.back().patterns = QString::fromUtf8(patterns.data(), static_cast<qsizetype>(patterns.size()));
    }
    if (field.path == kPictureFile) {
      all.back().patterns = QStringLiteral("*.png *.jpg *.jpeg *.webp *.bmp");
      all.back().folder = QStringLiteral("picture");
    }
    // The file keeps the solver by name; a person chooses among those that there are.
    if (field.path == "body.solver") {
      for (const ElasticSolverInfo* solver : elastic_solvers()) all.back().choices.push_back(text_of(solver->name));
      all.back().tooltip += solver_descriptions();
    }
  }
  return all;
}

/// A scrolling page that holds forms one above the other.
ScrollPage* make_page(std::initializer_list<QWidget*> forms) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  for (QWidget* form : forms) column->addWidget(form);
  column->addStretch(1);
  return new ScrollPage(content);
}

/// Another list where it is `shown`, none else.
template <class Owner>
Owners<Owner> only_where(Owners<Owner> owners, std::function<bool()> shown) {
  owners.shown = [all = owners.shown, shown = std::move(shown)] {
    return shown() ? all() : typename Owners<Owner>::List{};
  };
  return owners;
}

}  // namespace

PropertiesPanel::PropertiesPanel(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), heading_(new QLabel(this)), stack_(new QStackedWidget(this)) {
  settings_form_ = new FieldForm(specs(context_, settings_fields()), "properties", {}, this);
  settings_page_ = make_page({settings_form_});
  stack_->addWidget(settings_page_);

  heading_->setObjectName("properties_heading");
  heading_->setTextFormat(Qt::PlainText);
  heading_->setContentsMargins(8, 5, 8, 5);
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  make_bold(heading_);
  mesh_line_ = new QWidget(this);
  mesh_counts_ = new QLabel(mesh_line_);
  mesh_counts_->setObjectName("properties_mesh_counts");
  mesh_counts_->setTextFormat(Qt::PlainText);
  mesh_counts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* adjust = new QPushButton(tr("Repair, Simplify…"), mesh_line_);
  adjust->setObjectName("properties_mesh_adjust");
  adjust->setToolTip(tr("Change what is done to the mesh file: unit, up axis, repairs, number of triangles."));
  connect(adjust, &QPushButton::clicked, this, [this] { context_.actions["object.mesh_file"]->trigger(); });
  pair_line_ = new QLabel(this);
  pair_line_->setObjectName("properties_pair");
  pair_line_->setTextFormat(Qt::PlainText);
  pair_line_->setContentsMargins(8, 0, 8, 5);
  pair_line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* line = new QHBoxLayout(mesh_line_);
  line->setContentsMargins(8, 0, 8, 5);
  line->addWidget(mesh_counts_, 1);
  line->addWidget(adjust);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(heading_);
  column->addWidget(mesh_line_);
  column->addWidget(pair_line_);
  column->addWidget(new JointLine(context_, this));
  column->addWidget(new BodyLine(context_, this));
  column->addWidget(new FamilyLine(context_, this));
  column->addWidget(new BentLine(context_, this));
  column->addWidget(new CollisionLine(context_, this));
  column->addWidget(stack_, 1);

  auto* settings = new Binding<SceneSettings>(context_, settings_fields(), scene_settings(context_), this);
  settings->bind(*settings_form_);
  follow(settings);
  // Of a list whose things were not shown yet there is no binding that would tell.
  connect(&context_.selection, &Selection::changed, this, &PropertiesPanel::refresh);
  connect(&context_.document, &DocumentController::changed, this, &PropertiesPanel::refresh);
  refresh();
}

void PropertiesPanel::follow(BindingBase* binding) {
  binding->refresh();
  connect(binding, &BindingBase::shown_changed, this, &PropertiesPanel::refresh);
}

template <class Thing>
void PropertiesPanel::add_list(const SceneList<Thing>& list) {
  const auto fields = shown_fields(list);
  auto* form = new FieldForm(specs(context_, fields), "properties",
                             {"Display model", "Analysis model", "Contact", "Material"}, this);
  QWidget* page = nullptr;
  if constexpr (std::is_same_v<Thing, ParticleSource>)
    page = make_page({form, new LifeSection(context_, this)});
  else
    page = make_page({form});
  auto* binding = new Binding<Thing>(
      context_, fields,
      only_where(selected_things(context_, list), [this, &list] { return shown_list() == list.path; }), this);
  binding->bind(*form);
  pages_.push_back({list.path, form, page, binding});
  if constexpr (std::is_same_v<Thing, Object>) {
    objects_ = binding;
    if (auto* solver = qobject_cast<BoxField*>(form->widget(QStringLiteral("body.solver"))))
      new ElasticList(solver->box());
    // Led by what? Without keys of its place the tick would promise something.
    binding->meant = [this](const Field<Object>& field, const Object& object) {
      if (field.path != "body.led" && field.path != "body.blend" && field.path != "body.bends_led") return true;
      const Scene& scene = context_.document.scene();
      return is_led(scene, object.id) || find_track(scene, object.id.value, "body.led") != nullptr;
    };
    // A file picked anywhere is named as the scene file will name it.
    binding->convert = [this](const Field<Object>& field, const FieldValue& entered) -> FieldValue {
      return field.path == kMeshFile ? context_.document.mesh_name(std::get<std::string>(entered)) : entered;
    };
  }
  stack_->addWidget(page);
  follow(binding);
}

const PropertiesPanel::Page* PropertiesPanel::page_of(std::string_view path) {
  const auto made = [&] { return std::ranges::find(pages_, path, &Page::list); };
  if (made() == pages_.end())
    visit_scene_lists([&](const auto& list) {
      if (list.listed && list.path == path) add_list(list);
    });
  const auto page = made();
  return page == pages_.end() ? nullptr : &*page;
}

FieldForm* PropertiesPanel::form(std::string_view list) {
  const Page* page = page_of(list);
  return page ? page->form : nullptr;
}

std::string_view PropertiesPanel::shown_list() const {
  std::string_view shown;
  const auto look = [&](Id id) {
    if (shown.empty())
      visit_thing(context_.document.scene(), id, [&](const auto& list, const auto&) { shown = list.path; });
  };
  look(context_.selection.active());
  // The active one may just have been deleted.
  for (Id id : context_.selection.ids()) look(id);
  return shown;
}

void PropertiesPanel::refresh() {
  const Page* page = page_of(shown_list());
  stack_->setCurrentWidget(page ? page->page : settings_page_);
  heading_->setText(page ? page->binding->subject() : tr("Scene"));
  refresh_mesh_line();
  refresh_pair_line();
}

void PropertiesPanel::refresh_pair_line() {
  const Scene& scene = context_.document.scene();
  const ContactPair* pair = nullptr;
  if (context_.selection.ids().size() == 1)
    pair = find_thing(scene, std::get<SceneList<ContactPair>>(kSceneLists), *context_.selection.ids().begin());
  pair_line_->setVisible(pair);
  if (!pair) return;
  const QString text = tr("Of %1 and %2").arg(name_of(scene, Id{pair->a}), name_of(scene, Id{pair->b}));
  pair_line_->setText(text);
  pair_line_->setToolTip(text);
}

void PropertiesPanel::refresh_mesh_line() {
  const auto objects = objects_ ? objects_->owners() : Owners<Object>::List{};
  const Object* object = objects.size() == 1 ? objects.front() : nullptr;
  const DisplayMesh* mesh =
      object && object->display.kind == DisplayKind::mesh ? object->display.mesh.mesh.get() : nullptr;
  mesh_line_->setVisible(mesh && !object->display.mesh.source.empty());
  if (!mesh) return;
  const QLocale locale;
  QString counts = tr("%1 triangles").arg(locale.toString(static_cast<qulonglong>(mesh->faces.size())));
  if (mesh->parts.size() > 1)
    counts += tr(", %1 parts").arg(locale.toString(static_cast<qulonglong>(mesh->parts.size())));
  mesh_counts_->setText(counts);
  mesh_counts_->setToolTip(counts);
}

const PanelInfo& panel_properties_panel() {
  static const PanelInfo info{
      "properties", "Properties", Qt::RightDockWidgetArea, 1, 0, "properties", make_panel<PropertiesPanel>};
  return info;
}

}  // namespace hazumi
