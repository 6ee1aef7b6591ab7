#include "ui/panels/motion_log_list.h"

#include <algorithm>

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QStackedLayout>

#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

/// Words are made for what is in sight.
class MotionLogList::Model : public QAbstractListModel {
 public:
  explicit Model(MotionLogList& owner) : QAbstractListModel(&owner), owner_(owner) {}
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : owner_.count(); }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid() || index.row() >= owner_.count()) return {};
    const int frame = owner_.frame(index.row()), now = owner_.context_.playback.frame();
    if (role == Qt::DisplayRole) return owner_.text(index.row());
    if (role == Qt::ToolTipRole)
      return hazumi::tr("%1\nA click goes to frame %2 and selects the box.").arg(owner_.text(index.row())).arg(frame);
    if (role == Qt::ForegroundRole && frame > now) return theme_colours().quiet_text;
    if (role == Qt::BackgroundRole && frame == now) return QColor(0x5c, 0x45, 0x30);
    return {};
  }
  void all_changed() {
    beginResetModel();
    endResetModel();
  }
  void looks_changed() {
    if (rowCount() > 0) emit dataChanged(index(0), index(rowCount() - 1), {Qt::ForegroundRole, Qt::BackgroundRole});
  }

 private:
  MotionLogList& owner_;
};

MotionLogList::MotionLogList(UiContext& context, MotionSelection& chosen, QWidget* parent)
    : QWidget(parent), context_(context), chosen_(chosen), list_(new QListView(this)), model_(new Model(*this)) {
  setObjectName(QStringLiteral("motion_log"));
  list_->setObjectName(QStringLiteral("motion_log_list"));
  list_->setModel(model_);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideRight);
  auto* none = new QLabel(hazumi::tr("Nothing has happened yet."), this);
  none->setAlignment(Qt::AlignCenter);
  none->setForegroundRole(QPalette::PlaceholderText);
  auto* layout = new QStackedLayout(this);
  layout->addWidget(none);
  layout->addWidget(list_);
  connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
  connect(&context_.playback, &PlaybackController::fill_changed, this, &MotionLogList::refresh);
  connect(&context_.document, &DocumentController::changed, this, &MotionLogList::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &MotionLogList::refresh);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &MotionLogList::follow);
  refresh();
}

QString MotionLogList::text(int row) const {
  const MotionLine& line = lines_[static_cast<std::size_t>(row)];
  const MotionMark& mark = log_->motion[line.mark].second;
  const double begin = log_->clock.film(mark.substep), end = log_->clock.film(mark.substep + 1);
  return line_text(log_->motion, line, context_.document.scene(), begin + mark.moment * (end - begin));
}

void MotionLogList::refresh() {
  const auto log = context_.playback.log();
  const std::size_t marks = log ? log->motion.size() : 0;
  if (log == log_ && marks == marks_ && log) {
    // Names may be others.
    if (!lines_.empty()) model_->looks_changed();
    return list_->viewport()->update();
  }
  log_ = log;
  marks_ = marks;
  lines_ = log ? lines_of(log->motion, context_.document.scene()) : std::vector<MotionLine>();
  model_->all_changed();
  static_cast<QStackedLayout*>(layout())->setCurrentIndex(lines_.empty() ? 0 : 1);
  follow();
}

void MotionLogList::follow() {
  if (lines_.empty() || !isVisible()) return;
  model_->looks_changed();
  const int now = context_.playback.frame();
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), now,
                                      [](int frame, const MotionLine& line) { return frame < line.frame; });
  const int row = std::max(0, static_cast<int>(after - lines_.begin()) - 1);
  if (context_.playback.playing()) list_->scrollTo(model_->index(row));
}

void MotionLogList::choose(int row) {
  if (row < 0 || row >= count()) return;
  const MotionLine line = lines_[static_cast<std::size_t>(row)];
  context_.playback.play(false);
  context_.playback.set_frame(line.frame);
  if (find_motion(context_.document.scene(), line.box)) chosen_.set({line.box}, line.box);
}

}  // namespace hazumi
