#include "ui/panels/body_line.h"

#include "core/scene/values/body_kinds.h"

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/plot_series.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

BodyLine::BodyLine(UiContext& context, QWidget* parent) : QLabel(parent), context_(context) {
  setObjectName(QStringLiteral("properties_body"));
  setTextFormat(Qt::PlainText);
  setContentsMargins(8, 0, 8, 5);
  setWordWrap(true);
  setToolTip(tr(
      "In the frame that is shown: speed of the centre of mass, energy of all of its motion, energy that it stores by "
      "being bent; the largest strain, how often its equations were solved in the sub-step that took most of it, and "
      "how many of its elements are turned inside out. Plots shows all of it over the frames."));
  connect(&context_.playback, &PlaybackController::frame_changed, this, &BodyLine::refresh);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &BodyLine::refresh);
  connect(&context_.selection, &Selection::changed, this, &BodyLine::refresh);
  connect(&context_.document, &DocumentController::changed, this, &BodyLine::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &BodyLine::refresh);
  refresh();
}

void BodyLine::refresh() {
  const Object* object = context_.selection.ids().size() == 1
                             ? find_object(context_.document.scene(), *context_.selection.ids().begin())
                             : nullptr;
  const bool moves = object && body_kind(object->body.kind).moves;
  setVisible(moves);
  if (!moves) return;
  const int now = context_.playback.frame();
  const QString frame = tr("Frame %1: ").arg(now);
  const FrameCache& cache = context_.playback.cache();
  if (cache.size() <= now) return setText(frame + tr("being computed…"));
  PlotFrames from;
  from.bodies = cache.bodies(now);
  const FrameBody* body = find_body(from, 0, object->id);
  setText(frame + (body ? body_reading(*body) : tr("it is not there.")));
}

}  // namespace hazumi
