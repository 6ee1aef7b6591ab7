// Pictures to choose from, in rows under headings, as many in a row as fit: the material presets.
#pragma once

#include <vector>

#include <QImage>
#include <QMap>
#include <QWidget>

namespace hazumi {

class SwatchGrid : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    QString key, text, group;
  };
  explicit SwatchGrid(QWidget* parent = nullptr);
  /// Entries of a group stand together.
  void set_entries(std::vector<Entry> entries);
  const std::vector<Entry>& entries() const { return entries_; }
  void set_picture(const QString& key, const QImage& picture);
  void set_current(const QString& key);
  QString current() const { return current_; }
  QRect entry_rect(const QString& key) const;  ///< empty: no such entry
  static constexpr int kSize = 38;             ///< logical pixels of a cell

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {260, heightForWidth(260)}; }

 signals:
  void picked(const QString& key);
  void context_menu(const QString& key, const QPoint& global);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Place {
    QRect cell;
    int entry;  ///< −1: heading
    QString text;
  };
  std::vector<Place> layout_for(int width, int* height) const;
  int entry_at(const QPoint& at) const;

  std::vector<Entry> entries_;
  std::vector<Place> places_;
  QMap<QString, QImage> pictures_;
  QString current_;
  int hovered_ = -1;
};

}  // namespace hazumi
