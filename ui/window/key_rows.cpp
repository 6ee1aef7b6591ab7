#include "ui/window/key_rows.h"

#include <algorithm>

#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/widgets/actions.h"

namespace hazumi {

namespace {

QString unmarked(std::string_view text) { return text_of(text).remove(QLatin1Char('&')).remove(QChar(0x2026)); }

bool makes_sense(const KeyRow& row, const QString& keys) {
  if (keys.isEmpty()) return true;  // none: taken away
  const QList<QKeySequence> all = key_sequences(keys);
  return std::all_of(all.begin(), all.end(), [&](const QKeySequence& key) {
    return key.count() == 1 && key[0].key() != Qt::Key_unknown && key[0].key() != 0 && key_refusal(row, key).isEmpty();
  });
}

bool clashes(const std::vector<KeyRow>& rows, const KeyMap& map, const KeyRow& row) {
  const QList<QKeySequence> keys = row.keys(map);
  return std::any_of(keys.begin(), keys.end(),
                     [&](const QKeySequence& key) { return holder_of(rows, map, row, key) != nullptr; });
}

}  // namespace

std::vector<KeyRow> key_rows(const ActionSet& actions) {
  std::vector<KeyRow> rows;
  for (const Command* command : actions.rows()) {
    QStringList place = text_of(command->category).split(QLatin1Char('/'));
    const QString group = place.takeFirst();
    place << plain_text(*command);
    rows.push_back(
        {command->id, command->keys, group, place.join(QStringLiteral(" › ")), text_of(command->tip), QString()});
  }
  for (const ModeInfo* mode : modes_in_order()) {
    const QString title = text_of(mode->title), group = tr("Mode %1").arg(title);
    for (const ModeAction& row : mode->actions) {
      const QString inside = row.menu.empty() ? QString() : unmarked(row.menu) + QStringLiteral(" › ");
      rows.push_back({row.id, row.keys, group, inside + unmarked(row.text), text_of(row.tip), title});
    }
    for (const ModeTool& row : mode->tools)
      rows.push_back({row.id, row.keys, group, unmarked(row.title), text_of(row.tip), title});
  }
  return rows;
}

bool KeyRow::has_own_keys(const KeyMap& map) const { return map.own.count(text_of(id)) > 0; }

void give_keys(KeyMap& map, const KeyRow& row, const QList<QKeySequence>& keys) {
  if (keys == key_sequences(map.set_keys(row.id, row.standard)))
    map.own.erase(text_of(row.id));
  else
    map.own[text_of(row.id)] = key_text(keys);
}

const KeyRow* holder_of(const std::vector<KeyRow>& rows, const KeyMap& map, const KeyRow& row,
                        const QKeySequence& key) {
  for (const KeyRow& other : rows)
    if (other.id != row.id && other.mode == row.mode && other.keys(map).contains(key)) return &other;
  return nullptr;
}

std::vector<const KeyRow*> shaded_by(const std::vector<KeyRow>& rows, const KeyMap& map, const KeyRow& row,
                                     const QKeySequence& key) {
  std::vector<const KeyRow*> found;
  for (const KeyRow& other : rows)
    if (other.mode.isEmpty() != row.mode.isEmpty() && other.keys(map).contains(key)) found.push_back(&other);
  return found;
}

QString key_refusal(const KeyRow& row, const QKeySequence& key) {
  if (key.count() != 1) return tr("A command has one key, not several after each other.");
  switch (key[0].key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      if (key[0].keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) return {};
      return tr("Tab always goes between objects and what is inside; another key has to be chosen.");
    case Qt::Key_Escape:
      return tr("Esc always takes back or leaves; another key has to be chosen.");
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return tr("Enter always confirms; another key has to be chosen.");
    default:
      break;
  }
  if (!row.mode.isEmpty()) return {};  // comes before the menus, while the mode is on
  for (const char* menu : {"Alt+F", "Alt+E", "Alt+D", "Alt+O", "Alt+V", "Alt+Y", "Alt+L"})
    if (key == QKeySequence(QLatin1String(menu)))
      return tr("%1 opens a menu; another key has to be chosen.").arg(key.toString(QKeySequence::NativeText));
  return {};
}

CheckedKeys checked_keys(const std::vector<KeyRow>& rows, KeyMap stored) {
  QStringList bad;
  const bool known = std::any_of(std::begin(kKeySets), std::end(kKeySets),
                                 [&](const KeySet& set) { return stored.set == QLatin1String(set.id); });
  if (!known) {
    bad << tr("the set “%1”").arg(stored.set);
    stored.set = KeyMap().set;
  }
  const auto row_of = [&](const QString& id) {
    return std::find_if(rows.begin(), rows.end(), [&](const KeyRow& row) { return text_of(row.id) == id; });
  };
  // Until nothing is found any more: what is dropped gives another command its usual keys back.
  for (bool again = true; again;) {
    again = false;
    for (auto it = stored.own.begin(); it != stored.own.end();) {
      const auto row = row_of(it->first);
      if (row != rows.end() && makes_sense(*row, it->second) && !clashes(rows, stored, *row)) {
        ++it;
        continue;
      }
      bad << (row == rows.end() ? it->first : row->name);
      it = stored.own.erase(it);
      again = true;
    }
  }
  if (bad.isEmpty()) return {stored, {}};
  const QString what = bad.size() > 3
                           ? tr("%1 and %2 more").arg(bad.mid(0, 3).join(QStringLiteral(", "))).arg(bad.size() - 3)
                           : bad.join(QStringLiteral(", "));
  return {stored, tr("Stored keys that make no sense were left out, the usual ones are back: %1. "
                     "Edit › Preferences has them all.")
                      .arg(what)};
}

}  // namespace hazumi
