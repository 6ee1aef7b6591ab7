#include "ui/widgets/variant_row.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include "core/scene/values/variants.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/variants.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr int kColumns = 3;  // names stay readable in a narrow panel
}

VariantRow::VariantRow(UiContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* names = new QWidget(this);
  grid_ = new QGridLayout(names);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(2);
  column->addWidget(names);
  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  name_ = new QLineEdit(this);
  name_->setObjectName("variant_name");
  name_->setAccessibleName(tr("Name of the analysis model"));
  name_->setToolTip(tr("Name of the analysis model that is in use."));
  name_->setMinimumWidth(40);
  row->addWidget(name_, 1);
  const auto button = [&](const char* icon, const QString& text, const QString& tip) {
    auto* b = new QToolButton(this);
    b->setIcon(theme_icon(icon));
    b->setAccessibleName(text);
    b->setToolTip(tip);
    row->addWidget(b);
    return b;
  };
  duplicate_ = button("duplicate", tr("Duplicate"),
                      tr("A copy of this analysis model to string in another way; the other one stays."));
  compare_ = button("compare", tr("Compare"),
                    tr("Puts a copy of the object with the next analysis model beside it and plays both."));
  remove_ = button("delete", tr("Delete"), tr("Deletes this analysis model and goes to the next."));
  duplicate_->setObjectName("variant_duplicate");
  compare_->setObjectName("variant_compare");
  remove_->setObjectName("variant_delete");
  column->addLayout(row);

  connect(duplicate_, &QToolButton::clicked, this, [this] { duplicate_variant(context_); });
  connect(compare_, &QToolButton::clicked, this, [this] { compare_variants(context_); });
  connect(remove_, &QToolButton::clicked, this, [this] { delete_variant(context_); });
  connect(name_, &QLineEdit::editingFinished, this, [this] {
    rename_variant(context_, name_->text());
    refresh();
  });
}

void VariantRow::refresh() {
  const Object* object = find_object(context_.document.scene(), context_.selection.active());
  if (object == nullptr) return;
  const VariantNames all = variant_names(*object);
  while (buttons_.size() > all.names.size()) {
    buttons_.back()->deleteLater();
    buttons_.back()->hide();
    buttons_.pop_back();
  }
  while (buttons_.size() < all.names.size()) {
    auto* b = new QToolButton(this);
    b->setCheckable(true);
    b->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    const int at = static_cast<int>(buttons_.size());
    grid_->addWidget(b, at / kColumns, at % kColumns);
    grid_->setColumnStretch(at % kColumns, 1);
    connect(b, &QToolButton::clicked, this, [this, b] {
      use_variant(context_, b->property("variant").toString());
      refresh();
    });
    buttons_.push_back(b);
    b->show();
  }
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const QString name = QString::fromStdString(all.names[i]);
    buttons_[i]->setProperty("variant", name);
    buttons_[i]->setText(buttons_[i]->fontMetrics().elidedText(name, Qt::ElideRight, 110));
    buttons_[i]->setToolTip(i == all.current ? tr("%1 is in use.").arg(name) : tr("Use %1.").arg(name));
    buttons_[i]->setAccessibleName(name);
    buttons_[i]->setChecked(i == all.current);
  }
  if (!name_->hasFocus() || !name_->isModified()) name_->setText(QString::fromStdString(object->analysis.name));
  const QString why = variants_problem(context_, true);
  for (QToolButton* b : {compare_, remove_}) b->setEnabled(why.isEmpty());
}

}  // namespace hazumi
