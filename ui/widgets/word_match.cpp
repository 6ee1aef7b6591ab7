#include "ui/widgets/word_match.h"

#include <algorithm>

#include <QRegularExpression>
#include <QStringList>

namespace hazumi {

namespace {

// Of one typed word: what fits the name is worth more than anything beside it.
constexpr int kWhole = 100, kAtStart = 80, kFirstLetters = 70, kInside = 50, kLettersOut = 40, kSlip = 30;
constexpr int kBesideWhole = 60, kBesideStart = 20, kBesideInside = 10;
constexpr int kFirstWord = 5;  // more, when it is the first word of the name

QStringList words_of(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[^\\w]+"), QRegularExpression::UseUnicodePropertiesOption);
  return text.toLower().split(between, Qt::SkipEmptyParts);
}

/// The letters in their order, the first one first, others between them.
bool letters_left_out(const QString& typed, const QString& word) {
  if (typed.size() < 3 || word.isEmpty() || typed[0] != word[0]) return false;
  qsizetype at = 0;
  for (const QChar letter : typed) {
    at = word.indexOf(letter, at) + 1;
    if (at == 0) return false;
  }
  return true;
}

/// The beginning of `word` but for one letter that is wrong, missing, too many, or in the place of the next.
bool one_slip(const QString& typed, const QString& word) {
  if (typed.size() < 4) return false;
  const auto same = std::mismatch(typed.begin(), typed.end(), word.begin(), word.end());
  const qsizetype at = same.first - typed.begin();
  if (at == 0 || at == typed.size()) return at > 0;
  const QString rest = typed.mid(at), there = word.mid(at);
  if (there.mid(1).startsWith(rest.mid(1)) || there.startsWith(rest.mid(1)) || there.mid(1).startsWith(rest))
    return true;
  return rest.size() > 1 && there.size() > 1 && rest[0] == there[1] && rest[1] == there[0] &&
         there.mid(2).startsWith(rest.mid(2));
}

int in_name(const QString& typed, const QStringList& name) {
  int best = 0;
  QString first_letters;
  for (qsizetype i = 0; i < name.size(); ++i) {
    const QString& word = name[i];
    first_letters += word[0];
    const int fits = word == typed                              ? kWhole
                     : word.startsWith(typed)                   ? kAtStart
                     : typed.size() > 1 && word.contains(typed) ? kInside
                     : letters_left_out(typed, word)            ? kLettersOut
                     : one_slip(typed, word)                    ? kSlip
                                                                : 0;
    best = std::max(best, fits > 0 && i == 0 ? fits + kFirstWord : fits);
  }
  return typed.size() > 1 && first_letters.startsWith(typed) ? std::max(best, kFirstLetters) : best;
}

int in_beside(const QString& typed, const QStringList& beside) {
  int best = 0;
  for (const QString& word : beside) {
    const int fits = word == typed                              ? kBesideWhole
                     : word.startsWith(typed)                   ? kBesideStart
                     : typed.size() > 2 && word.contains(typed) ? kBesideInside
                                                                : 0;
    best = std::max(best, fits);
  }
  return best;
}

}  // namespace

int word_match(const QString& typed, const QString& name, const QString& beside) {
  const QStringList wanted = typed.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (wanted.isEmpty()) return 1;
  const QStringList name_words = words_of(name);
  // Keys stay whole: "ctrl+d" is one word.
  static const QRegularExpression spaces(QStringLiteral("[\\s,.;:]+"));
  const QStringList beside_words = beside.toLower().split(spaces, Qt::SkipEmptyParts);
  int sum = 0;
  for (const QString& word : wanted) {
    const int fits = std::max(in_name(word, name_words), in_beside(word, beside_words));
    if (fits == 0) return 0;
    sum += fits;
  }
  return sum;
}

}  // namespace hazumi
