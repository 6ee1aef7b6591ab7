// Keys on their way between tracks, things and scenes: text on the clipboard. Times count from the first of them.
#pragma once

#include <set>

#include <QString>

#include "ui/model/key_edits.h"

namespace hazumi {

QString copied_keys_text(const Scene& scene, const KeyTimes& keys);

struct PastedKeys {
  KeyEdit edit;
  QString why_not;  ///< one sentence when nothing was pasted
  QString left;     ///< one sentence when some found no place
};
/// From `time` (s) on. Keys of one thing go to what is selected; else they go where they are from: to the thing of that name. Keys of a box of a
/// motion graph go to those of `boxes` that have the number.
PastedKeys pasted_keys(const Scene& scene, const std::set<Id>& selected, const QString& text, double time,
                       const std::set<Id>& boxes = {});

}  // namespace hazumi
