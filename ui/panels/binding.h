// A table of fields, the owners that are shown, and the widgets between them. Widgets follow the owners: what differs is shown
// as "—", what does not apply to all is hidden. What a person enters is set in all of them by one undo step, "LABEL of
// SUBJECT". Edits of one drag join. A refusal is said in a bubble at the widget, which goes back to what is true.
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <span>
#include <vector>

#include <QGridLayout>
#include <QLabel>
#include <QObject>

#include "core/scene/diff.h"
#include "core/scene/values/fields.h"
#include "ui/model/context.h"
#include "ui/model/keying.h"
#include "ui/model/text.h"
#include "ui/widgets/field_form.h"

class QMenu;

namespace hazumi {

/// Of one kind (objects, lights, bones, the settings …): which are shown, and how they are changed in a scene.
template <class Owner>
struct Owners {
  using List = std::vector<const Owner*>;
  /// In the open scene, the active one first; valid until the next edit.
  std::function<List()> shown;
  /// Does `change` to these in a copy of the open scene.
  std::function<void(Scene& next, const List& these, const std::function<void(Owner&)>& change)> change;
  /// Of whom undo steps speak: "Ball", "3 objects". Empty: the text of the edit says it all.
  std::function<QString(const List& these)> subject;
  /// A shown one, or which are shown, may be another after this edit.
  std::function<bool(const ChangeSet&)> touched;
};

/// What does not depend on the kind of owner.
class BindingBase : public QObject {
  Q_OBJECT
 public:
  /// Shows the owners as they are now.
  void refresh();
  /// Of whom undo steps speak: "Ball", "3 objects".
  virtual QString subject() const = 0;
  /// The next edit is a step of its own, even if it says that it continues one.
  void end_gesture() { gesture_ = 0; }

 signals:
  /// After the widgets were refreshed: another selection, or an edit, undo or redo touched a shown owner.
  void shown_changed();

 protected:
  BindingBase(UiContext& context, QObject* parent);
  const Scene& scene() const;
  bool commit(const QString& text, const QString& subject, Scene next, bool continues, QWidget* at);
  using Places = std::function<std::vector<KeyPlace>()>;
  /// The diamond of a widget sets, deletes and shows keys there. Nothing to do where it has none.
  void bind_key(FieldWidget& widget, Places places);
  void show_key(FieldWidget& widget, const std::vector<KeyPlace>& places) const;
  virtual void show_values() = 0;
  virtual bool touched(const ChangeSet& change) const = 0;

 private:
  void add_sets(QMenu& menu, const std::string& field);
  void key_menu(FieldWidget& widget, const std::vector<KeyPlace>& places, QPoint at);

  UiContext context_;
  quint64 gesture_ = 0;
};

/// Where the keys of a field of these owners are.
template <class Owner>
std::vector<KeyPlace> key_places(const std::vector<const Owner*>& owners, std::string_view path) {
  std::vector<KeyPlace> places;
  for ([[maybe_unused]] const Owner* owner : owners) {
    if constexpr (requires { owner->id.value; })
      places.push_back({owner->id.value, std::string(path)});
    else if constexpr (std::is_same_v<Owner, SceneSettings>)
      places.push_back({0, "settings." + std::string(path)});
  }
  return places;
}

/// `value` with only component `component` of `part` put in (−1: all of `part`).
FieldValue with_component(const FieldValue& value, const FieldValue& part, int component);

template <class Owner>
class Binding : public BindingBase {
 public:
  using List = typename Owners<Owner>::List;
  using Change = std::function<void(Owner&)>;

  Binding(UiContext& context, std::span<const Field<Owner>> table, Owners<Owner> owners, QObject* parent)
      : BindingBase(context, parent), table_(table), owners_(std::move(owners)) {}

  /// A widget for a row of the table. `before`: what entering something also does to an owner, first.
  FieldWidget* make(std::string_view path, QWidget* parent, Change before = {});
  /// The same with its label, as a row at the end of `grid`; both are hidden where the field does not apply.
  FieldWidget* add_row(std::string_view path, QGridLayout* grid, QWidget* parent, Change before = {});
  /// A form that was made from the whole table.
  void bind(FieldForm& form);
  /// Any other widget: `show` gets the values, set() gives them.
  void bind(std::string_view path, std::function<void(std::span<const FieldValue>)> show);
  bool set(std::string_view path, const FieldValue& value, bool continues, QWidget* at);
  /// Of make() and add_row(); null: there is none for this row.
  FieldWidget* widget(std::string_view path) const;
  /// What a person enters is this in the scene (a file's name).
  std::function<FieldValue(const Field<Owner>&, const FieldValue&)> convert;

  /// Rows that mean nothing in the scene as it is, whatever an owner says of them; null: all mean something.
  std::function<bool(const Field<Owner>&, const Owner&)> meant;

  List owners() const { return owners_.shown(); }
  const Owner* active() const {
    const List all = owners();
    return all.empty() ? nullptr : all.front();
  }
  QString subject() const override { return owners_.subject(owners()); }

  /// One undo step "TEXT of SUBJECT" over all shown ones. continues: joined to the edit before. `at`: where a refusal is
  /// shown; null: nowhere. `also`: what it does to the scene besides.
  bool edit(const QString& text, const Change& change, bool continues, QWidget* at,
            const std::function<void(Scene&)>& also = {}) {
    return edit_these(owners(), text, change, continues, at, also);
  }
  /// The same on the active one alone, for what belongs to one owner.
  bool edit_active(const QString& text, const Change& change, bool continues, QWidget* at) {
    List all = owners();
    if (all.size() > 1) all.resize(1);
    return edit_these(all, text, change, continues, at, {});
  }

 private:
  struct Row {
    const Field<Owner>* field;
    FieldWidget* widget;
    QLabel* label;
    std::function<void(std::span<const FieldValue>)> show;
  };
  const Field<Owner>& field(std::string_view path) const {
    const Field<Owner>* found = find_field(table_, path);
    assert(found);
    return *found;
  }
  bool enter(const Field<Owner>& field, const FieldValue& entered, int component, bool continues, QWidget* at,
             const Change& before);
  bool edit_these(const List& these, const QString& text, const Change& change, bool continues, QWidget* at,
                  const std::function<void(Scene&)>& also);
  void show_values() override;
  bool touched(const ChangeSet& change) const override { return owners_.touched(change); }

  std::span<const Field<Owner>> table_;
  Owners<Owner> owners_;
  std::vector<Row> rows_;
  std::vector<FieldForm*> forms_;
};

template <class Owner>
FieldWidget* Binding<Owner>::make(std::string_view path, QWidget* parent, Change before) {
  const Field<Owner>& row = field(path);
  FieldWidget* widget = make_field_widget(field_spec(row), parent);
  rows_.push_back({&row, widget, nullptr, {}});
  connect(widget, &FieldWidget::edited, this,
          [this, &row, widget, before = std::move(before)](const FieldValue& value, int component, bool continues) {
            (void)enter(row, value, component, continues, widget, before);
          });
  bind_key(*widget, [this, &row] { return key_places(owners(), row.path); });
  return widget;
}

template <class Owner>
FieldWidget* Binding<Owner>::add_row(std::string_view path, QGridLayout* grid, QWidget* parent, Change before) {
  FieldWidget* widget = make(path, parent, std::move(before));
  QLabel* label = make_row_label(widget->spec().label, widget->toolTip(), parent);
  const int row = grid->rowCount();
  grid->addWidget(label, row, 0);
  grid->addWidget(widget, row, 1);
  rows_.back().label = label;
  label->hide();  // until refresh() finds that it applies
  widget->hide();
  return widget;
}

template <class Owner>
void Binding<Owner>::bind(FieldForm& form) {
  assert(form.row_count() == static_cast<int>(table_.size()));
  forms_.push_back(&form);
  connect(&form, &FieldForm::edited, this,
          [this, &form](int row, const FieldValue& value, int component, bool continues) {
            (void)enter(table_[static_cast<std::size_t>(row)], value, component, continues, form.widget(row), {});
          });
  for (int row = 0; row < form.row_count(); ++row)
    bind_key(*form.widget(row),
             [this, row] { return key_places(owners(), table_[static_cast<std::size_t>(row)].path); });
}

template <class Owner>
void Binding<Owner>::bind(std::string_view path, std::function<void(std::span<const FieldValue>)> show) {
  rows_.push_back({&field(path), nullptr, nullptr, std::move(show)});
}

template <class Owner>
bool Binding<Owner>::set(std::string_view path, const FieldValue& value, bool continues, QWidget* at) {
  return enter(field(path), value, -1, continues, at, {});
}

template <class Owner>
FieldWidget* Binding<Owner>::widget(std::string_view path) const {
  for (const Row& row : rows_)
    if (row.field->path == path) return row.widget;
  return nullptr;
}

template <class Owner>
bool Binding<Owner>::enter(const Field<Owner>& field, const FieldValue& entered, int component, bool continues,
                           QWidget* at, const Change& before) {
  const FieldValue value = convert ? convert(field, entered) : entered;
  const bool done = edit(
      text_of(field.label),
      [&](Owner& owner) {
        if (before) before(owner);
        const FieldValue whole = with_component(field.get(owner), value, component);
        if constexpr (requires { edit_field(owner, field, whole); })
          edit_field(owner, field, whole);
        else
          field.set(owner, whole);
      },
      continues, at);
  if (!operator_equal(value, entered)) refresh();  // the widget shows what was entered
  return done;
}

template <class Owner>
bool Binding<Owner>::edit_these(const List& these, const QString& text, const Change& change, bool continues,
                                QWidget* at, const std::function<void(Scene&)>& also) {
  if (these.empty()) return false;
  const QString subject = owners_.subject(these);
  Scene next = scene();
  owners_.change(next, these, change);
  if (also) also(next);
  return commit(text, subject, std::move(next), continues, at);
}

template <class Owner>
void Binding<Owner>::show_values() {
  const List owners = this->owners();
  std::vector<FieldValue> values;
  // A row is shown when it applies to all owners: what applies to some only cannot be set for all.
  const auto gather = [&](const Field<Owner>& field) {
    const bool applies = !owners.empty() && std::all_of(owners.begin(), owners.end(), [&](const Owner* o) {
      return field.shown(*o) && (!meant || meant(field, *o));
    });
    values.clear();
    for (const Owner* owner : owners) values.push_back(field.get(*owner));
    return applies;
  };
  for (const Row& row : rows_) {
    const bool applies = gather(*row.field);
    if (row.label) {
      row.label->setVisible(applies);
      row.widget->setVisible(applies);
    }
    if (values.empty()) continue;
    if (row.widget) row.widget->set_values(values);
    if (row.widget && row.field->keyable) show_key(*row.widget, key_places(owners, row.field->path));
    if (row.show) row.show(values);
  }
  if (owners.empty()) return;  // the page of a form is not in sight then
  for (FieldForm* form : forms_) {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (!gather(table_[i])) values.clear();
      form->show_row(static_cast<int>(i), values);
      if (table_[i].keyable && !values.empty())
        show_key(*form->widget(static_cast<int>(i)), key_places(owners, table_[i].path));
    }
    form->finish();
  }
}

}  // namespace hazumi
