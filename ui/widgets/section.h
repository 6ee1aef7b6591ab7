// A section of a panel that folds away under its title and remembers whether it was open.
#pragma once

#include <QWidget>

class QToolButton;

namespace hazumi {

class Section : public QWidget {
  Q_OBJECT
 public:
  /// `key`: under which the open state is remembered, "properties/Body"; empty: not remembered.
  Section(const QString& title, const QString& key, bool open_at_first, QWidget* parent);
  QWidget* body() const { return body_; }
  QToolButton* header() const { return header_; }
  bool is_open() const;
  void set_open(bool open);

 private:
  QToolButton* header_;
  QWidget* body_;
  QString key_;
};

}  // namespace hazumi
