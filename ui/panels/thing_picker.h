// A list of things of the scene of which one is chosen, with a button that takes the next one that is clicked in the view or in the outliner.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include <QWidget>

#include "core/base/id.h"
#include "ui/model/context.h"

class QComboBox;
class QToolButton;

namespace hazumi {

class ThingPicker : public QWidget {
  Q_OBJECT
 public:
  struct Thing {
    Id id;  ///< none: what stands for none
    QString name, icon;
    friend bool operator==(const Thing&, const Thing&) = default;
  };
  ThingPicker(UiContext& context, const QString& name, QWidget* parent);
  ~ThingPicker() override;

  QComboBox* box() { return box_; }
  QToolButton* button() { return button_; }
  /// `current` that is none of them is told as missing.
  void show(const std::vector<Thing>& things, Id current);

 signals:
  void chosen(hazumi::Id id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void begin();
  void end(bool restore);
  void look();

  UiContext context_;
  QComboBox* box_;
  QToolButton* button_;
  std::vector<Thing> things_;
  std::optional<std::set<Id>> before_;  ///< what was selected when it began to wait for a click
  Id active_;
};

}  // namespace hazumi
