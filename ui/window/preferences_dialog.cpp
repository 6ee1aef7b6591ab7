#include "ui/window/preferences_dialog.h"

#include <algorithm>

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"
#include "ui/window/preferences_keys.h"
#include "ui/window/preferences_memory.h"
#include "ui/window/preferences_rows.h"
#include "ui/window/session.h"

namespace hazumi {

namespace {

constexpr int kListWidth = 124, kRowHeight = 34;  // px

/// What a page says under its rows as they are now.
QString about_saving(const Preferences& now, bool& warns) {
  warns = !now.autosave;
  return now.autosave ? QString()
                      : PreferencesDialog::tr(
                            "Unsaved work is not kept now: when Hazumi or the computer stops, what was "
                            "not saved is lost. It is kept again from the moment this is on.");
}

QString about_display(const Preferences& now, const Preferences& at_start, bool& warns) {
  warns = false;
  if (qEnvironmentVariableIsSet("QT_SCALE_FACTOR") && at_start.scale == 100)
    return PreferencesDialog::tr("QT_SCALE_FACTOR is set where Hazumi was started, and goes before the scale here.");
  return now.scale == at_start.scale
             ? QString()
             : PreferencesDialog::tr("The interface is drawn at %1 % from the next start on.").arg(now.scale);
}

QString about_editing(const Preferences& now, const Preferences& at_start, bool& warns) {
  warns = false;
  return now.undo_steps == at_start.undo_steps
             ? QString()
             : PreferencesDialog::tr("OK drops steps beyond the number at once, the oldest first.");
}

}  // namespace

PreferencesDialog::PreferencesDialog(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), pages_(new QListWidget(this)), stack_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  resize(std::min(1020, parent->width() - 60), std::min(680, parent->height() - 60));
  pages_->setObjectName(QStringLiteral("preferences_pages"));
  pages_->setFixedWidth(kListWidth);
  pages_->setIconSize(QSize(18, 18));
  pages_->setUniformItemSizes(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  column->setSpacing(10);
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addWidget(pages_);
  row->addWidget(stack_, 1);
  column->addLayout(row, 1);

  PresentPreferences& present = session.preferences;
  keys_ = add_page(tr("Keys"), QStringLiteral("keys"), new PreferencesKeys(session.actions, session.settings, this));
  add_page(tr("Saving"), QStringLiteral("save"),
           new PreferencesRows(present, session.settings, {"Unsaved work", "Opening"}, &about_saving, this));
  add_page(
      tr("Display"), QStringLiteral("show"),
      new PreferencesRows(
          present, session.settings, {"Interface", "View"},
          [&present](const Preferences& now, bool& warns) { return about_display(now, present.at_start(), warns); },
          this));
  add_page(
      tr("Editing"), QStringLiteral("edit_mode"),
      new PreferencesRows(
          present, session.settings, {"Undo", "Snapping with Ctrl"},
          [before = present.now()](const Preferences& now, bool& warns) { return about_editing(now, before, warns); },
          this));
  add_page(tr("Memory"), QStringLiteral("memory"), new MemoryPage(session.context, session.settings, this));
  connect(pages_, &QListWidget::currentRowChanged, stack_, &QStackedWidget::setCurrentIndex);
  pages_->setCurrentRow(0);

  auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  box->button(QDialogButtonBox::Ok)->setDefault(true);
  connect(box, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
  connect(box, &QDialogButtonBox::rejected, this, &PreferencesDialog::reject);
  column->addWidget(box);
}

QTreeWidget* PreferencesDialog::list() { return keys_->list(); }

void PreferencesDialog::show_page(const QString& title, const QString& icon, QWidget* page) {
  auto* item = new QListWidgetItem(theme_icon(icon), title, pages_);
  item->setSizeHint(QSize(0, kRowHeight));
  stack_->addWidget(page);
}

void PreferencesDialog::accept() {
  for (const End& end : ends_) end.accept();
  session_.preferences.confirm();
  QDialog::accept();
}

void PreferencesDialog::reject() {
  for (const End& end : ends_) end.reject();
  QDialog::reject();
}

}  // namespace hazumi
