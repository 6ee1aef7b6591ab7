#include "ui/panels/mapping_panel.h"

#include <algorithm>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>

#include "core/geometry/mapping/bones.h"
#include "ui/document_controller.h"
#include "ui/panels/object_binding.h"
#include "ui/theme.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/scroll_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segments.h"

namespace hazumi {

namespace {

const Bone* find_bone(const Object& object, std::uint32_t id) {
  for (const Bone& bone : object.mapping.bones)
    if (bone.id == id) return &bone;
  return nullptr;
}

/// Display vertices before the object's scale, or the nodes where there is nothing to see.
std::vector<Vec3> model_points(const Object& object, MeshCache& meshes) {
  const auto mesh = meshes.mesh(object);
  std::vector<Vec3> points = mesh->positions;
  if (points.empty()) points = object_truss(object, *mesh).nodes;
  for (Vec3& p : points) p = p.cwiseQuotient(object.transform.scale);
  return points;
}

QString kind_words(MappingKind kind) {
  switch (kind) {
    case MappingKind::automatic:
      return MappingPanel::tr("Tetrahedra where the analysis model is filled with them, else linear.");
    case MappingKind::linear:
      return MappingPanel::tr("Each vertex hangs on one triangle of the hull: three nodes move it, exactly and locally.");
    case MappingKind::embedding:
      return MappingPanel::tr("Each vertex lies in a tetrahedron of the filled analysis model: four nodes move it.");
    case MappingKind::lattice:
      return MappingPanel::tr("A smooth lattice follows all nodes at once. Higher degrees follow closer.");
    case MappingKind::skeleton:
      return MappingPanel::tr("Bones follow the nodes near them; the skin follows the bones.");
  }
  return {};
}

}  // namespace

MappingPanel::MappingPanel(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), binding_(new ObjectBinding(context, this)), stack_(new QStackedWidget(this)) {
  auto* nothing = new QLabel(tr("Select an object with an analysis model to say how its nodes move what is seen."), this);
  nothing->setObjectName("mapping_empty");
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setWordWrap(true);
  nothing->setMargin(16);
  nothing->setForegroundRole(QPalette::PlaceholderText);

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  const auto section = [&](const QString& title) {
    auto* box = new Section(title, "mapping/" + title, true, content);
    auto* grid = new QGridLayout(box->body());
    grid->setContentsMargins(8, 6, 8, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, 92);
    grid->setColumnStretch(1, 1);
    column->addWidget(box);
    return std::pair(box, grid);
  };

  const auto [kind_section, kind] = section(tr("Mapping"));
  kinds_ = new Segments({{tr("Auto"), "map_automatic", tr("What fits the analysis model.")},
                         {tr("Linear"), "map_linear", kind_words(MappingKind::linear)},
                         {tr("Tetra"), "map_embedding", kind_words(MappingKind::embedding)},
                         {tr("Lattice"), "map_lattice", kind_words(MappingKind::lattice)},
                         {tr("Bones"), "bone", kind_words(MappingKind::skeleton)}},
                        true, content);
  kinds_->setObjectName("mapping_kinds");
  kind->addWidget(kinds_, 0, 0, 1, 2);
  words_ = new QLabel(content);
  words_->setObjectName("mapping_words");
  words_->setWordWrap(true);
  words_->setForegroundRole(QPalette::PlaceholderText);
  kind->addWidget(words_, 1, 0, 1, 2);

  const auto [lattice_section, lattice] = section(tr("Lattice"));
  lattice_box_ = lattice_section;
  lattice_ = binding_->add_row("mapping.lattice", lattice, content);

  const auto [skeleton_section, skeleton] = section(tr("Bones"));
  skeleton_box_ = skeleton_section;
  auto* start = new QWidget(content);
  auto* start_row = new QHBoxLayout(start);
  start_row->setContentsMargins(0, 0, 0, 0);
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
  make_->setToolTip(tr("Makes a chain of bones through the middle of the model, each moving with the nodes around it. "
                       "Bones and painted weights that are there now go."));
  start_row->addWidget(count_);
  start_row->addWidget(make_, 1);
  skeleton->addWidget(start, 0, 0, 1, 2);
  bones_ = new QListWidget(content);
  bones_->setObjectName("bones");
  bones_->setAccessibleName(tr("Bones"));
  bones_->setToolTip(tr("Double click renames."));
  bones_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  bones_->setFixedHeight(7 * bones_->fontMetrics().height());
  skeleton->addWidget(bones_, 1, 0, 1, 2);
  no_bones_ = new QLabel(tr("No bones yet: the linear mapping is used until there are some."), content);
  no_bones_->setWordWrap(true);
  no_bones_->setForegroundRole(QPalette::PlaceholderText);
  skeleton->addWidget(no_bones_, 2, 0, 1, 2);
  auto* buttons = new QWidget(content);
  auto* button_row = new QHBoxLayout(buttons);
  button_row->setContentsMargins(0, 0, 0, 0);
  const auto button = [&](const char* icon, const QString& text, const QString& tip, const char* name) {
    auto* b = new QToolButton(buttons);
    b->setIcon(theme_icon(icon));
    b->setText(text);
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    b->setToolTip(tip);
    b->setObjectName(name);
    button_row->addWidget(b);
    return b;
  };
  add_ = button("bone", tr("Add Bone"), tr("Adds a bone at the tail of the chosen one, as its child."), "add_bone");
  delete_ = button("delete", tr("Delete"), tr("Deletes the chosen bone; its children go to its parent."), "delete_bone");
  button_row->addStretch(1);
  skeleton->addWidget(buttons, 3, 0, 1, 2);

  bone_box_ = new QWidget(content);
  auto* bone = new QGridLayout(bone_box_);
  bone->setContentsMargins(0, 0, 0, 0);
  bone->setHorizontalSpacing(8);
  bone->setVerticalSpacing(4);
  bone->setColumnMinimumWidth(0, 92);
  bone->setColumnStretch(1, 1);
  for (const char* path : {"name", "head", "tail", "radius"}) {
    const Field<Bone>* field = find_field(bone_fields(), path);
    FieldWidget* widget = make_field_widget(field_spec(*field), bone_box_);
    widget->setObjectName(QStringLiteral("bone_") + path);
    connect(widget, &FieldWidget::edited, this, [this, field, widget](const FieldValue& value, int component, bool continues) {
      if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
      edit(tr("%1 of bone").arg(widget->spec().label),
           [&](MappingSettings& settings) {
             for (Bone& b : settings.bones)
               if (b.id == chosen_) {
                 FieldValue next = value;
                 if (component >= 0) {
                   Vec3 v = std::get<Vec3>(field->get(b));
                   v[component] = std::get<Vec3>(value)[component];
                   next = v;
                 }
                 field->set(b, next);
               }
           },
           gesture_, widget);
    });
    const int row = bone->rowCount();
    bone->addWidget(make_row_label(widget->spec().label, widget->toolTip(), bone_box_), row, 0);
    bone->addWidget(widget, row, 1);
    fields_.push_back(widget);
  }
  parent_ = new QComboBox(bone_box_);
  parent_->setObjectName("bone_parent");
  parent_->setToolTip(tr("The bone whose motion carries the head of this one."));
  const int row = bone->rowCount();
  bone->addWidget(make_row_label(tr("Parent"), parent_->toolTip(), bone_box_), row, 0);
  bone->addWidget(parent_, row, 1);
  skeleton->addWidget(bone_box_, 4, 0, 1, 2);
  column->addStretch(1);

  stack_->addWidget(nothing);
  stack_->addWidget(new ScrollPage(content, this));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(stack_);
  setMinimumWidth(240);

  connect(kinds_, &Segments::picked, this, &MappingPanel::pick_kind);
  connect(make_, &QPushButton::clicked, this, &MappingPanel::bones_from_model);
  connect(add_, &QToolButton::clicked, this, &MappingPanel::new_bone);
  connect(delete_, &QToolButton::clicked, this, &MappingPanel::remove_chosen);
  connect(bones_, &QListWidget::currentRowChanged, this, [this](int at) {
    if (filling_ || at < 0) return;
    chosen_ = bones_->item(at)->data(Qt::UserRole).toUInt();
    emit bone_chosen(chosen_);
    refresh();
  });
  connect(bones_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    if (filling_) return;
    const std::uint32_t id = item->data(Qt::UserRole).toUInt();
    const std::string name = item->text().trimmed().toStdString();
    edit(tr("Rename bone"), [&](MappingSettings& settings) {
      for (Bone& b : settings.bones)
        if (b.id == id && !name.empty()) b.name = name;
    }, 0, bones_);
    refresh();
  });
  connect(parent_, &QComboBox::activated, this, [this](int at) {
    const std::uint32_t id = parent_->itemData(at).toUInt();
    edit(tr("Parent of bone"), [&](MappingSettings& settings) {
      for (Bone& b : settings.bones)
        if (b.id == chosen_) b.parent = id;
    }, 0, parent_);
  });
  connect(binding_, &ObjectBinding::shown_changed, this, &MappingPanel::refresh);
  binding_->refresh();
}

FieldWidget* MappingPanel::bone_field(std::string_view path) const {
  for (FieldWidget* widget : fields_)
    if (widget->spec().path.toStdString() == path) return widget;
  return nullptr;
}

bool MappingPanel::edit(const QString& text, const std::function<void(MappingSettings&)>& change, quint64 gesture, QWidget* at) {
  const Object* object = binding_->active();
  if (object == nullptr) return false;
  const Status status = context_.document.edit_object(tr("%1 of %2").arg(text, QString::fromStdString(object->name)), object->id,
                                                      [&](Object& o) { change(o.mapping); }, gesture);
  if (status.ok()) return true;
  refresh();
  Bubble::show_at(at, QString::fromStdString(status.error().message + (status.error().hint.empty() ? "" : " " + status.error().hint)));
  return false;
}

void MappingPanel::refresh() {
  const auto objects = binding_->objects();
  const bool any = std::any_of(objects.begin(), objects.end(), [](const Object* o) { return o->analysis.kind != AnalysisKind::none; });
  stack_->setCurrentIndex(any ? 1 : 0);
  if (!any) return;
  const Object& active = *objects.front();
  const bool same = std::all_of(objects.begin(), objects.end(),
                                [&](const Object* o) { return o->mapping.kind == active.mapping.kind; });
  kinds_->set_current(same ? static_cast<int>(active.mapping.kind) : -1);
  QString words = same ? kind_words(active.mapping.kind) : tr("The selected objects differ.");
  if (active.body.kind != BodyKind::flexible) words += " " + tr("It comes into play when the object moves as a flexible body.");
  words_->setText(words);
  lattice_box_->setVisible(same && active.mapping.kind == MappingKind::lattice);
  skeleton_box_->setVisible(same && active.mapping.kind == MappingKind::skeleton);
  refresh_bones(active);
}

void MappingPanel::refresh_bones(const Object& object) {
  const std::vector<Bone>& bones = object.mapping.bones;
  if (find_bone(object, chosen_) == nullptr) chosen_ = bones.empty() ? 0 : bones.front().id;
  filling_ = true;
  const int before = bones_->currentRow();
  if (bones_->count() != static_cast<int>(bones.size())) bones_->clear();
  for (std::size_t b = 0; b < bones.size(); ++b) {
    QListWidgetItem* item = bones_->item(static_cast<int>(b));
    if (item == nullptr) {
      item = new QListWidgetItem(theme_icon("bone"), QString(), bones_);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    item->setText(QString::fromStdString(bones[b].name));
    item->setData(Qt::UserRole, bones[b].id);
    if (bones[b].id == chosen_ && before != static_cast<int>(b)) bones_->setCurrentItem(item);
  }
  const Bone* bone = find_bone(object, chosen_);
  const QSignalBlocker block(parent_);
  parent_->clear();
  parent_->addItem(tr("None"), 0u);
  for (const Bone& b : bones)
    if (b.id != chosen_) parent_->addItem(QString::fromStdString(b.name), b.id);
  if (bone != nullptr) {
    parent_->setCurrentIndex(std::max(0, parent_->findData(bone->parent)));
    for (FieldWidget* widget : fields_) widget->set_value(find_field(bone_fields(), widget->spec().path.toStdString())->get(*bone));
  }
  bones_->setVisible(!bones.empty());
  no_bones_->setVisible(bones.empty());
  bone_box_->setVisible(bone != nullptr);
  delete_->setEnabled(bone != nullptr);
  filling_ = false;
}

void MappingPanel::pick_kind(int kind) {
  binding_->edit(tr("Mapping"), [&](Object& o) {
    o.mapping.kind = static_cast<MappingKind>(kind);
    // A skeleton without bones would do nothing: it begins with a chain.
    if (o.mapping.kind == MappingKind::skeleton && o.mapping.bones.empty())
      o.mapping.bones = bones_along_longest_axis(model_points(o, context_.document.meshes()), static_cast<int>(count_->value()));
  }, false, kinds_);
  refresh();
}

void MappingPanel::bones_from_model() {
  const Object* object = binding_->active();
  if (object == nullptr) return;
  const auto points = model_points(*object, context_.document.meshes());
  edit(tr("Bones along the longest axis"), [&](MappingSettings& settings) {
    settings.bones = bones_along_longest_axis(points, static_cast<int>(count_->value()));
    settings.painted.clear();
  }, 0, make_);
}

void MappingPanel::new_bone() {
  std::uint32_t id = 0;
  const bool done = edit(tr("Add bone"), [&](MappingSettings& settings) {
    Bone bone;
    bone.id = id = next_bone_id(settings.bones);
    bone.name = "Bone " + std::to_string(id);
    for (const Bone& b : settings.bones)
      if (b.id == chosen_) {
        bone.parent = b.id;
        bone.head = b.tail;
        bone.tail = b.tail + (b.tail - b.head);
        bone.radius = b.radius;
      }
    settings.bones.push_back(bone);
  }, 0, add_);
  if (!done) return;
  chosen_ = id;
  refresh();
}

void MappingPanel::remove_chosen() {
  edit(tr("Delete bone"), [&](MappingSettings& settings) { remove_bone(settings, chosen_); }, 0, delete_);
}

}  // namespace hazumi
