// A diagnostic as the one sentence that a person reads.
#pragma once

#include <QString>

#include "core/base/diagnostic.h"

namespace hazumi {

inline QString sentence_of(const Diagnostic& diagnostic) {
  QString text = QString::fromStdString(diagnostic.message);
  if (!diagnostic.hint.empty()) text += QLatin1Char(' ') + QString::fromStdString(diagnostic.hint);
  return text;
}

}  // namespace hazumi
