#include "ui/panels/family_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/scene/derived/skinning.h"
#include "ui/model/arrangement.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

FamilyLine::FamilyLine(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      text_(new QLabel(this)),
      note_(new QLabel(this)),
      clear_(new QPushButton(tr("Clear"), this)) {
  setObjectName(QStringLiteral("family_line"));
  text_->setObjectName(QStringLiteral("family_line_text"));
  text_->setTextFormat(Qt::PlainText);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  note_->setObjectName(QStringLiteral("family_line_note"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  clear_->setObjectName(QStringLiteral("family_line_button"));
  connect(clear_, &QPushButton::clicked, this,
          [this] { context_.actions[skin_ ? "object.release_skin" : "object.clear_parent"]->trigger(); });
  auto* line = new QHBoxLayout;
  line->addWidget(text_, 1);
  line->addWidget(clear_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 0, 8, 5);
  column->setSpacing(2);
  column->addLayout(line);
  column->addWidget(note_);
  connect(&context_.document, &DocumentController::changed, this, &FamilyLine::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &FamilyLine::refresh);
  connect(&context_.selection, &Selection::changed, this, &FamilyLine::refresh);
  refresh();
}

void FamilyLine::refresh() {
  const Scene& scene = context_.document.scene();
  const auto objects = selected_objects_of(scene, context_.selection);
  int children = 0;
  for (const Object* object : objects) children += object->parent != 0 ? 1 : 0;
  skin_ = objects.size() == 1 && is_skin(*objects.front());
  setVisible(children > 0 || skin_);
  clear_->setText(skin_ ? tr("Release") : tr("Clear"));
  clear_->setToolTip(
      skin_ ? tr("Stand as it was modelled, fixed; it collides if it did before. Bones and painted weights stay.")
            : tr("Go with nobody and stay where it is."));
  if (skin_) return show_skin(*objects.front());
  if (children == 0) return;
  if (objects.size() > 1) {
    text_->setText(tr("%1 of them have a parent").arg(children));
    note_->hide();
    return;
  }
  const Object& object = *objects.front();
  const QString text = tr("Goes with %1").arg(name_of(scene, Id{object.parent}));
  text_->setText(text);
  text_->setToolTip(text);
  const Object* carrier = carrier_of(scene, object.id);
  note_->setVisible(carrier);
  if (carrier)
    note_->setText(tr("Carried by %1, so it touches nothing, whatever stands under Contact.")
                       .arg(QString::fromStdString(carrier->name)));
}

void FamilyLine::show_skin(const Object& skin) {
  const std::set<Id> carriers = carriers_of(context_.document.scene(), skin);
  QString text = tr("Bends with %1 objects").arg(carriers.size());
  if (carriers.size() == 1) text = tr("Bends with %1").arg(name_of(context_.document.scene(), *carriers.begin()));
  text_->setText(text);
  text_->setToolTip(text);
  note_->setVisible(true);
  note_->setText(
      tr("It touches nothing and is where they take it: move or key them (Object, Skin, Select What It Bends "
         "With). Weights are painted under Mapping."));
}

}  // namespace hazumi
