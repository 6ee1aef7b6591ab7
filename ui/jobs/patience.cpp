#include "ui/jobs/patience.h"

#include <QApplication>

namespace hazumi {

QProgressDialog* patience_dialog(const QString& object_name, const QString& title, const QString& text) {
  constexpr int kPatience = 500;  // ms
  auto* dialog = new QProgressDialog(text, QProgressDialog::tr("Cancel"), 0, 0, QApplication::activeWindow());
  dialog->setObjectName(object_name);
  dialog->setWindowTitle(title);
  dialog->setWindowModality(Qt::WindowModal);
  dialog->setAutoReset(false);
  dialog->setAutoClose(false);
  dialog->setMinimumDuration(kPatience);
  return dialog;
}

void end_patience(QPointer<QProgressDialog>& dialog, QObject* listener) {
  if (!dialog) return;
  dialog->disconnect(listener);
  dialog->deleteLater();
  dialog->hide();
  dialog = nullptr;
}

}  // namespace hazumi
