// What keys can be given to: every command of the menus, every action and tool of every edit mode.
#pragma once

#include <string_view>
#include <vector>

#include <QString>

#include "ui/model/key_map.h"

namespace hazumi {

class ActionSet;

struct KeyRow {
  std::string_view id, standard;
  QString group;  ///< "Edit", "Mode Truss"
  QString name;   ///< "Viewpoint › Front"
  QString tip;
  QString mode;  ///< title of the edit mode in which alone it has its keys; empty: a command of the menus
  QList<QKeySequence> keys(const KeyMap& map) const { return key_sequences(map.keys(id, standard)); }
  bool has_own_keys(const KeyMap& map) const;
};

std::vector<KeyRow> key_rows(const ActionSet& actions);

/// Gives it these keys; what the set says anyway is not kept.
void give_keys(KeyMap& map, const KeyRow& row, const QList<QKeySequence>& keys);

/// Who has the key among those that are heard at the same time: commands of the menus among each other, those of a mode among
/// each other. Null: nobody, or only `row` itself.
const KeyRow* holder_of(const std::vector<KeyRow>& rows, const KeyMap& map, const KeyRow& row, const QKeySequence& key);
/// Who has it otherwise: while a mode is on its keys come before those of the menus.
std::vector<const KeyRow*> shaded_by(const std::vector<KeyRow>& rows, const KeyMap& map, const KeyRow& row,
                                     const QKeySequence& key);
/// Why it cannot have the key, a sentence; empty: it can.
QString key_refusal(const KeyRow& row, const QKeySequence& key);

/// As stored, without what makes no sense there, and what that was in one sentence.
struct CheckedKeys {
  KeyMap map;
  QString problem;
};
CheckedKeys checked_keys(const std::vector<KeyRow>& rows, KeyMap stored);

}  // namespace hazumi
