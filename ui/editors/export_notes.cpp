#include "ui/editors/export_notes.h"

#include <QCoreApplication>

namespace hazumi {

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
