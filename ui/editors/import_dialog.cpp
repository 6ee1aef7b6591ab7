#include "ui/editors/import_dialog.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QVBoxLayout>

#include "core/import/mesh_file.h"
#include "core/scene/values/scene.h"
#include "ui/editors/clip_rows.h"
#include "ui/editors/dialog_parts.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

struct Unit {
  const char* name;
  double metres;
};
constexpr Unit kUnits[] = {{QT_TRANSLATE_NOOP("ImportDialog", "Metres"), 1},
                           {QT_TRANSLATE_NOOP("ImportDialog", "Centimetres"), 0.01},
                           {QT_TRANSLATE_NOOP("ImportDialog", "Millimetres"), 0.001},
                           {QT_TRANSLATE_NOOP("ImportDialog", "Inches"), 0.0254},
                           {QT_TRANSLATE_NOOP("ImportDialog", "Feet"), 0.3048}};
constexpr int kFit = static_cast<int>(std::size(kUnits));  // "Scale to fit"
constexpr int kFileUnit = kFit + 1;                        // the file's own, when it is none of the above
constexpr QSize kPicture(252, 216);
constexpr double kOfferedMerge = 1e-4;  // of the diagonal
constexpr int kOfferedHole = 12;        // edges
constexpr int kSettle = 120;            // ms without a change before the mesh is prepared anew

bool is_unit(double a, double b) { return std::abs(a - b) <= 1e-6 * b; }

void set_colour(QWidget* widget, const QColor& colour) {
  widget->setStyleSheet(QStringLiteral("color: %1;").arg(colour.name()));
}

QString count(std::size_t n, const QString& one, const QString& many) {
  return n == 1 ? one : many.arg(QLocale().toString(static_cast<qulonglong>(n)));
}

NumberField* number(const QString& name, double low, double high, double value, QWidget* parent) {
  auto* field = new NumberField(parent);
  field->set_name(name);
  field->setAccessibleName(name);
  field->set_range(low, high, low == 0);
  field->set_default(value);
  field->set_value(value);
  field->setFixedWidth(84);
  return field;
}

}  // namespace

QString size_text(const Vec3& metres) {
  const double largest = metres.maxCoeff();
  const auto [factor, unit] = largest >= 0.1    ? std::pair{1.0, "m"}
                              : largest >= 0.01 ? std::pair{100.0, "cm"}
                                                : std::pair{1000.0, "mm"};
  const QLocale locale;
  const auto part = [&locale, factor = factor](double x) { return locale.toString(x * factor, 'g', 3); };
  return QStringLiteral("%1 × %2 × %3 %4")
      .arg(part(metres.x()), part(metres.y()), part(metres.z()), QLatin1String(unit));
}

QStringList surface_warnings(const MeshReport& report) {
  QStringList all;
  if (report.open_edges > 0)
    all << count(report.open_edges, ImportDialog::tr("Open: 1 edge has only one face."),
                 ImportDialog::tr("Open: %1 edges have only one face."));
  if (report.non_manifold_edges > 0)
    all << count(report.non_manifold_edges, ImportDialog::tr("Not manifold: 1 edge has more than two faces."),
                 ImportDialog::tr("Not manifold: %1 edges have more than two faces."));
  if (report.flipped > 0)
    all << count(report.flipped, ImportDialog::tr("Inside out: 1 face points the wrong way."),
                 ImportDialog::tr("Inside out: %1 faces point the wrong way."));
  return all;
}

ImportDialog::ImportDialog(UiContext& context, QWidget* parent) : QDialog(parent), context_(context), job_(this) {
  setWindowTitle(tr("Import Mesh"));
  setObjectName("import_dialog");
  setWindowModality(Qt::WindowModal);

  name_ = plain_label("import_name", this);
  make_bold(name_);
  contents_ = plain_label("import_contents", this);
  set_colour(contents_, theme_colours().quiet_text);

  picture_ = picture_label("import_picture", kPicture, this);
  picture_->setTextFormat(Qt::PlainText);
  size_ = plain_label("import_size", this);
  counts_ = plain_label("import_counts", this);
  counts_->setWordWrap(true);
  warnings_ = plain_label("import_warnings", this);
  warnings_->setWordWrap(true);
  set_colour(warnings_, theme_colours().warning);

  form_ = new QWidget(this);
  build_form(dialog_grid(form_, 6));

  bar_ = new QProgressBar(this);
  bar_->setObjectName("import_progress");
  bar_->setRange(0, 0);
  bar_->setTextVisible(false);
  bar_->setFixedSize(90, 6);
  state_ = plain_label("import_state", this);
  state_->setWordWrap(true);
  import_ = new QPushButton(tr("Import"), this);
  import_->setObjectName("import_start");
  import_->setDefault(true);
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName("import_cancel");
  cancel_->setAutoDefault(false);

  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(picture_);
  left->addWidget(size_);
  left->addWidget(counts_);
  left->addStretch(1);
  auto* right = new QVBoxLayout;
  right->setSpacing(8);
  right->addWidget(form_);
  right->addWidget(warnings_);
  right->addStretch(1);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(18);
  middle->addLayout(left);
  middle->addLayout(right, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(bar_);
  buttons->addWidget(state_, 1);
  buttons->addWidget(cancel_);
  buttons->addWidget(import_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(8);
  column->addWidget(name_);
  column->addWidget(contents_);
  column->addLayout(middle, 1);
  column->addLayout(buttons);
  resize(760, 480);

  later_ = new QTimer(this);
  later_->setSingleShot(true);
  later_->setInterval(kSettle);
  connect(later_, &QTimer::timeout, this, &ImportDialog::prepare);
  connect(import_, &QPushButton::clicked, this, &ImportDialog::take_over);
  connect(cancel_, &QPushButton::clicked, this, &ImportDialog::reject);
  connect(&job_, &ImportJob::file_read, this, &ImportDialog::on_read);
  connect(&job_, &ImportJob::failed, this, &ImportDialog::on_failed);
  connect(&job_, &ImportJob::prepared, this, &ImportDialog::on_prepared);
  connect(&job_, &ImportJob::progress, this, [this](double part) {
    bar_->setRange(0, 100);
    bar_->setValue(static_cast<int>(100 * part));
    state_->setText(tr("Making keys… %1 %").arg(bar_->value()));
  });
}

ImportDialog::~ImportDialog() = default;

void ImportDialog::build_form(QGridLayout* grid) {
  int row = 0;
  const auto label = [&](const QString& text) { grid->addWidget(make_row_label(text, {}, form_), row, 0); };
  const auto line = [&](std::initializer_list<QWidget*> widgets) {
    auto* box = new QHBoxLayout;
    box->setSpacing(6);
    for (QWidget* widget : widgets) box->addWidget(widget);
    box->addStretch(1);
    grid->addLayout(box, row++, 1);
  };
  const auto effect = [&](const char* name) {
    QLabel* text = plain_label(name, form_);
    text->setIndent(22);  // under the text of the check box
    set_colour(text, theme_colours().quiet_text);
    grid->addWidget(text, row++, 1);
    return text;
  };

  as_ = new QComboBox(form_);
  as_->setObjectName("import_as");
  as_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // its words change
  as_->addItem(tr("A new object"));
  const Scene& scene = context_.document.scene();
  for (Id id : context_.selection.ids())
    if (const Object* object = find_object(scene, id))
      as_->addItem(tr("The mesh of “%1”").arg(QString::fromStdString(object->name)),
                   QVariant::fromValue<qulonglong>(id.value));
  label(tr("Becomes"));
  line({as_});
  clips_ = new ClipRows(grid, row, form_, scene);
  connect(clips_, &ClipRows::changed, this, &ImportDialog::change);

  unit_ = new QComboBox(form_);
  unit_->setObjectName("import_unit");
  for (const Unit& unit : kUnits) unit_->addItem(tr(unit.name));
  unit_->addItem(tr("Scale to fit"));
  fit_ = number(tr("Largest side"), 0, 1e6, 1, form_);
  fit_->set_unit("m");
  fit_->setObjectName("import_fit");
  label(tr("Unit"));
  line({unit_, fit_});
  unit_note_ = plain_label("import_unit_note", form_);
  set_colour(unit_note_, theme_colours().quiet_text);
  grid->addWidget(unit_note_, row++, 1);

  up_ = new QComboBox(form_);
  up_->setObjectName("import_up");
  for (const char* axis : {"Y", "Z", "X"}) up_->addItem(QLatin1String(axis));  // in the order of UpAxis
  label(tr("Up axis"));
  line({up_});

  merge_ = new QCheckBox(tr("Merge vertices nearer than"), form_);
  merge_->setObjectName("import_merge");
  merge_distance_ = number(tr("Merge distance"), 0, 10, 100 * kOfferedMerge, form_);
  merge_distance_->set_unit("%");
  merge_distance_->set_step(0.001);
  merge_distance_->setToolTip(tr("Of the mesh's diagonal."));
  merge_distance_->setObjectName("import_merge_distance");
  label(tr("Repair"));
  line({merge_, merge_distance_});
  merge_effect_ = effect("import_merge_effect");
  orient_ = new QCheckBox(tr("Turn faces outwards"), form_);
  orient_->setObjectName("import_orient");
  line({orient_});
  orient_effect_ = effect("import_orient_effect");
  fill_ = new QCheckBox(tr("Close holes of up to"), form_);
  fill_->setObjectName("import_fill");
  hole_edges_ = number(tr("Edges of a hole"), 3, kMostHoleEdges, kOfferedHole, form_);
  hole_edges_->set_integer(true);
  hole_edges_->set_unit(tr("edges"));
  hole_edges_->setObjectName("import_hole_edges");
  line({fill_, hole_edges_});
  fill_effect_ = effect("import_fill_effect");

  simplify_ = new QSlider(Qt::Horizontal, form_);
  simplify_->setObjectName("import_simplify");
  simplify_->setRange(1, 100);
  simplify_->setPageStep(10);
  simplify_->setValue(100);
  simplify_->setMinimumWidth(150);
  simplify_effect_ = plain_label("import_simplify_effect", form_);
  label(tr("Simplify"));
  line({simplify_, simplify_effect_});

  textures_ = new QCheckBox(tr("Show the textures"), form_);
  textures_->setObjectName("import_textures");
  textures_->setChecked(true);
  label({});
  line({textures_});
  grid->setColumnStretch(1, 1);

  for (QComboBox* box : {unit_, up_}) connect(box, &QComboBox::activated, this, &ImportDialog::change);
  for (QCheckBox* box : {merge_, orient_, fill_, textures_})
    connect(box, &QCheckBox::clicked, this, &ImportDialog::change);
  connect(simplify_, &QSlider::valueChanged, this, &ImportDialog::change);
  connect(fit_, &NumberField::edited, this, [this] {
    unit_->setCurrentIndex(kFit);
    change();
  });
  connect(merge_distance_, &NumberField::edited, this, &ImportDialog::change);
  connect(hole_edges_, &NumberField::edited, this, &ImportDialog::change);
}

void ImportDialog::read(const QString& file) {
  file_ = file;
  const QString name = QFileInfo(file).fileName();
  name_->setText(fontMetrics().elidedText(name, Qt::ElideMiddle, 700));
  name_->setToolTip(file);
  read_ = failed_ = waiting_ = false;
  preview_.reset();
  job_.read(file, begin_with_ ? begin_with_->piece : std::string());
  show_state();
}

void ImportDialog::adjust(const Object& object) {
  begin_with_ = object.display.mesh.settings;
  setWindowTitle(tr("Mesh of “%1”").arg(QString::fromStdString(object.name)));
  import_->setText(tr("Apply"));
  const int row = as_->findData(QVariant::fromValue<qulonglong>(object.id.value));
  as_->setCurrentIndex(row);
  as_->setEnabled(false);
  read(QString::fromStdString(object.display.mesh.source));
}

void ImportDialog::set_settings(const MeshSettings& settings) {
  up_->setCurrentIndex(static_cast<int>(settings.up));
  int unit = -1;
  for (int i = 0; i < kFit; ++i)
    if (is_unit(settings.scale, kUnits[i].metres)) unit = i;
  if (unit < 0) {  // one that is not in the list
    unit_->addItem(tr("1 unit = %1 m").arg(QLocale().toString(settings.scale, 'g', 4)), settings.scale);
    unit = kFileUnit;
  }
  unit_->setCurrentIndex(unit);
  merge_->setChecked(settings.merge_distance > 0);
  if (settings.merge_distance > 0) merge_distance_->set_value(100 * settings.merge_distance);
  orient_->setChecked(settings.orient);
  fill_->setChecked(settings.fill_holes > 0);
  if (settings.fill_holes > 0) hole_edges_->set_value(std::clamp(settings.fill_holes, 3, kMostHoleEdges));
  simplify_->setValue(std::clamp(static_cast<int>(std::lround(100 * settings.simplify)), 1, 100));
  textures_->setChecked(settings.textures);
}

void ImportDialog::on_read(const MeshReport& report) {
  before_ = report;
  set_settings(begin_with_.value_or(suggested_settings(report)));
  read_ = true;  // from here on a change of a control prepares the mesh anew
  QStringList contents{count(report.parts, tr("1 part"), tr("%1 parts"))};
  if (report.materials > 0) contents << count(report.materials, tr("1 material"), tr("%1 materials"));
  if (report.textures > 0) contents << count(report.textures, tr("1 texture"), tr("%1 textures"));
  if (!report.companions.empty()) contents << count(report.companions.size(), tr("1 more file"), tr("%1 more files"));
  contents_->setText(contents.join(QStringLiteral(" · ")));
  QStringList companions;
  for (const std::string& companion : report.companions) companions << QString::fromStdString(companion);
  contents_->setToolTip(companions.join(QLatin1Char('\n')));
  unit_note_->setText(begin_with_         ? tr("As it was imported.")
                      : report.unit_known ? tr("As the file says.")
                                          : tr("The file does not say; this is a guess."));
  textures_->setVisible(report.textures > 0);
  if (!begin_with_) clips_->show_file(job_.clips());
  if (job_.clips()) resize(width(), std::max(height(), 590));
  prepare();
}

void ImportDialog::on_failed(const Diagnostic& problem) {
  failed_ = true;
  state_->setText(sentence_of(problem));
  show_state();
}

double ImportDialog::unit_scale() const {
  const int index = unit_->currentIndex();
  if (index < kFit) return kUnits[index].metres;
  if (index == kFileUnit) return unit_->currentData().toDouble();
  const double largest = before_.size.maxCoeff();
  return largest > 0 ? fit_->value() / largest : 1;
}

MeshSettings ImportDialog::settings() const {
  MeshSettings settings;
  if (begin_with_) settings.piece = begin_with_->piece;
  settings.up = static_cast<UpAxis>(up_->currentIndex());
  settings.scale = unit_scale();
  settings.merge_distance = merge_->isChecked() ? merge_distance_->value() / 100 : 0;
  settings.orient = orient_->isChecked();
  settings.fill_holes = fill_->isChecked() ? static_cast<int>(std::lround(hole_edges_->value())) : 0;
  settings.simplify = simplify_->value() / 100.0;
  settings.textures = textures_->isChecked();
  return settings;
}

void ImportDialog::change() {
  if (!read_) return;
  waiting_ = true;
  later_->start();
  show_state();
}

void ImportDialog::prepare() {
  waiting_ = false;
  job_.prepare(settings(), merge_distance_->value() / 100, kPicture * devicePixelRatioF(), clips_->asked());
  show_state();
}

void ImportDialog::on_prepared(const std::shared_ptr<const ImportPreview>& preview) {
  preview_ = preview;
  QImage picture = preview->picture;
  picture.setDevicePixelRatio(devicePixelRatioF());
  picture_->setPixmap(QPixmap::fromImage(picture));
  const MeshReport& report = preview->report;
  size_->setText(size_text(report.size));
  counts_->setText(tr("%1, %2").arg(count(report.faces, tr("1 triangle"), tr("%1 triangles")),
                                    count(report.vertices, tr("1 vertex"), tr("%1 vertices"))));
  QStringList warnings = surface_warnings(report);
  clips_->show_made(*preview);
  warnings << clips_->warnings(*preview);
  if (const double largest = report.size.maxCoeff(); largest > 1000 || largest < 1e-3)
    warnings << tr("The mesh is very %1: is the unit right?").arg(largest > 1 ? tr("large") : tr("small"));
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < report.warnings.size() && i < kShown; ++i)
    warnings << QString::fromStdString(report.warnings[i]);
  if (report.warnings.size() > kShown) warnings << tr("… and %1 more.").arg(report.warnings.size() - kShown);
  warnings_->setText(warnings.join(QLatin1Char('\n')));
  show_repairs();
  show_state();
}

void ImportDialog::show_repairs() {
  const ImportPreview& now = *preview_;
  // What a repair did; or, when it is not asked for, what it would do.
  const auto show = [](QCheckBox* box, QLabel* effect, bool useful, const QString& text) {
    effect->setText(text);
    box->setEnabled(useful || box->isChecked());
  };
  show(merge_, merge_effect_, now.mergeable > 0,
       merge_->isChecked() ? count(now.merged, tr("Joins 1 vertex with another."), tr("Joins %1 vertices with others."))
       : now.mergeable > 0
           ? count(now.mergeable, tr("Would join 1 vertex with another."), tr("Would join %1 vertices with others."))
           : tr("No two vertices are that near."));
  show(orient_, orient_effect_, now.report.flipped > 0,
       orient_->isChecked()     ? count(now.turned, tr("Turns 1 face."), tr("Turns %1 faces."))
       : now.report.flipped > 0 ? count(now.report.flipped, tr("Would turn 1 face."), tr("Would turn %1 faces."))
                                : tr("All faces agree."));
  const auto small = static_cast<std::size_t>(std::count_if(now.report.holes.begin(), now.report.holes.end(),
                                                            [&](int edges) { return edges <= hole_edges_->value(); }));
  const int largest = now.report.holes.empty() ? 0 : now.report.holes.back();
  show(fill_, fill_effect_, !now.report.holes.empty(),
       fill_->isChecked() ? count(now.filled, tr("Closes 1 hole."), tr("Closes %1 holes."))
       : small > 0        ? count(small, tr("Would close 1 hole."), tr("Would close %1 holes."))
       : largest > 0      ? tr("The holes are larger: up to %1 edges.").arg(largest)
                          : tr("There are no holes."));
  simplify_effect_->setText(simplify_->value() == 100
                                ? tr("All triangles")
                                : tr("%1 %: %2 → %3 triangles")
                                      .arg(simplify_->value())
                                      .arg(QLocale().toString(static_cast<qulonglong>(now.unsimplified)),
                                           QLocale().toString(static_cast<qulonglong>(now.report.faces))));
}

void ImportDialog::show_state() {
  const bool busy = !ready();
  bar_->setVisible(busy);
  if (!busy || waiting_) bar_->setRange(0, 0);
  const bool moves = clips_->asked().has_value();
  as_->setEnabled(!moves && !begin_with_);  // several objects take no single one's place
  if (moves) as_->setCurrentIndex(0);
  as_->setItemText(0, moves && preview_ && preview_->clip
                          ? count(preview_->clip->meshes.size() + preview_->clip->skins.size(), tr("A new object"),
                                  tr("%1 new objects"))
                          : tr("A new object"));
  form_->setEnabled(read_ && !failed_);
  import_->setEnabled(read_ && !busy && preview_ && (!moves || preview_->clip));
  set_colour(state_, failed_ ? theme_colours().error : theme_colours().quiet_text);
  if (!failed_) state_->setText(!read_ ? tr("Reading…") : busy ? tr("Working…") : QString());
  if (read_ && simplify_->value() != 100 && busy) simplify_effect_->setText(tr("%1 % …").arg(simplify_->value()));
}

void ImportDialog::take_over() {
  if (!ready() || !preview_) return;
  if (preview_->clip) {
    if (add_clip(context_.document, context_.selection, *preview_->clip, clips_->time()))
      accept();
    else
      state_->setText(tr("The motion cannot be taken into this scene; the status bar says why."));
    return;
  }
  MeshReference mesh;
  mesh.file = mesh.source = file_.toStdString();
  mesh.mesh = preview_->mesh;
  mesh.content = preview_->content;
  mesh.settings = preview_->settings;
  mesh.companions = preview_->report.companions;
  const Id target{as_->currentData().toULongLong()};
  const bool taken = target ? replace_mesh(context_.document, target, std::move(mesh), begin_with_.has_value())
                            : static_cast<bool>(add_mesh(context_.document, context_.selection, std::move(mesh)));
  if (taken)
    accept();
  else
    state_->setText(tr("The mesh cannot be taken into this scene; the status bar says why."));
}

void ImportDialog::done(int result) {
  job_.cancel();
  QDialog::done(result);
}

}  // namespace hazumi
