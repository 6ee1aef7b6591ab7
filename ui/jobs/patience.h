// The window of a job that works in the background: it comes when the job takes longer than a moment, and its button calls it off.
#pragma once

#include <QPointer>
#include <QProgressDialog>

namespace hazumi {

/// Shows itself after half a second; how far the job is, is not known (its bar runs to and fro) until a maximum is set.
QProgressDialog* patience_dialog(const QString& object_name, const QString& title, const QString& text);
/// It goes, and says nothing more to `listener`. Null: there is none.
void end_patience(QPointer<QProgressDialog>& dialog, QObject* listener);

}  // namespace hazumi
