#include "ui/panels/pose_section.h"

#include <algorithm>
#include <map>

#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyledItemDelegate>
#include <QToolButton>

#include "core/scene/derived/poses.h"
#include "core/scene/values/lists.h"
#include "core/sim/elastic/solver.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/modes/pose_commands.h"
#include "ui/modes/pose_look.h"
#include "ui/panels/owners.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kWeights = Qt::UserRole + 1;  // list of group, weight …
constexpr int kBar = 90;                    // logical pixels

/// A bar for each group behind the name.
class PoseRow : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QVariantList weights = index.data(kWeights).toList();
    QStyleOptionViewItem left = option;
    if (!weights.isEmpty()) left.rect.setRight(option.rect.right() - kBar - 8);
    QStyledItemDelegate::paint(painter, left, index);
    const auto bars = weights.size() / 2;
    if (bars == 0) return;
    const QRect area(option.rect.right() - kBar - 4, option.rect.top() + 3, kBar, option.rect.height() - 6);
    const double height = static_cast<double>(area.height()) / static_cast<double>(bars);
    painter->save();
    painter->setPen(Qt::NoPen);
    for (qsizetype b = 0; b < bars; ++b) {
      const QRectF bar(area.left(), area.top() + static_cast<double>(b) * height, area.width(),
                       std::max(1.0, height - 1));
      painter->setBrush(theme_colours().quiet_text.darker(250));
      painter->drawRect(bar);
      const auto group = static_cast<std::uint32_t>(weights[2 * b].toUInt());
      const glm::vec4 c = group_colour(group);
      painter->setBrush(QColor::fromRgbF(c.r, c.g, c.b));
      QRectF part = bar;
      part.setWidth(bar.width() * std::clamp(weights[2 * b + 1].toDouble(), 0.0, 1.0));
      painter->drawRect(part);
    }
    painter->restore();
  }
};

}  // namespace

PoseSection::PoseSection(UiContext& context, ObjectBinding* binding, QWidget* parent)
    : QWidget(parent), context_(context), binding_(binding) {
  QGridLayout* grid = make_form_grid(this);
  note_ = new QLabel(this);
  note_->setObjectName("pose_note");
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(note_, 0, 0, 1, 2);
  list_ = new QListWidget(this);
  list_->setObjectName("poses");
  list_->setAccessibleName(tr("Poses"));
  list_->setToolTip(tr(
      "Ticked: the body takes it as an example. Double click renames. The bars say how far the body, or each painted "
      "group, has gone into it in the frame that is shown."));
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setFixedHeight(6 * list_->fontMetrics().height());
  list_->setItemDelegate(new PoseRow(list_));
  grid->addWidget(list_, 1, 0, 1, 2);
  buttons_ = new QWidget(this);
  auto* rows = new QGridLayout(buttons_);
  rows->setContentsMargins(0, 0, 0, 0);
  QToolButton* all[] = {
      make_button("append", tr("New"), tr("A pose that is the analysis model as it is, to be shaped."), "new_pose"),
      make_button("duplicate", tr("Duplicate"), tr("A copy of the chosen pose."), "duplicate_pose"),
      make_button("delete", tr("Delete"), tr("Deletes the chosen pose."), "delete_pose"),
      make_button("mirror", tr("Mirror"),
                  tr("The chosen pose becomes what is seen in a mirror: left and right change places (x)."),
                  "mirror_pose"),
      make_button("camera", tr("From This Frame"), tr("A pose as the body is bent in the frame that is shown."),
                  "pose_from_frame"),
      make_button(
          "mesh", tr("From a Mesh…"),
          tr("A pose from a mesh file with one vertex for each node, in the same order, in metres: the analysis model "
             "that File › Export… writes as OBJ, shaped elsewhere."),
          "pose_from_mesh"),
      make_button("key", tr("Key Here"),
                  tr("The shape of the body at this frame is the chosen pose: a key of Shape in its properties. From "
                     "key to key the body "
                     "goes there by its own dynamics."),
                  "key_pose"),
      make_button("key", tr("Key Rest Shape"), tr("The same with the analysis model as it is."), "key_rest_shape"),
      make_button(
          "figure", tr("Sculpt Key Here"),
          tr("Opens the key of the shape at this frame in the view, where the body is then. Where there is none "
             "it makes one that begins with how the body is bent there."),
          "sculpt_key")};
  for (int i = 0; i < 8; ++i) rows->addWidget(all[i], i / 2, i % 2);
  rows->addWidget(all[8], 4, 0, 1, 2);
  grid->addWidget(buttons_, 2, 0, 1, 2);
  edit_ = new QPushButton(theme_icon("figure"), tr("Edit Poses in the View"), this);
  edit_->setObjectName("edit_poses");
  edit_->setToolTip(
      tr("Poses mode of the view: drag nodes with those around them, grab, smooth, twist, bend, and paint groups."));
  grid->addWidget(edit_, 3, 0, 1, 2);
  blend_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(blend_row_);
  row->setContentsMargins(0, 0, 0, 0);
  blend_ = new QSlider(Qt::Horizontal, blend_row_);
  blend_->setObjectName("blend_pose");
  blend_->setAccessibleName(tr("Show in the view"));
  blend_->setRange(0, 100);
  blend_->setToolTip(tr("Shows the chosen pose in the view, from the rest shape to all of it. Changes nothing."));
  share_ = new QLabel(QStringLiteral("0 %"), blend_row_);
  share_->setMinimumWidth(share_->fontMetrics().horizontalAdvance("100 %"));
  row->addWidget(new QLabel(tr("Show"), blend_row_));
  row->addWidget(blend_, 1);
  row->addWidget(share_);
  grid->addWidget(blend_row_, grid->rowCount(), 0, 1, 2);
  make_hands();
  grid->addWidget(hands_, grid->rowCount(), 0, 1, 2);
  follow();
}

/// What a person does here, and what happens elsewhere.
void PoseSection::follow() {
  connect(edit_, &QPushButton::clicked, this, &PoseSection::edit_in_view);
  connect(blend_, &QSlider::valueChanged, this, &PoseSection::show_blend);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int at) {
    const Object* object = binding_->active();
    if (filling_ || at < 0 || !object) return;
    PoseOptions::of(context_.elements).choose(*object, list_->item(at)->data(Qt::UserRole).toUInt());
  });
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    const Object* object = binding_->active();
    if (filling_ || !object) return;
    const std::uint32_t id = item->data(Qt::UserRole).toUInt();
    const bool on = item->checkState() == Qt::Checked;
    const QString text = item->text();
    const AnalysisPose* pose = find_pose(object->analysis, id);
    if (pose && pose->example != on)
      set_example(context_, *object, id, on);
    else
      rename_pose(context_, *object, id, text);
    refresh();
  });
  connect(&PoseOptions::of(context_.elements), &PoseOptions::changed, this, &PoseSection::refresh);
  for (auto signal : {&ElementSelection::mode_changed, &ElementSelection::look_changed})
    connect(&context_.elements, signal, this, [this] {
      if (blending_ && !context_.elements.preview()) end_blend();
      refresh();
    });
  connect(&context_.playback, &PlaybackController::shown_changed, this, &PoseSection::show_weights);
}

PoseSection::~PoseSection() = default;

QToolButton* PoseSection::make_button(const char* icon, const QString& text, const QString& tip, const char* name) {
  auto* made = new QToolButton(buttons_);
  made->setIcon(theme_icon(icon));
  made->setText(text);
  made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  made->setToolTip(tip);
  made->setObjectName(name);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(made, &QToolButton::clicked, this, [this, made, what = std::string_view(name)] {
    const Object* object = binding_->active();
    if (!object) return;
    Status done = Done{};
    if (what == "new_pose") add_first();
    if (what == "duplicate_pose") duplicate_pose(context_, *object);
    if (what == "delete_pose") delete_pose(context_, *object);
    if (what == "mirror_pose") done = mirror_pose(context_, *object, 0);
    if (what == "pose_from_frame") done = pose_from_frame(context_, *object);
    if (what == "pose_from_mesh") from_mesh();
    const AnalysisPose* chosen = PoseOptions::of(context_.elements).pose(*object);
    if (what == "key_pose" && chosen) done = key_pose(context_, *object, chosen->id);
    if (what == "key_rest_shape") done = key_pose(context_, *object, 0);
    if (what == "sculpt_key") {
      end_blend();
      done = sculpt_key(context_, *object);
    }
    if (!done.ok()) Bubble::show_at(made, QString::fromStdString(done.error().message + " " + done.error().hint));
    refresh();
  });
  return made;
}

QToolButton* PoseSection::button(const char* name) const { return buttons_->findChild<QToolButton*>(name); }

void PoseSection::make_hands() {
  hands_ = new QWidget(this);
  QGridLayout* grid = make_form_grid(hands_);
  PoseOptions* options = &PoseOptions::of(context_.elements);
  const auto number = [&](const QString& text, const QString& unit, const QString& tip, double high, const char* name) {
    auto* field = new NumberField(hands_);
    field->set_name(text);
    field->set_unit(unit);
    field->set_range(0, high, high > kMostPoseGroups);
    field->setObjectName(name);
    add_form_row(grid, text, tip, field);
    return field;
  };
  radius_ = number(
      tr("Radius"), "m",
      tr("How far around the mouse the hands reach, and around the selection the rest goes along; [ and ] change "
         "it, in the view the wheel or F."),
      PoseOptions::kMostRadius, "pose_radius");
  strength_ = number(tr("Strength"), "", tr("How much a dab smooths, 0 to 1."), 1, "pose_strength");
  strength_->set_step(0.01);
  group_ = number(tr("Group"), "", tr("The group that is painted, 0 to 63: each group takes examples by itself."),
                  kMostPoseGroups - 1, "pose_group");
  group_->set_integer(true);
  connect(radius_, &NumberField::edited, this, [options](double value) { options->set_radius(value); });
  connect(strength_, &NumberField::edited, this, [options](double value) { options->set_strength(value); });
  connect(group_, &NumberField::edited, this,
          [options](double value) { options->set_group(static_cast<std::uint32_t>(value)); });
}

bool PoseSection::editing() const {
  const Object* object = binding_->active();
  return object && context_.elements.in("poses") && context_.elements.object_id() == object->id;
}

bool PoseSection::learns(const Object& object) const {
  const ElasticSolverInfo* info = find_elastic_solver(object.body.solver);
  return info && info->takes_examples;
}

void PoseSection::add_first() {
  if (const Object* object = binding_->active()) new_pose(context_, *object);
}

void PoseSection::edit_in_view() {
  end_blend();
  const Object* object = binding_->active();
  if (object && object->analysis.poses.empty()) add_first();
  const QString why = context_.elements.enter(*find_mode("poses"));
  if (!why.isEmpty()) Bubble::show_at(edit_, why);
}

void PoseSection::from_mesh() {
  FileDialog dialog(FileDialog::For::open, tr("Pose From a Mesh"), QStringLiteral("mesh"), mesh_filter(), window());
  const QString file = dialog.ask();
  const Object* object = binding_->active();
  if (file.isEmpty() || !object) return;
  if (const Status done = pose_from_mesh(context_, *object, file); !done.ok())
    Bubble::show_at(button("pose_from_mesh"), QString::fromStdString(done.error().message + " " + done.error().hint));
}

void PoseSection::refresh() {
  const Object* object = binding_->active();
  if (!object || filling_) return;
  const std::vector<AnalysisPose>& poses = object->analysis.poses;
  const AnalysisPose* chosen = PoseOptions::of(context_.elements).pose(*object);
  filling_ = true;
  if (list_->count() != static_cast<int>(poses.size())) list_->clear();
  int current = -1;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    QListWidgetItem* item = list_->item(static_cast<int>(k));
    if (!item) {
      item = new QListWidgetItem(list_);
      item->setFlags(item->flags() | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
    }
    item->setText(QString::fromStdString(poses[k].name));
    item->setCheckState(poses[k].example ? Qt::Checked : Qt::Unchecked);
    item->setData(Qt::UserRole, poses[k].id);
    if (&poses[k] == chosen) current = static_cast<int>(k);
  }
  if (list_->currentRow() != current || (current >= 0 && !list_->item(current)->isSelected()))
    list_->setCurrentRow(current);
  filling_ = false;
  list_->setVisible(!poses.empty());
  blend_row_->setVisible(!poses.empty() && !editing());
  edit_->setVisible(!editing());
  for (const char* name : {"duplicate_pose", "delete_pose", "mirror_pose", "key_pose"})
    button(name)->setEnabled(chosen != nullptr);
  const ElasticSolverInfo* solver = find_elastic_solver(object->body.solver);
  for (const char* name : {"key_pose", "key_rest_shape"})
    button(name)->setVisible(solver && solver->takes_shape && !poses.empty());
  button("sculpt_key")->setVisible(solver && solver->takes_shape);
  hands_->setVisible(editing());
  const PoseOptions& options = PoseOptions::of(context_.elements);
  radius_->set_value(options.radius());
  strength_->set_value(options.strength());
  group_->set_value(options.group());
  note_->setText(learns(*object)
                     ? tr("Shapes that the body goes into when it is pushed a little that way: those that are ticked.")
                     : tr("Shapes with a name. Bodies of the elastic model Shape matching go into those that are "
                          "ticked when they are "
                          "pushed a little that way; this body has another model."));
  show_weights();
}

void PoseSection::show_weights() {
  const Object* object = binding_->active();
  if (!object || !isVisibleTo(window())) return;
  const FramePtr frame = context_.playback.shown();
  std::map<std::uint32_t, QVariantList> of_pose;
  if (frame && frame->examples)
    for (const FrameExample& example : *frame->examples)
      if (example.object == object->id) of_pose[example.pose] << example.group << static_cast<double>(example.weight);
  const QSignalBlocker block(list_);
  for (int row = 0; row < list_->count(); ++row) {
    QListWidgetItem* item = list_->item(row);
    const QVariantList& now = of_pose[item->data(Qt::UserRole).toUInt()];
    if (item->data(kWeights).toList() != now) item->setData(kWeights, now);
  }
  list_->viewport()->update();
}

double PoseSection::weight(int row) const {
  const QVariantList weights = list_->item(row) ? list_->item(row)->data(kWeights).toList() : QVariantList();
  double most = -1;
  for (qsizetype i = 1; i < weights.size(); i += 2) most = std::max(most, weights[i].toDouble());
  return most;
}

void PoseSection::show_blend() {
  share_->setText(tr("%1 %").arg(blend_->value()));
  const Object* object = binding_->active();
  const EditedPose edited = object ? edited_pose(context_.elements, *object) : EditedPose{};
  if (!edited || blend_->value() == 0) {
    if (blending_) end_blend();
    return;
  }
  blending_ = true;
  const auto mesh = context_.document.meshes().mesh(*object);
  const auto mapping = PoseOptions::of(context_.elements).mapping(*object, mesh);
  auto nodes = std::make_shared<const std::vector<Vec3>>(
      blended_nodes(edited.truss->nodes, *edited.pose, blend_->value() / 100.0));
  const auto of = std::make_shared<const Object>(*object);
  context_.elements.set_preview([of, truss = edited.truss, nodes, mesh, mapping](RenderList& list) {
    bend_display(*of, of->transform, *truss, mapping.get(), mesh, *nodes, list);
    draw_bare_pose(*of, *truss, *nodes, list);
  });
}

void PoseSection::end_blend() {
  if (!blending_) return;
  blending_ = false;
  const QSignalBlocker block(blend_);
  blend_->setValue(0);
  share_->setText(QStringLiteral("0 %"));
  context_.elements.set_preview({});
}

}  // namespace hazumi
