// Whether a part of a panel can be seen. Behind another tab of its place Qt leaves it shown, beside the window: only the dock tells.
#pragma once

#include <QObject>

class QWidget;

namespace hazumi {

class Sight : public QObject {
  Q_OBJECT
 public:
  /// A child of the part, which stands in its dock already, if it is to have one.
  explicit Sight(QWidget& part);
  bool seen() const { return seen_; }

 signals:
  void changed(bool seen);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void set(bool seen);
  bool seen_ = false;
};

}  // namespace hazumi
