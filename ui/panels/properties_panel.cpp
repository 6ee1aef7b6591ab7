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
#include "ui/model/sentence.h"
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

/// A row is shown when it applies to all owners: what applies to some only cannot be set for all.
template <class Owner>
void show_fields(FieldForm& form, std::span<const Field<Owner>> fields, std::span<const Owner* const> owners) {
  std::vector<FieldValue> values;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    values.clear();
    const auto& field = fields[i];
    const bool shown =
        !owners.empty() && std::all_of(owners.begin(), owners.end(), [&](const Owner* o) { return field.shown(*o); });
    if (shown)
      for (const Owner* owner : owners) values.push_back(field.get(*owner));
    form.show_row(static_cast<int>(i), values);
  }
  form.finish();
}

bool touches(const ChangeSet& change, const std::vector<Id>& shown) {
  return std::any_of(shown.begin(), shown.end(),
                     [&](Id id) { return std::binary_search(change.objects.begin(), change.objects.end(), id); });
}

}  // namespace

FieldValue with_component(const FieldValue& value, const FieldValue& part, int component) {
  if (component < 0 || value.index() != part.index()) return part;
  FieldValue next = value;
  if (auto* vector = std::get_if<Vec3>(&next))
    (*vector)[component] = std::get<Vec3>(part)[component];
  else if (auto* integers = std::get_if<std::array<int, 3>>(&next))
    (*integers)[static_cast<std::size_t>(component)] =
        std::get<std::array<int, 3>>(part)[static_cast<std::size_t>(component)];
  else
    return part;
  return next;
}

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

  connect(object_form_, &FieldForm::edited, this, &PropertiesPanel::edit_objects);
  connect(light_form_, &FieldForm::edited, this, &PropertiesPanel::edit_lights);
  connect(settings_form_, &FieldForm::edited, this, &PropertiesPanel::edit_settings);
  connect(camera_form_, &FieldForm::edited, this, &PropertiesPanel::edit_camera);
  connect(&context.selection, &Selection::changed, this, &PropertiesPanel::on_selection);
  connect(&context.document, &DocumentController::changed, this, &PropertiesPanel::on_change);
  connect(&context.document, &DocumentController::document_replaced, this, &PropertiesPanel::on_selection);
  on_selection();
}

void PropertiesPanel::on_selection() {
  const Scene& scene = context_.document.scene();
  const Selection& selection = context_.selection;
  shown_objects_.clear();
  shown_lights_.clear();
  for (Id id : selection.ids()) {
    if (find_object(scene, id))
      shown_objects_.push_back(id);
    else if (find_light(scene, id))
      shown_lights_.push_back(id);
  }
  // Objects and lights have no field in common: the kind of the active one is shown.
  if (find_light(scene, selection.active()))
    shown_objects_.clear();
  else if (!shown_objects_.empty())
    shown_lights_.clear();
  for (auto* ids : {&shown_objects_, &shown_lights_})
    if (const auto at = std::find(ids->begin(), ids->end(), selection.active()); at != ids->end())
      std::rotate(ids->begin(), at, at + 1);
  stack_->setCurrentIndex(!shown_objects_.empty() ? 0 : !shown_lights_.empty() ? 1 : 2);
  refresh();
}

void PropertiesPanel::on_change(const ChangeSet& change) {
  const Scene& scene = context_.document.scene();
  const auto gone = [&](Id id) { return !find_object(scene, id) && !find_light(scene, id); };
  if (change.structure && (std::any_of(shown_objects_.begin(), shown_objects_.end(), gone) ||
                           std::any_of(shown_lights_.begin(), shown_lights_.end(), gone)))
    return on_selection();
  const bool nothing = shown_objects_.empty() && shown_lights_.empty();
  if (nothing ? change.settings || change.camera || change.structure
              : touches(change, shown_objects_) || touches(change, shown_lights_))
    refresh();
}

void PropertiesPanel::refresh() {
  const Scene& scene = context_.document.scene();
  if (!shown_objects_.empty()) {
    std::vector<const Object*> owners;
    for (Id id : shown_objects_)
      if (const Object* object = find_object(scene, id)) owners.push_back(object);
    show_fields<Object>(*object_form_, shown_fields(), owners);
    heading_->setText(owners.size() == 1 ? QString::fromStdString(owners.front()->name)
                                         : tr("%1 objects").arg(owners.size()));
  } else if (!shown_lights_.empty()) {
    std::vector<const Light*> owners;
    for (Id id : shown_lights_)
      if (const Light* light = find_light(scene, id)) owners.push_back(light);
    show_fields<Light>(*light_form_, light_fields(), owners);
    heading_->setText(owners.size() == 1 ? QString::fromStdString(owners.front()->name)
                                         : tr("%1 lights").arg(owners.size()));
  } else {
    const SceneSettings* settings = &scene.settings;
    const Camera* camera = &scene.camera;
    show_fields<SceneSettings>(*settings_form_, settings_fields(), {&settings, 1});
    show_fields<Camera>(*camera_form_, camera_fields(), {&camera, 1});
    heading_->setText(tr("Scene"));
  }
  refresh_mesh_line();
}

void PropertiesPanel::refresh_mesh_line() {
  const Object* object =
      shown_objects_.size() == 1 ? find_object(context_.document.scene(), shown_objects_.front()) : nullptr;
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

quint64 PropertiesPanel::gesture(bool continues) {
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  return gesture_;
}

void PropertiesPanel::commit(FieldForm* form, int row, Scene next, bool continues, const QString& what) {
  const QString text = tr("%1 of %2").arg(form->spec(row).label, what);
  const Status status = context_.document.edit(text, std::move(next), gesture(continues));
  if (status.ok()) return;
  refresh();
  form->widget(row)->refuse(sentence_of(status.error()));
}

void PropertiesPanel::edit_objects(int row, const FieldValue& entered, int component, bool continues) {
  const auto& field = shown_fields()[static_cast<std::size_t>(row)];
  // A file picked anywhere is named as the scene file will name it.
  FieldValue value = entered;
  if (field.path == kMeshFile) value = context_.document.mesh_name(std::get<std::string>(entered));
  const std::set<Id> ids(shown_objects_.begin(), shown_objects_.end());
  Scene next = context_.document.scene();
  for (auto& object : next.objects)
    if (ids.count(object->id))
      object = object.edited([&](Object& o) { edit_field(o, field, with_component(field.get(o), value, component)); });
  commit(object_form_, row, std::move(next), continues, heading_->text());
  if (field.path == kMeshFile) refresh();  // the name may be another than what was entered
}

void PropertiesPanel::edit_lights(int row, const FieldValue& value, int component, bool continues) {
  const auto& field = light_fields()[static_cast<std::size_t>(row)];
  const std::set<Id> ids(shown_lights_.begin(), shown_lights_.end());
  Scene next = context_.document.scene();
  for (auto& light : next.lights)
    if (ids.count(light->id))
      light = light.edited([&](Light& l) { field.set(l, with_component(field.get(l), value, component)); });
  commit(light_form_, row, std::move(next), continues, heading_->text());
}

void PropertiesPanel::edit_settings(int row, const FieldValue& value, int component, bool continues) {
  const auto& field = settings_fields()[static_cast<std::size_t>(row)];
  Scene next = context_.document.scene();
  field.set(next.settings, with_component(field.get(next.settings), value, component));
  commit(settings_form_, row, std::move(next), continues, tr("scene"));
}

void PropertiesPanel::edit_camera(int row, const FieldValue& value, int component, bool continues) {
  const auto& field = camera_fields()[static_cast<std::size_t>(row)];
  Scene next = context_.document.scene();
  field.set(next.camera, with_component(field.get(next.camera), value, component));
  commit(camera_form_, row, std::move(next), continues, tr("camera"));
}

}  // namespace hazumi
