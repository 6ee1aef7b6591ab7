#include "ui/panels/material_panel.h"

#include <algorithm>
#include <set>

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPainter>
#include <QToolButton>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kPartRows = 6;             // of the list that are seen at once
constexpr std::size_t kMostParts = 500;  // in the list; an import of more is a mistake of its tool

/// A disc of the diffuse colour; hollow: the object's.
QIcon part_icon(const Vec3& colour, bool own) {
  QPixmap picture = colour_pixmap(28, colour, QPen(QColor(0, 0, 0, 120), 1.5), [own](QPainter& painter) {
    painter.drawEllipse(own ? QRectF(3, 3, 22, 22) : QRectF(8, 8, 12, 12));
  });
  picture.setDevicePixelRatio(2);
  return QIcon(picture);
}

}  // namespace

MaterialPanel::MaterialPanel(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), binding_(new ObjectBinding(context, this)) {
  page_ = new PanelPage("material", tr("Select an object to give it a material."), this);
  parts_section_ = page_->add_section(tr("Parts"));
  make_parts(parts_section_->body());
  editor_ = new SurfaceEditor("material", page_->content());
  page_->add(editor_);
  physics_section_ = page_->add_section(tr("Physics"));
  make_physics();

  SurfaceTarget target;
  target.values = [this] {
    std::vector<SurfaceValue> values;
    for (const Object* object : binding_->objects()) values.push_back({shown(*object).preset, shown(*object).surface});
    return values;
  };
  target.edit = [this](const QString& what, const SurfaceChange& change, bool continues, QWidget* at) {
    binding_->edit(
        called(what),
        [&](Object& o) {
          Material& material = edited(o);
          SurfaceValue value{material.preset, material.surface};
          change(value);
          material.preset = value.preset;
          material.surface = value.surface;
        },
        continues, at);
  };
  target.take = [this](const Material& material, bool own, QWidget* at) {
    binding_->edit(
        called(tr("Material")),
        [&](Object& o) {
          Material& now = edited(o);
          if (own) {
            // Scenes name presets of the table only; an own one is stored by value, its physics set apart.
            const std::string preset = now.preset;
            now = material;
            now.preset = preset;
            now.substance_follows = false;
          } else if (const MaterialPreset* preset = find_material(material.preset)) {
            now = apply_preset(now, *preset);
          }
        },
        false, at);
  };
  target.keep = [this] { return binding_->active() ? shown(*binding_->active()) : Material(); };
  editor_->set_target(std::move(target));

  connect(binding_, &BindingBase::shown_changed, this, &MaterialPanel::refresh);
  connect(&context_.selection, &Selection::part_clicked, this, [this](Id id, const QString& part) {
    if (pick_->isChecked() && id == parts_of_ && !parts_section_->isHidden()) set_part(part.toStdString());
  });
  binding_->refresh();
}

void MaterialPanel::make_parts(QWidget* body) {
  parts_ = new QListWidget(body);
  parts_->setObjectName("material_parts");
  parts_->setAccessibleName(tr("Parts of the display model"));
  parts_->setUniformItemSizes(true);
  parts_->setIconSize(QSize(14, 14));
  parts_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  parts_->setTextElideMode(Qt::ElideMiddle);
  pick_ = new QToolButton(body);
  pick_->setText(tr("Pick"));
  pick_->setIcon(theme_icon("select"));
  pick_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  pick_->setCheckable(true);
  pick_->setToolTip(tr("While this is pressed in, a click on the model chooses the part under the mouse."));
  clear_ = new QToolButton(body);
  clear_->setText(tr("Clear"));
  clear_->setIcon(theme_icon("close"));
  clear_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  clear_->setToolTip(tr("The part takes the object's material again."));
  parts_note_ = new QLabel(body);
  parts_note_->setForegroundRole(QPalette::PlaceholderText);
  parts_note_->setWordWrap(true);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  buttons->addWidget(pick_);
  buttons->addWidget(clear_);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(8, 6, 8, 8);
  column->setSpacing(4);
  column->addWidget(parts_);
  column->addLayout(buttons);
  column->addWidget(parts_note_);
  connect(parts_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row < 0) return;
    set_part(row == 0 ? std::nullopt : std::optional(part_names_[static_cast<std::size_t>(row - 1)]));
  });
  connect(clear_, &QToolButton::clicked, this, [this] {
    if (!part_) return;
    binding_->edit(
        called(tr("Clear material")),
        [&](Object& o) {
          std::erase_if(o.part_materials, [&](const PartMaterial& own) { return own.part == *part_; });
        },
        false, clear_);
    refresh();
  });
}

void MaterialPanel::make_physics() {
  QWidget* body = physics_section_->body();
  QGridLayout* physics = make_form_grid(physics_section_);
  follow_ = new QCheckBox(tr("Follow the preset"), body);
  follow_->setObjectName("material_follow");
  follow_->setToolTip(tr("Physical properties are those of the preset. Changing one sets them apart."));
  physics->addWidget(follow_, 0, 1);
  const char* rows[] = {"density", "young", "poisson", "restitution", "friction", "rolling", "spin"};
  for (std::size_t i = 0; i < physics_.size(); ++i) {
    // Changing one sets them apart from the preset.
    FieldWidget* widget = physics_[i] = binding_->make(std::string("material.substance.") + rows[i], body,
                                                       [](Object& o) { o.material.substance_follows = false; });
    physics->addWidget(make_row_label(widget->spec().label, widget->toolTip(), body), static_cast<int>(i) + 1, 0);
    physics->addWidget(widget, static_cast<int>(i) + 1, 1);
  }
  connect(follow_, &QCheckBox::clicked, this, [this](bool on) {
    const Field<Object>* field = find_field(object_fields(), std::string_view("material.substance_follows"));
    follow_->setTristate(false);
    binding_->edit(
        tr("Physics"), [&](Object& o) { edit_field(o, *field, on); }, false, follow_);
    refresh();
  });
}

const Material& MaterialPanel::shown(const Object& object) const {
  return part_ ? material_of_part(object, *part_) : object.material;
}

Material& MaterialPanel::edited(Object& object) const {
  if (!part_) return object.material;
  for (PartMaterial& own : object.part_materials)
    if (own.part == *part_) return own.material;
  return object.part_materials.emplace_back(PartMaterial{*part_, object.material}).material;
}

QString MaterialPanel::called(const QString& what) const {
  return part_ ? tr("%1 of part “%2”").arg(what, QString::fromStdString(*part_)) : what;
}

void MaterialPanel::set_part(std::optional<std::string> part) {
  if (part && std::find(part_names_.begin(), part_names_.end(), *part) == part_names_.end()) return;
  if (part == part_) return;
  part_ = std::move(part);
  refresh();
}

void MaterialPanel::refresh() {
  const auto objects = binding_->objects();
  page_->show_content(!objects.empty());
  if (objects.empty()) {
    part_.reset();
    parts_of_ = {};
    editor_->refresh();
    return;
  }
  refresh_parts(objects);
  editor_->set_note(part_ && &shown(*objects.front()) == &objects.front()->material ? tr("As the whole object")
                                                                                    : QString());
  editor_->refresh();
  physics_section_->setVisible(!part_);
  if (!part_) refresh_physics(objects);
}

void MaterialPanel::refresh_parts(const std::vector<const Object*>& objects) {
  const Object& object = *objects.front();
  std::vector<std::string> names;
  if (objects.size() == 1) {
    const auto mesh = context_.document.meshes().mesh(object);
    std::set<std::string_view> seen;
    for (const Part& part : mesh->parts)
      if (part.face_count > 0 && names.size() < kMostParts && seen.insert(part.name).second) names.push_back(part.name);
    if (names.size() < 2 && object.part_materials.empty()) names.clear();
  }
  const bool another = parts_of_ != object.id;
  if (another || (part_ && std::find(names.begin(), names.end(), *part_) == names.end())) part_.reset();
  parts_of_ = object.id;
  parts_section_->setVisible(!names.empty());
  const QSignalBlocker block(parts_);
  if (names != part_names_ || another) {
    parts_->clear();
    parts_->addItem(tr("Whole object"));
    for (const std::string& name : names)
      parts_->addItem(name.empty() ? tr("(without a name)") : QString::fromStdString(name));
    part_names_ = std::move(names);
  }
  parts_->item(0)->setIcon(part_icon(object.material.surface.diffuse, true));
  int current = 0, own_ones = 0;
  for (std::size_t i = 0; i < part_names_.size(); ++i) {
    const Material& material = material_of_part(object, part_names_[i]);
    const bool own = &material != &object.material;
    own_ones += own;
    QListWidgetItem* item = parts_->item(static_cast<int>(i) + 1);
    item->setIcon(part_icon(material.surface.diffuse, own));
    item->setToolTip(own ? tr("%1: a material of its own").arg(item->text())
                         : tr("%1: as the whole object").arg(item->text()));
    if (part_ && *part_ == part_names_[i]) current = static_cast<int>(i) + 1;
  }
  const int row = std::max(parts_->sizeHintForRow(0), 18);  // with its icon, which it has from here on
  parts_->setFixedHeight(row * std::min(parts_->count(), kPartRows) + 2 * parts_->frameWidth() + 2);
  parts_->setCurrentRow(current);
  clear_->setEnabled(part_ && &shown(object) != &object.material);
  parts_note_->setText(part_           ? tr("The look of this part. Physics belong to the whole object.")
                       : own_ones == 0 ? tr("All parts look as the whole object does.")
                       : own_ones == 1 ? tr("One part has a material of its own.")
                                       : tr("%1 parts have a material of their own.").arg(own_ones));
}

void MaterialPanel::refresh_physics(const std::vector<const Object*>& objects) {
  const auto all = [&](auto equal) {
    return std::all_of(objects.begin(), objects.end(), [&](const Object* o) { return equal(o->material); });
  };
  const bool follows = all([](const Material& m) { return m.substance_follows; });
  const bool apart = all([](const Material& m) { return !m.substance_follows; });
  {
    const QSignalBlocker block(follow_);
    follow_->setTristate(!follows && !apart);
    follow_->setCheckState(follows ? Qt::Checked : apart ? Qt::Unchecked : Qt::PartiallyChecked);
  }
}

const PanelInfo& panel_material_panel() {
  static const PanelInfo info{"material", "Material", Qt::RightDockWidgetArea,  1,
                              3,          "material", make_panel<MaterialPanel>};
  return info;
}

}  // namespace hazumi
