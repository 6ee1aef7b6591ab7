// Keys go to the pane that the mouse is in: the view, or an editor of keys. Where a menu that a pane asked for closes over another one
// nobody has gone there: the pane that asked keeps the keys until the mouse moves on.
#pragma once

#include <optional>

#include <QObject>
#include <QPoint>

class QMenu;
class QWidget;

namespace hazumi {

class HoverKeys : public QObject {
  Q_OBJECT
 public:
  /// Gives the pane the keys when the mouse comes in, unless somebody types.
  explicit HoverKeys(QWidget& pane);

  /// A menu of this pane: when it closes the keys are the pane's, wherever that is.
  void asked(QMenu& menu);
  /// The mouse still is where a menu of this pane closed, outside it.
  bool keeps();
  /// Of who has the keys now.
  static bool kept_by(const QWidget* focus);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void come();

  QWidget& pane_;
  std::optional<QPoint> closed_;  ///< where on the screen, as long as the mouse is there
  bool waits_ = false;            ///< the mouse is in, and another pane keeps the keys
};

}  // namespace hazumi
