#include "ui/modes/mode_bar.h"

#include <map>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QMenu>
#include <QToolButton>

#include "core/scene/derived/collections.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const QString kTab = QStringLiteral("Tab");

QString plain(std::string_view text) { return text_of(text).remove(QLatin1Char('&')); }

/// The looks of the tools on the left of the viewport; `side`: which corners of a row of buttons are round.
QString looks(const QString& corners) {
  return QStringLiteral(
             "QToolButton { background: rgba(31,33,36,215); border: 1px solid rgba(0,0,0,90); padding: 3px 8px; %1 }"
             "QToolButton:hover { background: rgba(74,78,86,230); }"
             "QToolButton:checked { background: rgba(138,95,51,230); border-color: #f09a3e; }"
             "QToolButton:disabled { color: #6d727a; }"
             "QToolButton[unfit=\"true\"] { color: #7d838c; }")
      .arg(corners);
}

QToolButton* make_button(QWidget* parent, const QString& icon) {
  auto* button = new QToolButton(parent);
  button->setIcon(theme_icon(icon));
  button->setIconSize(QSize(16, 16));
  button->setFixedHeight(28);
  button->setFocusPolicy(Qt::NoFocus);
  return button;
}

}  // namespace

QString mode_refusal(const UiContext& context, const ModeInfo& mode) {
  return mode_refusal(context.document.scene(), context.selection.active(), mode);
}

QString mode_tooltip(std::string_view title, const QString& keys, std::string_view tip, const QString& reason) {
  QString html = QStringLiteral("<b>%1</b>").arg(plain(title).toHtmlEscaped());
  if (const QList<QKeySequence> all = key_sequences(keys); !all.isEmpty())
    html += QStringLiteral("&nbsp;&nbsp;<span style='color:#9aa3ad'>%1</span>")
                .arg(all.first().toString(QKeySequence::NativeText).toHtmlEscaped());
  html += QStringLiteral("<br>%1").arg(text_of(tip).toHtmlEscaped());
  if (!reason.isEmpty()) html += QStringLiteral("<br><i>%1</i>").arg(reason.toHtmlEscaped());
  return html;
}

ModeBar::ModeBar(const ModeContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setObjectName(QStringLiteral("mode_bar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  std::vector<const ModeInfo*> all{nullptr};
  for (const ModeInfo* mode : modes_in_order()) all.push_back(mode);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ModeInfo* mode = all[i];
    QToolButton* button = make_button(this, mode ? text_of(mode->icon) : QStringLiteral("select"));
    button->setObjectName(QStringLiteral("mode_") + (mode ? text_of(mode->id) : QStringLiteral("object")));
    button->setText(mode ? text_of(mode->title) : tr("Object"));
    button->setAccessibleName(button->text());
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(true);
    QString corners;
    if (i == 0) corners += QStringLiteral("border-top-left-radius: 6px; border-bottom-left-radius: 6px;");
    if (i + 1 == all.size())
      corners += QStringLiteral("border-top-right-radius: 6px; border-bottom-right-radius: 6px;");
    button->setStyleSheet(looks(corners));
    connect(button, &QToolButton::clicked, this, [this, mode] { press(mode); });
    row->addWidget(button);
    buttons_.emplace_back(mode, button);
  }
  command_box_ = new QWidget(this);
  command_row_ = new QHBoxLayout(command_box_);
  command_row_->setContentsMargins(10, 0, 0, 0);
  command_row_->setSpacing(2);
  row->addWidget(command_box_);
  connect(&context_.elements, &ElementSelection::mode_changed, this, &ModeBar::refresh);
  connect(&context_.elements, &ElementSelection::changed, this, &ModeBar::refresh);
  connect(&context_.elements, &ElementSelection::look_changed, this, &ModeBar::refresh);
  connect(&context_.ui.selection, &Selection::changed, this, &ModeBar::refresh);
  connect(&context_.ui.actions, &ActionSet::keys_changed, this, &ModeBar::refresh);
  connect(&context_.ui.document, &DocumentController::changed, this, &ModeBar::refresh);
  connect(&context_.ui.document, &DocumentController::document_replaced, this, &ModeBar::refresh);
  refresh();
}

QToolButton* ModeBar::button(const ModeInfo* mode) const {
  for (const auto& [info, button] : buttons_)
    if (info == mode) return button;
  return nullptr;
}

QToolButton* ModeBar::command(std::string_view id) const {
  for (const auto& [action, button] : commands_)
    if (action->id == id) return button;
  return nullptr;
}

void ModeBar::rebuild() {
  shown_ = context_.elements.mode();
  for (const auto& [action, button] : commands_) delete button;
  commands_.clear();
  if (shown_)
    for (const ModeAction& action : shown_->actions) {
      if (!action.in_bar) continue;
      QToolButton* button = make_button(command_box_, text_of(action.icon));
      button->setObjectName(text_of(action.id));
      button->setAccessibleName(plain(action.text));
      if (action.icon.empty()) {
        button->setText(plain(action.text));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
      } else {
        button->setFixedWidth(32);
      }
      button->setCheckable(action.checked != nullptr);
      button->setStyleSheet(looks(QStringLiteral("border-radius: 6px;")));
      connect(button, &QToolButton::clicked, this, [this, wanted = &action] { (void)trigger(*wanted); });
      command_row_->addWidget(button);
      button->show();
      commands_.emplace_back(&action, button);
    }
  command_box_->setVisible(!commands_.empty());
}

void ModeBar::refresh() {
  const ModeInfo* now = context_.elements.mode();
  const KeyMap& keys = context_.ui.actions.key_map();
  if (now != shown_) rebuild();
  command_box_->setVisible(!commands_.empty());
  for (const auto& [mode, button] : buttons_) {
    button->setChecked(mode == now);
    const QString why = mode ? mode_refusal(context_.ui, *mode) : QString();
    const bool unfit = !why.isEmpty();
    if (button->property("unfit").toBool() != unfit || !button->property("unfit").isValid()) {
      button->setProperty("unfit", unfit);
      button->setIcon(theme_icon(mode ? text_of(mode->icon) : QStringLiteral("select")));
      button->setStyleSheet(button->styleSheet());  // style sheets read properties only when they are set
    }
    button->setToolTip(mode ? mode_tooltip(mode->title, mode == now || !unfit ? kTab : QString(), mode->tip, why)
                            : mode_tooltip("Object", kTab, "Select and move whole objects and lights."));
    button->setStatusTip(unfit ? why : mode ? text_of(mode->tip) : tr("Select and move whole objects and lights."));
  }
  for (const auto& [action, button] : commands_) {
    const QString why = action->why_not && context_.object() ? action->why_not(context_) : QString();
    button->setEnabled(why.isEmpty());
    button->setToolTip(mode_tooltip(action->text, keys.keys(action->id, action->keys), action->tip, why));
    button->setStatusTip(why.isEmpty() ? text_of(action->tip) : why);
    if (action->checked && context_.object()) button->setChecked(action->checked(context_));
  }
  adjustSize();
  if (on_resize) on_resize();
}

void ModeBar::press(const ModeInfo* mode) {
  if (!mode) {
    context_.elements.leave();
    refresh();
    return;
  }
  const QString why = context_.elements.enter(*mode);
  refresh();
  if (why.isEmpty()) return;
  const Object* object = find_object(context_.ui.document.scene(), context_.ui.selection.active());
  const QString remedy = object && !Standing(context_.ui.document.scene()).locked(*object) && mode->remedy
                             ? mode->remedy(*object)
                             : QString();
  if (remedy.isEmpty()) {
    Bubble::show_at(button(mode), why);
    return;
  }
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("mode_remedy"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(why)->setEnabled(false);
  const Id id = object->id;
  connect(menu->addAction(theme_icon(text_of(mode->icon)), remedy), &QAction::triggered, this,
          [this, mode, id, remedy] {
            DocumentController& document = context_.ui.document;
            const QString name = QString::fromStdString(find_object(document.scene(), id)->name);
            const Status done = document.edit_object(QStringLiteral("%1: %2").arg(name, remedy), id,
                                                     [&](Object& o) { mode->apply_remedy(o, document.meshes()); });
            if (done.ok()) (void)context_.elements.enter(*mode);
            refresh();
          });
  menu->popup(button(mode)->mapToGlobal(QPoint(0, button(mode)->height() + 2)));
}

bool ModeBar::trigger(const ModeAction& action) const {
  if (!context_.object()) return false;
  const QString why = action.why_not ? action.why_not(context_) : QString();
  if (!why.isEmpty()) return false;
  action.run(context_);
  return true;
}

void ModeBar::fill_menu(QMenu* menu) const {
  if (!context_.elements.mode() || !context_.object()) return;
  std::map<std::string_view, QMenu*> submenus;
  for (const ModeAction& row : context_.elements.mode()->actions) {
    QMenu* place = menu;
    if (!row.menu.empty()) {
      QMenu*& submenu = submenus[row.menu];
      if (!submenu) {
        if (row.separated) menu->addSeparator();
        submenu = menu->addMenu(text_of(row.menu));
        submenu->setToolTipsVisible(true);
      }
      place = submenu;
    } else if (row.separated) {
      menu->addSeparator();
    }
    const QString why = row.why_not ? row.why_not(context_) : QString();
    QAction* action = place->addAction(text_of(row.text));
    action->setObjectName(text_of(row.id));
    if (!row.icon.empty()) action->setIcon(theme_icon(text_of(row.icon)));
    // Shown only: the viewport itself reads the keys of a mode.
    if (const auto keys = key_sequences(context_.ui.actions.key_map().keys(row.id, row.keys)); !keys.isEmpty())
      action->setText(action->text() + QLatin1Char('\t') + keys.first().toString(QKeySequence::NativeText));
    action->setEnabled(why.isEmpty());
    action->setToolTip(mode_tooltip(row.text, {}, row.tip, why));
    action->setStatusTip(why.isEmpty() ? text_of(row.tip) : why);
    if (row.checked) {
      action->setCheckable(true);
      action->setChecked(row.checked(context_));
    }
    connect(action, &QAction::triggered, this, [this, wanted = &row] { (void)trigger(*wanted); });
  }
}

}  // namespace hazumi
