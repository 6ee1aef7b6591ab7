#include "ui/panels/bent_line.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/actions.h"

namespace hazumi {

BentLine::BentLine(UiContext& context, QWidget* parent) : QWidget(parent), context_(context), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("bent_line"));
  text_->setTextFormat(Qt::PlainText);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->setToolTip(
      tr("How its nodes stand and move at the start, and what its springs have kept or where they have broken, was "
         "taken from a "
         "frame of the run; its rest shape is as ever."));
  auto* straighten = new QPushButton(tr("Start Unbent"), this);
  straighten->setObjectName(QStringLiteral("bent_line_button"));
  straighten->setToolTip(tr("Begin in the rest shape, without dents and cracks."));
  connect(straighten, &QPushButton::clicked, this, [this] { context_.actions["object.start_unbent"]->trigger(); });
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(8, 0, 8, 5);
  line->addWidget(text_, 1);
  line->addWidget(straighten);
  connect(&context_.document, &DocumentController::changed, this, &BentLine::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &BentLine::refresh);
  connect(&context_.selection, &Selection::changed, this, &BentLine::refresh);
  refresh();
}

void BentLine::refresh() {
  const auto objects = selected_objects_of(context_.document.scene(), context_.selection);
  const auto bent = std::count_if(objects.begin(), objects.end(), [](const Object* o) { return starts_bent(o->body); });
  setVisible(bent > 0);
  text_->setText(objects.size() == 1 ? tr("Starts bent, as a frame left it")
                                     : tr("%1 of them start bent, as a frame left them").arg(bent));
}

}  // namespace hazumi
