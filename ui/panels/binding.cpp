#include "ui/panels/binding.h"

#include <QMenu>

#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/keying_sets.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/key_button.h"

namespace hazumi {

BindingBase::BindingBase(UiContext& context, QObject* parent) : QObject(parent), context_(context) {
  connect(&context.selection, &Selection::changed, this, &BindingBase::refresh);
  connect(&context.document, &DocumentController::document_replaced, this, &BindingBase::refresh);
  connect(&context.document, &DocumentController::changed, this, [this](const ChangeSet& change) {
    if (touched(change)) refresh();
  });
  connect(&context.keying, &Keying::shown_changed, this, &BindingBase::refresh);
}

void BindingBase::refresh() {
  show_values();
  emit shown_changed();
}

const Scene& BindingBase::scene() const { return context_.keying.shown(); }

bool BindingBase::commit(const QString& text, const QString& subject, Scene next, bool continues, QWidget* at) {
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  const QString title = subject.isEmpty() ? text : tr("%1 of %2").arg(text, subject);
  const Status status = context_.keying.edit(title, std::move(next), gesture_);
  if (status.ok()) return true;
  const QString sentence = sentence_of(status.error());
  refresh();
  if (auto* field = qobject_cast<FieldWidget*>(at))
    field->refuse(sentence);
  else if (at)
    Bubble::show_at(at, sentence);
  return false;
}

void BindingBase::bind_key(FieldWidget& widget, Places places) {
  KeyButton* key = widget.key();
  if (!key) return;
  connect(key, &KeyButton::clicked, this, [this, &widget, key, places] {
    const std::vector<KeyPlace> of = places();
    const Status status = key->state() == KeyState::here ? context_.keying.delete_keys(subject(), of)
                                                         : context_.keying.set_keys(subject(), of);
    if (!status.ok()) widget.refuse(sentence_of(status.error()));
  });
  connect(key, &QWidget::customContextMenuRequested, this,
          [this, &widget, key, places](QPoint at) { key_menu(widget, places(), key->mapToGlobal(at)); });
}

/// A set that has the field already is ticked, and cannot be chosen.
void BindingBase::add_sets(QMenu& menu, const std::string& field) {
  menu.setObjectName(QStringLiteral("keying_sets"));
  for (const auto& set : context_.document.scene().keying_sets) {
    const std::vector<std::string> fields = fields_of(*set);
    const bool has = std::find(fields.begin(), fields.end(), field) != fields.end();
    QAction* action = menu.addAction(QString::fromStdString(set->name).replace('&', QLatin1String("&&")), this,
                                     [this, id = set->id, field] { add_to_keying_set(context_, id, field); });
    action->setCheckable(true);
    action->setChecked(has);
    action->setEnabled(!has);
  }
  menu.addAction(tr("New Set"), this, [this, field] { add_keying_set(context_, {field}); });
}

void BindingBase::key_menu(FieldWidget& widget, const std::vector<KeyPlace>& places, QPoint at) {
  const KeyState state = context_.keying.state(places);
  const auto done = [&](const Status& status) {
    if (!status.ok()) widget.refuse(sentence_of(status.error()));
  };
  QMenu menu(&widget);
  menu.setObjectName(QStringLiteral("key_menu"));
  QAction* set = menu.addAction(state == KeyState::here ? tr("Set Key Anew") : tr("Set Key"));
  // Which field they are of, and not whose: all places are of one row.
  if (!places.empty()) add_sets(*menu.addMenu(tr("Add to Keying Set")), places.front().field);
  menu.addSeparator();
  QAction* remove = menu.addAction(tr("Delete Key"));
  remove->setEnabled(state == KeyState::here);
  QAction* clear = menu.addAction(tr("Delete All Keys"));
  clear->setEnabled(state != KeyState::none);
  const QAction* chosen = menu.exec(at);
  if (chosen == set) done(context_.keying.set_keys(subject(), places));
  if (chosen == remove) done(context_.keying.delete_keys(subject(), places));
  if (chosen == clear) done(context_.keying.delete_tracks(subject(), places));
}

void BindingBase::show_key(FieldWidget& widget, const std::vector<KeyPlace>& places) const {
  if (!widget.key()) return;
  bool possible = false;
  for (const KeyPlace& place : places)
    possible = possible || key_problem(context_.document.scene(), place.target, place.field).empty();
  widget.key()->setVisible(possible);
  if (possible) widget.key()->set_state(context_.keying.state(places));
}

FieldValue with_component(const FieldValue& value, const FieldValue& part, int component) {
  if (component < 0 || value.index() != part.index()) return part;
  FieldValue next = value;
  if (auto* vector = std::get_if<Vec3>(&next))
    (*vector)[component] = std::get<Vec3>(part)[component];
  else if (auto* integers = std::get_if<std::array<int, 3>>(&next))
    (*integers)[static_cast<std::size_t>(component)] =
        std::get<std::array<int, 3>>(part)[static_cast<std::size_t>(component)];
  else
    return part;
  return next;
}

}  // namespace hazumi
