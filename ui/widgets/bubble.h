// A small bubble with one sentence, at the widget that it speaks of: why an entry was refused, or, quietly, what became of it. Takes no focus and no
// clicks, which reach what lies under it; goes away by itself, with the next entry, or with the next click anywhere.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;

namespace hazumi {

class Bubble : public QFrame {
  Q_OBJECT
 public:
  /// Shows `sentence` under `at` (above it when there is no room). One bubble at a time in a program.
  static void show_at(QWidget* at, const QString& sentence);
  /// The same in the colours of the panels and for a shorter time: nothing was refused.
  static void tell_at(QWidget* at, const QString& sentence);
  static void hide_all();
  /// The sentence that is shown for a widget of this window now; empty: none.
  static QString shown_text();

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Bubble(QWidget* at, const QString& sentence, bool quiet);
  static void put(QWidget* at, const QString& sentence, bool quiet);

  QLabel* label_;
  QTimer timer_;
  QPointer<QWidget> at_;
  bool above_ = false, quiet_ = false;
};

}  // namespace hazumi
