#include "ui/widgets/field_widget.h"

#include <cmath>
#include <utility>

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

#include "core/math/rotation.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/expression.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/keys_back.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

namespace {

QHBoxLayout* tight_row(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(3);
  return row;
}

double as_number(const FieldValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

/// Shown angles rounded to what a person means: 45 rather than 45.00000000000001.
double tidy(double value) { return std::round(value * 1e9) / 1e9; }

void set_up_number(NumberField& field, const FieldSpec& spec) {
  const double scale = spec.shown_scale();
  field.set_unit(spec.unit);
  field.set_range(spec.low * scale, spec.high * scale, spec.low_open);
  field.set_step(spec.shown_step());
  field.set_integer(spec.type == FieldType::integer || spec.type == FieldType::integers);
}

template <class Get>
bool all_same(std::span<const FieldValue> values, Get get) {
  for (const auto& value : values)
    if (get(value) != get(values.front())) return false;
  return true;
}

}  // namespace

FieldWidget::FieldWidget(FieldSpec spec, QWidget* parent) : QWidget(parent), spec_(std::move(spec)) {
  setObjectName(spec_.path);
  setToolTip(tooltip_text());
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FieldWidget::set_values(std::span<const FieldValue> values) {
  bool same = values.size() == values_.size();
  for (std::size_t i = 0; same && i < values.size(); ++i) same = operator_equal(values[i], values_[i]);
  if (same && !spec_.things) return;  // things may have other names
  values_.assign(values.begin(), values.end());
  show_values(values_);
}

void FieldWidget::refuse(const QString& sentence) {
  Bubble::show_at(this, sentence);
  if (!values_.empty()) show_values(values_);
}

bool FieldWidget::offer(const FieldValue& value, int component, bool continues) {
  if (spec_.problem) {
    if (const QString sentence = spec_.problem(value); !sentence.isEmpty()) {
      refuse(sentence);
      return false;
    }
  }
  // What a person entered counts as shown; a refusal by the document comes back through set_values() or refuse().
  values_.clear();
  emit edited(value, component, continues);
  return true;
}

QString FieldWidget::tooltip_text() const {
  QString text =
      QStringLiteral("<p><b>%1</b><br>%2</p>").arg(spec_.label.toHtmlEscaped(), spec_.tooltip.toHtmlEscaped());
  const bool numeric = spec_.type == FieldType::number || spec_.type == FieldType::integer ||
                       spec_.type == FieldType::vector || spec_.type == FieldType::integers;
  QStringList facts;
  if (!spec_.unit.isEmpty()) facts << tr("Unit: %1").arg(spec_.unit);
  if (numeric) {
    const double scale = spec_.shown_scale();
    const bool low = spec_.low > -1e15, high = spec_.high < 1e15;
    const QString from = number_text(spec_.low * scale), to = number_text(spec_.high * scale);
    if (low && high)
      facts << (spec_.low_open ? tr("above %1, up to %2") : tr("%1 to %2")).arg(from, to);
    else if (low)
      facts << (spec_.low_open ? tr("above %1") : tr("at least %1")).arg(from);
  }
  facts << spec_.path;
  return text + QStringLiteral("<p style='color:#949aa3'>%1</p>").arg(facts.join(" · ").toHtmlEscaped());
}

namespace {

FieldWidget* make_plain(const FieldSpec& spec, QWidget* parent) {
  switch (spec.type) {
    case FieldType::boolean:
      return new CheckField(spec, parent);
    case FieldType::integer:
      if (spec.things) return new ThingField(spec, parent);
      return new SingleNumberField(spec, parent);
    case FieldType::number:
      return new SingleNumberField(spec, parent);
    case FieldType::text:
      if (spec.choices.empty()) return new TextField(spec, parent);
      return new NameField(spec, parent);
    case FieldType::vector:
    case FieldType::integers:
    case FieldType::rotation:
      return new VectorField(spec, parent);
    case FieldType::colour:
      return new ColourField(spec, parent);
    case FieldType::choice:
      return new ChoiceField(spec, parent);
  }
  return new TextField(spec, parent);
}

}  // namespace

FieldWidget* make_field_widget(const FieldSpec& spec, QWidget* parent) {
  FieldWidget* widget = make_plain(spec, parent);
  if (spec.keyable) widget->add_key();
  return widget;
}

void FieldWidget::add_key() {
  if (key_ || !layout()) return;
  key_ = new KeyButton(this);
  layout()->addWidget(key_);
}

// ---- number

SingleNumberField::SingleNumberField(FieldSpec spec, QWidget* parent)
    : FieldWidget(std::move(spec), parent), field_(new NumberField(this)) {
  const FieldSpec& s = this->spec();
  tight_row(this)->addWidget(field_);
  setFocusProxy(field_);
  set_up_number(*field_, s);
  field_->set_name(s.label);
  field_->set_default(as_number(s.fallback) * s.shown_scale());
  field_->setToolTip(toolTip());
  connect(field_, &NumberField::edited, this, [this](double shown, bool continues) {
    const double stored = shown / this->spec().shown_scale();
    if (this->spec().type == FieldType::integer)
      offer(std::int64_t{std::llround(stored)}, -1, continues);
    else
      offer(stored, -1, continues);
  });
}

void SingleNumberField::show_values(std::span<const FieldValue> values) {
  const double scale = spec().shown_scale();
  field_->set_value(scale == 1 ? as_number(values.front()) : tidy(as_number(values.front()) * scale));
  field_->set_mixed(!all_same(values, as_number));
}

// ---- three numbers

VectorField::VectorField(FieldSpec spec, QWidget* parent) : FieldWidget(std::move(spec), parent) {
  static const QColor kAxis[] = {QColor(0xe8, 0x7d, 0x75), QColor(0x8c, 0xc2, 0x65), QColor(0x74, 0xa6, 0xe6)};
  const FieldSpec& s = this->spec();
  const bool rotation = s.type == FieldType::rotation;
  QHBoxLayout* row = tight_row(this);
  current_ = s.fallback;
  const auto fallback = split(s.fallback);
  for (int i = 0; i < 3; ++i) {
    auto* field = fields_[static_cast<std::size_t>(i)] = new NumberField(this);
    set_up_number(*field, s);
    if (rotation) {
      field->set_range(-36000, 36000);
      field->set_unit("°");
      field->set_step(0.5);
    }
    const QString axis(QChar(u'x' + i));
    field->set_prefix(axis, kAxis[i]);
    field->set_name(s.label + " " + axis);
    field->set_default(fallback[static_cast<std::size_t>(i)]);
    field->setToolTip(toolTip());
    row->addWidget(field, 1);
    connect(field, &NumberField::edited, this, [this, i](double shown, bool continues) {
      const FieldValue next = joined(i, shown);
      if (this->spec().type == FieldType::rotation) angles_[i] = radians(shown);
      current_ = next;
      offer(next, this->spec().type == FieldType::rotation ? -1 : i, continues);
    });
  }
  setFocusProxy(fields_[0]);
}

std::array<double, 3> VectorField::split(const FieldValue& value) const {
  if (const auto* integers = std::get_if<std::array<int, 3>>(&value))
    return {double((*integers)[0]), double((*integers)[1]), double((*integers)[2])};
  if (const auto* quaternion = std::get_if<Quat>(&value)) {
    if (from_euler_angles(angles_).angularDistance(*quaternion) > 1e-7) angles_ = euler_angles(*quaternion);
    return {tidy(degrees(angles_.x())), tidy(degrees(angles_.y())), tidy(degrees(angles_.z()))};
  }
  const Vec3& v = std::get<Vec3>(value);
  const double scale = spec().shown_scale();
  if (scale == 1) return {v.x(), v.y(), v.z()};
  return {tidy(v.x() * scale), tidy(v.y() * scale), tidy(v.z() * scale)};
}

FieldValue VectorField::joined(int component, double shown) const {
  FieldValue next = current_;
  if (auto* integers = std::get_if<std::array<int, 3>>(&next)) {
    (*integers)[static_cast<std::size_t>(component)] = static_cast<int>(std::llround(shown));
  } else if (std::get_if<Quat>(&next)) {
    Vec3 angles = angles_;
    angles[component] = radians(shown);
    next = from_euler_angles(angles);
  } else {
    std::get<Vec3>(next)[component] = shown / spec().shown_scale();
  }
  return next;
}

void VectorField::show_values(std::span<const FieldValue> values) {
  current_ = values.front();
  const auto shown = split(current_);
  const bool rotation = spec().type == FieldType::rotation;
  bool rotations_differ = false;
  if (rotation)
    for (const auto& value : values)
      rotations_differ |= std::get<Quat>(value).coeffs() != std::get<Quat>(current_).coeffs();
  for (std::size_t i = 0; i < 3; ++i) {
    fields_[i]->set_value(shown[i]);
    const auto component = [&](const FieldValue& value) {
      if (const auto* integers = std::get_if<std::array<int, 3>>(&value)) return double((*integers)[i]);
      return std::get<Vec3>(value)[static_cast<Eigen::Index>(i)];
    };
    fields_[i]->set_mixed(rotation ? rotations_differ : !all_same(values, component));
  }
}

// ---- colour

ColourField::ColourField(FieldSpec spec, QWidget* parent)
    : FieldWidget(std::move(spec), parent), swatch_(new ColourSwatch(this)) {
  tight_row(this)->addWidget(swatch_);
  setFocusProxy(swatch_);
  swatch_->setAccessibleName(this->spec().label);
  swatch_->set_title(this->spec().label);
  swatch_->setToolTip(toolTip());
  connect(swatch_, &ColourSwatch::edited, this,
          [this](const Vec3& colour, bool continues) { offer(colour, -1, continues); });
}

void ColourField::show_values(std::span<const FieldValue> values) {
  swatch_->set_colour(std::get<Vec3>(values.front()));
  swatch_->set_mixed(!all_same(values, [](const FieldValue& value) { return std::get<Vec3>(value); }));
}

// ---- choice

namespace {

void set_up_box(QComboBox& box, const FieldWidget& owner) {
  box.setFocusPolicy(Qt::StrongFocus);
  box.setAccessibleName(owner.spec().label);
  box.setPlaceholderText("—");
  box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box.setMinimumContentsLength(6);
  box.setToolTip(owner.toolTip());
  for (const auto& choice : owner.spec().choices) {
    QString text = choice;
    text.replace('_', ' ');
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    box.addItem(text, choice);
  }
}

}  // namespace

BoxField::BoxField(FieldSpec spec, QWidget* parent) : FieldWidget(std::move(spec), parent), box_(new QComboBox(this)) {
  tight_row(this)->addWidget(box_);
  setFocusProxy(box_);
  set_up_box(*box_, *this);
  box_->installEventFilter(this);
  box_->view()->installEventFilter(this);
  connect(box_, &QComboBox::activated, this, [this](int index) {
    offer(value_of(index), -1, false);
    // Who goes through the entries with arrows goes on doing so.
    if (std::exchange(listed_, false)) give_keys_back(*box_);
  });
}

void BoxField::show_entry(int index) {
  const QSignalBlocker block(box_);
  box_->setCurrentIndex(index);
}

bool BoxField::eventFilter(QObject* watched, QEvent* event) {
  if (watched == box_->view() && event->type() == QEvent::Show) listed_ = true;
  if (watched == box_ && event->type() == QEvent::KeyPress) listed_ = false;
  if (watched != box_ || event->type() != QEvent::Wheel || box_->hasFocus())
    return FieldWidget::eventFilter(watched, event);
  event->ignore();  // a panel that is scrolled must not change what passes under the mouse
  return true;
}

void ChoiceField::show_values(std::span<const FieldValue> values) {
  const auto number = [](const FieldValue& value) { return std::get<std::int64_t>(value); };
  show_entry(all_same(values, number) ? static_cast<int>(number(values.front())) : -1);
}

FieldValue NameField::value_of(int index) const { return box()->itemData(index).toString().toStdString(); }

void NameField::show_values(std::span<const FieldValue> values) {
  const auto name = [](const FieldValue& value) { return std::get<std::string>(value); };
  show_entry(all_same(values, name) ? box()->findData(QString::fromStdString(name(values.front()))) : -1);
}

ThingField::ThingField(FieldSpec spec, QWidget* parent) : BoxField(std::move(spec), parent) {}

FieldValue ThingField::value_of(int index) const {
  return static_cast<std::int64_t>(box()->itemData(index).toLongLong());
}

void ThingField::fill() {
  const std::vector<FieldSpec::Named> things = spec().things();
  bool same = box()->count() == static_cast<int>(things.size());
  for (int i = 0; same && i < box()->count(); ++i) {
    const FieldSpec::Named& thing = things[static_cast<std::size_t>(i)];
    same = box()->itemData(i).toLongLong() == thing.id && box()->itemText(i) == thing.name;
  }
  if (same) return;
  const QSignalBlocker block(box());
  const QVariant chosen = box()->currentData();
  box()->clear();
  for (const FieldSpec::Named& thing : things) box()->addItem(thing.name, QVariant::fromValue<qlonglong>(thing.id));
  chosen.isValid() ? choose(chosen.toLongLong()) : show_entry(-1);
}

/// What is gone is still named.
void ThingField::choose(std::int64_t id) {
  const QSignalBlocker block(box());
  const QVariant wanted = QVariant::fromValue<qlonglong>(id);
  if (box()->findData(wanted) < 0) box()->addItem(tr("Missing (%1)").arg(id), wanted);
  show_entry(box()->findData(wanted));
}

/// Things come and go, and get other names, without this field being told: it looks when a person turns to it.
bool ThingField::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == box() && (type == QEvent::Enter || type == QEvent::FocusIn || type == QEvent::MouseButtonPress))
    fill();
  return BoxField::eventFilter(watched, event);
}

void ThingField::show_values(std::span<const FieldValue> values) {
  fill();
  const auto number = [](const FieldValue& value) { return std::get<std::int64_t>(value); };
  all_same(values, number) ? choose(number(values.front())) : show_entry(-1);
}

// ---- tick

CheckField::CheckField(FieldSpec spec, QWidget* parent)
    : FieldWidget(std::move(spec), parent), box_(new QCheckBox(this)) {
  QHBoxLayout* row = tight_row(this);
  row->addWidget(box_);
  row->addStretch(1);
  setFocusProxy(box_);
  box_->setAccessibleName(this->spec().label);
  box_->setToolTip(toolTip());
  box_->installEventFilter(this);
  connect(box_, &QCheckBox::clicked, this, [this] {
    // From "—" a click sets all; the third state is only ever shown, never entered.
    const bool on = box_->checkState() != Qt::Unchecked;
    box_->setTristate(false);
    box_->setText({});
    const QSignalBlocker block(box_);
    box_->setChecked(on);
    offer(on, -1, false);
  });
}

bool CheckField::eventFilter(QObject* watched, QEvent* event) {
  // Behind the click.
  if (watched == box_ && event->type() == QEvent::MouseButtonRelease)
    QTimer::singleShot(0, box_, [box = box_] { give_keys_back(*box); });
  return FieldWidget::eventFilter(watched, event);
}

void CheckField::show_values(std::span<const FieldValue> values) {
  const bool same = all_same(values, [](const FieldValue& value) { return std::get<bool>(value); });
  const QSignalBlocker block(box_);
  box_->setTristate(!same);
  box_->setText(same ? QString() : QStringLiteral("—"));
  if (same)
    box_->setChecked(std::get<bool>(values.front()));
  else
    box_->setCheckState(Qt::PartiallyChecked);
}

// ---- text

TextField::TextField(FieldSpec spec, QWidget* parent)
    : FieldWidget(std::move(spec), parent), edit_(new QLineEdit(this)) {
  tight_row(this)->addWidget(edit_);
  setFocusProxy(edit_);
  edit_->setAccessibleName(this->spec().label);
  edit_->setToolTip(toolTip());
  edit_->setMinimumWidth(48);
  edit_->installEventFilter(this);
  connect(edit_, &QLineEdit::editingFinished, this, &TextField::commit);
  connect(edit_, &QLineEdit::returnPressed, this, [edit = edit_] { give_keys_back(*edit); });
  if (this->spec().patterns.isEmpty()) return;
  auto* button = new QToolButton(this);
  button->setObjectName("browse");
  button->setText("…");
  button->setToolTip(tr("Look for a file"));
  button->setAccessibleName(tr("Look for a file"));
  layout()->addWidget(button);
  connect(button, &QToolButton::clicked, this, &TextField::browse);
}

TextField::~TextField() {
  // A line that has the focus tells that it is finished when it goes, which is after this.
  edit_->disconnect(this);
}

void TextField::browse() {
  // Not modal to the event loop: the rest of the program goes on while a person looks around.
  auto* dialog = new FileDialog(FileDialog::For::open, spec().label, spec().folder,
                                tr("Files that can be read (%1);;All files (*)").arg(spec().patterns), this);
  dialog->setObjectName("browse_dialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    if (file != shown_) offer(file.toStdString(), -1, false);
  });
  dialog->open();
}

void TextField::show_values(std::span<const FieldValue> values) {
  const bool same = all_same(values, [](const FieldValue& value) { return std::get<std::string>(value); });
  shown_ = same ? QString::fromStdString(std::get<std::string>(values.front())) : QString();
  edit_->setPlaceholderText(same ? QString() : QStringLiteral("—"));
  if (edit_->hasFocus() && edit_->isModified()) return;
  edit_->setText(shown_);
}

void TextField::commit() {
  if (!edit_->isModified()) return;
  edit_->setModified(false);
  const QString text = edit_->text();
  if (text == shown_) return;
  if (!offer(text.toStdString(), -1, false)) edit_->setText(shown_);
}

bool TextField::eventFilter(QObject* watched, QEvent* event) {
  if (watched == edit_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    edit_->setText(shown_);
    edit_->setModified(false);
    edit_->clearFocus();
    return true;
  }
  return FieldWidget::eventFilter(watched, event);
}

}  // namespace hazumi
