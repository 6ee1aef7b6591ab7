#include "ui/widgets/actions.h"

#include <algorithm>
#include <cassert>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWidget>

#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

bool takes_typing(const QObject* widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return !line->isReadOnly();
  if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget)) return !spin->isReadOnly();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
  if (const auto* text = qobject_cast<const QTextEdit*>(widget)) return !text->isReadOnly();
  return false;
}

QKeySequence pressed_keys(const QKeyEvent& keys) {
  return QKeySequence(QKeyCombination(keys.modifiers() & ~Qt::KeypadModifier, static_cast<Qt::Key>(keys.key())));
}

}  // namespace

QString plain_text(const Command& row) {
  QString text = text_of(row.text);
  text.remove(QLatin1Char('&'));
  text.remove(QChar(0x2026));
  return text;
}

QString action_tooltip(const Command& row, const QAction& action, const QString& reason) {
  QString title = plain_text(row).toHtmlEscaped();
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts()) keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
  QString html = QStringLiteral("<b>%1</b>").arg(title);
  if (!keys.isEmpty()) html += QStringLiteral("&nbsp;&nbsp;<span style='color:#9aa3ad'>%1</span>").arg(keys.first());
  html += QStringLiteral("<br>%1").arg(text_of(row.tip).toHtmlEscaped());
  if (!reason.isEmpty()) html += QStringLiteral("<br><i>%1</i>").arg(reason.toHtmlEscaped());
  return html;
}

ActionSet::ActionSet(std::span<const CommandTable* const> tables, QObject* parent) : QObject(parent) {
  std::vector<const CommandTable*> ordered(tables.begin(), tables.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const CommandTable* a, const CommandTable* b) { return a->order < b->order; });
  for (const CommandTable* table : ordered)
    for (const Command& row : table->rows) {
      auto* action = new QAction(text_of(row.text), this);
      action->setObjectName(text_of(row.id));
      action->setCheckable(!row.checked.empty());
      action->setShortcutContext(Qt::WindowShortcut);
      if (!row.icon.empty()) action->setIcon(theme_icon(text_of(row.icon)));
      action->setIconVisibleInMenu(!row.icon.empty());
      action->setStatusTip(text_of(row.tip));
      connect(action, &QAction::triggered, this, [this, &row] { run(row); });
      actions_.insert(text_of(row.id), action);
      rows_.push_back(&row);
      entries_.push_back({&row, action, {}, text_of(row.icon)});
      give_keys(entries_.back());
    }
  qApp->installEventFilter(this);
}

QAction* ActionSet::operator[](std::string_view id) const {
  QAction* action = actions_.value(text_of(id));
  assert(action && "no such action in the table");
  return action;
}

const Command& ActionSet::row(std::string_view id) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Command* row) { return row->id == id; });
  assert(found != rows_.end() && "no such command in the tables");
  return **found;
}

void ActionSet::give_keys(const Entry& entry) {
  entry.action->setShortcuts(key_sequences(key_map_.keys(entry.row->id, entry.row->keys)));
  entry.action->setToolTip(action_tooltip(*entry.row, *entry.action, entry.refusal));
}

void ActionSet::set_key_map(KeyMap map) {
  key_map_ = std::move(map);
  for (const Entry& entry : entries_) give_keys(entry);
  emit keys_changed();
}

void ActionSet::add_to(QWidget& window) {
  for (const Entry& entry : entries_) window.addAction(entry.action);
}

void ActionSet::attend(std::type_index type, void* target, QObject& life, std::function<bool()> busy) {
  targets_[type] = {target, std::move(busy)};
  connect(&life, &QObject::destroyed, this, [this, type, target] {
    if (const auto known = targets_.find(type); known != targets_.end() && known->second.address == target)
      targets_.erase(known);
  });
  refresh();
}

template <class Result>
const ActionSet::Target* ActionSet::whom(const Ask<Result>& ask) const {
  if (ask.empty()) return nullptr;
  const auto known = targets_.find(ask.target());
  return known == targets_.end() ? nullptr : &known->second;
}

void ActionSet::run(const Command& row) {
  const Target* target = whom(row.run);
  if (target && !(target->busy && target->busy())) row.run(target->address);
  refresh();  // also what Qt itself has checked
}

void ActionSet::refresh() {
  for (Entry& entry : entries_) {
    const Command& row = *entry.row;
    if (const Target* target = whom(row.text_now)) {
      const QString text = row.text_now(target->address);
      if (text != entry.action->text()) entry.action->setText(text);
    }
    if (const Target* target = whom(row.icon_now))
      if (const QString icon = row.icon_now(target->address); icon != entry.icon) {
        entry.icon = icon;
        entry.action->setIcon(theme_icon(icon));
      }
    // Qt has checked it by itself when it was triggered, also with nobody there.
    if (!row.checked.empty()) {
      const Target* target = whom(row.checked);
      entry.action->setChecked(target && row.checked(target->address));
    }
    if (const Target* target = whom(row.refusal)) {
      const QString why = row.refusal(target->address);
      if (why == entry.refusal) continue;
      entry.refusal = why;
      entry.action->setEnabled(why.isEmpty());
      entry.action->setToolTip(action_tooltip(row, *entry.action, why));
      entry.action->setStatusTip(why.isEmpty() ? text_of(row.tip) : why);
    }
  }
}

bool ActionSet::has_command(const QKeyEvent& keys) const {
  return std::any_of(entries_.begin(), entries_.end(), [pressed = pressed_keys(keys)](const Entry& entry) {
    return entry.action->isEnabled() && entry.action->shortcuts().contains(pressed);
  });
}

QString ActionSet::refusal_of(const QKeyEvent& keys) const {
  const QKeySequence pressed = pressed_keys(keys);
  for (const Entry& entry : entries_)
    if (!entry.action->isEnabled() && entry.action->shortcuts().contains(pressed)) return entry.refusal;
  return {};
}

bool ActionSet::eventFilter(QObject* watched, QEvent* event) {
  // A key typed into a field is text. Accepting the override keeps the shortcut from firing; the key then arrives as
  // an ordinary key press. Line edits do this themselves for most keys, spin boxes and editors not for all.
  if (event->type() != QEvent::ShortcutOverride || !takes_typing(watched)) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  const auto held = key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
  if (held != Qt::NoModifier) return false;
  const bool function_key = key->key() >= Qt::Key_F1 && key->key() <= Qt::Key_F35;
  if (function_key) return false;
  event->accept();
  return true;
}

}  // namespace hazumi
