// The panel of plots: what joints hold with, over the frames.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/atomic_file.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"
#include "ui/panels/panel.h"
#include "ui/panels/plot_view.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/file_dialog.h"

namespace hazumi {

namespace {

constexpr int kBarHeight = 28;  // logical pixels

class PlotsPanel : public QWidget {
 public:
  PlotsPanel(UiContext& context, QWidget* parent)
      : QWidget(parent), context_(context), view_(new PlotView(context, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QWidget(this);
    line->setFixedHeight(kBarHeight);
    auto* bar = new QHBoxLayout(line);
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(6);
    for (const char* id : {"play.start", "play.back", "play.toggle", "play.forward", "play.end", "play.loop"}) {
      QToolButton* button = icon_button(context.actions[id], this);
      button->setObjectName(QLatin1String("plots_") + QLatin1String(id));
      bar->addWidget(button);
    }
    bar->addSpacing(6);
    auto* quantity = new QComboBox(this);
    quantity->setObjectName(QStringLiteral("plot_quantity"));
    quantity->setFocusPolicy(Qt::NoFocus);
    quantity->setToolTip(hazumi::tr(
        "What is plotted of the selected joints, and of those that hold what is selected: the mean of each frame, in "
        "N or N m; along x, y and z of the world it is the force on the first object."));
    for (const JointQuantity one :
         {JointQuantity::force, JointQuantity::force_x, JointQuantity::force_y, JointQuantity::force_z,
          JointQuantity::torque, JointQuantity::way, JointQuantity::power})
      quantity->addItem(name_of(one));
    connect(quantity, &QComboBox::currentIndexChanged, view_,
            [this](int index) { view_->set_quantity(static_cast<JointQuantity>(index)); });
    bar->addWidget(quantity);
    auto* legend = new QCheckBox(hazumi::tr("Legend"), this);
    legend->setObjectName(QStringLiteral("plot_legend"));
    legend->setChecked(true);
    legend->setFocusPolicy(Qt::NoFocus);
    legend->setToolTip(hazumi::tr("The names of the joints, with what they hold with in the frame that is shown."));
    connect(legend, &QCheckBox::toggled, view_, &PlotView::set_legend);
    bar->addWidget(legend);
    auto* fit = new QPushButton(hazumi::tr("Show All"), this);
    fit->setObjectName(QStringLiteral("plot_fit"));
    fit->setFocusPolicy(Qt::NoFocus);
    fit->setToolTip(hazumi::tr("The range of the scene, and all values."));
    connect(fit, &QPushButton::clicked, view_, &PlotView::fit);
    bar->addWidget(fit);
    bar->addStretch(1);
    export_ = new QPushButton(hazumi::tr("Export CSV…"), this);
    export_->setObjectName(QStringLiteral("plot_export"));
    export_->setFocusPolicy(Qt::NoFocus);
    connect(export_, &QPushButton::clicked, this, [this] { save(); });
    bar->addWidget(export_);
    column->addWidget(line);
    column->addWidget(view_, 1);
    connect(view_, &PlotView::changed, this, [this] { refresh(); });
    refresh();
  }

 private:
  void refresh() {
    const bool any = !view_->joints().empty() && !view_->frames().empty();
    export_->setEnabled(any);
    export_->setToolTip(
        any ? hazumi::tr("All quantities of these joints, a line for each frame that is computed, as a table for other "
                         "programs.")
            : hazumi::tr("There is nothing to write yet: no joint is chosen, or no frame is computed."));
  }

  void save() {
    FileDialog dialog(FileDialog::For::save, hazumi::tr("Export Plot as CSV"), QStringLiteral("table"),
                      hazumi::tr("Tables (*.csv);;All files (*)"), this, QString());
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    dialog.selectFile(context_.document.title() + QStringLiteral(".csv"));
    const QString name = dialog.ask();
    if (name.isEmpty()) return;
    const QByteArray text = joint_table(context_.document.scene(), view_->joints(), view_->frames()).toUtf8();
    const Status written =
        write_file_atomically(name.toStdString(), {text.constData(), static_cast<std::size_t>(text.size())});
    if (!written.ok()) emit context_.document.refused(sentence_of(written.error()));
  }

  UiContext context_;
  PlotView* view_;
  QPushButton* export_;
};

}  // namespace

const PanelInfo& panel_plots() {
  static const PanelInfo info{"plots", "Plots", Qt::BottomDockWidgetArea, 0, 3, "plot", make_panel<PlotsPanel>, 250};
  return info;
}

}  // namespace hazumi
