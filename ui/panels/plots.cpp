// The panel of plots: what joints hold with, how bodies do, and what sources have, over the frames.
#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
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
    quantity_ = new QComboBox(this);
    quantity_->setObjectName(QStringLiteral("plot_quantity"));
    quantity_->setFocusPolicy(Qt::NoFocus);
    quantity_->setMaxVisibleItems(24);
    quantity_->setToolTip(hazumi::tr(
        "Of the selected joints, and of those that hold what is selected: the mean of each frame, in N or N m; along "
        "x, y "
        "and z of the world it is the force on the first object. Of the selected objects: how they move, what they "
        "store, "
        "how far they are strained, what they cost the solver, and how far they have gone into their poses. Of the "
        "selected sources: how many particles or copies there are, how many wait, how fast they are."));
    for (const PlotQuantity& one : plot_quantities()) {
      if (one == PlotQuantity(BodyQuantity::speed) || one == PlotQuantity(SourceQuantity::alive))
        quantity_->insertSeparator(quantity_->count());
      quantity_->addItem(name_of(one), static_cast<int>(numbers_.size()));
      numbers_.push_back(one);
    }
    connect(quantity_, &QComboBox::currentIndexChanged, this, [this] { choose(); });
    bar->addWidget(quantity_);
    auto* legend = new QCheckBox(hazumi::tr("Legend"), this);
    legend->setObjectName(QStringLiteral("plot_legend"));
    legend->setChecked(true);
    legend->setFocusPolicy(Qt::NoFocus);
    legend->setToolTip(hazumi::tr("The names of the lines, with their numbers in the frame that is shown."));
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
  void choose() {
    const QVariant number = quantity_->currentData();
    if (number.isValid()) view_->set_quantity(numbers_[static_cast<std::size_t>(number.toInt())]);
  }

  void refresh() {
    const auto at = std::find(numbers_.begin(), numbers_.end(), view_->quantity());
    const QSignalBlocker quiet(quantity_);
    quantity_->setCurrentIndex(quantity_->findData(static_cast<int>(at - numbers_.begin())));
    const bool any = !view_->things().empty() && view_->frames().size() > 0;
    export_->setEnabled(any);
    export_->setToolTip(
        any ? hazumi::tr("All quantities of these joints, objects or sources, a line for each frame that is computed, "
                         "as a table "
                         "for other programs.")
            : hazumi::tr("There is nothing to write yet: nothing is chosen that has them, or no frame is computed."));
  }

  void save() {
    FileDialog dialog(FileDialog::For::save, hazumi::tr("Export Plot as CSV"), QStringLiteral("table"),
                      hazumi::tr("Tables (*.csv);;All files (*)"), this, QString());
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    dialog.selectFile(context_.document.title() + QStringLiteral(".csv"));
    const QString name = dialog.ask();
    if (name.isEmpty()) return;
    const QByteArray text =
        plot_table(context_.document.scene(), view_->things(), view_->quantity(), view_->frames()).toUtf8();
    const Status written =
        write_file_atomically(name.toStdString(), {text.constData(), static_cast<std::size_t>(text.size())});
    if (!written.ok()) emit context_.document.refused(sentence_of(written.error()));
  }

  UiContext context_;
  PlotView* view_;
  QComboBox* quantity_;
  std::vector<PlotQuantity> numbers_;  ///< as in the list
  QPushButton* export_;
};

}  // namespace

const PanelInfo& panel_plots() {
  static const PanelInfo info{"plots", "Plots", Qt::BottomDockWidgetArea, 0, 3, "plot", make_panel<PlotsPanel>, 250};
  return info;
}

}  // namespace hazumi
