// Which keys a command has: of its own, else by the chosen set, else those of its row. Keys are portable text, alternatives
// separated by ; as in the rows ("X;Del"); empty: none.
#pragma once

#include <map>
#include <string_view>

#include <QKeySequence>
#include <QList>
#include <QString>

namespace hazumi {

struct KeyMap {
  QString set = QStringLiteral("blender");  ///< "blender": the keys of the rows; "maya"
  std::map<QString, QString> own;           ///< what differs from the set, by the id of the command

  /// `standard`: of the command's row.
  QString keys(std::string_view id, std::string_view standard) const;
  /// Those of the set alone.
  QString set_keys(std::string_view id, std::string_view standard) const;
  bool operator==(const KeyMap& other) const = default;
};

struct KeySet {
  const char *id, *title, *tip;
};
inline constexpr KeySet kKeySets[] = {
    {"blender", "Blender-like", "G, R and S move, rotate and scale; A selects all."},
    {"maya", "Maya-like", "W, E and R move, rotate and scale; A and F frame what is seen; 4 is the wireframe."}};

/// Of a text with alternatives.
QList<QKeySequence> key_sequences(const QString& keys);
/// As it is shown: "Shift+D, Ctrl+D".
QString keys_on_screen(const QList<QKeySequence>& keys);
/// As it is stored.
QString key_text(const QList<QKeySequence>& keys);

}  // namespace hazumi
