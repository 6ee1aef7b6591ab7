// The panel of curves.
#include <QCheckBox>
#include <QHBoxLayout>

#include "ui/model/text.h"
#include "ui/panels/curve_view.h"
#include "ui/panels/key_frame.h"
#include "ui/panels/panel.h"

namespace hazumi {

namespace {

class CurvesPanel : public KeyFrame {
 public:
  CurvesPanel(UiContext& context, QWidget* parent) : KeyFrame(context, true, parent) {
    auto* curves = new CurveView(context, view(), this);
    set_canvas(curves);
    auto* normalised = new QCheckBox(hazumi::tr("Normalised"), this);
    normalised->setObjectName(QStringLiteral("normalised"));
    normalised->setToolTip(hazumi::tr("Each curve as high as the others: for values of different size."));
    normalised->setFocusPolicy(Qt::NoFocus);
    bar()->insertWidget(bar()->indexOf(only_selected()) + 1, normalised);
    connect(normalised, &QCheckBox::toggled, curves, &CurveView::set_normalised);
  }
};

}  // namespace

const PanelInfo& panel_curves() {
  static const PanelInfo info{"curves", "Curves", Qt::BottomDockWidgetArea, 0, 2, "wave", make_panel<CurvesPanel>, 250};
  return info;
}

}  // namespace hazumi
