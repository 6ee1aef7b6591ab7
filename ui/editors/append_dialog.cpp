#include "ui/editors/append_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/parts.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/clipboard.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"

namespace hazumi {

AppendDialog::AppendDialog(UiContext& context, QWidget* parent) : QDialog(parent), context_(context) {
  setObjectName(QStringLiteral("append_dialog"));
  resize(440, 480);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("append_search"));
  search_->setPlaceholderText(tr("Search by name"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("append_list"));
  list_->setSelectionMode(QAbstractItemView::MultiSelection);
  list_->setUniformItemSizes(true);
  list_->setSpacing(1);
  said_ = new QLabel(this);
  said_->setObjectName(QStringLiteral("append_said"));
  said_->setAlignment(Qt::AlignCenter);
  said_->setWordWrap(true);
  said_->setForegroundRole(QPalette::PlaceholderText);
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  all_ = buttons->addButton(tr("Mark All"), QDialogButtonBox::ResetRole);
  all_->setObjectName(QStringLiteral("append_all"));
  all_->setAutoDefault(false);
  append_ = buttons->addButton(tr("Append"), QDialogButtonBox::AcceptRole);
  append_->setObjectName(QStringLiteral("append_button"));
  append_->setDefault(true);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  column->addWidget(said_, 1);
  column->addWidget(buttons);
  connect(search_, &QLineEdit::textChanged, this, &AppendDialog::filter);
  connect(list_, &QListWidget::itemSelectionChanged, this, &AppendDialog::update_button);
  connect(all_, &QPushButton::clicked, this, [this] {
    for (int i = 0; i < list_->count(); ++i) list_->item(i)->setSelected(!list_->item(i)->isHidden());
  });
  connect(buttons, &QDialogButtonBox::accepted, this, &AppendDialog::append);
  connect(buttons, &QDialogButtonBox::rejected, this, &AppendDialog::reject);
  connect(&job_, &OpenJob::read, this,
          [this](const QString&, const std::shared_ptr<Result<Scene>>& result, bool) { take(*result); });
}

void AppendDialog::read(const QString& file) {
  name_ = QFileInfo(file).fileName();
  setWindowTitle(tr("Append from %1").arg(name_));
  say(tr("Reading %1…").arg(name_));
  job_.open(file, false);
}

void AppendDialog::take(const Result<Scene>& result) {
  if (!result.ok()) {
    const Diagnostic& error = result.error();
    const QString place = error.path.empty() ? QString() : QStringLiteral(" (%1)").arg(error.path.c_str());
    say(tr("%1 cannot be read%2. %3").arg(name_, place, sentence_of(error)));
    return;
  }
  scene_ = *result;
  fill();
}

void AppendDialog::fill() {
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, ContactPair> && !std::is_same_v<Thing, Track>)  // come with their objects
      for (const auto& thing : scene_.*list.member) {
        auto* item =
            new QListWidgetItem(theme_icon(text_of(list.icon(*thing))), QString::fromStdString(thing->name), list_);
        item->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(thing->id.value));
        item->setToolTip(text_of(list.label(*thing)));
      }
  });
  if (list_->count() == 0) {
    say(tr("%1 holds nothing that could be appended.").arg(name_));
    return;
  }
  said_->hide();
  list_->show();
  search_->setEnabled(true);
  search_->setFocus();
  update_button();
}

void AppendDialog::say(const QString& sentence) {
  said_->setText(sentence);
  said_->show();
  list_->hide();
  search_->setEnabled(false);
  update_button();
}

void AppendDialog::filter(const QString& text) {
  for (int i = 0; i < list_->count(); ++i)
    list_->item(i)->setHidden(word_match(text, list_->item(i)->text(), list_->item(i)->toolTip()) == 0);
}

void AppendDialog::update_button() {
  const auto marked = list_->selectedItems().size();
  all_->setEnabled(list_->count() > 0);
  append_->setEnabled(marked > 0);
  append_->setText(marked > 0 ? tr("Append %1").arg(marked) : tr("Append"));
  append_->setToolTip(marked > 0 ? tr("They come into the open scene, as one undo step.")
                                 : tr("Click what is to be appended first."));
}

void AppendDialog::append() {
  std::set<Id> ids;
  for (const QListWidgetItem* item : list_->selectedItems()) ids.insert(Id{item->data(Qt::UserRole).toULongLong()});
  if (ids.empty()) return;
  const Scene part = part_of(scene_, with_contents(scene_, ids));
  if (bring_in(context_.document, context_.selection, part, tr("Append %1"))) accept();
}

}  // namespace hazumi
