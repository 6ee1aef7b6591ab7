// A row of buttons of which one is on: a choice that is seen whole.
#pragma once

#include <vector>

#include <QWidget>

class QToolButton;

namespace hazumi {

class Segments : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    QString text, icon, tooltip;
  };
  Segments(const std::vector<Entry>& entries, bool text_under_icon, QWidget* parent);
  int current() const { return current_; }
  void set_current(int index);  ///< −1: none (several owners that differ)
  QToolButton* button(int index) const { return buttons_[static_cast<std::size_t>(index)]; }

 signals:
  void picked(int index);  ///< by a person

 private:
  std::vector<QToolButton*> buttons_;
  int current_ = -1;
};

}  // namespace hazumi
