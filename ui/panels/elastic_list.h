// The list of elastic models that a field offers: each with its name, what it is for, and a small picture of a bar that bends by it, which
// moves while the list is open.
#pragma once

#include <QObject>
#include <QTimer>

#include "ui/jobs/elastic_pictures.h"

class QComboBox;

namespace hazumi {

class ElasticList : public QObject {
  Q_OBJECT
 public:
  /// Of a box whose entries have the solvers' names in files as their data. Is the box's child.
  explicit ElasticList(QComboBox* box);

  const ElasticPictures& pictures() const { return pictures_; }
  int shown() const { return shown_; }  ///< number of the picture that is shown

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;

  QComboBox* box_;
  ElasticPictures pictures_;
  QTimer timer_;
  int shown_ = 0;
};

}  // namespace hazumi
