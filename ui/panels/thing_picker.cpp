#include "ui/panels/thing_picker.h"

#include <algorithm>

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTimer>
#include <QToolButton>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/theme.h"

namespace hazumi {

ThingPicker::ThingPicker(UiContext& context, const QString& name, QWidget* parent)
    : QWidget(parent), context_(context), box_(new QComboBox(this)), button_(new QToolButton(this)) {
  box_->setObjectName(QStringLiteral("thing_box"));
  box_->setAccessibleName(name);
  box_->setFocusPolicy(Qt::StrongFocus);
  box_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  box_->setMinimumContentsLength(4);
  box_->setIconSize(QSize(14, 14));
  button_->setObjectName(QStringLiteral("thing_pick"));
  button_->setIcon(theme_icon(QStringLiteral("select")));
  button_->setIconSize(QSize(16, 16));
  button_->setCheckable(true);
  button_->setAutoRaise(true);
  button_->setFocusPolicy(Qt::NoFocus);
  button_->setToolTip(tr("Takes what is clicked next in the view or in the outliner; Esc gives up."));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(box_, 1);
  row->addWidget(button_);
  connect(box_, &QComboBox::activated, this, [this](int index) {
    if (index >= 0 && index < static_cast<int>(things_.size()))
      emit chosen(things_[static_cast<std::size_t>(index)].id);
  });
  connect(button_, &QToolButton::toggled, this, [this](bool on) { on ? begin() : end(true); });
  connect(&context_.selection, &Selection::changed, this, &ThingPicker::look);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { end(false); });
}

ThingPicker::~ThingPicker() { qApp->removeEventFilter(this); }

void ThingPicker::show(const std::vector<Thing>& things, Id current) {
  if (things != things_) {
    things_ = things;
    box_->clear();
    for (const Thing& thing : things_)
      box_->addItem(thing.icon.isEmpty() ? QIcon() : theme_icon(thing.icon), thing.name);
  }
  const auto at = std::find_if(things_.begin(), things_.end(), [&](const Thing& thing) { return thing.id == current; });
  box_->setPlaceholderText(at == things_.end() ? tr("missing") : QString());
  box_->setCurrentIndex(at == things_.end() ? -1 : static_cast<int>(at - things_.begin()));
}

/// Nothing is selected meanwhile, so that whatever is clicked changes the selection.
void ThingPicker::begin() {
  active_ = context_.selection.active();
  const std::set<Id> ids = context_.selection.ids();
  context_.selection.clear();
  before_ = ids;
  qApp->installEventFilter(this);
  emit context_.document.told(tr("Click an object in the view or in the outliner. Esc gives up."));
}

void ThingPicker::end(bool restore) {
  qApp->removeEventFilter(this);
  if (!before_) return;
  const std::set<Id> ids = *before_;
  before_.reset();
  if (restore) context_.selection.set(ids, active_);
  button_->setChecked(false);
  emit context_.document.told({});  // nothing is waited for any more
}

void ThingPicker::look() {
  const Id clicked = context_.selection.active();
  if (!before_ || !clicked) return;
  const bool fits =
      std::any_of(things_.begin(), things_.end(), [&](const Thing& thing) { return thing.id == clicked; });
  // Whoever handles the click is not done with the selection yet.
  QTimer::singleShot(0, this, [this, fits, clicked] {
    if (!before_) return;
    if (!fits) {
      end(true);
      emit context_.document.told(tr("That cannot be chosen here."));
      return;
    }
    end(true);
    emit chosen(clicked);
  });
}

bool ThingPicker::eventFilter(QObject* watched, QEvent* event) {
  const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (before_ && key && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    end(true);
    event->accept();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace hazumi
