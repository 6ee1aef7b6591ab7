// What is seen when there is no document yet: the gallery of shipped scenes with thumbnails that move under the mouse, the
// files used last, New and Open; a search among them. It lies over the whole window below the menu bar.
#pragma once

#include <memory>

#include <QTimer>
#include <QWidget>

class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QModelIndex;

namespace hazumi {

class MeshStore;
class Settings;
class ThumbnailJob;

class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(Settings& settings, std::shared_ptr<MeshStore> meshes, QWidget* parent);
  ~StartPage() override;

  void refresh();  ///< reads folder and recent files again
  void stop();     ///< no more work in the background
  void show_problem(const QString& sentence);
  QListWidget* gallery() { return gallery_; }
  QListWidget* recent() { return recent_; }

 signals:
  void open_wanted(const QString& file);
  void new_wanted();
  void browse_wanted();
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QWidget* make_side();
  QLayout* make_gallery();
  QListWidgetItem* item_of(const QString& file) const;
  QListWidgetItem* best_fit() const;
  int how_it_fits(const QListWidgetItem& item) const;
  void filter();
  bool search_key(const QObject* watched, QKeyEvent* event);
  void animate();

  Settings& settings_;
  std::shared_ptr<MeshStore> meshes_;
  QListWidget* gallery_;
  QListWidget* recent_;
  QLabel* recent_title_;
  QLabel* problem_;
  QLabel* empty_;
  QLabel* count_;
  QLineEdit* search_;
  QTimer timer_;
  int picture_ = 0;
  ThumbnailJob* thumbnails_ = nullptr;
};

}  // namespace hazumi
