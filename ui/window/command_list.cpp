#include "ui/window/command_list.h"

#include "ui/model/text.h"
#include "ui/modes/mode_bar.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const QString kArrow = QStringLiteral(" › ");

/// Without the mnemonic mark and dots.
QString bare(QString text) { return text.remove(QLatin1Char('&')).remove(QChar(0x2026)); }

ListedCommand of_menu(ActionSet& actions, const Command& row) {
  QAction* action = actions[row.id];
  const QStringList place = text_of(row.category).split(QLatin1Char('/'));
  return {text_of(row.id),
          place.first(),
          place.join(kArrow),
          bare(action->text()),
          keys_on_screen(action->shortcuts()),
          text_of(row.tip),
          action->isEnabled() ? QString() : action->statusTip(),
          action->icon(),
          [action] { action->trigger(); }};
}

ListedCommand to_mode(Viewport& view, const ModeInfo& mode) {
  UiContext& context = view.context();
  return {QStringLiteral("mode.") + text_of(mode.id),
          tr("Modes"),
          tr("Modes"),
          tr("Edit %1").arg(text_of(mode.title)),
          QStringLiteral("Tab"),
          text_of(mode.tip),
          context.elements.mode() == &mode ? tr("This mode is on.") : mode_refusal(context, mode),
          theme_icon(text_of(mode.icon)),
          [&context, &mode] { (void)context.elements.enter(mode); }};
}

ListedCommand to_objects(Viewport& view) {
  UiContext& context = view.context();
  return {QStringLiteral("mode.object"),
          tr("Modes"),
          tr("Modes"),
          tr("Back to Objects"),
          QStringLiteral("Tab"),
          tr("Select and move whole objects and lights."),
          context.elements.mode() ? QString() : tr("Objects are what is edited now."),
          theme_icon(QStringLiteral("select")),
          [&context] { context.elements.leave(); }};
}

void add_commands_of(const ModeInfo& mode, Viewport& view, std::vector<ListedCommand>& list) {
  const UiContext& context = view.context();
  const KeyMap& keys = context.actions.key_map();
  const QString group = tr("Mode %1").arg(text_of(mode.title));
  const bool on = context.elements.mode() == &mode && context.elements.object();
  const QString outside = mode_refusal(context, mode);
  const QString first = outside.isEmpty() ? tr("Only in the mode %1.").arg(text_of(mode.title)) : outside;
  for (const ModeAction& row : mode.actions) {
    const QString why = !on ? first : row.why_not ? row.why_not(view.mode_context()) : QString();
    list.push_back({text_of(row.id), group, row.menu.empty() ? group : group + kArrow + bare(text_of(row.menu)),
                    bare(text_of(row.text)), keys_on_screen(key_sequences(keys.keys(row.id, row.keys))),
                    text_of(row.tip), why, row.icon.empty() ? QIcon() : theme_icon(text_of(row.icon)),
                    [&view, &row] { (void)view.mode_bar()->trigger(row); }});
  }
  for (const ModeTool& row : mode.tools)
    list.push_back({text_of(row.id), group, group, bare(text_of(row.title)),
                    keys_on_screen(key_sequences(keys.keys(row.id, row.keys))), text_of(row.tip),
                    on ? QString() : first, theme_icon(text_of(row.icon)),
                    [&view, id = text_of(row.id)] { view.set_mode_tool(id); }});
}

}  // namespace

std::vector<ListedCommand> listed_commands(ActionSet& actions, Viewport& view) {
  std::vector<ListedCommand> list;
  for (const Command* row : actions.rows()) list.push_back(of_menu(actions, *row));
  list.push_back(to_objects(view));
  for (const ModeInfo* mode : modes_in_order()) list.push_back(to_mode(view, *mode));
  for (const ModeInfo* mode : modes_in_order()) add_commands_of(*mode, view, list);
  return list;
}

}  // namespace hazumi
