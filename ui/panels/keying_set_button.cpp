#include "ui/panels/keying_set_button.h"

#include <algorithm>

#include <QActionGroup>
#include <QMenu>

#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/keying_sets.h"
#include "ui/widgets/name_edit.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kSetWidth = 92, kMostSetWidth = 138, kSetNameWidth = 170;  // logical pixels

QString in_menu(QString name) { return name.replace('&', QLatin1String("&&")); }

}  // namespace

KeyingSetButton::KeyingSetButton(UiContext& context, QWidget* parent) : QToolButton(parent), context_(context) {
  setObjectName(QStringLiteral("timeline_keying_set"));
  setAccessibleName(tr("Keying set"));
  setAutoRaise(true);
  setFocusPolicy(Qt::NoFocus);
  setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill(*menu); });
  setMenu(menu);
  connect(&context_.keying, &Keying::active_set_changed, this, &KeyingSetButton::refresh);
  connect(&context_.document, &DocumentController::changed, this, &KeyingSetButton::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &KeyingSetButton::refresh);
  refresh();
}

void KeyingSetButton::refresh() {
  const ActiveSet& set = context_.keying.active_set();
  const QString name = name_of(context_, set);
  constexpr int kArrow = 26;
  const QString shown = set.kind == ActiveSet::Kind::place   ? tr("Place")
                        : set.kind == ActiveSet::Kind::keyed ? tr("Keyed")
                                                             : name;
  // As wide as its name, up to what leaves room for the other fields of the row.
  const int width = std::clamp(fontMetrics().horizontalAdvance(shown) + kArrow, kSetWidth, kMostSetWidth);
  setFixedWidth(width);
  setText(fontMetrics().elidedText(shown, Qt::ElideRight, width - kArrow + 4));
  setToolTip(tr("Keying set: %1\nWhat I keys of what is selected.").arg(name));
}

void KeyingSetButton::fill(QMenu& menu) {
  menu.clear();
  for (QMenu* inner : menu.findChildren<QMenu*>()) inner->deleteLater();
  auto* group = new QActionGroup(&menu);
  const auto add = [&](const ActiveSet& set) {
    QAction* action =
        menu.addAction(in_menu(name_of(context_, set)), this, [this, set] { context_.keying.set_active_set(set); });
    action->setCheckable(true);
    action->setChecked(set == context_.keying.active_set());
    group->addAction(action);
  };
  add({ActiveSet::Kind::place, {}});
  add({ActiveSet::Kind::keyed, {}});
  for (const auto& set : context_.document.scene().keying_sets)
    if (set->visible) add({ActiveSet::Kind::own, set->id});
  menu.addSeparator();
  QAction* make = menu.addAction(tr("New Set of Selected Tracks"), this, [this] { add_set_of_tracks(context_); });
  const QString why = no_tracks(context_);
  make->setEnabled(why.isEmpty());
  make->setToolTip(why.isEmpty() ? tr("The fields of the tracks that are selected in the dope sheet or the curves.")
                                 : why);
  if (context_.keying.active_set().kind == ActiveSet::Kind::own) add_own(menu);
}

/// Of the active set.
void KeyingSetButton::add_own(QMenu& menu) {
  const Id id = context_.keying.active_set().own;
  const KeyingSet* set = find_keying_set(context_, id);
  if (!set) return;
  menu.addSeparator();
  QMenu* fields = menu.addMenu(tr("Take Out"));
  fields->setToolTipsVisible(true);
  for (const std::string& field : fields_of(*set)) {
    QAction* action =
        fields->addAction(field_label(field), this, [this, id, field] { remove_from_keying_set(context_, id, field); });
    action->setToolTip(QString::fromStdString(field));
  }
  fields->setEnabled(!fields->isEmpty());
  menu.addAction(tr("Rename…"), this, &KeyingSetButton::type_name);
  menu.addAction(theme_icon(QStringLiteral("delete")), tr("Delete"), this,
                 [this, id] { delete_keying_set(context_, id); });
}

/// Over the button, which is narrower than most names.
void KeyingSetButton::type_name() {
  const Id id = context_.keying.active_set().own;
  const KeyingSet* set = find_keying_set(context_, id);
  if (!set) return;
  delete name_.data();
  name_ = new NameEdit(QString::fromStdString(set->name), "keying_set_name", 60, parentWidget());
  name_->begin({x(), y(), kSetNameWidth, height()}, this,
               [this, id](const QString& text) { rename_keying_set(context_, id, text); });
}

}  // namespace hazumi
