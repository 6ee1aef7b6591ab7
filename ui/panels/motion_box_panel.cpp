#include "ui/panels/motion_box_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/math/expression.h"
#include "core/motion/check.h"
#include "core/motion/classes.h"
#include "core/motion/material_box.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/box_sketch.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_selection.h"
#include "ui/model/motion_text.h"
#include "ui/model/playback_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/solver_text.h"
#include "ui/panels/own_material_button.h"
#include "ui/panels/thing_picker.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/expression_edit.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/scroll_page.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

ExpressionEdit::Fault fault_of_expression(const QString& text) {
  ExpressionFault fault;
  const std::string plain = text.toStdString();
  if (!Expression::parse(plain, expression_names(), fault).empty()) return {};
  // Places are bytes, and what is shown are characters.
  const auto place = QString::fromStdString(plain.substr(0, std::min(fault.place, plain.size()))).size();
  return {static_cast<int>(place), QString::fromStdString(fault.message)};
}

std::vector<ExpressionEdit::Name> names_of_expressions() {
  std::vector<ExpressionEdit::Name> all;
  const auto names = expression_names();
  for (std::size_t i = 0; i < names.size(); ++i) all.push_back({text_of(names[i]), text_of(expression_help(i))});
  return all;
}

}  // namespace

MotionBoxPanel::MotionBoxPanel(UiContext& context, MotionSelection& chosen, QWidget* parent)
    : QWidget(parent),
      context_(context),
      chosen_(chosen),
      stack_(new QStackedWidget(this)),
      heading_(new QLabel(this)),
      class_(new QLabel(this)),
      sentence_(new QLabel(this)) {
  setObjectName(QStringLiteral("motion_box_panel"));
  heading_->setObjectName(QStringLiteral("motion_box_heading"));
  heading_->setTextFormat(Qt::PlainText);
  heading_->setContentsMargins(8, 5, 8, 0);
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  make_bold(heading_);
  class_->setObjectName(QStringLiteral("motion_class"));
  class_->setTextFormat(Qt::PlainText);
  class_->setContentsMargins(8, 0, 8, 0);
  class_->setWordWrap(true);
  class_->setForegroundRole(QPalette::PlaceholderText);
  class_->setToolTip(
      tr("What it is made of: it has the parameters of these, too. And whether physics works it out, or its path."));
  sentence_->setObjectName(QStringLiteral("motion_sentence"));
  sentence_->setTextFormat(Qt::RichText);
  sentence_->setWordWrap(true);
  sentence_->setContentsMargins(8, 2, 8, 6);
  sentence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  connect(sentence_, &QLabel::linkActivated, this, &MotionBoxPanel::go_to);
  auto* nothing = new QLabel(tr("Select a box to see what it says."), stack_);
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setForegroundRole(QPalette::PlaceholderText);
  nothing->setWordWrap(true);
  stack_->addWidget(nothing);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(heading_);
  column->addWidget(class_);
  column->addWidget(sentence_);
  column->addWidget(stack_, 1);
  connect(&chosen_, &MotionSelection::changed, this, &MotionBoxPanel::refresh);
  connect(&context_.document, &DocumentController::changed, this, &MotionBoxPanel::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &MotionBoxPanel::refresh);
  connect(&context_.keying, &Keying::shown_changed, this, &MotionBoxPanel::refresh);
  refresh();
}

MotionBoxPanel::~MotionBoxPanel() = default;

const MotionNode* MotionBoxPanel::active() const { return find_motion(context_.keying.shown(), chosen_.active()); }

std::vector<const MotionNode*> MotionBoxPanel::shown(const Key& key) const {
  std::vector<const MotionNode*> all;
  const MotionNode* first = active();
  if (!first || Key(first->role, first->kind) != key) return all;
  all.push_back(first);
  for (const auto& node : context_.keying.shown().motion)
    if (node->id != first->id && chosen_.contains(node->id) && Key(node->role, node->kind) == key)
      all.push_back(node.get());
  return all;
}

QString MotionBoxPanel::sentence() const {
  const MotionNode* node = active();
  return node ? text_of_parts(sentence_of_box(context_.keying.shown(), *node)) : QString();
}

ThingPicker* MotionBoxPanel::owner() const { return page_ ? page_->owner : nullptr; }
ThingPicker* MotionBoxPanel::other() const { return page_ ? page_->other : nullptr; }
FieldWidget* MotionBoxPanel::other_keys() const { return page_ ? page_->with : nullptr; }
FieldWidget* MotionBoxPanel::number_keys() const { return page_ ? page_->number_keys : nullptr; }
QComboBox* MotionBoxPanel::number() const { return page_ ? page_->number : nullptr; }
QCheckBox* MotionBoxPanel::on() const { return page_ ? page_->on : nullptr; }
ExpressionEdit* MotionBoxPanel::condition() const { return page_ ? page_->condition : nullptr; }
FieldWidget* MotionBoxPanel::field(std::string_view parameter) const {
  if (page_)
    for (const Parameter& one : page_->parameters)
      if (one.name == parameter) return one.widget;
  return nullptr;
}
ExpressionEdit* MotionBoxPanel::expression(std::string_view parameter) const {
  if (page_)
    for (const Parameter& one : page_->parameters)
      if (one.name == parameter) return one.expression;
  return nullptr;
}
QToolButton* MotionBoxPanel::expression_button(std::string_view parameter) const {
  if (page_)
    for (const Parameter& one : page_->parameters)
      if (one.name == parameter) return one.button;
  return nullptr;
}

// Pages ---------------------------------------------------------------------------------------------------------------

MotionBoxPanel::Page& MotionBoxPanel::page_of(const MotionNode& node) {
  const Key key(node.role, node.kind);
  std::unique_ptr<Page>& page = pages_[key];
  if (!page) {
    page = std::make_unique<Page>();
    make_page(key, kind_of(node), *page);
  }
  return *page;
}

void MotionBoxPanel::make_page(const Key& key, const MotionKind* kind, Page& page) {
  MotionNode sample;
  sample.role = key.first;
  sample.kind = key.second;
  for (const Field<MotionNode>& field : motion_parameter_rows())
    if (field.shown(sample)) page.table.push_back(field);
  for (const Field<MotionNode>& field : motion_fields())
    if (field.path == "name" || field.path == "visible" || field.path == "loop") page.table.push_back(field);
  Owners<MotionNode> owners;
  owners.shown = [this, key] { return shown(key); };
  owners.change = [](Scene& next, const Owners<MotionNode>::List& these,
                     const std::function<void(MotionNode&)>& change) {
    std::set<Id> ids;
    for (const MotionNode* node : these) ids.insert(node->id);
    for (const Id id : ids) next = with_motion(std::move(next), id, change);
  };
  owners.subject = [this](const Owners<MotionNode>::List& these) {
    std::set<Id> ids;
    for (const MotionNode* node : these) ids.insert(node->id);
    return boxes_text(context_.keying.shown(), ids);
  };
  owners.touched = [](const ChangeSet&) { return true; };
  page.binding = new Binding<MotionNode>(context_, page.table, std::move(owners), this);

  auto* content = new QWidget;
  QGridLayout* grid = make_form_grid(content);
  grid->setContentsMargins(6, 4, 8, 6);
  page.owner = new ThingPicker(context_, tr("Of"), content);
  page.owner->setObjectName(QStringLiteral("motion_of"));
  const QString of_tip = tr("Whose motion it is: an object, or a collection, each object of which has it by itself.");
  add_row_of_box(grid, tr("Of"), of_tip, page.owner);
  say_unkeyed(
      *page.owner,
      tr("Whose motion it is has no keys: it says who waits for what. Give a box of its own to the other object."));
  connect(page.owner, &ThingPicker::chosen, this, [this, picker = page.owner](Id id) {
    const QString text = tr("Give %1 to %2").arg(QStringLiteral("%1"), name_of(context_.document.scene(), id));
    edit_chosen(
        text, [id](MotionNode& node) { node.object = id.value; }, picker);
  });
  const ProcedureKind* does = key.first == MotionRole::procedure ? find_procedure_kind(key.second) : nullptr;
  if (kind && kind->other != OtherUse::none) add_other(page, *kind, does && does->at_once, grid);
  for (const ParameterRow& row : kind ? kind->parameters : std::span<const ParameterRow>()) {
    if (kind->other == OtherUse::number && row.name == "number")
      add_number(page, row, grid);
    else
      add_parameter(key, page, row, grid);
  }
  if (key.first == MotionRole::event) {
    page.condition = new ExpressionEdit(tr("Only if"), names_of_expressions(), fault_of_expression, content);
    page.condition->setObjectName(QStringLiteral("motion_condition"));
    page.condition->set_placeholder(tr("nothing more is asked"));
    add_row_of_box(grid, tr("Only if"),
                   tr("An expression that must hold too, such as speed > 2; empty: nothing more is asked."),
                   page.condition);
    say_unkeyed(*page.condition, tr("A condition has no keys; it may read the time, such as t > 2."));
    connect(page.condition, &ExpressionEdit::entered, this, [this, edit = page.condition](const QString& text) {
      edit_chosen(
          tr("Condition of %1"), [text](MotionNode& node) { node.condition = text.toStdString(); }, edit);
    });
  }
  for (const char* path : {"loop", "visible", "name"}) {
    if (path == std::string_view("loop") && key.first != MotionRole::event) continue;
    const auto row = std::find_if(page.table.begin(), page.table.end(), [path](const Field<MotionNode>& field) {
      return may_be_of_box(field.path) && parameter_of(field.path) == path;  // that has keys
    });
    FieldWidget* widget = page.binding->make(row == page.table.end() ? path : row->path, content);
    widget->setObjectName(QStringLiteral("motion_") + QLatin1String(path));
    add_row_of_box(grid, widget->spec().label, widget->spec().tooltip, widget);
    if (path == std::string_view("visible"))
      say_unkeyed(*widget,
                  tr("Whether a box is used has no keys: what waits from the start follows from it. Ask for the "
                     "time under Only if, such as t > 2."));
    if (path == std::string_view("name")) say_unkeyed(*widget, tr("A name has no keys."));
  }
  grid->setRowStretch(grid->rowCount(), 1);
  page.widget = new ScrollPage(content);
  stack_->addWidget(page.widget);
}

/// A number may be an expression: the button at its right says so.
void MotionBoxPanel::add_parameter(const Key& key, Page& page, const ParameterRow& row, QGridLayout* grid) {
  const auto own_row = std::find_if(page.table.begin(), page.table.end(), [&](const Field<MotionNode>& field) {
    return field.path.ends_with("." + std::string(row.name));
  });
  if (own_row == page.table.end()) return;
  auto* line = new QWidget(grid->parentWidget());
  auto* place = new QHBoxLayout(line);
  place->setContentsMargins(0, 0, 0, 0);
  place->setSpacing(2);
  Parameter one;
  one.name = std::string(row.name);
  one.widget = page.binding->make(own_row->path, line);
  one.widget->setObjectName(QStringLiteral("motion_parameter_") + text_of(row.name));
  place->addWidget(one.widget, 1);
  if (!own_row->keyable)
    say_unkeyed(*one.widget,
                tr("No run reads this: it counts for who presses keys while it plays. It has no keys in time."));
  if (row.type == FieldType::number || row.type == FieldType::integer) {
    one.expression = new ExpressionEdit(text_of(row.label), names_of_expressions(), fault_of_expression, line);
    one.expression->setToolTip(one.widget->spec().tooltip);
    place->addWidget(one.expression, 1);
    one.button = new QToolButton(line);
    one.button->setText(QStringLiteral("="));
    one.button->setCheckable(true);
    one.button->setAutoRaise(true);
    one.button->setFocusPolicy(Qt::NoFocus);
    one.button->setToolTip(
        tr("An expression in place of the number, such as 2 * speed; or type = in front of it. It is computed when the "
           "box happens or starts."));
    place->addWidget(one.button, 0, Qt::AlignTop);
    bind_expression(one, text_of(row.label), row.fallback);
  }
  if (page.number && row.name == "to") add_switch(page, place);
  if (row.name == "material") add_own_materials(place);
  QString tip = one.widget->spec().tooltip;
  const ProcedureKind* procedure = key.first == MotionRole::procedure ? find_procedure_kind(key.second) : nullptr;
  if (procedure)
    if (const ProcedureKind& owner = owner_of(*procedure, row.name); &owner != procedure)
      tip += QLatin1Char(' ') + tr("From %1.").arg(text_of(owner.label));
  if (procedure && procedure->at_once && own_row->keyable)
    tip += QLatin1Char(' ') + tr("Keys of it count as it starts.");
  if (procedure && procedure->claim == Claim::solver) {
    tip += solver_descriptions();
    one.widget->setToolTip(tip);
  }
  one.label = add_row_of_box(grid, text_of(row.label), tip, line);
  one.line = line;
  page.parameters.push_back(one);
}

void MotionBoxPanel::add_own_materials(QHBoxLayout* line) {
  auto* button = new OwnMaterialButton(line->parentWidget());
  line->addWidget(button, 0, Qt::AlignTop);
  connect(button, &OwnMaterialButton::picked, this, [this, button](const OwnMaterial& own) {
    edit_chosen(
        tr("%1 gives %2").arg(QStringLiteral("%1"), own.name),
        [&own](MotionNode& node) { take_material(own.material, node); }, button);
  });
}

/// By the button, by "=" typed in front, or in the field of the expression itself.
void MotionBoxPanel::bind_expression(const Parameter& one, const QString& label, double fallback) {
  const auto say = [this, name = one.name, fallback](const QString& text, const QString& word, bool number,
                                                     QWidget* at) {
    edit_chosen(
        text,
        [&](MotionNode& node) {
          const MotionParameter* own = find_parameter(node, name);
          MotionParameter next = own ? *own : MotionParameter{name, {}, fallback, {}};
          next.word = (number || !word.isEmpty() ? word : QString::number(next.number, 'g', 12)).toStdString();
          if (next.word.empty() && next.number == fallback)
            remove_parameter(node, name);
          else
            set_parameter(node, std::move(next));
        },
        at);
  };
  connect(one.button, &QToolButton::clicked, this, [say, label, button = one.button](bool on) {
    const QString text = on ? hazumi::tr("Expression for %1 of %2") : hazumi::tr("Number for %1 of %2");
    say(text.arg(label, QStringLiteral("%1")), {}, !on, button);
  });
  const QString step = tr("%1 of %2").arg(label, QStringLiteral("%1"));
  connect(one.expression, &ExpressionEdit::entered, this,
          [say, step, edit = one.expression](const QString& text) { say(step, text, true, edit); });
  auto* number = one.widget->findChild<NumberField*>();
  if (!number) return;
  number->set_words([say, step, number](const QString& text) {
    const ExpressionEdit::Fault fault = fault_of_expression(text);
    if (fault.sentence.isEmpty()) say(step, text, true, number);
    return fault.sentence;
  });
}

// What is shown -------------------------------------------------------------------------------------------------------

/// What a contact comes to that is directed: of depth, frames, speed and time those that follow, as the view says beside it.
QString MotionBoxPanel::figures_of(const MotionNode& node) const {
  if (node.role != MotionRole::procedure || node.kind != "squash") return {};
  const FramePtr frame = context_.playback.cache().frame(context_.playback.frame());
  for (const BoxPlace& place : box_places(context_, node, frame))
    if (const auto sketch = sketch_of(node, place.values); sketch && !sketch->notes.empty())
      return text_of(sketch->notes.front().text);
  return {};
}

void MotionBoxPanel::refresh() {
  const MotionNode* node = active();
  heading_->setVisible(node != nullptr);
  sentence_->setVisible(node != nullptr);
  const QString made = node ? class_of_box(*node) : QString();
  class_->setVisible(!made.isEmpty());
  class_->setText(made);
  if (!node) {
    page_ = nullptr;
    return stack_->setCurrentIndex(0);
  }
  const std::size_t others = chosen_.ids().size() - 1;
  const QString role = node->role == MotionRole::event ? tr("event") : tr("procedure");
  heading_->setText(others == 0 ? QStringLiteral("%1 · %2").arg(box_title(*node), role)
                                : tr("%1 · %2, and %3 more").arg(box_title(*node), role).arg(others));
  QString words;
  for (const SentencePart& part : sentence_of_box(context_.keying.shown(), *node))
    words += part.field.isEmpty()
                 ? part.text.toHtmlEscaped()
                 : QStringLiteral("<a href=\"%1\" style=\"color:#f2b36b; text-decoration:none\"><b>%2</b></a>")
                       .arg(part.field.toHtmlEscaped(), part.text.toHtmlEscaped());
  if (!node->condition.empty())
    words += tr(", if ") +
             QStringLiteral("<a href=\"condition\" style=\"color:#f2b36b; text-decoration:none\"><b>%1</b></a>")
                 .arg(condition_text(*node).toHtmlEscaped());
  if (const QString figures = figures_of(*node); !figures.isEmpty())
    words += tr(". As it falls now: %1.").arg(figures.toHtmlEscaped());
  sentence_->setText(words);
  Page& page = page_of(*node);
  page_ = &page;
  show_things(page, *node);
  page.binding->refresh();
  if (page.condition) page.condition->set_text(QString::fromStdString(node->condition));
  for (const Parameter& one : page.parameters) {
    const bool read = is_parameter_read(*node, one.name);
    one.label->setVisible(read);
    one.line->setVisible(read);
    if (!one.expression) continue;
    const MotionParameter* own = find_parameter(*node, one.name);
    const bool words_now = own && !own->word.empty();
    one.expression->setVisible(words_now);
    one.widget->setVisible(!words_now);
    one.button->setChecked(words_now);
    one.expression->set_text(words_now ? QString::fromStdString(own->word) : QString());
  }
  if (page.number) show_number(page, *node);
  stack_->setCurrentWidget(page.widget);
}

/// `text` has a place for the boxes.
void MotionBoxPanel::edit_chosen(const QString& text, const std::function<void(MotionNode&)>& change, QWidget* at) {
  const MotionNode* node = active();
  if (!node) return;
  std::set<Id> ids;
  for (const MotionNode* one : shown(Key(node->role, node->kind))) ids.insert(one->id);
  Scene next = context_.document.scene();
  const QString step = text.arg(boxes_text(next, ids));
  for (const Id id : ids) next = with_motion(std::move(next), id, change);
  const Status status = context_.document.edit(step, std::move(next));
  if (!status.ok()) Bubble::show_at(at, sentence_of(status.error()));
  refresh();
}

/// A word of the sentence was clicked: its field gets the keys.
void MotionBoxPanel::go_to(const QString& field) {
  if (!page_) return;
  if (field == QLatin1String("of")) return page_->owner->box()->showPopup();
  if (field == QLatin1String("with") && page_->other) return page_->other->box()->showPopup();
  if (field == QLatin1String("number") && page_->number) return page_->number->showPopup();
  if (field == QLatin1String("condition") && page_->condition) return page_->condition->edit()->setFocus();
  for (const Parameter& one : page_->parameters) {
    if (QString::fromStdString(one.name) != field) continue;
    if (one.expression && !one.expression->isHidden()) return one.expression->edit()->setFocus();
    for (QWidget* inner : one.widget->findChildren<QWidget*>())
      if (inner->focusPolicy() & Qt::TabFocus) return inner->setFocus(Qt::TabFocusReason);
  }
}

}  // namespace hazumi
