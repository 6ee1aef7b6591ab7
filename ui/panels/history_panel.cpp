// History: the undo steps as a list. A click goes there; the present one and the saved one are marked, what was taken back
// is quiet.
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/model/undo_history.h"
#include "ui/panels/panel.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kSavedIcon = 14, kWordsLeft = 14;  // px

class StepDelegate : public QStyledItemDelegate {
 public:
  StepDelegate(const UndoHistory& history, QObject* parent) : QStyledItemDelegate(parent), history_(history) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, option.fontMetrics.height() + 8};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& colours = theme_colours();
    const QRect row = option.rect;
    const bool now = index.row() == history_.current(), taken_back = index.row() > history_.current();
    if (now)
      painter->fillRect(row, QColor(0x4a, 0x5f, 0x7a));
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(row, colours.raised);
    if (now) painter->fillRect(QRect(row.left(), row.top(), 3, row.height()), colours.accent);
    QRect words = row.adjusted(kWordsLeft, 0, -8, 0);
    if (history_.saved(index.row())) {
      const QRect icon(words.right() - kSavedIcon, row.center().y() - kSavedIcon / 2, kSavedIcon, kSavedIcon);
      theme_icon(QStringLiteral("save")).paint(painter, icon);
      words.setRight(icon.left() - 6);
    }
    QFont font = option.font;
    font.setItalic(taken_back);
    painter->setFont(font);
    painter->setPen(now ? QColor(Qt::white) : taken_back ? colours.quiet_text : colours.text);
    painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                      QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, words.width()));
  }

 private:
  const UndoHistory& history_;
};

QWidget* make_history(UiContext& context, QWidget* parent) {
  auto* panel = new QWidget(parent);
  auto* history = new UndoHistory(context.document, panel);
  auto* list = new QListView(panel);
  list->setObjectName(QStringLiteral("history_list"));
  list->setModel(history);
  list->setItemDelegate(new StepDelegate(*history, list));
  list->setFrameShape(QFrame::NoFrame);
  list->setUniformItemSizes(true);
  list->setMouseTracking(true);
  list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list);
  const auto show_current = [list, history] {
    const QModelIndex now = history->index(history->current());
    list->setCurrentIndex(now);
    list->scrollTo(now);
  };
  QObject::connect(history, &QAbstractItemModel::modelReset, list, show_current);
  const auto chosen = [history](const QModelIndex& index) { history->go_to(index.row()); };
  QObject::connect(list, &QListView::clicked, list, chosen);
  QObject::connect(list, &QListView::activated, list, chosen);
  show_current();
  return panel;
}

}  // namespace

const PanelInfo& panel_history_panel() {
  static const PanelInfo info{"history", "History", Qt::RightDockWidgetArea, 0, 1, "recent", make_history};
  return info;
}

}  // namespace hazumi
