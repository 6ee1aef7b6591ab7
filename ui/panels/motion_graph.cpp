// The panel of motion graphs: palette, canvas, and at the right what the active box says, or the log of the run.
#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/panels/motion_box_panel.h"
#include "ui/panels/motion_canvas.h"
#include "ui/panels/motion_catalogue.h"
#include "ui/panels/motion_log_list.h"
#include "ui/panels/motion_palette.h"
#include "ui/panels/panel.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kMotionBar = 28, kPaletteWidth = 176, kSideWidth = 330, kLeastGraphHeight = 300;  // logical pixels

class MotionGraphPanel : public QWidget {
 public:
  MotionGraphPanel(UiContext& context, QWidget* parent)
      : QWidget(parent), context_(context), chosen_(context.boxes), canvas_(new MotionCanvas(context, chosen_, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setHandleWidth(3);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(new MotionPalette(*canvas_, splitter));
    splitter->addWidget(canvas_);
    splitter->addWidget(make_side(splitter));
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kPaletteWidth, 700, kSideWidth});
    column->addWidget(splitter, 1);
    connect(&context_.playback, &PlaybackController::frame_changed, this, [this] { look_for_stop(); });
    connect(&context_.playback, &PlaybackController::playing_changed, this,
            [this] { shown_ = looked_ = context_.playback.frame(); });
  }

 private:
  QWidget* make_bar() {
    auto* line = new QWidget(this);
    line->setFixedHeight(kMotionBar);
    auto* bar = new QHBoxLayout(line);
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(6);
    for (const char* id : {"play.start", "play.back", "play.toggle", "play.forward", "play.end", "play.loop"}) {
      QToolButton* button = icon_button(context_.actions[id], this);
      button->setObjectName(QLatin1String("motion_") + QLatin1String(id));
      bar->addWidget(button);
    }
    bar->addSpacing(6);
    auto* only = new QCheckBox(hazumi::tr("Only selected"), this);
    only->setObjectName(QStringLiteral("motion_only_selected"));
    only->setToolTip(hazumi::tr("Only boxes of the objects that are selected in the view."));
    only->setFocusPolicy(Qt::NoFocus);
    connect(only, &QCheckBox::toggled, canvas_, &MotionCanvas::set_only_selected);
    bar->addWidget(only);
    bar->addStretch(1);
    owner_ = new QLabel(line);
    owner_->setObjectName(QStringLiteral("motion_owner"));
    owner_->setTextFormat(Qt::PlainText);
    owner_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
    owner_->setToolTip(hazumi::tr("A new box is of what is selected in the view: an object, or a collection."));
    bar->addWidget(owner_);
    connect(&context_.selection, &Selection::changed, this, [this] { tell_owner(); });
    connect(&context_.document, &DocumentController::changed, this, [this] { tell_owner(); });
    connect(&context_.document, &DocumentController::document_replaced, this, [this] { tell_owner(); });
    connect(&chosen_, &MotionSelection::changed, this, [this] { tell_owner(); });
    tell_owner();
    return line;
  }

  void tell_owner() {
    const Scene& scene = context_.document.scene();
    const QString name = name_of(scene, owner_of_new_box(scene, context_.selection, chosen_.active()));
    owner_->setText(name.isEmpty() ? hazumi::tr("New boxes are of nobody: select an object")
                                   : hazumi::tr("New boxes are of %1").arg(name));
  }

  QWidget* make_side(QWidget* parent) {
    auto* side = new QTabWidget(parent);
    side->setObjectName(QStringLiteral("motion_side"));
    side->setDocumentMode(true);
    side->setMinimumWidth(170);
    side->tabBar()->setFocusPolicy(Qt::NoFocus);
    side->addTab(new MotionBoxPanel(context_, chosen_, side), hazumi::tr("Box"));
    side->addTab(new MotionLogList(context_, chosen_, side), hazumi::tr("Log"));
    auto* motions = new MotionCatalogue(context_, chosen_, side);
    side->addTab(motions, hazumi::tr("Motions"));
    connect(motions, &MotionCatalogue::was_put, canvas_, [this] { canvas_->frame_all(); });
    side->setTabToolTip(2, hazumi::tr("Motions that are put on any object, and your own."));
    side->setTabToolTip(0, hazumi::tr("What the box that was clicked last says."));
    side->setTabToolTip(1, hazumi::tr("What happened in the run, and when."));
    return side;
  }

  /// Playing pauses at the first frame in which a box happens that says so. What happens in a frame is known when the next one is there.
  void look_for_stop() {
    const PlaybackController& playback = context_.playback;
    const int frame = playback.frame();
    if (frame < std::exchange(shown_, frame))  // around the loop, or backwards
      looked_ = playback.ending() == Ending::back_and_forth ? frame : playback.range().first - 1;
    const auto log = playback.log();
    if (!playback.playing() || chosen_.stops().empty() || !log) {
      looked_ = frame;
      return;
    }
    const int known = std::min(frame, static_cast<int>(playback.cache().size()) - 2);
    const auto stop = first_stop(log->motion, chosen_.stops(), looked_, known);
    looked_ = std::max(looked_, known);
    if (!stop) return;
    context_.playback.play(false);
    context_.playback.set_frame(*stop);
  }

  UiContext context_;
  MotionSelection& chosen_;
  MotionCanvas* canvas_;
  QLabel* owner_ = nullptr;
  int shown_ = 0, looked_ = 0;  ///< frames: that was shown last, up to which stops were looked for
};

}  // namespace

const PanelInfo& panel_motion_graph() {
  static const PanelInfo info{
      "motion_graph",   "Motion Graph", Qt::BottomDockWidgetArea, 0, 4, "motion_graph", make_panel<MotionGraphPanel>,
      kLeastGraphHeight};
  return info;
}

}  // namespace hazumi
