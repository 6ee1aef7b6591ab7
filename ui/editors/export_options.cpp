#include "ui/editors/export_options.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSettings>

#include "render/picture_formats.h"
#include "ui/model/settings.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

namespace {

struct SizePreset {
  const char* name;
  int width, height;
};
constexpr SizePreset kSizes[] = {
    {"HD 720 (1280 × 720)", 1280, 720},   {"Full HD (1920 × 1080)", 1920, 1080}, {"4K UHD (3840 × 2160)", 3840, 2160},
    {"Square (1080 × 1080)", 1080, 1080}, {"Upright (1080 × 1920)", 1080, 1920}, {"Draft (640 × 360)", 640, 360},
};
constexpr int kCustomSize = static_cast<int>(std::size(kSizes));

QString shown_text(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString remembered_under(const ExportOption& option) { return "export/options/" + shown_text(option.name); }

}  // namespace

ExportOptionRows::ExportOptionRows(QGridLayout* grid, int& row, QWidget* form) : QObject(form) {
  for (const ExportFormatInfo* format : all_export_formats())
    for (const ExportOption& option : format->options)
      if (!find(option)) add(option, grid, row, form);
  const QSettings saved(settings_file(), QSettings::IniFormat);
  for (const Row& each : rows_) {
    bool number = false;
    const double value = saved.value(remembered_under(*each.option)).toDouble(&number);
    const double high = each.option->type == OptionType::choice ? static_cast<double>(each.option->choices.size()) - 1
                                                                : each.option->high;
    each.set(number && value >= each.option->low && value <= high ? value : each.option->fallback);
  }
}

const ExportOptionRows::Row* ExportOptionRows::find(const ExportOption& option) const {
  for (const Row& row : rows_)
    if (same_option(*row.option, option)) return &row;
  return nullptr;
}

NumberField* ExportOptionRows::add_number(const ExportOption& option, Row& row, QHBoxLayout* line, QWidget* form) {
  auto* field = new NumberField(form);
  field->set_name(shown_text(option.label));
  field->setAccessibleName(shown_text(option.label));
  field->setObjectName("export_" + shown_text(option.name));
  field->set_range(option.low, option.high);
  field->set_integer(option.type == OptionType::whole);
  field->set_default(option.fallback);
  field->set_unit(shown_text(option.unit));
  field->setMinimumWidth(72);
  row.get = [field] { return field->value(); };
  row.set = [field](double value) { field->set_value(value); };
  connect(field, &NumberField::edited, this, [this, field] {
    if (field == width_ || field == height_) pick_size(-1);
    emit edited();
  });
  line->addWidget(field);
  return field;
}

void ExportOptionRows::add(const ExportOption& option, QGridLayout* grid, int& row, QWidget* form) {
  Row made{&option, {}, {}, {}};
  const bool beside = option.name == "height" && size_line_;
  QHBoxLayout* line = beside ? size_line_ : new QHBoxLayout;
  line->setSpacing(6);
  QWidget* widget = nullptr;
  if (option.name == "width") {
    size_line_ = line;
    sizes_ = new QComboBox(form);
    sizes_->setObjectName("export_size");
    for (const SizePreset& preset : kSizes) sizes_->addItem(QString::fromUtf8(preset.name));
    sizes_->addItem(tr("Custom"));
    connect(sizes_, &QComboBox::activated, this, &ExportOptionRows::pick_size);
    line->addWidget(sizes_);
    made.shown.push_back(sizes_);
  }
  if (beside) {
    auto* times = new QLabel(QStringLiteral("×"), form);
    line->addWidget(times);
    made.shown.push_back(times);
  }
  switch (option.type) {
    case OptionType::boolean: {
      auto* box = new QCheckBox(shown_text(option.label), form);
      made.get = [box] { return box->isChecked() ? 1.0 : 0.0; };
      made.set = [box](double value) { box->setChecked(value != 0); };
      connect(box, &QCheckBox::toggled, this, &ExportOptionRows::edited);
      line->addWidget(widget = box);
      break;
    }
    case OptionType::choice: {
      auto* box = new QComboBox(form);
      for (const std::string_view word : option.choices) box->addItem(shown_text(word));
      made.get = [box] { return static_cast<double>(box->currentIndex()); };
      made.set = [box](double value) { box->setCurrentIndex(static_cast<int>(std::lround(value))); };
      connect(box, &QComboBox::currentIndexChanged, this, &ExportOptionRows::edited);
      line->addWidget(widget = box);
      break;
    }
    case OptionType::whole:
    case OptionType::number: {
      NumberField* field = add_number(option, made, line, form);
      if (option.name == "width") width_ = field;
      if (beside) height_ = field;
      widget = field;
      break;
    }
  }
  widget->setObjectName("export_" + shown_text(option.name));
  widget->setToolTip(shown_text(option.tooltip));
  made.shown.push_back(widget);
  if (option.name != "width") line->addStretch(1);
  if (!beside) {
    if (option.type != OptionType::boolean) {
      QWidget* label = make_row_label(option.name == "width" ? tr("Size") : shown_text(option.label), {}, form);
      grid->addWidget(label, row, 0);
      made.shown.push_back(label);
    }
    grid->addLayout(line, row++, 1);
  }
  rows_.push_back(std::move(made));
}

void ExportOptionRows::show_format(const ExportFormatInfo& format) {
  for (const Row& row : rows_) {
    const ExportOption* own = find_option(format.options, row.option->name);
    const bool has = own && same_option(*own, *row.option);
    for (QWidget* widget : row.shown) {
      widget->setVisible(has);
      widget->setEnabled(has);
    }
  }
}

ExportValues ExportOptionRows::values(const ExportFormatInfo& format) const {
  ExportValues values;
  for (const ExportOption& option : format.options) values.emplace(option.name, find(option)->get());
  return values;
}

void ExportOptionRows::set_values(const ExportValues& values) {
  for (const Row& row : rows_)
    if (const auto given = values.find(row.option->name); given != values.end()) row.set(given->second);
  pick_size(-1);
}

void ExportOptionRows::remember(const ExportFormatInfo& format) const {
  QSettings saved(settings_file(), QSettings::IniFormat);
  for (const auto& [name, value] : values(format))
    saved.setValue("export/options/" + QString::fromStdString(name), value);
}

/// −1: the size that width and height are.
void ExportOptionRows::pick_size(int index) {
  if (!sizes_ || !width_ || !height_) return;
  if (index < 0) {
    index = kCustomSize;
    for (int i = 0; i < kCustomSize; ++i)
      if (kSizes[i].width == width_->value() && kSizes[i].height == height_->value()) index = i;
    sizes_->setCurrentIndex(index);
  } else if (index < kCustomSize) {
    width_->set_value(kSizes[index].width);
    height_->set_value(kSizes[index].height);
    emit edited();
  } else {
    width_->setFocus();
  }
}

}  // namespace hazumi
