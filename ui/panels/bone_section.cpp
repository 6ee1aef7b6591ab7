#include "ui/panels/bone_section.h"

#include <algorithm>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include "core/geometry/mapping/bones.h"
#include "core/scene/derived/skinning.h"
#include "ui/model/document_controller.h"
#include "ui/modes/bone_commands.h"
#include "ui/modes/bone_options.h"
#include "ui/panels/owners.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/theme.h"

namespace hazumi {

BoneSection::BoneSection(UiContext& context, ObjectBinding* binding, QWidget* parent)
    : QWidget(parent),
      context_(context),
      binding_(binding),
      bone_(new Binding<Bone>(context_, bone_fields(), chosen_one(), this)) {
  QGridLayout* grid = make_form_grid(this);
  make_start(grid);
  list_ = new QListWidget(this);
  list_->setObjectName("bones");
  list_->setAccessibleName(tr("Bones"));
  list_->setIconSize(QSize(16, 16));
  list_->setToolTip(tr("Double click renames."));
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setFixedHeight(7 * list_->fontMetrics().height());
  grid->addWidget(list_, 2, 0, 1, 2);
  note_ = new QLabel(this);
  note_->setObjectName("bone_note");
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(note_, 4, 0, 1, 2);
  auto* buttons = new QWidget(this);
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(0, 0, 0, 0);
  const auto button = [&](const char* icon, const QString& text, const QString& tip, const char* name) {
    auto* made = new QToolButton(buttons);
    made->setIcon(theme_icon(icon));
    made->setText(text);
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setToolTip(tip);
    made->setObjectName(name);
    row->addWidget(made);
    return made;
  };
  add_ = button("bone", tr("Add Bone"), tr("Adds a bone at the tail of the chosen one, as its child."), "add_bone");
  delete_ =
      button("delete", tr("Delete"), tr("Deletes the chosen bone; its children go to its parent."), "delete_bone");
  row->addStretch(1);
  grid->addWidget(buttons, 3, 0, 1, 2);
  make_bone();
  grid->addWidget(bone_box_, 5, 0, 1, 2);
  make_brush();
  grid->addWidget(brush_box_, 6, 0, 1, 2);

  connect(add_, &QToolButton::clicked, this, &BoneSection::new_bone);
  connect(delete_, &QToolButton::clicked, this, &BoneSection::remove_chosen);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int at) {
    if (!filling_ && at >= 0) choose(list_->item(at)->data(Qt::UserRole).toUInt());
  });
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    if (filling_) return;
    const std::uint32_t id = item->data(Qt::UserRole).toUInt();
    const std::string name = item->text().trimmed().toStdString();
    edit(
        tr("Rename bone"),
        [&](MappingSettings& settings) {
          for (Bone& b : settings.bones)
            if (b.id == id && !name.empty()) b.name = name;
        },
        false, list_);
    refresh();
  });
  for (auto signal : {&ElementSelection::changed, &ElementSelection::mode_changed, &ElementSelection::look_changed})
    connect(&context_.elements, signal, this, &BoneSection::refresh);
}

void BoneSection::make_start(QGridLayout* grid) {
  auto* start = new QWidget(this);
  auto* row = new QHBoxLayout(start);
  row->setContentsMargins(0, 0, 0, 0);
  count_ = new NumberField(start);
  count_->set_name(tr("Number of bones"));
  count_->set_range(1, 100);
  count_->set_integer(true);
  count_->set_value(3);
  count_->setFixedWidth(54);
  count_->setToolTip(tr("How many bones the chain gets."));
  connect(count_, &NumberField::edited, this, [this](double value) { count_->set_value(value); });
  make_ = new QPushButton(theme_icon("bone"), tr("Bones Along the Longest Axis"), start);
  make_->setObjectName("make_bones");
  make_->setToolTip(
      tr("Makes a chain of bones through the middle of the model, each moving with the nodes around it. "
         "Bones and painted weights that are there now go."));
  connect(make_, &QPushButton::clicked, this, &BoneSection::bones_from_model);
  row->addWidget(count_);
  row->addWidget(make_, 1);
  grid->addWidget(start, 0, 0, 1, 2);
  edit_ = new QPushButton(theme_icon("bones"), tr("Edit Bones in the View"), this);
  edit_->setObjectName("edit_bones");
  edit_->setToolTip(
      tr("Bones mode of the view: move, draw, join bones and paint their weights. Tab in the view does the same."));
  connect(edit_, &QPushButton::clicked, this, [this] {
    const QString why = context_.elements.enter(*find_mode("bones"));
    if (!why.isEmpty()) Bubble::show_at(edit_, why);
  });
  grid->addWidget(edit_, 1, 0, 1, 2);
}

void BoneSection::make_bone() {
  bone_box_ = new QWidget(this);
  QGridLayout* grid = make_form_grid(bone_box_);
  for (const char* path : {"name", "head", "tail", "radius"}) {
    FieldWidget* widget = bone_->make(path, bone_box_);
    widget->setObjectName(QStringLiteral("bone_") + path);
    add_form_row(grid, widget->spec().label, widget->toolTip(), widget);
  }
  parent_ = new QComboBox(bone_box_);
  parent_->setObjectName("bone_parent");
  add_form_row(grid, tr("Parent"), tr("The bone whose motion carries the head of this one."), parent_);
  connect(parent_, &QComboBox::activated, this, [this](int at) {
    const std::uint32_t id = parent_->itemData(at).toUInt();
    bone_->edit(
        tr("Parent"), [id](Bone& b) { b.parent = id; }, false, parent_);
  });
  carrier_ = new QComboBox(bone_box_);
  carrier_->setObjectName("bone_carrier");
  carrier_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  add_form_row(
      grid, tr("Carried by"),
      tr("The object that this bone of a fixed one goes with, bound as both of them start; nothing: the bone above."),
      carrier_);
  connect(carrier_, &QComboBox::activated, this, [this](int at) {
    const Object* skin = binding_->active();
    const Object* carrier = find_object(context_.document.scene(), Id{carrier_->itemData(at).toULongLong()});
    if (skin)
      bone_->edit(
          tr("Carrier"), [&](Bone& b) { bind_bone(b, skin->transform, carrier); }, false, carrier_);
  });
}

void BoneSection::make_brush() {
  brush_box_ = new QWidget(this);
  QGridLayout* grid = make_form_grid(brush_box_);
  grid->addWidget(bold_label(tr("Weight brush"), brush_box_), 0, 0, 1, 2);
  const auto number = [&](const QString& text, const QString& unit, const QString& tip, double high,
                          double WeightBrush::*member) {
    auto* field = new NumberField(brush_box_);
    field->set_name(text);
    field->set_unit(unit);
    field->set_range(0, high, high > 1);
    if (high <= 1) field->set_step(0.01);
    add_form_row(grid, text, tip, field);
    connect(field, &NumberField::edited, this, [this, member](double value) {
      WeightBrush brush = BoneOptions::of(context_.elements).brush();
      brush.*member = value;
      BoneOptions::of(context_.elements).set_brush(brush);
    });
    return field;
  };
  radius_ = number(tr("Radius"), "m", tr("Of the weight brush; in the view the wheel or F changes it."), 1e3,
                   &WeightBrush::radius);
  strength_ = number(tr("Strength"), "", tr("Of one dab, 0 to 1."), 1, &WeightBrush::strength);
  target_ = number(tr("Weight"), "", tr("What the brush paints towards: 1 moves with the bone alone, 0 not at all."), 1,
                   &WeightBrush::target);
}

FieldWidget* BoneSection::field(std::string_view path) const { return bone_->widget(path); }

QLineEdit* BoneSection::name() const { return field("name")->findChild<QLineEdit*>(); }

int BoneSection::wanted() const { return static_cast<int>(count_->value()); }

bool BoneSection::editing() const {
  const Object* object = binding_->active();
  return object && context_.elements.in("bones") && context_.elements.object_id() == object->id;
}

void BoneSection::choose(std::uint32_t bone) {
  chosen_ = bone;
  if (editing() && active_bone(context_.elements) != bone) context_.elements.select_only({bone_element::bone, bone});
  emit bone_chosen(bone);
  refresh();
}

void BoneSection::refresh() {
  const Object* object = binding_->active();
  if (!object || filling_) return;
  const std::vector<Bone>& bones = object->mapping.bones;
  if (editing())
    chosen_ = active_bone(context_.elements).value_or(0);
  else if (!find_bone(object->mapping, chosen_))
    chosen_ = bones.empty() ? 0 : bones.front().id;
  filling_ = true;
  if (list_->count() != static_cast<int>(bones.size())) list_->clear();
  int current = -1;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    QListWidgetItem* item = list_->item(static_cast<int>(b));
    if (!item) {
      item = new QListWidgetItem(theme_icon("bone"), QString(), list_);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    item->setText(QString::fromStdString(bones[b].name));
    item->setData(Qt::UserRole, bones[b].id);
    if (bones[b].id == chosen_) current = static_cast<int>(b);
  }
  // A list that gets the focus makes its first row current without selecting it.
  if (list_->currentRow() != current || (current >= 0 && !list_->item(current)->isSelected()))
    list_->setCurrentRow(current);
  filling_ = false;
  list_->setVisible(!bones.empty());
  edit_->setVisible(!bones.empty() && !editing());
  show_bone(*object);
  show_brush();
}

void BoneSection::show_bone(const Object& object) {
  const std::vector<Bone>& bones = object.mapping.bones;
  const Bone* bone = find_bone(object.mapping, chosen_);
  note_->setText(bones.empty() ? tr("No bones yet: the linear mapping is used until there are some.")
                               : tr("No bone selected: click one in the list or in the view."));
  note_->setVisible(!bone);
  bone_box_->setVisible(bone != nullptr);
  delete_->setEnabled(bone != nullptr);
  if (!bone) return;
  bone_->refresh();
  // What hangs on it already cannot carry it.
  const auto below = with_children(bones, bone->id);
  const QSignalBlocker block(parent_);
  parent_->clear();
  parent_->addItem(tr("None"), 0u);
  for (const Bone& other : bones)
    if (!std::binary_search(below.begin(), below.end(), other.id))
      parent_->addItem(QString::fromStdString(other.name), other.id);
  parent_->setCurrentIndex(std::max(0, parent_->findData(bone->parent)));
  show_carriers(object, *bone);
}

void BoneSection::show_carriers(const Object& object, const Bone& bone) {
  const QSignalBlocker block(carrier_);
  carrier_->setEnabled(!can_move(object.body));
  carrier_->clear();
  carrier_->addItem(tr("Nothing"), qulonglong{0});
  for (const auto& other : context_.document.scene().objects)
    if (other->id != object.id && !is_skin(*other))
      carrier_->addItem(QString::fromStdString(other->name), qulonglong{other->id.value});
  carrier_->setCurrentIndex(std::max(0, carrier_->findData(qulonglong{bone.carrier})));
}

void BoneSection::show_brush() {
  brush_box_->setVisible(editing());
  if (!editing()) return;
  const WeightBrush& brush = BoneOptions::of(context_.elements).brush();
  radius_->set_value(brush.radius);
  strength_->set_value(brush.strength);
  target_->set_value(brush.target);
}

bool BoneSection::edit(const QString& text, const std::function<void(MappingSettings&)>& change, bool continues,
                       QWidget* at) {
  return binding_->edit_active(
      text, [&](Object& o) { change(o.mapping); }, continues, at);
}

Owners<Bone> BoneSection::chosen_one() {
  using List = Owners<Bone>::List;
  Owners<Bone> owners;
  owners.shown = [this] {
    const Object* object = binding_->active();
    const Bone* bone = object ? find_bone(object->mapping, chosen_) : nullptr;
    return bone ? List{bone} : List{};
  };
  owners.change = [this](Scene& next, const List& these, const std::function<void(Bone&)>& change) {
    const std::uint32_t id = these.front()->id;
    next = with_object(std::move(next), binding_->active()->id, [&](Object& o) {
      for (Bone& bone : o.mapping.bones)
        if (bone.id == id) change(bone);
    });
  };
  owners.subject = [this](const List& these) {
    return tr("%1 of %2")
        .arg(QString::fromStdString(these.front()->name), QString::fromStdString(binding_->active()->name));
  };
  owners.touched = [](const ChangeSet&) { return false; };  // show_bone() follows object and choice
  return owners;
}

void BoneSection::bones_from_model() {
  const Object* object = binding_->active();
  if (!object) return;
  const auto points = model_points(*object, context_.document.meshes());
  edit(
      tr("Bones along the longest axis"),
      [&](MappingSettings& settings) {
        settings.bones = bones_along_longest_axis(points, wanted());
        settings.painted.clear();
      },
      false, make_);
}

void BoneSection::new_bone() {
  std::uint32_t id = 0;
  const bool done = edit(
      tr("Add bone"),
      [&](MappingSettings& settings) {
        Bone bone;
        bone.id = id = next_bone_id(settings.bones);
        bone.name = "Bone " + std::to_string(id);
        if (const Bone* from = find_bone(settings, chosen_)) {
          bone.parent = from->id;
          bone.head = from->tail;
          bone.tail = from->tail + (from->tail - from->head);
          bone.radius = from->radius;
        }
        settings.bones.push_back(bone);
      },
      false, add_);
  if (done) choose(id);
}

void BoneSection::remove_chosen() {
  binding_->edit_active(
      tr("Delete bone"),
      [&](Object& object) {
        remove_bone(object.mapping, chosen_);
        leave_bone(object.display.metaballs, chosen_);
      },
      false, delete_);
}

}  // namespace hazumi
