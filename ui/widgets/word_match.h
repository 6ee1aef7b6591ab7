// How well what was typed fits a name: by the words' beginnings, their first letters, letters of one word left out, one slip
// of the finger. Words that the name does not have may stand in what is said beside it.
#pragma once

#include <QString>

namespace hazumi {

/// 0: a word of `typed` is nowhere. Else the more, the better; typed words may come in any order. Nothing typed: 1.
int word_match(const QString& typed, const QString& name, const QString& beside);

}  // namespace hazumi
