// The modes as a row of buttons at the top left of the viewport, and beside them the commands that the present mode wants
// at hand. A mode that does not fit the active object is grey; pressing it says why and offers what would make it fit.
#pragma once

#include <vector>

#include <QAction>
#include <QWidget>

#include "ui/modes/mode.h"

class QBoxLayout;
class QMenu;
class QToolButton;

namespace hazumi {

class ModeBar : public QWidget {
  Q_OBJECT
 public:
  ModeBar(const ModeContext& context, QWidget* parent);
  /// Null: object mode.
  QToolButton* button(const ModeInfo* mode) const;
  /// Of a command of the present mode; null: it is not in the bar.
  QToolButton* command(std::string_view id) const;
  /// Document, selection or mode changed.
  void refresh();
  /// Everything else in the viewport may need another place now.
  std::function<void()> on_resize;

  /// Commands of the present mode as menu entries, greyed with their reasons.
  void fill_menu(QMenu* menu) const;
  bool trigger(const ModeAction& action) const;

 private:
  void press(const ModeInfo* mode);
  void rebuild();

  ModeContext context_;
  std::vector<std::pair<const ModeInfo*, QToolButton*>> buttons_;
  std::vector<std::pair<const ModeAction*, QToolButton*>> commands_;
  QBoxLayout* command_row_;
  QWidget* command_box_;
  const ModeInfo* shown_ = nullptr;
};

/// Why the active object cannot be edited in this mode now, a sentence; empty: it can.
QString mode_refusal(const UiContext& context, const ModeInfo& mode);

/// Tooltip of a command: title, keys, sentence, and why it cannot be done now.
QString mode_tooltip(std::string_view title, const QString& keys, std::string_view tip, const QString& reason = {});

}  // namespace hazumi
