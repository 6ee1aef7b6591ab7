// One quiet line above the view for what a person should know (a file that cannot be read, an edit that was refused, a
// file that another program changed), with at most three answers. Never modal; a newer message replaces an older one. An offer stands
// until it is answered or closed: other messages lie over it, and it is seen again when they go.
#pragma once

#include <functional>
#include <optional>
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
  /// Why an edit was not taken: goes away with settle().
  void show_refusal(const QString& sentence);
  void settle();  ///< the scene is another now
  void offer(const QString& sentence, const std::vector<Answer>& answers);
  void withdraw();  ///< the offer
  QString text() const;
  void dismiss();  ///< the message; an offer stays

 private:
  struct Message {
    Severity severity = Severity::info;
    QString sentence;
    std::vector<Answer> answers;
    bool refusal = false;
  };
  void show_top();

  std::optional<Message> message_, offer_;  ///< the first lies over the second
  QLabel* icon_;
  QLabel* text_;
  QHBoxLayout* answers_;
};

}  // namespace hazumi
