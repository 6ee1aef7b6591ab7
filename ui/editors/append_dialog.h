// "Append from Scene": what a scene file holds as a list; what is marked comes into the open scene as pasted things do. The
// file is read in the background.
#pragma once

#include <QDialog>

#include "core/base/result.h"
#include "ui/jobs/open_job.h"
#include "ui/model/context.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace hazumi {

class AppendDialog : public QDialog {
  Q_OBJECT
 public:
  AppendDialog(UiContext& context, QWidget* parent);
  void read(const QString& file);
  QListWidget* list() { return list_; }

 private:
  void take(const Result<Scene>& result);
  void fill();
  void filter(const QString& text);
  void update_button();
  void append();
  /// In place of the list.
  void say(const QString& sentence);

  UiContext context_;
  QString name_;  ///< of the file
  Scene scene_;
  QLineEdit* search_;
  QListWidget* list_;
  QLabel* said_;
  QPushButton *all_, *append_;
  OpenJob job_;  ///< last: nobody is told of an answer when the dialog is gone
};

}  // namespace hazumi
