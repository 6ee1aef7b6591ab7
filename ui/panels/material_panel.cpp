#include "ui/panels/material_panel.h"

#include <cmath>

#include <QCheckBox>
#include <QGridLayout>
#include <QInputDialog>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>

#include "ui/jobs/sphere_job.h"
#include "ui/panels/object_binding.h"
#include "ui/theme.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/section.h"
#include "ui/widgets/swatch_grid.h"
#include "ui/widgets/scroll_page.h"

namespace hazumi {

namespace {

constexpr int kPreview = 84;   // logical pixels
const char kPreviewKey[] = "preview";

Vec3& component_of(Surface& surface, int i) { return i == 0 ? surface.ambient : i == 1 ? surface.diffuse : surface.specular; }
const Vec3& component_of(const Surface& surface, int i) { return component_of(const_cast<Surface&>(surface), i); }

bool same(const Surface& a, const Surface& b) {
  return a.ambient == b.ambient && a.diffuse == b.diffuse && a.specular == b.specular && a.shininess == b.shininess &&
         a.opacity == b.opacity;
}

QString titled(std::string_view text) {
  QString title = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

QString preset_key(const MaterialPreset& preset) { return "preset:" + QString::fromUtf8(preset.name.data(), static_cast<qsizetype>(preset.name.size())); }
QString own_key(const QString& name) { return "own:" + name; }

}  // namespace

MaterialPanel::MaterialPanel(UiContext& context, QWidget* parent)
    : QWidget(parent),
      binding_(new ObjectBinding(context, this)),
      spheres_(new SphereJob(this)),
      stack_(new QStackedWidget(this)) {
  auto* nothing = new QLabel(tr("Select an object to give it a material."), this);
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setWordWrap(true);
  nothing->setMargin(16);
  nothing->setForegroundRole(QPalette::PlaceholderText);

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);

  preview_ = new QLabel(content);
  preview_->setObjectName("material_preview");
  preview_->setFixedSize(kPreview, kPreview);
  name_ = new QLabel(content);
  name_->setObjectName("material_name");
  name_->setWordWrap(true);
  QFont bold = name_->font();
  bold.setBold(true);
  name_->setFont(bold);
  family_ = new QLabel(content);
  family_->setForegroundRole(QPalette::PlaceholderText);
  family_->setWordWrap(true);
  save_ = new QToolButton(content);
  save_->setText(tr("Keep as Own Preset…"));
  save_->setIcon(theme_icon("save"));
  save_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  save_->setToolTip(tr("Look and physics under a name of your own, for every scene."));
  auto* top = new QGridLayout;
  top->setContentsMargins(8, 8, 8, 6);
  top->setHorizontalSpacing(10);
  top->addWidget(preview_, 0, 0, 4, 1);
  top->addWidget(name_, 0, 1);
  top->addWidget(family_, 1, 1);
  top->addWidget(save_, 3, 1, Qt::AlignLeft);
  top->setRowStretch(2, 1);
  top->setColumnStretch(1, 1);
  column->addLayout(top);

  const auto section = [&](const QString& title) {
    auto* box = new Section(title, "material/" + title, true, content);
    column->addWidget(box);
    return box->body();
  };
  const auto grid_in = [](QWidget* body) {
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(8, 6, 8, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, 92);
    grid->setColumnStretch(1, 1);
    return grid;
  };

  QWidget* preset_body = section(tr("Presets"));
  presets_ = new SwatchGrid(preset_body);
  presets_->setObjectName("material_presets");
  auto* preset_column = new QVBoxLayout(preset_body);
  preset_column->setContentsMargins(0, 2, 0, 4);
  preset_column->addWidget(presets_);

  QWidget* look_body = section(tr("Look"));
  QGridLayout* look = grid_in(look_body);
  const QString names[] = {tr("Ambient"), tr("Diffuse"), tr("Specular")};
  const QString tips[] = {tr("Colour in light that comes from everywhere."), tr("Colour in light that falls on it."),
                          tr("Colour of the highlight.")};
  const QString parts[] = {tr("hue"), tr("saturation"), tr("value")};
  const QString prefixes[] = {"H", "S", "V"};
  for (int i = 0; i < 3; ++i) {
    ColourRow& row = rows_[static_cast<std::size_t>(i)];
    auto* line = new QHBoxLayout;
    line->setSpacing(3);
    row.swatch = new ColourSwatch(look_body);
    row.swatch->set_with_text(false);
    row.swatch->set_title(names[i]);
    row.swatch->setToolTip(tips[i] + " material.surface." + names[i].toLower());
    row.swatch->setAccessibleName(names[i]);
    connect(row.swatch, &ColourSwatch::edited, this,
            [this, i](const Vec3& rgb, bool continues) { edit_colour(i, rgb, continues, rows_[static_cast<std::size_t>(i)].swatch); });
    line->addWidget(row.swatch);
    for (int part = 0; part < 3; ++part) {
      auto* number = row.numbers[static_cast<std::size_t>(part)] = new NumberField(look_body);
      number->set_name(names[i] + " " + parts[part]);
      number->set_prefix(prefixes[part], theme_colours().quiet_text);
      number->set_range(0, part == 0 ? 360 : 100);
      number->set_unit(part == 0 ? "°" : "%");
      number->set_step(0.5);
      number->setToolTip(QStringLiteral("<p><b>%1, %2</b><br>%3</p>").arg(names[i], parts[part], tips[i]));
      connect(number, &NumberField::edited, this, [this, i, part, number](double shown, bool continues) {
        Vec3 hsv = rows_[static_cast<std::size_t>(i)].hsv;
        hsv[part] = part == 0 ? shown : shown / 100;
        rows_[static_cast<std::size_t>(i)].hsv = hsv;
        edit_colour(i, from_hsv(hsv), continues, number);
      });
      line->addWidget(number, 1);
    }
    look->addWidget(make_row_label(names[i], tips[i], look_body), i, 0);
    look->addLayout(line, i, 1);
  }
  binding_->add_row("material.surface.shininess", look, look_body);
  binding_->add_row("material.surface.opacity", look, look_body);

  QWidget* physics_body = section(tr("Physics"));
  QGridLayout* physics = grid_in(physics_body);
  follow_ = new QCheckBox(tr("Follow the preset"), physics_body);
  follow_->setObjectName("material_follow");
  follow_->setToolTip(tr("Physical properties are those of the preset. Changing one sets them apart."));
  physics->addWidget(follow_, 0, 1);
  const char* rows[] = {"density", "young", "poisson", "restitution", "friction"};
  for (std::size_t i = 0; i < physics_.size(); ++i) {
    const std::string path = std::string("material.substance.") + rows[i];
    const Field<Object>* field = find_field(object_fields(), path);
    FieldWidget* widget = physics_[i] = make_field_widget(field_spec(*field), physics_body);
    physics->addWidget(make_row_label(widget->spec().label, widget->toolTip(), physics_body), static_cast<int>(i) + 1, 0);
    physics->addWidget(widget, static_cast<int>(i) + 1, 1);
    connect(widget, &FieldWidget::edited, this, [this, field, widget](const FieldValue& value, int, bool continues) {
      binding_->edit(widget->spec().label, [&](Object& o) {
        o.material.substance_follows = false;
        field->set(o, value);
      }, continues, widget);
    });
  }
  column->addStretch(1);

  stack_->addWidget(nothing);
  stack_->addWidget(new ScrollPage(content, this));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(stack_);

  connect(presets_, &SwatchGrid::picked, this, &MaterialPanel::pick);
  connect(presets_, &SwatchGrid::context_menu, this, [this](const QString& key, const QPoint& at) {
    if (!key.startsWith("own:")) return;
    QMenu menu(this);
    const QString name = key.mid(4);
    const QAction* remove = menu.addAction(theme_icon("delete"), tr("Forget “%1”").arg(name));
    if (menu.exec(at) != remove) return;
    if (const Status status = own_.remove(name); !status.ok()) Bubble::show_at(presets_, QString::fromStdString(status.error().message));
    fill_presets();
  });
  connect(save_, &QToolButton::clicked, this, &MaterialPanel::ask_and_save);
  connect(follow_, &QCheckBox::clicked, this, [this](bool on) {
    const Field<Object>* field = find_field(object_fields(), std::string_view("material.substance_follows"));
    follow_->setTristate(false);
    binding_->edit(tr("Physics"), [&](Object& o) { edit_field(o, *field, on); }, false, follow_);
    refresh();
  });
  connect(spheres_, &SphereJob::done, this, &MaterialPanel::show_picture);
  connect(binding_, &ObjectBinding::shown_changed, this, &MaterialPanel::refresh);
  fill_presets();
  binding_->refresh();
}

void MaterialPanel::fill_presets() {
  std::vector<SwatchGrid::Entry> entries;
  const int pixels = static_cast<int>(std::ceil(SwatchGrid::kSize * 2));
  const auto add = [&](const QString& key, const QString& text, const QString& group, const Surface& surface) {
    entries.push_back({key, text, group});
    presets_->set_picture(key, painted_sphere(surface, pixels / 2));
    spheres_->request(key, surface, pixels);
  };
  for (const MaterialPreset& preset : material_presets()) add(preset_key(preset), titled(preset.name), titled(preset.family), preset.surface);
  for (const OwnMaterial& own : own_.all()) add(own_key(own.name), own.name, tr("Own"), own.material.surface);
  presets_->set_entries(std::move(entries));
}

QString MaterialPanel::current_key(const Material& material) const {
  for (const OwnMaterial& own : own_.all())
    if (same(own.material.surface, material.surface)) return own_key(own.name);
  const MaterialPreset* preset = find_material(material.preset);
  return preset && same(preset->surface, material.surface) ? preset_key(*preset) : QString();
}

void MaterialPanel::refresh() {
  const auto objects = binding_->objects();
  stack_->setCurrentIndex(objects.empty() ? 0 : 1);
  if (objects.empty()) return;
  const Material& active = objects.front()->material;
  const auto all = [&](auto equal) { return std::all_of(objects.begin(), objects.end(), [&](const Object* o) { return equal(o->material); }); };

  const bool one_look = all([&](const Material& m) { return same(m.surface, active.surface); });
  const QString key = one_look ? current_key(active) : QString();
  presets_->set_current(key);
  if (!one_look) {
    name_->setText(tr("Several materials"));
    family_->setText(tr("A preset or colour is given to all %1 objects.").arg(objects.size()));
  } else if (key.startsWith("own:")) {
    name_->setText(key.mid(4));
    family_->setText(tr("Own preset"));
  } else {
    name_->setText(titled(active.preset));
    const MaterialPreset* preset = find_material(active.preset);
    family_->setText(key.isEmpty() ? tr("Changed from the preset") : preset ? titled(preset->family) : QString());
  }

  for (int i = 0; i < 3; ++i) {
    ColourRow& row = rows_[static_cast<std::size_t>(i)];
    const Vec3& colour = component_of(active.surface, i);
    const bool equal = all([&](const Material& m) { return component_of(m.surface, i) == colour; });
    row.swatch->set_colour(colour);
    row.swatch->set_mixed(!equal);
    // Grey has no hue of its own: the one that was set last stays on screen.
    if ((from_hsv(row.hsv) - colour).cwiseAbs().maxCoeff() > 1e-12) row.hsv = to_hsv(colour, row.hsv);
    row.numbers[0]->set_value(std::round(row.hsv.x() * 100) / 100);
    row.numbers[1]->set_value(std::round(row.hsv.y() * 1e4) / 100);
    row.numbers[2]->set_value(std::round(row.hsv.z() * 1e4) / 100);
    for (NumberField* number : row.numbers) number->set_mixed(!equal);
  }
  const bool follows = all([](const Material& m) { return m.substance_follows; });
  const bool apart = all([](const Material& m) { return !m.substance_follows; });
  {
    const QSignalBlocker block(follow_);
    follow_->setTristate(!follows && !apart);
    follow_->setCheckState(follows ? Qt::Checked : apart ? Qt::Unchecked : Qt::PartiallyChecked);
  }
  std::vector<FieldValue> values;
  for (FieldWidget* widget : physics_) {
    const Field<Object>* field = find_field(object_fields(), std::string_view(widget->spec().path.toStdString()));
    values.clear();
    for (const Object* object : objects) values.push_back(field->get(*object));
    widget->set_values(values);
  }
  if (!preview_there_ || !same(previewed_, active.surface)) {
    // The painted one at once, so that nothing of another object is ever shown; while colours are dragged the rendered
    // one follows within a frame or two.
    if (!preview_there_) show_picture(kPreviewKey, painted_sphere(active.surface, kPreview * 2));
    previewed_ = active.surface;
    preview_there_ = true;
    spheres_->request(kPreviewKey, active.surface, kPreview * 2);
  }
}

void MaterialPanel::show_picture(const QString& key, const QImage& picture) {
  if (key != kPreviewKey) return presets_->set_picture(key, picture);
  const double ratio = devicePixelRatioF();
  QImage scaled = picture.scaled(QSize(kPreview, kPreview) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  scaled.setDevicePixelRatio(ratio);
  preview_->setPixmap(QPixmap::fromImage(scaled));
}

void MaterialPanel::pick(const QString& key) {
  if (key.startsWith("own:")) {
    for (const OwnMaterial& own : own_.all())
      if (own_key(own.name) == key) {
        binding_->edit(tr("Material"), [&](Object& o) {
          const std::string preset = o.material.preset;
          o.material = own.material;
          // Scenes name presets of the table only; an own one is stored by value, its physics set apart.
          o.material.preset = preset;
          o.material.substance_follows = false;
        }, false, presets_);
        return;
      }
    return;
  }
  for (const MaterialPreset& preset : material_presets())
    if (preset_key(preset) == key)
      binding_->edit(tr("Material"), [&](Object& o) { o.material = apply_preset(o.material, preset); }, false, presets_);
}

void MaterialPanel::edit_colour(int component, const Vec3& rgb, bool continues, QWidget* at) {
  const Vec3 colour = rgb.cwiseMax(0.0).cwiseMin(1.0);
  const QString names[] = {tr("Ambient colour"), tr("Diffuse colour"), tr("Specular colour")};
  binding_->edit(names[component], [&](Object& o) { component_of(o.material.surface, component) = colour; }, continues, at);
}

void MaterialPanel::ask_and_save() {
  const Object* active = binding_->active();
  if (!active) return;
  bool ok = false;
  const QString name = QInputDialog::getText(this, tr("Keep as Own Preset"), tr("Name of the material:"), QLineEdit::Normal,
                                             tr("My %1").arg(QString::fromStdString(active->material.preset)), &ok).trimmed();
  if (ok) save_own(name);
}

void MaterialPanel::save_own(const QString& name) {
  const Object* active = binding_->active();
  if (!active) return;
  if (name.isEmpty()) return Bubble::show_at(save_, tr("A preset needs a name."));
  if (const Status status = own_.save(name.left(100), active->material); !status.ok())
    Bubble::show_at(save_, QString::fromStdString(status.error().message));
  fill_presets();
  refresh();
}

}  // namespace hazumi
