// Of the panel of a box: what it is about, and which number it tells.
#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include "core/motion/check.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_selection.h"
#include "ui/model/sentence.h"
#include "ui/panels/motion_box_panel.h"
#include "ui/panels/thing_picker.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

namespace {

constexpr const char *kSwitchField = "procedure.set.to", *kNumberField = "procedure.set.number";
constexpr int kPlaceRole = Qt::UserRole + 1;  // in settable_numbers()

/// "-10,000 to 10,000 m/s".
QString range_text(const SettableNumber& number) {
  if (number.is_switch()) return hazumi::tr("Off or on");
  const QString unit = text_of(number.range.unit);
  return hazumi::tr("%1 to %2 %3")
      .arg(number.shown(number.range.low), 0, 'g', 6)
      .arg(number.shown(number.range.high), 0, 'g', 6)
      .arg(unit)
      .trimmed();
}

/// Whether the box may tell that number: of what it names; naming nothing, of its objects and the scene.
bool has_number_of(const Scene& scene, const MotionNode& node, const SettableNumber& number) {
  if (node.other != 0) return number.of != NumberOf::scene && has_number(scene, number, Id{node.other});
  if (number.of == NumberOf::scene) return true;
  if (number.of != NumberOf::object) return false;
  const std::vector<Id> all = actors(scene, node.object);
  return std::all_of(all.begin(), all.end(), [&](Id id) { return has_number(scene, number, id); });
}

/// Where what it names has not the number that it tells: the first that it has, rather than its switch.
void keep_number(const Scene& scene, MotionNode& node) {
  if (has_number_of(scene, node, number_of_box(node))) return;
  const SettableNumber* best = nullptr;
  for (const SettableNumber& number : settable_numbers())
    if (has_number_of(scene, node, number) && (!best || (best->is_switch() && !number.is_switch()))) best = &number;
  if (best) set_parameter(node, {"number", std::string(best->word)});
}

constexpr int kBoxLabel = 84;  // logical pixels

/// Of a field the diamond alone, for what is chosen by `chooser`.
void put_before_key(FieldWidget& field, QWidget* chooser) {
  for (QWidget* own :
       {static_cast<QWidget*>(field.findChild<NumberField*>()), static_cast<QWidget*>(field.focusProxy())})
    if (own && own != chooser) own->hide();
  chooser->setParent(&field);
  static_cast<QHBoxLayout*>(field.layout())->insertWidget(0, chooser, 1);
  field.setFocusProxy(chooser);
}

}  // namespace

QWidget* MotionBoxPanel::add_row_of_box(QGridLayout* grid, const QString& label, const QString& tip, QWidget* widget) {
  QLabel* words = make_row_label(label, tip, widget->parentWidget());
  words->setFixedWidth(kBoxLabel);
  words->setWordWrap(true);
  const int row = grid->rowCount();
  grid->addWidget(words, row, 0, Qt::AlignTop);
  words->setMinimumHeight(24);
  grid->addWidget(widget, row, 1);
  return words;
}

/// What else it is about.
void MotionBoxPanel::add_other(Page& page, const MotionKind& kind, bool at_once, QGridLayout* grid) {
  page.other = new ThingPicker(context_, tr("With"), grid->parentWidget());
  page.other->setObjectName(QStringLiteral("motion_with"));
  const QString label = kind.other == OtherUse::curve    ? tr("Curve")
                        : kind.other == OtherUse::source ? tr("Source")
                        : kind.other == OtherUse::camera ? tr("Camera")
                        : kind.other == OtherUse::sound  ? tr("Sound")
                        : kind.other == OtherUse::marker ? tr("Marker")
                        : kind.other == OtherUse::number ? tr("Number of")
                                                         : tr("With");
  for (const Field<MotionNode>& field : page.table)
    if (is_with(field.path)) page.with = page.binding->make(field.path, grid->parentWidget());
  page.with->setObjectName(QStringLiteral("motion_with_keys"));
  put_before_key(*page.with, page.other);
  QString tip = page.with->spec().tooltip;
  if (at_once) tip += QLatin1Char(' ') + tr("Keys of it count as it starts.");
  add_row_of_box(grid, label, tip, page.with);
  const bool tells = kind.other == OtherUse::number;
  connect(page.other, &ThingPicker::chosen, this, [this, tells, picker = page.other](Id id) {
    const Scene& scene = context_.document.scene();
    const QString name = id ? name_of(scene, id) : tells ? tr("its object") : tr("anything");
    const QString text = tells ? tr("%1 sets a number of %2") : tr("%1 with %2");
    if (is_keyed_now(page_->with)) return key_other(text.arg(QStringLiteral("%1"), name), id, tells, picker);
    edit_chosen(
        text.arg(QStringLiteral("%1"), name),
        [&](MotionNode& node) {
          node.other = id.value;
          if (tells) keep_number(scene, node);
        },
        picker);
  });
}

/// What is entered in this field becomes a key.
bool MotionBoxPanel::is_keyed_now(const FieldWidget* field) const {
  const MotionNode* node = active();
  if (!field || !node) return false;
  return context_.keying.automatic() ||
         find_track(context_.document.scene(), node->id.value, field->spec().path.toStdString());
}

/// With a key of the number where the other thing has not the one that it tells; before that it tells what it told.
void MotionBoxPanel::key_other(const QString& text, Id other, bool tells, QWidget* at) {
  const MotionNode* node = active();
  if (!node) return;
  const double time = context_.keying.time();
  const std::string with = page_->with->spec().path.toStdString();
  std::set<Id> ids;
  for (const MotionNode* one : shown(Key(node->role, node->kind))) ids.insert(one->id);
  const Scene& scene = context_.document.scene();
  Scene next = scene;
  for (const Id id : ids) {
    next = with_key(std::move(next), id.value, with, time, static_cast<std::int64_t>(other.value));
    if (!tells) continue;
    MotionNode then = *find_motion(context_.keying.shown(), id);
    const Field<MotionNode>& number = *box_row(then, kNumberField);
    const FieldValue told = number.get(then);
    then.other = other.value;
    keep_number(scene, then);
    if (operator_equal(told, number.get(then))) continue;
    const Track* track = find_track(next, id.value, with);
    const double first = track->keys.front().time;
    if (!find_track(next, id.value, kNumberField) && first < time - kSameTime)
      next = with_key(std::move(next), id.value, kNumberField, first, told);
    next = with_key(std::move(next), id.value, kNumberField, time, number.get(then));
  }
  const QString step = text.arg(boxes_text(scene, ids));
  const Status status = context_.document.edit(step, std::move(next));
  if (!status.ok()) Bubble::show_at(at, sentence_of(status.error()));
  refresh();
}

/// Of what is picked, or of its object and the scene; called as in the panels.
void MotionBoxPanel::add_number(Page& page, const ParameterRow& row, QGridLayout* grid) {
  page.number = new QComboBox(grid->parentWidget());
  page.number->setObjectName(QStringLiteral("motion_number"));
  page.number->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  page.number->setMinimumContentsLength(8);
  page.number->setFocusPolicy(Qt::StrongFocus);
  page.number_keys = page.binding->make(kNumberField, grid->parentWidget());
  put_before_key(*page.number_keys, page.number);
  add_row_of_box(grid, text_of(row.label), text_of(row.tooltip), page.number_keys);
  connect(page.number, &QComboBox::activated, this, [this, box = page.number](int) {
    const std::string word = box->currentData().toString().toStdString();
    const int place = box->currentData(kPlaceRole).toInt();
    const SettableNumber& number = settable_numbers()[static_cast<std::size_t>(place)];
    if (is_keyed_now(page_->number_keys))
      return void(emit page_->number_keys->edited(FieldValue(std::int64_t{place}), -1, false));
    edit_chosen(
        tr("%1 sets %2").arg(QStringLiteral("%1"), text_of(number.label)),
        [&](MotionNode& node) {
          set_parameter(node, {"number", word});
        },
        box);
  });
}

void MotionBoxPanel::add_switch(Page& page, QHBoxLayout* line) {
  page.on = new QCheckBox(tr("On"), line->parentWidget());
  page.on->setObjectName(QStringLiteral("motion_on"));
  line->insertWidget(0, page.on, 1);
  connect(page.on, &QCheckBox::clicked, this, [this, box = page.on](bool on) {
    // What has keys, or gets one, goes the way of all fields.
    const MotionNode* node = active();
    const bool keyed = node && find_track(context_.document.scene(), node->id.value, kSwitchField);
    if (FieldWidget* to = field("to"); to && (keyed || context_.keying.automatic()))
      return void(emit to->edited(FieldValue(on ? 1.0 : 0.0), -1, false));
    edit_chosen(
        on ? tr("%1 switches on") : tr("%1 switches off"),
        [on](MotionNode& node) {
          if (on)
            remove_parameter(node, "to");
          else
            set_parameter(node, {"to", {}, 0});
        },
        box);
  });
}

void MotionBoxPanel::show_number(Page& page, const MotionNode& node) {
  const Scene& scene = context_.document.scene();
  const SettableNumber& own = number_of_box(node);
  const std::span<const SettableNumber> all = settable_numbers();
  const QSignalBlocker still(page.number);
  page.number->clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SettableNumber& number = all[i];
    const bool current = &number == &own;
    if (!current && !has_number_of(scene, node, number)) continue;
    const QString name =
        number.of == NumberOf::scene ? tr("%1 of the scene").arg(text_of(number.label)) : text_of(number.label);
    page.number->addItem(name, text_of(number.word));
    const int at = page.number->count() - 1;
    page.number->setItemData(at, static_cast<int>(i), kPlaceRole);
    page.number->setItemData(at, range_text(number), Qt::ToolTipRole);
    if (current) page.number->setCurrentIndex(at);
  }
  page.number->setToolTip(range_text(own));
  const MotionParameter* to = find_parameter(node, "to");
  // A tick says what an expression does not.
  const bool switches = own.is_switch() && (!to || to->word.empty());
  page.on->setVisible(switches);
  page.on->setChecked(!to || to->number >= 0.5);
  for (const Parameter& one : page.parameters) {
    if (one.name == "duration") one.widget->setEnabled(!own.is_switch());
    if (one.name != "to") continue;
    auto* field = one.widget->findChild<NumberField*>();
    if (!field) continue;
    // Of its field the tick leaves the diamond.
    field->setVisible(!switches);
    one.widget->setSizePolicy(switches ? QSizePolicy::Maximum : QSizePolicy::Expanding, QSizePolicy::Fixed);
    field->set_unit(own.is_switch() ? QString() : text_of(own.range.unit));
    field->set_range(own.shown(own.range.low), own.shown(own.range.high));
  }
}

void MotionBoxPanel::show_things(Page& page, const MotionNode& node) {
  const Scene& scene = context_.document.scene();
  std::vector<ThingPicker::Thing> bodies;
  const auto add = [](const auto& list, const auto& of, std::vector<ThingPicker::Thing>& all) {
    for (const auto& thing : of)
      all.push_back({thing->id, QString::fromStdString(thing->name), text_of(list.icon(*thing))});
  };
  add(std::get<SceneList<Object>>(kSceneLists), scene.objects, bodies);
  add(std::get<SceneList<Collection>>(kSceneLists), scene.collections, bodies);
  page.owner->show(bodies, Id{node.object});
  if (!page.other) return;
  const MotionKind* kind = kind_of(node);
  std::vector<ThingPicker::Thing> things;
  if (kind->other == OtherUse::curve) add(std::get<SceneList<Curve>>(kSceneLists), scene.curves, things);
  if (kind->other == OtherUse::source) add(std::get<SceneList<ParticleSource>>(kSceneLists), scene.particles, things);
  if (kind->other == OtherUse::camera) add(std::get<SceneList<Camera>>(kSceneLists), scene.cameras, things);
  if (kind->other == OtherUse::sound) add(std::get<SceneList<Sound>>(kSceneLists), scene.sounds, things);
  if (kind->other == OtherUse::number) {
    things.push_back({Id{}, tr("its object, the scene"), {}});
    add(std::get<SceneList<Joint>>(kSceneLists), scene.joints, things);
    add(std::get<SceneList<Force>>(kSceneLists), scene.forces, things);
    add(std::get<SceneList<ForceField>>(kSceneLists), scene.fields, things);
    add(std::get<SceneList<ParticleSource>>(kSceneLists), scene.particles, things);
  }
  if (kind->other == OtherUse::marker) add(std::get<SceneList<Marker>>(kSceneLists), scene.markers, things);
  if (kind->other != OtherUse::anything && kind->other != OtherUse::thing)
    return page.other->show(things, Id{node.other});
  if (kind->other == OtherUse::anything) bodies.insert(bodies.begin(), {Id{}, tr("anything"), {}});
  page.other->show(bodies, Id{node.other});
}

}  // namespace hazumi
