// A number that is dragged, typed, stepped or wheeled. Shows value and unit in one dense line.
//   drag left/right        changes it (Shift: a tenth, Ctrl: tenfold)
//   click, Enter, Tab      types; an expression ("2*3") will do; Esc gives up
//   up/down keys, wheel    steps (the wheel only while the field has the focus, so that scrolling a panel is safe)
//   right click            reset to default, copy, paste
// What is typed and cannot be taken is refused with a sentence in a bubble and the old value stays. A drag or a step that the
// range ends goes as far as it may, and a quiet bubble says the range: one for a drag.
#pragma once

#include <functional>

#include <QWidget>

class QLineEdit;

namespace hazumi {

class NumberField : public QWidget {
  Q_OBJECT
 public:
  explicit NumberField(QWidget* parent = nullptr);

  double value() const { return value_; }
  bool mixed() const { return mixed_; }
  bool editing() const;
  QString shown_text() const;

  void set_name(const QString& name);  ///< for refusals and assistive technology: "Mass"
  void set_unit(const QString& unit);
  /// Inclusive; low_open: `low` itself is not allowed.
  void set_range(double low, double high, bool low_open = false);
  /// Of a drag by one pixel; ≤ 0: one percent of the value.
  void set_step(double step);
  void set_integer(bool integer);
  void set_default(double value);
  void set_prefix(const QString& text, const QColor& colour);  ///< "x" in front, for vectors
  /// Why a value cannot be taken, empty when it can. Asked in addition to the range.
  void set_problem(std::function<QString(double)> problem) { problem_ = std::move(problem); }

  /// Takes what is typed behind "=", where there may be an expression in place of the number; it answers why it cannot be taken.
  void set_words(std::function<QString(const QString&)> words) { words_ = std::move(words); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public slots:
  /// Shows a value of the model; what is being typed stays.
  void set_value(double value);
  void set_mixed(bool mixed);

 signals:
  /// `continues`: same gesture as the edit before (one undo step).
  void edited(double value, bool continues);
  void gesture_finished();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  bool event(QEvent* event) override;

 private:
  void start_typing();
  bool nothing() const;  ///< it is what sums leave of 0, and shown as that
  void finish_typing(bool accept);
  /// Takes a value from a person: checks it, shows a bubble when it cannot be taken.
  bool take(double value, bool continues);
  QString why_not(double value) const;
  double stepped(double from, double pixels) const;  ///< may be beyond the range
  double clamped(double value) const;
  void step(double pixels, bool continues);
  bool beyond(double value) const;
  QString range_sentence() const;
  QString unit_text() const;
  int prefix_width() const;

  QString name_, unit_, prefix_;
  QColor prefix_colour_;
  double value_ = 0, low_ = -1e300, high_ = 1e300, step_ = 0, default_ = 0;
  bool low_open_ = false, integer_ = false, has_default_ = false, mixed_ = false;
  std::function<QString(double)> problem_;
  std::function<QString(const QString&)> words_;

  QLineEdit* edit_ = nullptr;  ///< made when first needed: a panel has a hundred fields
  QString typed_before_;
  bool pressed_ = false, dragging_ = false, moved_ = false, told_ = false, finishing_ = false;
  double press_x_ = 0, drag_from_ = 0, drag_pixels_ = 0, last_x_ = 0;
  qint64 last_wheel_ = -1;
};

}  // namespace hazumi
