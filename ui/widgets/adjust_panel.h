// "Adjust last operation" over the lower left of the view: the numbers of the undo step that was made last, as fields; other numbers
// make it anew (ui/model/last_operation.h). Only its title is there until it is opened by a click or F9; another click, or Esc, folds
// it again. What happens on it does not reach the view beneath.
#pragma once

#include <vector>

#include <QFrame>

class QGridLayout;
class QLabel;
class QToolButton;

namespace hazumi {

class DocumentController;
class FieldWidget;

class AdjustPanel : public QFrame {
  Q_OBJECT
 public:
  /// `view`: in whose lower left corner it stays.
  AdjustPanel(DocumentController& document, QWidget& view);

  /// Open, the first field has the keys. Nothing when there is no operation.
  void take_focus();
  bool is_open() const { return open_; }
  void set_open(bool open);
  /// Out of the way while a gesture has the mouse.
  void set_aside(bool aside);
  FieldWidget* field(const QString& path) const;  ///< null: this operation has none

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void rebuild();
  void show_values();
  void place();

  DocumentController& document_;
  QWidget& view_;
  QToolButton* title_;
  QWidget* body_;
  QLabel* note_ = nullptr;  ///< what it made, below its numbers
  struct Row {
    QLabel* label;
    FieldWidget* widget;
  };
  std::vector<Row> rows_;
  bool open_ = false, aside_ = false;
};

}  // namespace hazumi
