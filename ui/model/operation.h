// What a command did, so that it can be done again with other numbers (last_operation.h): rows of parameters, as of a field table, and
// what they make of the scene that was there before.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "ui/model/field_spec.h"

namespace hazumi {

class Operation {
 public:
  virtual ~Operation() = default;

  struct Made {
    Scene scene;
    std::function<void()> select;  ///< what it made becomes the selection; null: that stays
    QString problem;               ///< why these numbers make nothing, a sentence; empty: they do
    QString note = {};             ///< what they made, where that is not seen: "12 keys of place"
    QString text = {};             ///< of the undo step, where these numbers give it another name; empty: it stays
  };
  virtual std::size_t row_count() const = 0;
  virtual FieldSpec spec(std::size_t row) const = 0;
  virtual bool shown(std::size_t row) const = 0;  ///< it means something beside what the others are now
  virtual FieldValue value(std::size_t row) const = 0;
  virtual void set(std::size_t row, const FieldValue& value) = 0;
  /// Always from the scene before: nothing that an earlier making left is read.
  virtual Made make(const Scene& before) const = 0;
  /// What it made was moved by `way` at once, by the same gesture. False: it has no number for that.
  virtual bool moved(const Vec3& way) = 0;
};

template <class Parameters>
using OperationRows = std::vector<const Field<Parameters>*>;

template <class Parameters>
class OperationOf final : public Operation {
 public:
  using Make = std::function<Made(const Scene& before, const Parameters&)>;
  /// `offset`: the member that takes a move of what was made; null: none does.
  OperationOf(OperationRows<Parameters> rows, Parameters parameters, Make make, Vec3 Parameters::*offset = nullptr)
      : rows_(std::move(rows)), parameters_(std::move(parameters)), make_(std::move(make)), offset_(offset) {}

  std::size_t row_count() const override { return rows_.size(); }
  FieldSpec spec(std::size_t row) const override {
    FieldSpec spec = field_spec(*rows_[row]);
    spec.fallback = first_.empty() ? value(row) : first_[row];
    return spec;
  }
  bool shown(std::size_t row) const override { return rows_[row]->shown(parameters_); }
  FieldValue value(std::size_t row) const override { return rows_[row]->get(parameters_); }
  void set(std::size_t row, const FieldValue& value) override {
    if (first_.empty())
      for (std::size_t i = 0; i < rows_.size(); ++i) first_.push_back(this->value(i));
    rows_[row]->set(parameters_, value);
  }
  Made make(const Scene& before) const override { return make_(before, parameters_); }
  bool moved(const Vec3& way) override {
    if (offset_ == nullptr) return false;
    parameters_.*offset_ += way;
    first_.clear();
    return true;
  }

 private:
  OperationRows<Parameters> rows_;
  Parameters parameters_;
  Make make_;
  Vec3 Parameters::*offset_;
  std::vector<FieldValue> first_;  ///< before anything was changed: what a field's reset goes back to
};

/// Those of a table with these paths, in this order.
template <class Parameters>
OperationRows<Parameters> rows_of(std::span<const Field<Parameters>> table,
                                  std::initializer_list<std::string_view> paths) {
  OperationRows<Parameters> rows;
  for (const std::string_view path : paths)
    if (const Field<Parameters>* row = find_field(table, path)) rows.push_back(row);
  return rows;
}

/// All of a table.
template <class Parameters>
OperationRows<Parameters> rows_of(std::span<const Field<Parameters>> table) {
  OperationRows<Parameters> rows;
  for (const Field<Parameters>& row : table) rows.push_back(&row);
  return rows;
}

}  // namespace hazumi
