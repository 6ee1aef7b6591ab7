#include "ui/panels/surface_editor.h"

#include <algorithm>
#include <cmath>

#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/jobs/sphere_job.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/swatch_grid.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kPreview = 84;  // logical pixels
const char kPreviewKey[] = "preview";

Vec3& component_of(Surface& surface, int i) {
  return i == 0 ? surface.ambient : i == 1 ? surface.diffuse : surface.specular;
}
const Vec3& component_of(const Surface& surface, int i) { return component_of(const_cast<Surface&>(surface), i); }

QString titled(std::string_view text) {
  QString title = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

QString preset_key(const MaterialPreset& preset) {
  return "preset:" + QString::fromUtf8(preset.name.data(), static_cast<qsizetype>(preset.name.size()));
}
QString own_key(const QString& name) { return "own:" + name; }

}  // namespace

SurfaceEditor::SurfaceEditor(const QString& key, QWidget* parent) : QWidget(parent), spheres_(new SphereJob(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  make_top();
  const auto section = [&](const QString& title) {
    auto* box = new Section(title, key + "/" + title, true, this);
    column->addWidget(box);
    return box;
  };
  QWidget* preset_body = section(tr("Presets"))->body();
  presets_ = new SwatchGrid(preset_body);
  presets_->setObjectName("material_presets");
  auto* preset_column = new QVBoxLayout(preset_body);
  preset_column->setContentsMargins(0, 2, 0, 4);
  preset_column->addWidget(presets_);
  make_look(section(tr("Look")));

  connect(presets_, &SwatchGrid::picked, this, &SurfaceEditor::pick);
  connect(presets_, &SwatchGrid::context_menu, this, [this](const QString& picked, const QPoint& at) {
    if (!picked.startsWith("own:")) return;
    QMenu menu(this);
    const QString name = picked.mid(4);
    const QAction* remove = menu.addAction(theme_icon("delete"), tr("Forget “%1”").arg(name));
    if (menu.exec(at) != remove) return;
    if (const Status status = own_.remove(name); !status.ok())
      Bubble::show_at(presets_, QString::fromStdString(status.error().message));
    fill_presets();
  });
  connect(save_, &QToolButton::clicked, this, &SurfaceEditor::ask_and_save);
  connect(spheres_, &SphereJob::done, this, &SurfaceEditor::show_picture);
  fill_presets();
  setEnabled(false);
}

SurfaceEditor::~SurfaceEditor() = default;

void SurfaceEditor::make_top() {
  preview_ = new QLabel(this);
  preview_->setObjectName("material_preview");
  preview_->setFixedSize(kPreview, kPreview);
  name_ = new QLabel(this);
  name_->setObjectName("material_name");
  name_->setWordWrap(true);
  make_bold(name_);
  family_ = new QLabel(this);
  family_->setForegroundRole(QPalette::PlaceholderText);
  family_->setWordWrap(true);
  save_ = new QToolButton(this);
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
  static_cast<QVBoxLayout*>(layout())->addLayout(top);
}

void SurfaceEditor::make_look(Section* section) {
  QWidget* body = section->body();
  QGridLayout* look = make_form_grid(section);
  const QString names[] = {tr("Ambient"), tr("Diffuse"), tr("Specular")};
  const QString tips[] = {tr("Colour in light that comes from everywhere."), tr("Colour in light that falls on it."),
                          tr("Colour of the highlight.")};
  const QString parts[] = {tr("hue"), tr("saturation"), tr("value")};
  const QString prefixes[] = {"H", "S", "V"};
  for (int i = 0; i < 3; ++i) {
    ColourRow& row = rows_[static_cast<std::size_t>(i)];
    auto* line = new QHBoxLayout;
    line->setSpacing(3);
    row.swatch = new ColourSwatch(body);
    row.swatch->set_with_text(false);
    row.swatch->set_title(names[i]);
    row.swatch->setToolTip(tips[i] + " material.surface." + names[i].toLower());
    row.swatch->setAccessibleName(names[i]);
    connect(row.swatch, &ColourSwatch::edited, this,
            [this, i](const Vec3& rgb, bool continues) { edit_colour(i, rgb, continues, swatch(i)); });
    line->addWidget(row.swatch);
    for (int part = 0; part < 3; ++part) {
      auto* number = row.numbers[static_cast<std::size_t>(part)] = new NumberField(body);
      number->set_name(names[i] + " " + parts[part]);
      number->set_prefix(prefixes[part], theme_colours().quiet_text);
      number->set_range(0, part == 0 ? 360 : 100);
      number->set_unit(part == 0 ? "°" : "%");
      number->set_step(0.5);
      number->setToolTip(QStringLiteral("<p><b>%1, %2</b><br>%3</p>").arg(names[i], parts[part], tips[i]));
      connect(number, &NumberField::edited, this, [this, i, part, number](double shown, bool continues) {
        Vec3& hsv = rows_[static_cast<std::size_t>(i)].hsv;
        hsv[part] = part == 0 ? shown : shown / 100;
        edit_colour(i, from_hsv(hsv), continues, number);
      });
      line->addWidget(number, 1);
    }
    look->addWidget(make_row_label(names[i], tips[i], body), i, 0);
    look->addLayout(line, i, 1);
  }
  // Label, range and step as the field table has them.
  const std::string_view paths[] = {"material.surface.shininess", "material.surface.opacity"};
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    FieldSpec spec = field_spec(*find_field(object_fields(), paths[i]));
    spec.keyable = false;  // it may be of a part, or of a metaball
    FieldWidget* widget = numbers_[i] = make_field_widget(spec, body);
    look->addWidget(make_row_label(widget->spec().label, widget->toolTip(), body), static_cast<int>(i) + 3, 0);
    look->addWidget(widget, static_cast<int>(i) + 3, 1);
    connect(widget, &FieldWidget::edited, this, [this, i, widget](const FieldValue& value, int, bool continues) {
      if (!target_.edit) return;
      target_.edit(
          widget->spec().label,
          [&](SurfaceValue& v) { (i == 0 ? v.surface.shininess : v.surface.opacity) = std::get<double>(value); },
          continues, widget);
    });
  }
}

void SurfaceEditor::set_target(SurfaceTarget target) {
  target_ = std::move(target);
  refresh();
}

void SurfaceEditor::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (seen_) return;
  seen_ = true;
  preview_there_ = false;
  fill_presets();
  refresh();
}

void SurfaceEditor::fill_presets() {
  std::vector<SwatchGrid::Entry> entries;
  const int pixels = static_cast<int>(std::ceil(SwatchGrid::kSize * 2));
  const auto add = [&](const QString& key, const QString& text, const QString& group, const Surface& surface) {
    entries.push_back({key, text, group});
    presets_->set_picture(key, painted_sphere(surface, pixels / 2));
    if (seen_) spheres_->request(key, surface, pixels);
  };
  for (const MaterialPreset& preset : material_presets())
    add(preset_key(preset), titled(preset.name), titled(preset.family), preset.surface);
  for (const OwnMaterial& own : own_.all()) add(own_key(own.name), own.name, tr("Own"), own.material.surface);
  presets_->set_entries(std::move(entries));
}

QString SurfaceEditor::current_key(const SurfaceValue& value) const {
  for (const OwnMaterial& own : own_.all())
    if (own.material.surface == value.surface) return own_key(own.name);
  const MaterialPreset* preset = find_material(value.preset);
  return preset && preset->surface == value.surface ? preset_key(*preset) : QString();
}

void SurfaceEditor::refresh() {
  const std::vector<SurfaceValue> values = target_.values ? target_.values() : std::vector<SurfaceValue>();
  setEnabled(!values.empty());
  if (values.empty()) {
    name_->clear();
    family_->setText(note_);
    return;
  }
  const SurfaceValue& active = values.front();
  const auto all = [&](auto equal) {
    return std::all_of(values.begin(), values.end(), [&](const SurfaceValue& v) { return equal(v.surface); });
  };

  const bool one_look = all([&](const Surface& s) { return s == active.surface; });
  const QString key = one_look ? current_key(active) : QString();
  presets_->set_current(key);
  if (!one_look) {
    name_->setText(tr("Several materials"));
    family_->setText(tr("A preset or colour is given to all %1 %2.")
                         .arg(values.size())
                         .arg(target_.several.isEmpty() ? tr("objects") : target_.several));
  } else if (key.startsWith("own:")) {
    name_->setText(key.mid(4));
    family_->setText(tr("Own preset"));
  } else {
    name_->setText(titled(active.preset));
    const MaterialPreset* preset = find_material(active.preset);
    family_->setText(key.isEmpty() ? tr("Changed from the preset") : preset ? titled(preset->family) : QString());
  }
  if (!note_.isEmpty()) family_->setText(note_);

  for (int i = 0; i < 3; ++i) {
    ColourRow& row = rows_[static_cast<std::size_t>(i)];
    const Vec3& colour = component_of(active.surface, i);
    const bool equal = all([&](const Surface& s) { return component_of(s, i) == colour; });
    row.swatch->set_colour(colour);
    row.swatch->set_mixed(!equal);
    // Grey has no hue of its own: the one that was set last stays on screen.
    if ((from_hsv(row.hsv) - colour).cwiseAbs().maxCoeff() > 1e-12) row.hsv = to_hsv(colour, row.hsv);
    row.numbers[0]->set_value(std::round(row.hsv.x() * 100) / 100);
    row.numbers[1]->set_value(std::round(row.hsv.y() * 1e4) / 100);
    row.numbers[2]->set_value(std::round(row.hsv.z() * 1e4) / 100);
    for (NumberField* number : row.numbers) number->set_mixed(!equal);
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    std::vector<FieldValue> shown;
    for (const SurfaceValue& v : values) shown.push_back(i == 0 ? v.surface.shininess : v.surface.opacity);
    numbers_[i]->set_values(shown);
  }
  if (!preview_there_ || !(previewed_ == active.surface)) {
    // The painted one at once, so that nothing of another object is ever shown; while colours are dragged the rendered
    // one follows within a frame or two.
    if (!preview_there_) show_picture(kPreviewKey, painted_sphere(active.surface, kPreview * 2));
    previewed_ = active.surface;
    preview_there_ = true;
    if (seen_) spheres_->request(kPreviewKey, active.surface, kPreview * 2);
  }
}

void SurfaceEditor::show_picture(const QString& key, const QImage& picture) {
  if (key != kPreviewKey) return presets_->set_picture(key, picture);
  const double ratio = devicePixelRatioF();
  QImage scaled = picture.scaled(QSize(kPreview, kPreview) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  scaled.setDevicePixelRatio(ratio);
  preview_->setPixmap(QPixmap::fromImage(scaled));
}

void SurfaceEditor::pick(const QString& key) {
  const auto take = [this](const Material& material, bool own) {
    if (target_.take) return target_.take(material, own, presets_);
    if (!target_.edit) return;
    target_.edit(
        tr("Material"),
        [&](SurfaceValue& v) {
          if (!own) v.preset = material.preset;  // scenes name presets of the table only
          v.surface = material.surface;
        },
        false, presets_);
  };
  if (key.startsWith("own:")) {
    for (const OwnMaterial& own : own_.all())
      if (own_key(own.name) == key) return take(Material(own.material), true);
    return;
  }
  for (const MaterialPreset& preset : material_presets())
    if (preset_key(preset) == key) return take(apply_preset({}, preset), false);
}

void SurfaceEditor::edit_colour(int component, const Vec3& rgb, bool continues, QWidget* at) {
  if (!target_.edit) return;
  const Vec3 colour = rgb.cwiseMax(0.0).cwiseMin(1.0);
  const QString names[] = {tr("Ambient colour"), tr("Diffuse colour"), tr("Specular colour")};
  target_.edit(
      names[component], [&](SurfaceValue& v) { component_of(v.surface, component) = colour; }, continues, at);
}

void SurfaceEditor::ask_and_save() {
  const std::vector<SurfaceValue> values = target_.values ? target_.values() : std::vector<SurfaceValue>();
  if (values.empty()) return;
  bool ok = false;
  const QString name =
      QInputDialog::getText(this, tr("Keep as Own Preset"), tr("Name of the material:"), QLineEdit::Normal,
                            tr("My %1").arg(QString::fromStdString(values.front().preset)), &ok)
          .trimmed();
  if (ok) save_own(name);
}

void SurfaceEditor::save_own(const QString& name) {
  const std::vector<SurfaceValue> values = target_.values ? target_.values() : std::vector<SurfaceValue>();
  if (values.empty()) return;
  if (name.isEmpty()) return Bubble::show_at(save_, tr("A preset needs a name."));
  Material material;
  if (target_.keep) {
    material = target_.keep();
  } else {
    if (const MaterialPreset* preset = find_material(values.front().preset)) material = apply_preset(material, *preset);
    material.surface = values.front().surface;
  }
  if (const Status status = own_.save(name.left(100), material); !status.ok())
    Bubble::show_at(save_, QString::fromStdString(status.error().message));
  fill_presets();
  refresh();
}

}  // namespace hazumi
