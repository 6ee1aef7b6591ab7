#include "ui/panels/motion_palette.h"

#include <algorithm>
#include <vector>

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/motion/kinds.h"
#include "ui/model/motion_text.h"
#include "ui/model/text.h"
#include "ui/panels/motion_canvas.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"

namespace hazumi {

namespace {

constexpr int kRoleOfEntry = Qt::UserRole + 1, kKindOfEntry = Qt::UserRole + 2;
constexpr int kPaletteRow = 20, kPaletteIcon = 15;  // logical pixels

}  // namespace

MotionPalette::MotionPalette(MotionCanvas& canvas, QWidget* parent)
    : QWidget(parent), canvas_(canvas), search_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
  setObjectName(QStringLiteral("motion_palette"));
  setMinimumWidth(120);
  search_->setObjectName(QStringLiteral("motion_search"));
  search_->setPlaceholderText(tr("Find an event or a procedure"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setToolTip(tr("Words of what you look for; Enter makes a box of the first that fits."));
  list_->setObjectName(QStringLiteral("motion_kinds"));
  list_->setHeaderHidden(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setRootIsDecorated(false);
  list_->setItemsExpandable(false);
  list_->setIndentation(8);
  list_->setIconSize(QSize(kPaletteIcon, kPaletteIcon));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->viewport()->installEventFilter(this);
  search_->installEventFilter(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  fill();
  connect(search_, &QLineEdit::textChanged, this, &MotionPalette::filter);
}

void MotionPalette::fill() {
  const auto add = [&](MotionRole role, const MotionKind& kind, const QString& heading_text) {
    QTreeWidgetItem* heading = nullptr;
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
      if (list_->topLevelItem(i)->text(0) == heading_text) heading = list_->topLevelItem(i);
    if (!heading) {
      heading = new QTreeWidgetItem(list_, {heading_text});
      heading->setFlags(Qt::ItemIsEnabled);
      heading->setForeground(0, theme_colours().quiet_text);
      QFont bold = list_->font();
      bold.setBold(true);
      heading->setFont(0, bold);
      heading->setSizeHint(0, QSize(0, kPaletteRow));
      heading->setExpanded(true);
    }
    auto* entry = new QTreeWidgetItem(heading, {text_of(kind.label)});
    entry->setIcon(0, role == MotionRole::event ? theme_icon(QStringLiteral("event"), QColor(0x8f, 0xb0, 0xd8))
                                                : theme_icon(QStringLiteral("procedure"), QColor(0x83, 0xc4, 0xa2)));
    QString tip = text_of(kind.tooltip) + QLatin1Char('\n');
    const ProcedureKind* procedure = role == MotionRole::procedure ? find_procedure_kind(kind.name) : nullptr;
    if (const QString made = procedure ? class_of_kind(*procedure) : QString(); !made.isEmpty())
      tip += made + QStringLiteral(".\n");
    entry->setToolTip(0, tip + tr("Drag it onto the canvas, or double-click it."));
    entry->setData(0, kRoleOfEntry, static_cast<int>(role));
    entry->setData(0, kKindOfEntry, text_of(kind.name));
    entry->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    entry->setSizeHint(0, QSize(0, kPaletteRow));
  };
  for (const EventKind* kind : event_kinds()) add(MotionRole::event, *kind, tr("When · %1").arg(text_of(kind->group)));
  for (const ProcedureKind* kind : procedure_kinds())
    add(MotionRole::procedure, *kind, tr("Do · %1").arg(text_of(kind->group)));
  list_->expandAll();
}

void MotionPalette::filter(const QString& typed) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* heading = list_->topLevelItem(i);
    bool any = false;
    for (int k = 0; k < heading->childCount(); ++k) {
      QTreeWidgetItem* entry = heading->child(k);
      const bool fits = word_match(typed, entry->text(0), heading->text(0) + QLatin1Char(' ') + entry->toolTip(0)) > 0;
      entry->setHidden(!fits);
      any = any || fits;
    }
    heading->setHidden(!any);
  }
}

std::optional<MotionPalette::Kind> MotionPalette::kind_of_item(const QTreeWidgetItem* item) const {
  if (!item || !item->parent()) return std::nullopt;
  return Kind{static_cast<MotionRole>(item->data(0, kRoleOfEntry).toInt()),
              item->data(0, kKindOfEntry).toString().toStdString()};
}

QRect MotionPalette::place_of(MotionRole role, std::string_view kind) const {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    for (int k = 0; k < list_->topLevelItem(i)->childCount(); ++k) {
      QTreeWidgetItem* entry = list_->topLevelItem(i)->child(k);
      if (kind_of_item(entry) != Kind{role, std::string(kind)}) continue;
      list_->scrollToItem(entry);
      return list_->visualItemRect(entry);
    }
  return {};
}

/// An entry follows the mouse onto the canvas.
bool MotionPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_) {
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape && !search_->text().isEmpty()) {
      search_->clear();
      return true;
    }
    if (key != Qt::Key_Return && key != Qt::Key_Enter) return false;
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
      for (int k = 0; k < list_->topLevelItem(i)->childCount(); ++k)
        if (QTreeWidgetItem* entry = list_->topLevelItem(i)->child(k); !entry->isHidden()) {
          const auto kind = kind_of_item(entry);
          search_->clear();
          canvas_.add(kind->first, kind->second);
          return true;
        }
    return true;
  }
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton) return false;
    press_ = mouse->position().toPoint();
    held_ = kind_of_item(list_->itemAt(press_));
    dragging_ = false;
    if (event->type() != QEvent::MouseButtonDblClick || !held_) return false;
    const Kind kind = *std::exchange(held_, std::nullopt);
    canvas_.add(kind.first, kind.second);
    return true;
  }
  if (event->type() == QEvent::MouseMove && held_) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QPoint at = mouse->position().toPoint();
    dragging_ = dragging_ || (at - press_).manhattanLength() >= QApplication::startDragDistance();
    if (dragging_) {
      const bool over = canvas_.preview(held_->first, held_->second, list_->viewport()->mapToGlobal(at));
      list_->viewport()->setCursor(over ? Qt::DragCopyCursor : Qt::ForbiddenCursor);
    }
    return true;
  }
  if (event->type() == QEvent::MouseButtonRelease && held_) {
    held_.reset();
    list_->viewport()->unsetCursor();
    if (std::exchange(dragging_, false))
      canvas_.drop(list_->viewport()->mapToGlobal(static_cast<QMouseEvent*>(event)->position().toPoint()));
    return false;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace hazumi
