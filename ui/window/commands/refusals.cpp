#include "ui/window/commands/refusals.h"

#include "core/scene/values/scene.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"
#include "ui/modes/element_selection.h"

namespace hazumi {

QString nothing_selected(UiContext& context) {
  if (const Object* edited = context.elements.object())
    return context.elements.empty() ? tr("Nothing is selected in %1.").arg(QString::fromStdString(edited->name))
                                    : QString();
  return context.selection.empty() ? tr(kSelectFirst) : QString();
}

void tell(UiContext& context, const Status& status) {
  if (!status.ok()) emit context.document.refused(sentence_of(status.error()));
}

}  // namespace hazumi
