#include "ui/model/motion_text.h"

#include <algorithm>
#include <cmath>

#include "core/motion/check.h"
#include "core/motion/classes.h"
#include "ui/model/commands.h"
#include "ui/model/motion_commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

QString choice_text(const MotionParameter* own, const ParameterRow& row) {
  if (own && !own->word.empty()) return QString::fromStdString(own->word);
  const double number = own ? own->number : row.fallback;
  const auto index = static_cast<std::size_t>(std::max(0.0, std::round(number)));
  return index < row.choices.size() ? text_of(row.choices[index]) : QString::number(number);
}

/// Of a box that tells a number: which, and what it is set to; empty: another parameter.
QString told_text(const MotionNode& node, const ParameterRow& row) {
  const MotionKind* kind = kind_of(node);
  if (!kind || kind->other != OtherUse::number) return {};
  const SettableNumber& number = number_of_box(node);
  if (row.name == "number") return text_of(number.label);
  const MotionParameter* own = find_parameter(node, row.name);
  if (row.name != "to" || (own && !own->word.empty())) return {};
  const double to = own ? own->number : row.fallback;
  if (number.is_switch()) return to >= 0.5 ? tr("on") : tr("off");
  const QString text = QString::number(to, 'g', 6);
  if (number.range.unit.empty()) return text;
  return text + (number.is_angle() ? QString() : QStringLiteral(" ")) + text_of(number.range.unit);
}

QString number_text(double number, const ParameterRow& row) {
  const bool angle = row.unit.substr(0, 2) == "\xc2\xb0";
  const QString text = QString::number(angle ? number * 180 / kPi : number, 'g', 6);
  if (row.unit.empty()) return text;
  return text + (angle ? QString() : QStringLiteral(" ")) + text_of(row.unit);
}

}  // namespace

QString parameter_text(const MotionNode& node, const ParameterRow& row) {
  if (const QString told = told_text(node, row); !told.isEmpty()) return told;
  const MotionParameter* own = find_parameter(node, row.name);
  if (row.type == FieldType::choice) return choice_text(own, row);
  if (own && !own->word.empty()) return QStringLiteral("= ") + QString::fromStdString(own->word);
  const double number = own ? own->number : row.fallback;
  if (row.type == FieldType::boolean) return number != 0 ? tr("yes") : tr("no");
  return number_text(number, row);
}

QString owner_text(const Scene& scene, const MotionNode& node) {
  const QString name = name_of(scene, Id{node.object});
  return name.isEmpty() ? tr("nobody") : name;
}

QString other_text(const Scene& scene, const MotionNode& node) {
  const MotionKind* of = kind_of(node);
  if (of && of->other == OtherUse::number) {
    const NumberOf owner = number_of_box(node).of;
    if (owner == NumberOf::object) return owner_text(scene, node);
    if (owner == NumberOf::scene) return tr("the scene");
  }
  const QString name = name_of(scene, Id{node.other});
  if (!name.isEmpty()) return name;
  const MotionKind* kind = kind_of(node);
  if (kind && kind->other == OtherUse::anything && kind->places == MotionPlaces::xyz) {  // else it is a place
    QStringList numbers;
    for (const ParameterRow& row : kind->parameters)
      if (row.name == "x" || row.name == "y" || row.name == "z") numbers.push_back(parameter_text(node, row));
    return numbers.join(QStringLiteral(", "));
  }
  if (!kind || kind->other == OtherUse::anything) return tr("anything");
  if (kind->other == OtherUse::source) return tr("no source");
  if (kind->other == OtherUse::camera) return tr("no camera");
  if (kind->other == OtherUse::sound) return tr("no sound");
  if (kind->other == OtherUse::marker) return tr("no marker");
  return kind->other == OtherUse::curve ? tr("no curve") : tr("nothing");
}

std::vector<SentencePart> sentence_of_box(const Scene& scene, const MotionNode& node, Id object, Id other) {
  const MotionKind* kind = kind_of(node);
  if (!kind) return {{tr("Nobody knows what \"%1\" is.").arg(QString::fromStdString(node.kind)), {}}};
  const bool switches = kind->other == OtherUse::number && number_of_box(node).is_switch();
  const QString sentence = switches ? tr("switch {to} {with}") : text_of(kind->sentence);
  std::vector<SentencePart> parts;
  for (qsizetype at = 0; at < sentence.size();) {
    const qsizetype open = sentence.indexOf(QLatin1Char('{'), at);
    const qsizetype close = open < 0 ? -1 : sentence.indexOf(QLatin1Char('}'), open);
    if (close < 0) {
      parts.push_back({sentence.mid(at), {}});
      break;
    }
    if (open > at) parts.push_back({sentence.mid(at, open - at), {}});
    const QString field = sentence.mid(open + 1, close - open - 1);
    QString text = field;
    if (field == QLatin1String("of"))
      text = object ? name_of(scene, object) : owner_text(scene, node);
    else if (field == QLatin1String("with"))
      text = other ? name_of(scene, other) : other_text(scene, node);
    else
      for (const ParameterRow& row : kind->parameters)
        if (text_of(row.name) == field) text = parameter_text(node, row);
    parts.push_back({text, field});
    at = close + 1;
  }
  if (!parts.empty() && parts[0].field.isEmpty() && !parts[0].text.isEmpty())
    parts[0].text[0] = parts[0].text[0].toUpper();
  return parts;
}

QString happened_text(const Scene& scene, const MotionNode& node, Id object, Id other) {
  std::vector<SentencePart> parts = sentence_of_box(scene, node, object, other);
  const auto with = std::find_if(parts.begin(), parts.end(),
                                 [](const SentencePart& part) { return part.field == QLatin1String("with"); });
  if (with != parts.end()) parts.erase(with + 1, parts.end());
  QString text = text_of_parts(parts);
  for (const char* word : {"When ", "If "})
    if (text.startsWith(QLatin1String(word)))
      text = text.mid(static_cast<qsizetype>(std::char_traits<char>::length(word)));
  return text;
}

QString text_of_parts(const std::vector<SentencePart>& parts) {
  QString text;
  for (const SentencePart& part : parts) text += part.text;
  return text;
}

namespace {

QString class_sentence(const ProcedureKind& kind, const QString& processed) {
  if (processed.isEmpty()) return {};
  QString parents = QString::fromStdString(class_text(kind));
  if (parents.isEmpty()) return hazumi::tr("Processed %1").arg(processed);
  parents[0] = parents[0].toUpper();
  return hazumi::tr("%1; processed %2").arg(parents, processed);
}

}  // namespace

QString class_of_kind(const ProcedureKind& kind) {
  return class_sentence(kind, QString::fromStdString(processing_text(kind)));
}

QString class_of_box(const MotionNode& node) {
  const ProcedureKind* kind = node.role == MotionRole::procedure ? find_procedure_kind(node.kind) : nullptr;
  if (!kind) return {};
  const std::size_t at = processing_of(kind->parameters);
  if (at == kind->parameters.size()) return class_of_kind(*kind);
  const MotionParameter* own = find_parameter(node, "processing");
  return class_sentence(*kind, own && !own->word.empty()
                                   ? QString::fromStdString(own->word)
                                   : text_of(kProcessings[kind->parameters[at].fallback != 0 ? 1 : 0]));
}

bool has_arguments(const MotionNode& node) {
  const MotionKind* kind = kind_of(node);
  if (!kind) return !node.parameters.empty();
  return std::any_of(kind->parameters.begin(), kind->parameters.end(), [&](const ParameterRow& row) {
    const MotionParameter* own = find_parameter(node, row.name);
    if (!own) return false;
    return !own->word.empty() || own->number != row.fallback;
  });
}

QString condition_text(const MotionNode& node) { return QString::fromStdString(node.condition).simplified(); }

}  // namespace hazumi
