// Text of tables and of the translation for the screen.
#pragma once

#include <string_view>

#include <QCoreApplication>
#include <QString>

namespace hazumi {

inline QString text_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// For functions that are no members of a QObject.
inline QString tr(const char* text) { return QCoreApplication::translate("Hazumi", text); }

}  // namespace hazumi
