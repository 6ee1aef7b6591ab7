// One quiet line above the view for what a person should know (a file that cannot be read, an edit that was refused, a
// recovery that is offered), with at most two answers. Never modal; a newer message replaces an older one.
#pragma once

#include <functional>
#include <vector>

#include <QFrame>

#include "core/base/diagnostic.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace hazumi {

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  struct Answer {
    QString text;
    std::function<void()> act;
  };
  void show_message(Severity severity, const QString& sentence, const std::vector<Answer>& answers = {});
  QString text() const;
  void dismiss();

 private:
  QLabel* icon_;
  QLabel* text_;
  QHBoxLayout* answers_;
};

}  // namespace hazumi
