// A text field for an expression (core/math/expression.h), in a fixed font. What cannot be read is told below it as it is typed, with a caret under the
// character where it went wrong, and is not taken; Enter or leaving the field takes the rest. A button lists the names that may stand in it.
#pragma once

#include <functional>
#include <vector>

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace hazumi {

class ExpressionEdit : public QWidget {
  Q_OBJECT
 public:
  struct Name {
    QString name, help;
  };
  /// What is wrong, and at which character; an empty sentence: nothing.
  struct Fault {
    int place = 0;
    QString sentence;
  };
  using Check = std::function<Fault(const QString& text)>;

  ExpressionEdit(const QString& name, std::vector<Name> names, Check check, QWidget* parent);

  QLineEdit* edit() { return edit_; }
  QToolButton* names_button() { return names_; }
  QString fault() const;  ///< as it is shown, the caret and the sentence; empty: none
  /// Shows a value of the model; what is being typed stays.
  void set_text(const QString& text);
  void set_placeholder(const QString& text);

 signals:
  void entered(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void look();
  void place_caret();
  void take();

  Check check_;
  Fault told_;
  QLineEdit* edit_;
  QToolButton* names_;
  QLabel *caret_, *fault_;
  QString shown_;
};

}  // namespace hazumi
