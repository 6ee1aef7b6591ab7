#include "ui/panels/object_binding.h"

#include <algorithm>
#include <cassert>
#include <set>

#include <QGridLayout>
#include <QLabel>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/field_form.h"

namespace hazumi {

ObjectBinding::ObjectBinding(UiContext& context, QObject* parent) : QObject(parent), context_(context) {
  connect(&context.selection, &Selection::changed, this, &ObjectBinding::on_selection);
  connect(&context.document, &DocumentController::changed, this, &ObjectBinding::on_change);
  connect(&context.document, &DocumentController::document_replaced, this, &ObjectBinding::on_selection);
  on_selection();
}

FieldWidget* ObjectBinding::make(std::string_view path, QWidget* parent) {
  const Field<Object>* field = find_field(object_fields(), path);
  assert(field);
  FieldWidget* widget = make_field_widget(field_spec(*field), parent);
  bound_.push_back({field, widget, nullptr});
  connect(widget, &FieldWidget::edited, this,
          [this, field, widget](const FieldValue& value, int component, bool continues) {
            edit(
                widget->spec().label,
                [&](Object& o) { edit_field(o, *field, with_component(field->get(o), value, component)); }, continues,
                widget);
          });
  return widget;
}

FieldWidget* ObjectBinding::add_row(std::string_view path, QGridLayout* grid, QWidget* parent) {
  FieldWidget* widget = make(path, parent);
  QLabel* label = make_row_label(widget->spec().label, widget->toolTip(), parent);
  const int row = grid->rowCount();
  grid->addWidget(label, row, 0);
  grid->addWidget(widget, row, 1);
  bound_.back().label = label;
  return widget;
}

std::vector<const Object*> ObjectBinding::objects() const {
  std::vector<const Object*> objects;
  for (Id id : ids_)
    if (const Object* object = find_object(context_.document.scene(), id)) objects.push_back(object);
  return objects;
}

const Object* ObjectBinding::active() const {
  return ids_.empty() ? nullptr : find_object(context_.document.scene(), ids_.front());
}

QString ObjectBinding::subject() const {
  const auto all = objects();
  return all.size() == 1 ? QString::fromStdString(all.front()->name) : tr("%1 objects").arg(all.size());
}

void ObjectBinding::on_selection() {
  ids_.clear();
  for (Id id : context_.selection.ids())
    if (find_object(context_.document.scene(), id)) ids_.push_back(id);
  if (const auto at = std::find(ids_.begin(), ids_.end(), context_.selection.active()); at != ids_.end())
    std::rotate(ids_.begin(), at, at + 1);
  refresh();
}

void ObjectBinding::on_change(const ChangeSet& change) {
  const bool mine = std::any_of(ids_.begin(), ids_.end(), [&](Id id) {
    return std::binary_search(change.objects.begin(), change.objects.end(), id);
  });
  if (!mine) return;
  if (change.structure)
    on_selection();  // one of them may be gone
  else
    refresh();
}

void ObjectBinding::refresh() {
  const auto owners = objects();
  std::vector<FieldValue> values;
  for (const Bound& bound : bound_) {
    const bool shown = !owners.empty() && std::all_of(owners.begin(), owners.end(),
                                                      [&](const Object* o) { return bound.field->shown(*o); });
    if (bound.label) {
      bound.label->setVisible(shown);
      bound.widget->setVisible(shown);
    }
    values.clear();
    for (const Object* owner : owners) values.push_back(bound.field->get(*owner));
    if (!values.empty()) bound.widget->set_values(values);
  }
  emit shown_changed();
}

bool ObjectBinding::edit(const QString& text, const std::function<void(Object&)>& change, bool continues, QWidget* at) {
  return edit_those(ids_, tr("%1 of %2").arg(text, subject()), change, continues, at);
}

bool ObjectBinding::edit_active(const QString& text, const std::function<void(Object&)>& change, bool continues,
                                QWidget* at) {
  const Object* object = active();
  return object && edit_those({object->id}, tr("%1 of %2").arg(text, QString::fromStdString(object->name)), change,
                              continues, at);
}

bool ObjectBinding::edit_those(const std::vector<Id>& those, const QString& text,
                               const std::function<void(Object&)>& change, bool continues, QWidget* at) {
  if (those.empty()) return false;
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  const std::set<Id> ids(those.begin(), those.end());
  Scene next = context_.document.scene();
  for (auto& object : next.objects)
    if (ids.count(object->id)) object = object.edited(change);
  const Status status = context_.document.edit(text, std::move(next), gesture_);
  if (status.ok()) return true;
  const QString sentence = sentence_of(status.error());
  refresh();
  if (auto* field = qobject_cast<FieldWidget*>(at))
    field->refuse(sentence);
  else if (at)
    Bubble::show_at(at, sentence);
  return false;
}

}  // namespace hazumi
