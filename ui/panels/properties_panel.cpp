#include "ui/panels/properties_panel.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/import/mesh_file.h"
#include "core/sim/elastic/solver.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/scroll_page.h"

namespace hazumi {

namespace {

constexpr std::string_view kMeshFile = "display.mesh.file";

/// The rows of objects, with those of the solvers' own parameters behind the body's.
std::span<const Field<Object>> shown_fields() {
  static const std::vector<Field<Object>> all = [] {
    std::vector<Field<Object>> rows(object_fields().begin(), object_fields().end());
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const auto& row) { return row.group == "Body"; });
    const auto parameters = elastic_parameter_fields();
    rows.insert(last.base(), parameters.begin(), parameters.end());
    return rows;
  }();
  return all;
}

template <class Owner>
std::vector<FieldSpec> specs(std::span<const Field<Owner>> fields) {
  std::vector<FieldSpec> all;
  for (const auto& field : fields) {
    all.push_back(field_spec(field));
    if (field.path == kMeshFile) {
      const std::string_view patterns = mesh_file_patterns();
      all.back().patterns = QString::fromUtf8(patterns.data(), static_cast<qsizetype>(patterns.size()));
    }
    // The file keeps the solver by name; a person chooses among those that there are.
    if (field.path == "body.solver")
      for (const ElasticSolverInfo* solver : elastic_solvers())
        all.back().choices.push_back(
            QString::fromUtf8(solver->name.data(), static_cast<qsizetype>(solver->name.size())));
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
  object_form_ = new FieldForm(specs(shown_fields()), "properties",
                               {"Display model", "Analysis model", "Contact", "Material"}, this);
  light_form_ = new FieldForm(specs(light_fields()), "properties", {}, this);
  settings_form_ = new FieldForm(specs(settings_fields()), "properties", {}, this);
  camera_form_ = new FieldForm(specs(camera_fields()), "properties", {}, this);
  stack_->addWidget(make_page({object_form_}));
  stack_->addWidget(make_page({light_form_}));
  stack_->addWidget(make_page({settings_form_, camera_form_}));

  heading_->setObjectName("properties_heading");
  heading_->setTextFormat(Qt::PlainText);
  heading_->setContentsMargins(8, 5, 8, 5);
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  QFont bold = heading_->font();
  bold.setBold(true);
  heading_->setFont(bold);
  mesh_line_ = new QWidget(this);
  mesh_counts_ = new QLabel(mesh_line_);
  mesh_counts_->setObjectName("properties_mesh_counts");
  mesh_counts_->setTextFormat(Qt::PlainText);
  mesh_counts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* adjust = new QPushButton(tr("Repair, Simplify…"), mesh_line_);
  adjust->setObjectName("properties_mesh_adjust");
  adjust->setToolTip(tr("Change what is done to the mesh file: unit, up axis, repairs, number of triangles."));
  connect(adjust, &QPushButton::clicked, this, [this] { context_.actions["object.mesh_file"]->trigger(); });
  auto* line = new QHBoxLayout(mesh_line_);
  line->setContentsMargins(8, 0, 8, 5);
  line->addWidget(mesh_counts_, 1);
  line->addWidget(adjust);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(heading_);
  column->addWidget(mesh_line_);
  column->addWidget(stack_, 1);

  objects_ = new Binding<Object>(context_, shown_fields(),
                                 only_where(selected_objects(context_), [this] { return shows_objects(); }), this);
  lights_ = new Binding<Light>(context_, light_fields(),
                               only_where(selected_lights(context_), [this] { return !shows_objects(); }), this);
  settings_ = new Binding<SceneSettings>(context_, settings_fields(), scene_settings(context_), this);
  camera_ = new Binding<Camera>(context_, camera_fields(), scene_camera(context_), this);
  // A file picked anywhere is named as the scene file will name it.
  objects_->convert = [this](const Field<Object>& field, const FieldValue& entered) -> FieldValue {
    return field.path == kMeshFile ? context_.document.mesh_name(std::get<std::string>(entered)) : entered;
  };
  objects_->bind(*object_form_);
  lights_->bind(*light_form_);
  settings_->bind(*settings_form_);
  camera_->bind(*camera_form_);
  for (BindingBase* binding : std::initializer_list<BindingBase*>{objects_, lights_, settings_, camera_}) {
    binding->refresh();
    connect(binding, &BindingBase::shown_changed, this, &PropertiesPanel::refresh);
  }
  refresh();
}

bool PropertiesPanel::shows_objects() const {
  const Scene& scene = context_.document.scene();
  const Selection& selection = context_.selection;
  return !find_light(scene, selection.active()) &&
         std::any_of(selection.ids().begin(), selection.ids().end(), [&](Id id) { return find_object(scene, id); });
}

void PropertiesPanel::refresh() {
  const bool objects = shows_objects(), lights = !objects && lights_->active();
  stack_->setCurrentIndex(objects ? 0 : lights ? 1 : 2);
  heading_->setText(objects ? objects_->subject() : lights ? lights_->subject() : tr("Scene"));
  refresh_mesh_line();
}

void PropertiesPanel::refresh_mesh_line() {
  const auto objects = objects_->owners();
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
