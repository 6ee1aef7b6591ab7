// A number or a colour over the life of a particle, as a curve or a strip of colours with keys. A double click adds a key, a drag moves it, Delete
// takes it out; the menu resets all. What keys are and what is between them is told by whoever owns it; nothing changes here before that.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/math/types.h"

namespace hazumi {

struct LifeKey {
  double age = 0;              ///< 0…1
  double value = 0;            ///< of a curve
  Vec3 colour = Vec3::Zero();  ///< of a strip
  bool stays = false;          ///< at this age, and cannot be taken out: birth and end
  bool given = false;          ///< nor has it another value
};

class LifeBar : public QWidget {
  Q_OBJECT
 public:
  enum class Sort { curve, strip };
  LifeBar(Sort sort, QWidget* parent = nullptr);

  /// Ascending in age. `value` or `colour`: between them.
  void show_curve(std::vector<LifeKey> keys, std::function<double(double age)> value);
  void show_strip(std::vector<LifeKey> keys, std::function<Vec3(double age)> colour);
  /// Greatest value that can be set, and at least shown.
  void set_range(double most, double shown) { most_ = most, least_shown_ = shown; }
  /// "2.1 times": a value as it is said.
  void set_text(std::function<QString(double value)> text) { text_ = std::move(text); }
  void select(std::optional<std::size_t> key);
  std::optional<std::size_t> selected() const { return selected_; }
  const std::vector<LifeKey>& keys() const { return keys_; }

  QPointF place_of(std::size_t key) const;           ///< px
  QPointF place_of(double age, double value) const;  ///< of a strip whatever the value
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  void added(double age, double value);
  /// `continues`: the same drag as before.
  void moved(int key, double age, double value, bool continues);
  void removed(int key);
  void reset();
  void colour_wanted(int key);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF area() const;
  double high() const;  ///< top of the curve
  double age_at(const QPointF& at) const;
  double value_at(const QPointF& at) const;
  std::optional<std::size_t> key_at(const QPointF& at) const;
  bool can_remove(std::size_t key) const { return !keys_[key].stays; }
  QString said(const LifeKey& key) const;
  void draw_curve(QPainter& painter, const QRectF& box) const;
  void draw_strip(QPainter& painter, const QRectF& box) const;
  void show_all(std::vector<LifeKey> keys);

  Sort sort_;
  std::vector<LifeKey> keys_;
  std::function<double(double)> value_;
  std::function<Vec3(double)> colour_;
  std::function<QString(double)> text_;
  double most_ = 1, least_shown_ = 1;
  std::optional<std::size_t> selected_, held_, under_;
  bool dragging_ = false;  ///< the held key has been moved
  double held_high_ = 0;   ///< the range stays while a key is held
  LifeKey start_;          ///< the held key as it was
  QPointF press_;
};

}  // namespace hazumi
