// A row of a field table (core/scene/values/fields.h) without its owner's type: what a widget must know of it.
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "core/scene/values/fields.h"
#include "ui/model/text.h"

namespace hazumi {

/// Numbers are in stored units (radians); widgets show degrees.
struct FieldSpec {
  QString path, label, group, unit, tooltip;
  FieldType type = FieldType::number;
  double low = -1e300, high = 1e300, step = 0;
  bool low_open = false, keyable = false;
  Refers refers = Refers::nothing;
  std::vector<QString> choices;  ///< text: the names that may be chosen; empty: free
  /// Number that is the id of a thing: those that may be chosen now, and what stands for none.
  struct Named {
    std::int64_t id = 0;
    QString name;
  };
  std::function<std::vector<Named>()> things;
  QString patterns;                                   ///< text that names a file: "*.obj *.ply"; empty: no file
  QString folder = QStringLiteral("mesh");            ///< under which the folder of such files is remembered
  FieldValue fallback;                                ///< of a default-constructed owner
  std::function<QString(const FieldValue&)> problem;  ///< empty when the value may be set

  /// Shown number per stored number: 180/π for angles, else 1.
  double shown_scale() const { return unit.startsWith(QChar(0xb0)) ? 180.0 / kPi : 1.0; }
  /// The step of a drag by a pixel, in shown units.
  double shown_step() const { return unit.startsWith(QChar(0xb0)) ? 0.5 : step; }
};

template <class Owner>
FieldSpec field_spec(const Field<Owner>& field) {
  FieldSpec spec;
  spec.path = text_of(field.path);
  spec.label = text_of(field.label);
  spec.group = text_of(field.group);
  spec.unit = text_of(field.unit);
  spec.tooltip = text_of(field.tooltip);
  spec.type = field.type;
  spec.low = field.low;
  spec.high = field.high;
  spec.step = field.step;
  spec.low_open = field.low_open;
  spec.keyable = field.keyable;
  spec.refers = field.refers;
  for (const auto& choice : field.choices) spec.choices.push_back(text_of(choice));
  spec.fallback = field.get(Owner{});
  spec.problem = [&field](const FieldValue& value) { return QString::fromStdString(field_problem(field, value)); };
  return spec;
}

}  // namespace hazumi
