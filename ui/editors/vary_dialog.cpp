#include "ui/editors/vary_dialog.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

namespace {

constexpr int kMost = 16;  // as many as the wall has

NumberField* number_field(const char* id, const QString& name, const QString& tooltip, QWidget* parent) {
  auto* field = new NumberField(parent);
  field->setObjectName(QLatin1String(id));
  field->set_name(name);
  field->setToolTip(tooltip);
  return field;
}

}  // namespace

VaryDialog::VaryDialog(UiContext& context, QWidget* parent)
    : QDialog(parent),
      context_(context),
      things_(things_to_vary(context.document.scene(), context.selection.active())),
      thing_(new QComboBox(this)),
      number_(new QComboBox(this)),
      from_(number_field("vary_from", tr("From"), tr("The number in the first take."), this)),
      to_(number_field("vary_to", tr("To"), tr("The number in the last take."), this)),
      count_(number_field("vary_count", tr("Count"), tr("How many takes are made, 2 to 16."), this)),
      wall_(new QCheckBox(tr("Show them on the wall"), this)),
      said_(new QLabel(this)) {
  setObjectName(QStringLiteral("vary_dialog"));
  setWindowTitle(tr("Vary a Parameter"));
  setMinimumWidth(360);
  thing_->setObjectName(QStringLiteral("vary_thing"));
  thing_->setToolTip(tr("Whose number it is."));
  number_->setObjectName(QStringLiteral("vary_number"));
  number_->setMaxVisibleItems(24);
  wall_->setObjectName(QStringLiteral("vary_wall"));
  wall_->setChecked(true);
  said_->setForegroundRole(QPalette::PlaceholderText);
  said_->setWordWrap(true);
  said_->setObjectName(QStringLiteral("vary_said"));
  for (const auto& [id, name] : things_) thing_->addItem(name);
  auto* form = new QFormLayout;
  form->addRow(tr("Of"), thing_);
  form->addRow(tr("Number"), number_);
  form->addRow(tr("From"), from_);
  form->addRow(tr("To"), to_);
  count_->set_integer(true);
  count_->set_range(2, kMost);
  count_->set_value(6);
  form->addRow(tr("Count"), count_);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  column->addLayout(form);
  column->addWidget(wall_);
  column->addWidget(said_);
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole)->setAutoDefault(false);
  make_ = buttons->addButton(tr("Make Takes"), QDialogButtonBox::AcceptRole);
  make_->setObjectName(QStringLiteral("vary_make"));
  make_->setDefault(true);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &VaryDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &VaryDialog::reject);
  connect(thing_, &QComboBox::currentIndexChanged, this, &VaryDialog::show_variables);
  connect(number_, &QComboBox::currentIndexChanged, this, &VaryDialog::show_range);
  for (NumberField* field : {from_, to_, count_})
    connect(field, &NumberField::edited, this, [this, field](double value, bool) {
      field->set_value(value);
      tell();
    });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { done(Rejected); });
  show_variables();
}

bool VaryDialog::shows_wall() const { return wall_->isChecked(); }

const Variable* VaryDialog::variable() const {
  const int at = number_->currentIndex();
  return at < 0 || at >= static_cast<int>(variables_.size()) ? nullptr : &variables_[static_cast<std::size_t>(at)];
}

void VaryDialog::show_variables() {
  const int at = thing_->currentIndex();
  const Id thing = at < 0 ? Id{} : things_[static_cast<std::size_t>(at)].first;
  variables_ = variables_of(context_.document.scene(), thing);
  const QSignalBlocker quiet(number_);
  number_->clear();
  for (const Variable& one : variables_) {
    number_->addItem(one.label);
    number_->setItemData(number_->count() - 1, one.tooltip, Qt::ToolTipRole);
  }
  show_range();
}

/// From half of it to half as much again; of nothing, from −1 to 1, as far as its row allows.
void VaryDialog::show_range() {
  const Variable* one = variable();
  for (QWidget* field : {static_cast<QWidget*>(from_), static_cast<QWidget*>(to_)}) field->setEnabled(one != nullptr);
  if (one) {
    const double scale = one->shown_scale, now = one->value * scale;
    const double reach = now != 0 ? std::abs(now) / 2 : one->integer ? 3 : 1;
    double low = now - reach, high = now + reach;
    if (one->integer) {
      low = std::floor(low);
      high = std::ceil(high);
    }
    const double least = one->low * scale + (one->low_open ? 1e-3 * std::abs(reach) : 0), most = one->high * scale;
    number_->setToolTip(one->tooltip);
    for (NumberField* field : {from_, to_}) {
      field->set_integer(one->integer);
      field->set_unit(one->unit);
      field->set_range(one->low * scale, most, one->low_open);
      field->set_step(one->step);
    }
    from_->set_value(std::clamp(low, least, most));
    to_->set_value(std::clamp(high, least, most));
  }
  tell();
}

void VaryDialog::tell() {
  const Variable* one = variable();
  const bool apart = one && from_->value() != to_->value();
  const auto room = static_cast<int>(lists::kMostTakes - context_.document.scene().takes.size()) - 1;
  const bool fits = static_cast<int>(count_->value()) <= room;
  QString text;
  if (!one)
    text = tr("It has no number that takes could have otherwise.");
  else if (!apart)
    text = tr("From and To are the same; give them different values.");
  else if (!fits)
    text = tr("There are too many takes already; delete some.");
  else
    text = tr("From “%1” to “%2”; now it is %3.")
               .arg(name_of_value(*one, from_->value() / one->shown_scale),
                    name_of_value(*one, to_->value() / one->shown_scale),
                    QString::number(one->value * one->shown_scale, 'g', 4));
  said_->setText(text);
  make_->setEnabled(apart && fits);
}

void VaryDialog::accept() {
  const Variable* one = variable();
  if (!one) return;
  const Scene& scene = context_.document.scene();
  const auto count = static_cast<int>(std::lround(count_->value()));
  const Status made = context_.document.edit(
      tr("Vary %1").arg(one->label),
      varied(scene, *one, from_->value() / one->shown_scale, to_->value() / one->shown_scale, count));
  if (made.ok()) QDialog::accept();
}

}  // namespace hazumi
