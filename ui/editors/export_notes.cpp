#include "ui/editors/export_notes.h"

#include <cmath>

#include <QCoreApplication>

namespace hazumi {

QString time_left_text(double seconds) {
  if (!(seconds >= 0)) return {};
  if (seconds < 1) return QCoreApplication::translate("ExportDialog", "less than a second left");
  if (seconds < 90) return QCoreApplication::translate("ExportDialog", "%1 s left").arg(std::ceil(seconds));
  if (seconds < 5400)
    return QCoreApplication::translate("ExportDialog", "about %1 minutes left").arg(std::lround(seconds / 60));
  return QCoreApplication::translate("ExportDialog", "about %1 hours left").arg(seconds / 3600, 0, 'f', 1);
}

QString told_notes(const ExportResult& result) {
  constexpr std::size_t kShown = 6;
  QString text;
  const Diagnostics& notes = result.diagnostics;
  for (std::size_t i = 0; i < notes.size() && i < kShown; ++i) {
    const Diagnostic& note = notes[i];
    text +=
        QLatin1Char('\n') + QString::fromStdString(note.path.empty() ? note.message : note.path + ": " + note.message);
  }
  if (notes.size() > kShown)
    text += QLatin1Char('\n') + QCoreApplication::translate("ExportDialog", "And %1 more; hazumi-cli export lists all.")
                                    .arg(notes.size() - kShown);
  return text;
}

}  // namespace hazumi
