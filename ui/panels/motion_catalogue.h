// The catalogue of motions (core/motion/catalogue.h): those that ship with Hazumi and those of the person's own folder, read by a worker. One is put on
// what is selected, in its size, time and mass; boxes that are selected are saved as one. Each has a small picture, on a ball, which moves
// under the mouse and when it is picked. It is put
// on what is selected, or dragged onto an object in the view.
#pragma once

#include <vector>

#include <QImage>
#include <QTimer>
#include <QVector>
#include <QWidget>

#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace hazumi {

class MotionSelection;
class ThumbnailJob;

class MotionCatalogue : public QWidget {
  Q_OBJECT
 public:
  MotionCatalogue(UiContext& context, MotionSelection& chosen, QWidget* parent);

  QTreeWidget* list() { return list_; }
  QPushButton* put_button() { return put_; }
  QPushButton* save_button() { return save_; }
  QLineEdit* name_field() { return name_; }
  int count() const { return static_cast<int>(motions_.size()); }
  /// Row of a motion of that name, for the mouse; null: there is none.
  QTreeWidgetItem* item_of(const QString& name) const;
  /// Of its moving picture; 0: it is not made yet.
  int pictures_of(const QString& name) const;

 signals:
  void was_put();  ///< boxes of a motion came, and are selected

 private:
  struct Known {
    QString file;
    bool own = false;
    Shared<Scene> motion;
    QVector<QImage> pictures = {};
  };
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void want_pictures();
  void take_pictures(const QString& file, const QVector<QImage>& pictures);
  void show_picture(QTreeWidgetItem* item, int number);
  void animate();
  void listen();
  void read();
  void take(std::vector<Known> found, const QStringList& faults);
  const Known* known_of(const QTreeWidgetItem* item) const;  ///< null: it is none, or no motion
  const Known* current() const;
  void tell();
  void tell_what_stays();
  bool eventFilter(QObject* watched, QEvent* event) override;
  Id object_below(const QPoint& global) const;  ///< in a view
  void put();
  void put_on(Id whose);
  void save();

  UiContext context_;
  MotionSelection& chosen_;
  QTreeWidget* list_;
  QLabel *about_, *said_, *stays_;
  QCheckBox *lengths_, *times_, *masses_, *model_;
  QPushButton *put_, *save_;
  QLineEdit* name_;
  std::vector<Known> motions_;
  ThumbnailJob* thumbnails_ = nullptr;
  QTimer timer_;
  int picture_ = 0;
  QTreeWidgetItem* moving_ = nullptr;
  QPoint press_;  ///< of `list_`
  bool held_ = false, dragging_ = false;
  QString wanted_;  ///< name to select when it has been read
  Worker worker_;   ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
