// Widgets for the rows of the field table (core/scene/values/fields.h): number, three numbers, colour, rotation, choice, tick, text.
// All show one value or, for several owners, what they have in common; what differs is shown as "—".
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <QString>
#include <QWidget>

#include "ui/model/field_spec.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace hazumi {

class ColourSwatch;
class KeyButton;
class NumberField;

class FieldWidget : public QWidget {
  Q_OBJECT
 public:
  explicit FieldWidget(FieldSpec spec, QWidget* parent);
  const FieldSpec& spec() const { return spec_; }

  /// One entry per owner, at least one. What is being typed stays.
  void set_values(std::span<const FieldValue> values);
  void set_value(const FieldValue& value) { set_values({&value, 1}); }
  /// Null: it cannot be keyed.
  KeyButton* key() const { return key_; }
  void add_key();
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
  KeyButton* key_ = nullptr;
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
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  virtual FieldValue value_of(int index) const = 0;
  QComboBox* box_;
  bool listed_ = false;  ///< its list was opened since the last key
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

/// A number that is the id of a thing of the scene.
class ThingField : public BoxField {
  Q_OBJECT
 public:
  ThingField(FieldSpec spec, QWidget* parent);

 private:
  FieldValue value_of(int index) const override;
  void show_values(std::span<const FieldValue> values) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void fill();  ///< with what there is now
  void choose(std::int64_t id);
};

class CheckField : public FieldWidget {
  Q_OBJECT
 public:
  CheckField(FieldSpec spec, QWidget* parent);
  QCheckBox* box() const { return box_; }

 private:
  void show_values(std::span<const FieldValue> values) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
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

}  // namespace hazumi
