#include "ui/widgets/panel_page.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/field_form.h"
#include "ui/widgets/scroll_page.h"
#include "ui/widgets/section.h"

namespace hazumi {

namespace {

constexpr int kLabels = 92;  // width of the column of labels, logical pixels

}  // namespace

PanelPage::PanelPage(const QString& key, const QString& nothing, QWidget* panel)
    : QStackedWidget(panel), key_(key), nothing_(new QLabel(nothing, this)), content_(new QWidget) {
  nothing_->setObjectName(key + "_empty");
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  nothing_->setMargin(16);
  nothing_->setForegroundRole(QPalette::PlaceholderText);
  column_ = new QVBoxLayout(content_);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(1);
  column_->addStretch(1);
  addWidget(nothing_);
  addWidget(new ScrollPage(content_, this));
  auto* all = new QVBoxLayout(panel);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(this);
}

Section* PanelPage::add_section(const QString& title) {
  auto* section = new Section(title, key_ + "/" + title, true, content_);
  add(section);
  return section;
}

void PanelPage::add(QWidget* widget) { column_->insertWidget(column_->count() - 1, widget); }

QGridLayout* make_form_grid(QWidget* body) {
  auto* grid = new QGridLayout(body);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  grid->setColumnMinimumWidth(0, kLabels);
  grid->setColumnStretch(1, 1);
  return grid;
}

QGridLayout* make_form_grid(Section* section) {
  QGridLayout* grid = make_form_grid(section->body());
  grid->setContentsMargins(8, 6, 8, 8);
  return grid;
}

void add_form_row(QGridLayout* grid, const QString& label, const QString& tip, QWidget* widget) {
  const int row = grid->rowCount();
  grid->addWidget(make_row_label(label, tip, grid->parentWidget()), row, 0);
  grid->addWidget(widget, row, 1);
  widget->setToolTip(tip);
}

}  // namespace hazumi
