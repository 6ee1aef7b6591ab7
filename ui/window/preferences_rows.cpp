#include "ui/window/preferences_rows.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/model/field_spec.h"
#include "ui/model/settings.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kFormWidth = 420;  // px: a number needs no whole window

}  // namespace

PreferencesRows::PreferencesRows(PresentPreferences& present, Settings& settings,
                                 std::initializer_list<std::string_view> groups, Note note, QWidget* parent)
    : QWidget(parent), present_(present), settings_(settings), before_(present.now()), note_(std::move(note)) {
  std::vector<FieldSpec> specs;
  for (const auto& row : preference_fields()) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) continue;
    rows_.push_back(&row);
    specs.push_back(field_spec(row));
  }
  form_ = new FieldForm(std::move(specs), {}, {}, this);
  form_->setFixedWidth(kFormWidth);
  said_ = new QLabel(this);
  said_->setObjectName(QStringLiteral("preferences_note"));
  said_->setWordWrap(true);
  said_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  reset_ = new QPushButton(tr("&Reset This Page"), this);
  reset_->setObjectName(QStringLiteral("preferences_reset_page"));
  reset_->setToolTip(tr("Everything on this page is as it was at first."));
  reset_->setAutoDefault(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(form_, 0, Qt::AlignLeft);
  column->addWidget(said_);
  column->addStretch(1);
  auto* line = new QHBoxLayout;
  line->addWidget(reset_);
  line->addStretch(1);
  column->addLayout(line);
  connect(form_, &FieldForm::edited, this, [this](int row, const FieldValue& value) {
    Preferences next = present_.now();
    rows_[static_cast<std::size_t>(row)]->set(next, value);
    present_.set(next);
  });
  connect(reset_, &QPushButton::clicked, this, [this] { give(Preferences{}); });
  connect(&present, &PresentPreferences::changed, this, &PreferencesRows::show_values);
  show_values();
}

/// The values of this page, from others.
void PreferencesRows::give(const Preferences& from) {
  Preferences next = present_.now();
  for (const auto* row : rows_) row->set(next, row->get(from));
  present_.set(next);
}

void PreferencesRows::show_values() {
  const Preferences first;
  bool own = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const FieldValue value = rows_[i]->get(present_.now());
    form_->show_row(static_cast<int>(i), {&value, 1});
    own = own || !operator_equal(value, rows_[i]->get(first));
  }
  form_->finish();
  reset_->setEnabled(own);
  bool warns = false;
  said_->setText(note_(present_.now(), warns));
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, warns ? theme_colours().warning : theme_colours().quiet_text);
  said_->setPalette(colours);
}

void PreferencesRows::accept() { settings_.set_preferences(present_.now()); }

void PreferencesRows::reject() { give(before_); }

}  // namespace hazumi
