#include "ui/panels/bone_section.h"

#include <algorithm>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "ui/document_controller.h"
#include "ui/modes/bone_commands.h"
#include "ui/modes/bone_options.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

BoneSection::BoneSection(UiContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  grid->setColumnMinimumWidth(0, 92);
  grid->setColumnStretch(1, 1);
  const auto add = [&](const QString& text, const QString& tip, QWidget* widget) {
    const int row = grid->rowCount();
    grid->addWidget(make_row_label(text, tip, this), row, 0);
    grid->addWidget(widget, row, 1);
    widget->setToolTip(tip);
  };
  const auto number = [&](const QString& text, const QString& unit, const QString& tip, double high) {
    auto* field = new NumberField(this);
    field->set_name(text);
    field->set_unit(unit);
    field->set_range(0, high, high > 1);
    if (high <= 1) field->set_step(0.01);
    add(text, tip, field);
    return field;
  };
  name_ = new QLineEdit(this);
  name_->setObjectName("bone_name");
  add(tr("Bone"), tr("Name of the selected bone."), name_);
  parent_ = new QComboBox(this);
  parent_->setObjectName("bone_parent");
  add(tr("Parent"), tr("The bone that takes this one along."), parent_);
  radius_ = number(tr("Reach"), "m", tr("How far around the bone the automatic weights reach."), 1e3);
  brush_radius_ = number(tr("Brush"), "m", tr("Radius of the weight brush; in the view the wheel or F changes it."), 1e3);
  strength_ = number(tr("Strength"), "", tr("Of one dab, 0 to 1."), 1);
  target_ = number(tr("Weight"), "", tr("What the brush paints towards: 1 moves with the bone alone, 0 not at all."), 1);

  connect(name_, &QLineEdit::editingFinished, this, &BoneSection::take_name);
  connect(parent_, &QComboBox::activated, this, &BoneSection::take_parent);
  connect(radius_, &NumberField::edited, this, [this](double value, bool continues) {
    write(tr("Reach"), [value](Bone& b) { b.radius = value; }, continues);
  });
  if (!context_.elements) return;
  const auto change = [this](auto set) {
    return [this, set](double value) {
      WeightBrush brush = BoneOptions::of(*context_.elements).brush();
      set(brush, value);
      BoneOptions::of(*context_.elements).set_brush(brush);
    };
  };
  connect(brush_radius_, &NumberField::edited, this, change([](WeightBrush& b, double x) { b.radius = x; }));
  connect(strength_, &NumberField::edited, this, change([](WeightBrush& b, double x) { b.strength = x; }));
  connect(target_, &NumberField::edited, this, change([](WeightBrush& b, double x) { b.target = x; }));
  connect(context_.elements, &ElementSelection::changed, this, &BoneSection::refresh);
  connect(context_.elements, &ElementSelection::look_changed, this, &BoneSection::refresh);
}

const Bone* BoneSection::bone() const {
  const Object* object = context_.elements ? context_.elements->object() : nullptr;
  if (!object) return nullptr;
  const auto id = active_bone(*context_.elements);
  return id ? find_bone(object->mapping, *id) : nullptr;
}

bool BoneSection::refresh() {
  if (!context_.elements || !context_.elements->in("bones")) return false;
  const Object& object = *context_.elements->object();
  const Bone* now = bone();
  for (QWidget* widget : {static_cast<QWidget*>(name_), static_cast<QWidget*>(parent_), static_cast<QWidget*>(radius_)})
    widget->setEnabled(now != nullptr);
  const QString shown = now ? QString::fromStdString(now->name) : QString();
  if (!name_->hasFocus() || name_->text().isEmpty() || !now) name_->setText(shown);
  name_->setPlaceholderText(now ? QString() : tr("No bone selected"));
  const QSignalBlocker block(parent_);
  parent_->clear();
  parent_->addItem(tr("None"), 0u);
  if (now) {
    const auto below = with_children(object.mapping.bones, now->id);
    for (const Bone& other : object.mapping.bones)
      if (!std::binary_search(below.begin(), below.end(), other.id)) parent_->addItem(QString::fromStdString(other.name), other.id);
    parent_->setCurrentIndex(std::max(0, parent_->findData(now->parent)));
    radius_->set_value(now->radius);
  }
  radius_->set_mixed(!now);
  const WeightBrush& brush = BoneOptions::of(*context_.elements).brush();
  brush_radius_->set_value(brush.radius);
  strength_->set_value(brush.strength);
  target_->set_value(brush.target);
  return true;
}

void BoneSection::write(const QString& text, const std::function<void(Bone&)>& change, bool continues) {
  const Bone* now = bone();
  if (!now) return;
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  const std::uint32_t id = now->id;
  const QString title = tr("%1 of %2").arg(text, QString::fromStdString(now->name));
  (void)context_.document.edit_object(title, context_.elements->object_id(), [&](Object& o) {
    for (Bone& b : o.mapping.bones)
      if (b.id == id) change(b);
  }, gesture_);
}

void BoneSection::take_name() {
  const Bone* now = bone();
  const QString wanted = name_->text().trimmed();
  if (!now || wanted == QString::fromStdString(now->name)) return;
  if (wanted.isEmpty()) {
    name_->setText(QString::fromStdString(now->name));
    return Bubble::show_at(name_, tr("A bone needs a name."));
  }
  write(tr("Name"), [&](Bone& b) { b.name = wanted.toStdString(); });
}

void BoneSection::take_parent(int index) {
  const std::uint32_t id = parent_->itemData(index).toUInt();
  write(tr("Parent"), [id](Bone& b) { b.parent = id; });
}

}  // namespace hazumi
