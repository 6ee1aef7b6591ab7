// Widgets for the rows of the field table (core/scene/values/fields.h): number, three numbers, colour, rotation, choice, tick, text.
// All show one value or, for several owners, what they have in common; what differs is shown as "—".
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/scene/values/fields.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace hazumi {

class NumberField;
class ColourSwatch;

/// A row of the field table without its owner type. Numbers are in stored units (radians); widgets show degrees.
struct FieldSpec {
  QString path, label, group, unit, tooltip;
  FieldType type = FieldType::number;
  double low = -1e300, high = 1e300, step = 0;
  bool low_open = false;
  std::vector<QString> choices;                       ///< text: the names that may be chosen; empty: free
  QString patterns;                                   ///< text that names a file: "*.obj *.ply"; empty: no file
  FieldValue fallback;                                ///< of a default-constructed owner
  std::function<QString(const FieldValue&)> problem;  ///< empty when the value may be set

  /// Shown number per stored number: 180/π for angles, else 1.
  double shown_scale() const;
  /// The step of a drag by a pixel, in shown units.
  double shown_step() const;
};

template <class Owner>
FieldSpec field_spec(const Field<Owner>& field);

class FieldWidget : public QWidget {
  Q_OBJECT
 public:
  explicit FieldWidget(FieldSpec spec, QWidget* parent);
  const FieldSpec& spec() const { return spec_; }

  /// One entry per owner, at least one. What is being typed stays.
  void set_values(std::span<const FieldValue> values);
  void set_value(const FieldValue& value) { set_values({&value, 1}); }
  /// The sentence in a bubble at this widget.
  void refuse(const QString& sentence);

 signals:
  /// A person set a value. component: which of three numbers, −1 all. continues: same gesture as the edit before.
  void edited(const hazumi::FieldValue& value, int component, bool continues);

 protected:
  virtual void show_values(std::span<const FieldValue> values) = 0;
  /// Emits edited() when the value may be set, else shows the sentence and returns false.
  bool offer(const FieldValue& value, int component, bool continues);
  QString tooltip_text() const;

 private:
  FieldSpec spec_;
  std::vector<FieldValue> values_;
};

/// The widget for a field's type. Never null.
FieldWidget* make_field_widget(const FieldSpec& spec, QWidget* parent);

class SingleNumberField : public FieldWidget {
  Q_OBJECT
 public:
  SingleNumberField(FieldSpec spec, QWidget* parent);
  NumberField* field() const { return field_; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  NumberField* field_;
};

/// Three numbers side by side: vector, three integers, or a rotation as angles about x, then y, then z (world axes:
/// R = Rz Ry Rx), in degrees.
class VectorField : public FieldWidget {
  Q_OBJECT
 public:
  VectorField(FieldSpec spec, QWidget* parent);
  NumberField* field(int i) const { return fields_[static_cast<std::size_t>(i)]; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  FieldValue joined(int component, double shown) const;
  std::array<double, 3> split(const FieldValue& value) const;

  std::array<NumberField*, 3> fields_{};
  FieldValue current_;
  /// Angles as they were entered, kept while the rotation is the same (180° about y is also 180° about x and z).
  mutable Vec3 angles_ = Vec3::Zero();
};

Vec3 euler_angles(const Quat& rotation);  ///< rad, R = Rz Ry Rx
Quat from_euler_angles(const Vec3& angles);

class ColourField : public FieldWidget {
  Q_OBJECT
 public:
  ColourField(FieldSpec spec, QWidget* parent);
  ColourSwatch* swatch() const { return swatch_; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  ColourSwatch* swatch_;
};

/// One of several entries of a list.
class BoxField : public FieldWidget {
  Q_OBJECT
 public:
  QComboBox* box() const { return box_; }

 protected:
  BoxField(FieldSpec spec, QWidget* parent);
  void show_entry(int index);  ///< −1: none

 private:
  virtual FieldValue value_of(int index) const = 0;
  bool eventFilter(QObject* watched, QEvent* event) override;
  QComboBox* box_;
};

class ChoiceField : public BoxField {
  Q_OBJECT
 public:
  ChoiceField(FieldSpec spec, QWidget* parent) : BoxField(std::move(spec), parent) {}

 private:
  FieldValue value_of(int index) const override { return std::int64_t{index}; }
  void show_values(std::span<const FieldValue> values) override;
};

/// A text that is one of several names (the solver).
class NameField : public BoxField {
  Q_OBJECT
 public:
  NameField(FieldSpec spec, QWidget* parent) : BoxField(std::move(spec), parent) {}

 private:
  FieldValue value_of(int index) const override;
  void show_values(std::span<const FieldValue> values) override;
};

class CheckField : public FieldWidget {
  Q_OBJECT
 public:
  CheckField(FieldSpec spec, QWidget* parent);
  QCheckBox* box() const { return box_; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  QCheckBox* box_;
};

/// A text; with patterns also a button that looks for a file.
class TextField : public FieldWidget {
  Q_OBJECT
 public:
  TextField(FieldSpec spec, QWidget* parent);
  ~TextField() override;
  QLineEdit* edit() const { return edit_; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  void commit();
  void browse();
  bool eventFilter(QObject* watched, QEvent* event) override;
  QLineEdit* edit_;
  QString shown_;
};

template <class Owner>
FieldSpec field_spec(const Field<Owner>& field) {
  const auto text = [](std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); };
  FieldSpec spec;
  spec.path = text(field.path);
  spec.label = text(field.label);
  spec.group = text(field.group);
  spec.unit = text(field.unit);
  spec.tooltip = text(field.tooltip);
  spec.type = field.type;
  spec.low = field.low;
  spec.high = field.high;
  spec.step = field.step;
  spec.low_open = field.low_open;
  for (const auto& choice : field.choices) spec.choices.push_back(text(choice));
  spec.fallback = field.get(Owner{});
  spec.problem = [&field](const FieldValue& value) { return QString::fromStdString(field_problem(field, value)); };
  return spec;
}

}  // namespace hazumi
