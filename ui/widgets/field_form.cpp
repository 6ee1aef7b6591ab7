#include "ui/widgets/field_form.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/section.h"

namespace hazumi {

QLabel* make_row_label(const QString& text, const QString& tooltip, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  label->setToolTip(tooltip);
  label->setTextFormat(Qt::PlainText);
  return label;
}

FieldForm::FieldForm(std::vector<FieldSpec> specs, const QString& key, const QSet<QString>& closed, QWidget* parent)
    : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  int label_width = 60;
  for (const auto& spec : specs) label_width = std::max(label_width, fontMetrics().horizontalAdvance(spec.label) + 2);
  label_width = std::min(label_width, 100);  // longer labels wrap to a second line rather than push the fields away
  for (auto& spec : specs) {
    Section* section = this->section(spec.group);
    if (!section) {
      section = new Section(spec.group, key.isEmpty() ? QString() : key + "/" + spec.group,
                            !closed.contains(spec.group), this);
      section->setObjectName("section:" + spec.group);
      auto* grid = new QGridLayout(section->body());
      grid->setContentsMargins(6, 4, 8, 6);
      grid->setHorizontalSpacing(8);
      grid->setVerticalSpacing(3);
      grid->setColumnMinimumWidth(0, label_width);
      grid->setColumnStretch(1, 1);
      sections_.push_back(section);
      column->addWidget(section);
    }
    auto* grid = static_cast<QGridLayout*>(section->body()->layout());
    const int row = static_cast<int>(rows_.size());
    FieldWidget* widget = make_field_widget(spec, section->body());
    QLabel* label = make_row_label(spec.label, widget->toolTip(), section->body());
    label->setFixedWidth(label_width);
    label->setWordWrap(true);
    label->setBuddy(widget);
    grid->addWidget(label, grid->rowCount(), 0);
    grid->addWidget(widget, grid->rowCount() - 1, 1);
    connect(widget, &FieldWidget::edited, this, [this, row](const FieldValue& value, int component, bool continues) {
      emit edited(row, value, component, continues);
    });
    rows_.push_back({label, widget, section, true});
  }
  column->addStretch(1);
}

FieldWidget* FieldForm::widget(const QString& path) const {
  for (const auto& row : rows_)
    if (row.widget->spec().path == path) return row.widget;
  return nullptr;
}

Section* FieldForm::section(const QString& group) const {
  for (Section* section : sections_)
    if (section->objectName() == "section:" + group) return section;
  return nullptr;
}

void FieldForm::show_row(int row, std::span<const FieldValue> values) {
  Row& r = rows_[static_cast<std::size_t>(row)];
  const bool shown = !values.empty();
  if (shown != r.shown) {
    r.shown = shown;
    r.label->setVisible(shown);
    r.widget->setVisible(shown);
  }
  if (shown) r.widget->set_values(values);
}

void FieldForm::finish() {
  for (Section* section : sections_) {
    const bool any =
        std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.section == section && row.shown; });
    if (section->isHidden() == any) section->setVisible(any);
  }
}

}  // namespace hazumi
