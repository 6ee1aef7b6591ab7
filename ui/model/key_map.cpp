#include "ui/model/key_map.h"

#include <QStringList>

#include "ui/model/text.h"

namespace hazumi {

namespace {

struct SetKey {
  std::string_view id, keys;
};

// What had these keys gives way: nothing in a mode hides a transform or the framing.
constexpr SetKey kMaya[] = {
    {"object.move", "W"},
    {"object.rotate", "E"},
    {"object.scale", "R"},
    {"tool.select", "Q"},
    {"tool.rotate", "Shift+E"},
    {"tool.scale", "Shift+R"},
    {"view.frame_all", "A;Home"},
    {"view.frame_selected", "F;.;Num+."},
    {"view.wireframe", "4"},
    {"view.shade_both", "5"},
    {"view.ortho", "Num+5;Alt+5"},
    {"edit.undo", "Z;Ctrl+Z"},
    {"edit.redo", "Shift+Z;Ctrl+Y;Ctrl+Shift+Z"},
    {"edit.duplicate", "Ctrl+D;Shift+D"},
    {"edit.delete", "Del;Backspace"},
    {"edit.select_all", "Ctrl+A;Ctrl+Shift+A"},
    {"edit.select_none", "Alt+A"},
    {"edit.hide", "Ctrl+H"},
    {"edit.show_all", "Ctrl+Shift+H;Alt+H"},
    {"play.back", "Alt+,;Left"},
    {"play.forward", "Alt+.;Right"},
    {"object.parent", "P"},
    {"object.clear_parent", "Shift+P"},
    {"bones.extrude", "Ctrl+Shift+E"},
    {"bones.parent", "P"},
    {"bones.free", "Shift+P"},
    {"truss.connect", "Shift+F"},
};

}  // namespace

QString KeyMap::set_keys(std::string_view id, std::string_view standard) const {
  if (set == QLatin1String("maya"))
    for (const SetKey& row : kMaya)
      if (row.id == id) return text_of(row.keys);
  return text_of(standard);
}

QString KeyMap::keys(std::string_view id, std::string_view standard) const {
  const auto mine = own.find(text_of(id));
  return mine != own.end() ? mine->second : set_keys(id, standard);
}

QList<QKeySequence> key_sequences(const QString& keys) {
  QList<QKeySequence> all;
  for (const QString& key : keys.split(QLatin1Char(';'), Qt::SkipEmptyParts))
    all << QKeySequence(key, QKeySequence::PortableText);
  return all;
}

QString keys_on_screen(const QList<QKeySequence>& keys) {
  QStringList all;
  for (const QKeySequence& key : keys) all << key.toString(QKeySequence::NativeText);
  return all.join(QStringLiteral(", "));
}

QString key_text(const QList<QKeySequence>& keys) {
  QStringList all;
  for (const QKeySequence& key : keys) all << key.toString(QKeySequence::PortableText);
  return all.join(QLatin1Char(';'));
}

}  // namespace hazumi
