#include "ui/editors/array_dialog.h"

#include <algorithm>
#include <numbers>

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/segments.h"

namespace hazumi {

namespace {

constexpr double kFar = 1e6;  // m
constexpr double kDegree = std::numbers::pi / 180;

/// From one to the next as wide as what is copied and a tenth more.
Vec3 first_offset(const Scene& scene, const std::set<Id>& ids, MeshStore& meshes) {
  Box3 box;
  for (const Id id : ids)
    if (const Object* object = find_object(scene, id))
      for (const Vec3& p : meshes.mesh(*object)->positions)
        box.add(object->transform.position + object->transform.rotation * p);
  return {box.valid() ? std::max(0.1, 0.1 * std::ceil(11 * box.size().x())) : 1.0, 0, 0};
}

}  // namespace

ArrayDialog::ArrayDialog(UiContext& context, QWidget* parent)
    : QDialog(parent),
      context_(context),
      before_(context.document.snapshot()),
      ids_(context.selection.ids()),
      active_(context.selection.active()),
      gesture_(context.document.new_gesture()),
      text_(tr("Array %1").arg(selection_text(context.document.scene(), context.selection))) {
  setObjectName(QStringLiteral("array_dialog"));
  setWindowTitle(text_);
  settings_.offset = first_offset(*before_, ids_, context.document.meshes());
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  kind_ = new Segments({{tr("In a row"), {}, tr("Copies one after the other, each moved on by the same offset.")},
                        {tr("Around a centre"), {}, tr("Copies on a circle about an axis through a centre.")}},
                       false, this);
  kind_->setObjectName(QStringLiteral("array_kind"));
  kind_->set_current(0);
  column->addWidget(kind_);
  auto* form = new QFormLayout;
  auto* count = new NumberField(this);
  count->setObjectName(QStringLiteral("array_count"));
  count->set_name(tr("Count"));
  count->set_integer(true);
  count->set_range(1, kMostInArray);
  count->set_problem([this](double value) { return array_problem(ids_.size(), static_cast<int>(value)); });
  count->set_value(settings_.count);
  count->setToolTip(tr("How many there are in the end, what is selected among them."));
  form->addRow(tr("Count"), count);
  column->addLayout(form);
  pages_ = {row_page(), circle_page()};
  for (QWidget* page : pages_) column->addWidget(page);
  said_ = new QLabel(this);
  said_->setObjectName(QStringLiteral("array_said"));
  said_->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(said_);
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole)->setAutoDefault(false);
  make_ = buttons->addButton(tr("Make Array"), QDialogButtonBox::AcceptRole);
  make_->setObjectName(QStringLiteral("array_make"));
  make_->setDefault(true);
  column->addWidget(buttons);
  connect(kind_, &Segments::picked, this, [this](int index) {
    kind_->set_current(index);
    show_page(index);
    settings_.kind = index == 0 ? ArrayKind::row : ArrayKind::circle;
    preview();
  });
  connect(count, &NumberField::edited, this, [this](double value, bool) {
    settings_.count = static_cast<int>(value);
    preview();
  });
  connect(buttons, &QDialogButtonBox::accepted, this, &ArrayDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &ArrayDialog::reject);
  // Not reject(): what it would put back is of another scene.
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { done(Rejected); });
  show_page(0);
  preview();
}

VectorField* ArrayDialog::vector_field(const QString& name, const QString& label, const QString& tooltip,
                                       Vec3 ArraySettings::*member, QWidget* parent) {
  FieldSpec spec;
  spec.label = label;
  spec.tooltip = tooltip;
  spec.unit = tr("m");
  spec.type = FieldType::vector;
  spec.low = -kFar;
  spec.high = kFar;
  spec.step = 0.02;
  spec.fallback = ArraySettings().*member;
  spec.problem = [](const FieldValue&) { return QString(); };
  auto* field = new VectorField(spec, parent);
  field->setObjectName(name);
  field->setMinimumWidth(300);
  field->set_value(settings_.*member);
  connect(field, &FieldWidget::edited, this, [this, member, field](const FieldValue& value) {
    settings_.*member = std::get<Vec3>(value);
    field->set_value(value);
    preview();
  });
  return field;
}

QWidget* ArrayDialog::row_page() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  auto* offset = vector_field(QStringLiteral("array_offset"), tr("Offset"), tr("From each to the next, in m."),
                              &ArraySettings::offset, page);
  form->addRow(tr("Offset"), offset);
  return page;
}

QWidget* ArrayDialog::circle_page() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  auto* centre = vector_field(QStringLiteral("array_centre"), tr("Centre"), tr("A point of the axis, in m."),
                              &ArraySettings::centre, page);
  form->addRow(tr("Centre"), centre);
  axis_ = new Segments({{QStringLiteral("X"), {}, tr("About an axis along x.")},
                        {QStringLiteral("Y"), {}, tr("About an upright axis.")},
                        {QStringLiteral("Z"), {}, tr("About an axis along z.")}},
                       false, page);
  axis_->setObjectName(QStringLiteral("array_axis"));
  axis_->set_current(settings_.axis);
  connect(axis_, &Segments::picked, this, [this](int index) {
    axis_->set_current(index);
    settings_.axis = index;
    preview();
  });
  form->addRow(tr("Axis"), axis_);
  auto* angle = new NumberField(page);
  angle->setObjectName(QStringLiteral("array_angle"));
  angle->set_name(tr("Angle"));
  angle->set_unit(tr("°"));
  angle->set_range(-360, 360);
  angle->set_step(1);
  angle->set_value(settings_.angle / kDegree);
  angle->setToolTip(
      tr("Over all, in degrees: 360 is the whole circle; less begins with what is selected and ends with the "
         "last copy."));
  connect(angle, &NumberField::edited, this, [this](double value, bool) {
    settings_.angle = value * kDegree;
    preview();
  });
  form->addRow(tr("Angle"), angle);
  turned_ = new QCheckBox(tr("Turn the copies"), page);
  turned_->setObjectName(QStringLiteral("array_turned"));
  turned_->setToolTip(
      tr("Each copy looks at the centre as the first does, and its velocity and spin at the start are turned too."));
  turned_->setChecked(settings_.turned);
  connect(turned_, &QCheckBox::toggled, this, [this](bool on) {
    settings_.turned = on;
    preview();
  });
  form->addRow(QString(), turned_);
  return page;
}

/// The dialog is as high as its page needs, and stays at its lower corner: it stands over the picture.
void ArrayDialog::show_page(int index) {
  const QPoint corner = geometry().bottomLeft();
  for (std::size_t i = 0; i < pages_.size(); ++i) pages_[i]->setVisible(static_cast<int>(i) == index);
  adjustSize();
  if (isVisible()) move(corner.x(), corner.y() + 1 - height());
}

void ArrayDialog::preview() {
  Array made = arrayed(*before_, ids_, settings_);
  copies_ = std::move(made.copies);
  (void)context_.document.edit(text_, std::move(made.scene), gesture_);
  std::set<Id> all(ids_);
  all.insert(copies_.begin(), copies_.end());
  context_.selection.set(std::move(all), active_);
  const auto copies = static_cast<int>(copies_.size());
  said_->setText(copies == 0 ? tr("No copies.") : copies == 1 ? tr("1 copy.") : tr("%1 copies.").arg(copies));
  make_->setEnabled(copies > 0);
  make_->setToolTip(copies > 0 ? tr("Keep them, as one undo step.") : tr("Set the count to 2 or more first."));
}

void ArrayDialog::accept() {
  context_.document.last_operation().take(array_operation(context_.selection, ids_, active_, settings_), gesture_);
  QDialog::accept();
}

void ArrayDialog::reject() {
  (void)context_.document.edit(text_, *before_, gesture_);
  context_.selection.set(ids_, active_);
  QDialog::reject();
}

}  // namespace hazumi
