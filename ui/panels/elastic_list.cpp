#include "ui/panels/elastic_list.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "core/sim/elastic/solver.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kElasticWidth = 112, kElasticHeight = 74, kElasticMargin = 6, kElasticListWidth = 430;  // logical pixels

class ElasticRow : public QStyledItemDelegate {
 public:
  explicit ElasticRow(const ElasticList* list, QObject* parent) : QStyledItemDelegate(parent), list_(list) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {kElasticListWidth, kElasticHeight + 2 * kElasticMargin};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem bare = option;
    initStyleOption(&bare, index);
    bare.text.clear();
    bare.icon = {};
    const QStyle* style = bare.widget ? bare.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &bare, painter, bare.widget);
    const QString name = index.data(Qt::UserRole).toString();
    const QRect picture(option.rect.left() + kElasticMargin, option.rect.top() + kElasticMargin, kElasticWidth,
                        kElasticHeight);
    const QVector<QImage>& pictures = list_->pictures().of(name);
    painter->save();
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    painter->fillRect(picture, theme_colours().base);
    if (!pictures.isEmpty()) painter->drawImage(picture, pictures[list_->shown() % static_cast<int>(pictures.size())]);
    if (const ElasticSolverInfo* solver = find_elastic_solver(name.toStdString())) {
      QRect text =
          option.rect.adjusted(kElasticWidth + 3 * kElasticMargin, kElasticMargin, -kElasticMargin, -kElasticMargin);
      QFont bold = option.font;
      bold.setBold(true);
      painter->setFont(bold);
      painter->setPen(theme_colours().text);
      painter->drawText(text, Qt::AlignLeft | Qt::AlignTop, text_of(solver->label));
      text.setTop(text.top() + option.fontMetrics.height());
      painter->setFont(option.font);
      const bool chosen = option.state & QStyle::State_Selected;
      painter->setPen(chosen ? theme_colours().text : theme_colours().quiet_text);
      painter->drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text_of(solver->description));
    }
    painter->restore();
  }

 private:
  const ElasticList* list_;
};

}  // namespace

ElasticList::ElasticList(QComboBox* box)
    : QObject(box), box_(box), pictures_(QSize(2 * kElasticWidth, 2 * kElasticHeight), this) {
  for (int i = 0; i < box->count(); ++i) {
    const ElasticSolverInfo* solver = find_elastic_solver(box->itemData(i).toString().toStdString());
    if (!solver) continue;
    box->setItemText(i, text_of(solver->label));
    box->setItemData(i, text_of(solver->description), Qt::ToolTipRole);
  }
  box->setItemDelegate(new ElasticRow(this, box));
  box->view()->setMinimumWidth(kElasticListWidth);
  box->view()->installEventFilter(this);
  timer_.setInterval(1000 / kElasticRate);
  connect(&timer_, &QTimer::timeout, this, [this] {
    shown_ = (shown_ + 1) % kElasticPictures;
    box_->view()->viewport()->update();
  });
}

bool ElasticList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) {
    pictures_.want();
    timer_.start();
  }
  if (event->type() == QEvent::Hide) timer_.stop();
  return QObject::eventFilter(watched, event);
}

}  // namespace hazumi
