// Problems: what loading complained about, why the run stopped, what overlaps at its start, which edit was refused. A click selects
// the objects; below the words of a problem stand buttons for what may be done about it.
#include <algorithm>

#include <QApplication>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTimer>

#include "core/scene/values/scene_lists.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/panel.h"

namespace hazumi {

namespace {

constexpr int kIcon = 18, kIconGap = 2;
constexpr int kGap = 4;            // px, around the buttons
constexpr int kLeastLetters = 20;  // of a line
constexpr int kButtonEnds = 28;    // px, what a button is wider than its words

/// Of every row. The list lays out a moment after it was resized: whoever measures or draws goes by this.
int row_width(const QWidget* widget) {
  const auto* list = static_cast<const QListView*>(widget);
  return list->viewport()->width() - 4 * list->spacing();
}

/// Of its words, and of what is laid over them: they stand beside the icon.
int words_width(const QWidget* widget) { return row_width(widget) - kIcon - kIconGap; }

int button_height() { return QFontMetrics(QApplication::font()).height() + 10; }

/// Where the buttons of a problem stand below its words, which are `width` wide: side by side, on as many lines as that takes.
std::vector<QRect> button_places(const Problem& problem, int width) {
  std::vector<QRect> places;
  QPoint at(0, 0);
  for (const Remedy& remedy : problem.remedies) {
    const int words = QFontMetrics(QApplication::font()).horizontalAdvance(remedy.text);
    const int wide = std::min(words + kButtonEnds, std::max(width, kButtonEnds));
    if (at.x() > 0 && at.x() + wide > width) at = QPoint(0, at.y() + button_height() + kGap);
    places.emplace_back(at, QSize(wide, button_height()));
    at.rx() += wide + kGap;
  }
  return places;
}

int buttons_height(const QModelIndex& index, int width) {
  const auto& entries = static_cast<const DiagnosticsModel*>(index.model())->entries();
  const auto places = button_places(entries[static_cast<std::size_t>(index.row())], width);
  return places.empty() ? 0 : places.back().bottom() + 1 + kGap;
}

/// Leaves room below the words for the buttons.
class ProblemDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    // As high as the words are when they are broken at the list's width.
    const int width = row_width(option.widget);
    QStyleOptionViewItem words = option;
    words.rect = QRect(0, 0, width, QWIDGETSIZE_MAX);
    return {width,
            QStyledItemDelegate::sizeHint(words, index).height() + buttons_height(index, words_width(option.widget))};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem words = option;
    words.rect.adjust(0, 0, 0, -buttons_height(index, words_width(option.widget)));
    QStyledItemDelegate::paint(painter, words, index);
  }
};

/// The buttons of a row, over the whole of it: a click beside them goes to the list.
class RemedyRow : public QWidget {
 public:
  RemedyRow(const Problem& problem, DiagnosticsModel* model, QListView* list)
      : QWidget(list->viewport()), problem_(problem), list_(list) {
    for (const Remedy& remedy : problem.remedies) {
      auto* button = new QPushButton(remedy.text, this);
      button->setObjectName("remedy");
      // Later, since the list makes its buttons anew when it changes, and the button that is pressed is one of them.
      connect(button, &QPushButton::clicked, model,
              [model, remedy] { QTimer::singleShot(0, model, [model, remedy] { model->apply(remedy); }); });
      buttons_.push_back(button);
    }
  }

 protected:
  void resizeEvent(QResizeEvent*) override {
    const std::vector<QRect> places = button_places(problem_, words_width(list_));
    if (places.empty()) return;
    const int top = height() - kGap - (places.back().bottom() + 1);
    for (std::size_t k = 0; k < places.size(); ++k) {
      QPushButton* button = buttons_[k];
      const Remedy& remedy = problem_.remedies[k];
      button->setGeometry(places[k].translated(0, top));
      button->setText(
          button->fontMetrics().elidedText(remedy.text, Qt::ElideRight, places[k].width() - kButtonEnds + 4));
      // What cannot be read on the button is read in its tooltip.
      const bool cut = button->text() != remedy.text;
      button->setToolTip(!cut ? remedy.tip : remedy.tip.isEmpty() ? remedy.text : remedy.text + "\n" + remedy.tip);
    }
  }

 private:
  Problem problem_;
  QListView* list_;
  std::vector<QPushButton*> buttons_;
};

void select(UiContext& context, const QModelIndex& index) {
  const auto& entries = context.diagnostics.entries();
  if (!index.isValid() || static_cast<std::size_t>(index.row()) >= entries.size()) return;
  const Problem& problem = entries[static_cast<std::size_t>(index.row())];
  std::set<Id> ids;
  for (const Id id : problem.others)
    if (find_object(context.document.scene(), id)) ids.insert(id);
  if (visit_thing(context.document.scene(), problem.object, [](const auto&, const auto&) {}))
    ids.insert(problem.object);
  if (!ids.empty()) context.selection.set(ids, problem.object);
}

QWidget* make(UiContext& context, QWidget* parent) {
  auto* panel = new QWidget(parent);
  DiagnosticsModel* model = &context.diagnostics;
  auto* list = new QListView(panel);
  list->setObjectName("diagnostics_list");
  list->setModel(model);
  list->setItemDelegate(new ProblemDelegate(list));
  list->setWordWrap(true);
  list->setFrameShape(QFrame::NoFrame);
  list->setSpacing(2);
  list->setIconSize(QSize(kIcon, kIcon));
  list->setResizeMode(QListView::Adjust);
  list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setMinimumWidth(kLeastLetters * QFontMetrics(QApplication::font()).averageCharWidth());
  auto* none = new QLabel(QObject::tr("No problems."), panel);
  none->setObjectName("diagnostics_empty");
  none->setAlignment(Qt::AlignCenter);
  none->setForegroundRole(QPalette::PlaceholderText);

  auto* layout = new QStackedLayout(panel);
  layout->addWidget(none);
  layout->addWidget(list);
  const auto show = [layout, list, model] {
    layout->setCurrentIndex(model->rowCount() > 0 ? 1 : 0);
    const auto& entries = model->entries();
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (!entries[k].remedies.empty())
        list->setIndexWidget(model->index(static_cast<int>(k)), new RemedyRow(entries[k], model, list));
  };
  QObject::connect(model, &QAbstractItemModel::modelReset, panel, show);
  show();
  const auto chosen = [&context](const QModelIndex& index) { select(context, index); };
  QObject::connect(list, &QListView::clicked, panel, chosen);
  QObject::connect(list, &QListView::activated, panel, chosen);
  return panel;
}

}  // namespace

const PanelInfo& panel_diagnostics() {
  static const PanelInfo info{"diagnostics", "Problems", Qt::BottomDockWidgetArea, 2, 0, "warning", make, 0, 250};
  return info;
}

}  // namespace hazumi
