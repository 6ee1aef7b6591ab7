#include "ui/window/preferences_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/model/context.h"
#include "ui/model/settings.h"
#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/word_match.h"
#include "ui/window/preferences_memory.h"

namespace hazumi {

namespace {

struct At {
  enum Column { name, keys, tip };
};
constexpr int kKeyRowHeight = 22;  // px

/// "Merge" in the mode Truss, "Add › Box" of the menus.
QString called(const KeyRow& row) {
  return row.mode.isEmpty() ? row.group + QStringLiteral(" › ") + row.name
                            : row.mode + QStringLiteral(" › ") + row.name;
}

bool only_held(int key) {
  return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
         key == Qt::Key_AltGr || key == Qt::Key_CapsLock || key == Qt::Key_NumLock || key == Qt::Key_unknown ||
         key == 0;
}

}  // namespace

PreferencesDialog::PreferencesDialog(UiContext& context, Settings& settings, QWidget* parent)
    : QDialog(parent),
      actions_(context.actions),
      settings_(settings),
      before_(actions_.key_map()),
      rows_(key_rows(actions_)),
      memory_(new MemoryPage(context, settings, this)) {
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  resize(std::min(900, parent->width() - 60), std::min(680, parent->height() - 60));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  auto* pages = new QTabWidget(this);
  pages->setObjectName(QStringLiteral("preferences_pages"));
  pages->setDocumentMode(true);  // no frame, no ground of its own
  auto* keys = new QWidget(pages);
  keys_ = new QVBoxLayout(keys);
  pages->addTab(keys, tr("Keys"));
  pages->addTab(memory_, tr("Memory"));
  column->addWidget(pages, 1);
  make_top();
  make_list();
  make_buttons();
  show_keys();
  list_->setColumnWidth(At::name, 270);
  list_->setColumnWidth(At::keys, 190);
  say(tr("Choose a command; a double click or New Key… waits for its key."));
  search_->setFocus();
}

void PreferencesDialog::make_top() {
  auto* row = new QHBoxLayout;
  keys_->addLayout(row);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("preferences_search"));
  search_->setPlaceholderText(tr("Search: words, their first letters, or a key"));
  search_->setClearButtonEnabled(true);
  search_->addAction(theme_icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  set_ = new QComboBox(this);
  set_->setObjectName(QStringLiteral("preferences_set"));
  for (const KeySet& set : kKeySets) {
    set_->addItem(tr(set.title), QLatin1String(set.id));
    set_->setItemData(set_->count() - 1, tr(set.tip), Qt::ToolTipRole);
  }
  set_->setToolTip(tr("The set that all keys come from; keys of your own are given up when another is chosen."));
  auto* label = new QLabel(tr("&Set of keys"), this);
  label->setBuddy(set_);
  row->addWidget(search_, 1);
  row->addSpacing(12);
  row->addWidget(label);
  row->addWidget(set_);
  connect(search_, &QLineEdit::textChanged, this, &PreferencesDialog::filter);
  connect(set_, &QComboBox::activated, this, &PreferencesDialog::choose_set);
}

void PreferencesDialog::make_list() {
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("preferences_list"));
  list_->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
  list_->setRootIsDecorated(false);
  list_->setItemsExpandable(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setAllColumnsShowFocus(true);
  list_->setIndentation(12);
  list_->header()->setStretchLastSection(true);
  QHash<QString, QTreeWidgetItem*> groups;
  for (const KeyRow& row : rows_) {
    QTreeWidgetItem*& group = groups[row.group];
    if (!group) {
      group = new QTreeWidgetItem(list_, {row.group});
      group->setFlags(Qt::ItemIsEnabled);
      group->setFirstColumnSpanned(true);
      QFont bold = font();
      bold.setWeight(QFont::DemiBold);
      group->setFont(At::name, bold);
      group->setForeground(At::name, theme_colours().accent);
      group->setSizeHint(At::name, QSize(0, kKeyRowHeight));  // the first row's height is every row's
    }
    auto* item = new QTreeWidgetItem(group, {row.name, {}, row.tip});
    item->setSizeHint(At::name, QSize(0, kKeyRowHeight));
    item->setToolTip(At::name, row.name);
    item->setToolTip(At::tip, row.tip);
    item->setForeground(At::tip, theme_colours().quiet_text);
    items_.push_back(item);
  }
  list_->expandAll();
  none_ = new QLabel(tr("No command is called that."), this);
  none_->setAlignment(Qt::AlignCenter);
  none_->hide();
  keys_->addWidget(list_, 1);
  keys_->addWidget(none_, 1);
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] { listen(Listening::no); });
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this] { listen(Listening::instead); });
}

void PreferencesDialog::make_buttons() {
  auto* line = new QHBoxLayout;
  said_ = new QLabel(this);
  said_->setObjectName(QStringLiteral("preferences_said"));
  said_->setWordWrap(true);
  said_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 4);
  line->addWidget(said_, 1);
  const auto button = [&](QHBoxLayout* row, const char* id, const QString& text, const QString& tip, auto pressed) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(id));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, pressed);
    row->addWidget(made);
    return made;
  };
  take_over_ = button(line, "preferences_take_over", tr("&Take It Over"),
                      tr("The key goes to the chosen command; the other one loses it."), [this] { take_over(); });
  keys_->addLayout(line);
  auto* row = new QHBoxLayout;
  keys_->addLayout(row);
  instead_ = button(row, "preferences_new", tr("&New Key…"), tr("Press a key: it takes the place of those it has."),
                    [this] { listen(Listening::instead); });
  besides_ = button(row, "preferences_add", tr("&Another Key…"), tr("Press a key: it comes beside those it has."),
                    [this] { listen(Listening::besides); });
  remove_ = button(row, "preferences_remove", tr("No &Key"), tr("The command has no key any more."),
                   [this] { remove_current(); });
  reset_ = button(row, "preferences_reset", tr("&Reset"), tr("The command has the keys of the set again."),
                  [this] { reset_current(); });
  row->addStretch(1);
  reset_all_ = button(row, "preferences_reset_all", tr("Reset A&ll"),
                      tr("All commands have the keys of the set again."), [this] {
                        KeyMap map;
                        map.set = actions_.key_map().set;
                        apply(map);
                        say(tr("All keys are those of the set."));
                      });
  auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  box->button(QDialogButtonBox::Ok)->setDefault(true);
  for (QAbstractButton* each : box->buttons()) each->setIcon({});  // the desktop's pictures are not ours
  connect(box, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
  connect(box, &QDialogButtonBox::rejected, this, &PreferencesDialog::reject);
  layout()->addWidget(box);
  // A key that is waited for comes here, whatever has the focus and whatever it does otherwise.
  for (QWidget* widget : findChildren<QWidget*>()) widget->installEventFilter(this);
  installEventFilter(this);
}

void PreferencesDialog::filter(const QString& text) {
  int best = 0;
  QTreeWidgetItem* first = nullptr;
  for (int g = 0; g < list_->topLevelItemCount(); ++g) list_->topLevelItem(g)->setHidden(true);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const QString beside =
        items_[i]->text(At::keys) + QLatin1Char(' ') + rows_[i].group + QLatin1Char(' ') + rows_[i].tip;
    const int fits = word_match(text, rows_[i].name, beside);
    items_[i]->setHidden(fits == 0);
    if (fits > 0) items_[i]->parent()->setHidden(false);
    if (fits > best) {
      best = fits;
      first = items_[i];
    }
  }
  list_->setVisible(first);
  none_->setVisible(!first);
  if (first && !text.trimmed().isEmpty()) {
    list_->setCurrentItem(first);
    list_->scrollToItem(first, QAbstractItemView::PositionAtCenter);
  } else if (!first) {
    list_->setCurrentItem(nullptr);
  }
}

const KeyRow* PreferencesDialog::current() const {
  const auto at = std::find(items_.begin(), items_.end(), list_->currentItem());
  return at == items_.end() || (*at)->isHidden() ? nullptr : &rows_[static_cast<std::size_t>(at - items_.begin())];
}

void PreferencesDialog::listen(Listening how) {
  const KeyRow* row = current();
  listening_ = row ? how : Listening::no;
  wish_.reset();
  update_buttons();
  if (!row) return say({});
  if (listening_ == Listening::no) return say(row->tip);
  say(tr("Press the key for %1. Esc leaves it as it is.").arg(called(*row)));
  list_->setFocus();
}

bool PreferencesDialog::eventFilter(QObject* watched, QEvent* event) {
  if (listening_ == Listening::no) return QDialog::eventFilter(watched, event);
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    hear(*static_cast<QKeyEvent*>(event));
    return true;
  }
  if (event->type() == QEvent::MouseButtonPress && watched != instead_ && watched != besides_) listen(Listening::no);
  return QDialog::eventFilter(watched, event);
}

void PreferencesDialog::hear(const QKeyEvent& event) {
  if (only_held(event.key())) return;
  const KeyRow* row = current();
  const bool besides = listening_ == Listening::besides;
  if (!row || event.key() == Qt::Key_Escape) return listen(Listening::no);
  // The keys of a mode are the same on the number pad.
  const auto held = row->mode.isEmpty() ? event.modifiers() : event.modifiers() & ~Qt::KeypadModifier;
  const QKeySequence key(QKeyCombination(held, static_cast<Qt::Key>(event.key())));
  if (const QString no = key_refusal(*row, key); !no.isEmpty()) return say(no, true);  // and waits for another
  listen(Listening::no);
  const Wish wish{row, holder_of(rows_, actions_.key_map(), *row, key), key, besides};
  if (!wish.holder) return assign(wish);
  wish_ = wish;
  say(tr("%1 is the key of %2.").arg(keys_on_screen({key}), called(*wish.holder)), true);
  update_buttons();
  take_over_->setFocus();
}

void PreferencesDialog::take_over() {
  if (!wish_) return;
  const Wish wish = *wish_;
  wish_.reset();
  assign(wish);
}

void PreferencesDialog::assign(const Wish& wish) {
  KeyMap map = actions_.key_map();
  if (wish.holder) {
    QList<QKeySequence> left = wish.holder->keys(map);
    left.removeAll(wish.key);
    give_keys(map, *wish.holder, left);
  }
  QList<QKeySequence> keys = wish.besides ? wish.row->keys(map) : QList<QKeySequence>();
  if (!keys.contains(wish.key)) keys << wish.key;
  give_keys(map, *wish.row, keys);
  apply(map);
  QString sentence = tr("%1 is now the key of %2.").arg(keys_on_screen({wish.key}), called(*wish.row));
  const auto others = shaded_by(rows_, map, *wish.row, wish.key);
  if (!others.empty()) {
    const KeyRow& in_mode = wish.row->mode.isEmpty() ? *others.front() : *wish.row;
    const KeyRow& in_menu = wish.row->mode.isEmpty() ? *wish.row : *others.front();
    sentence += QLatin1Char(' ') +
                tr("In the mode %1 it is heard as %2, not as %3.").arg(in_mode.mode, in_mode.name, called(in_menu));
  }
  say(sentence);
}

void PreferencesDialog::reset_current() {
  const KeyRow* row = current();
  if (!row) return;
  KeyMap map = actions_.key_map();
  map.own.erase(text_of(row->id));
  // Whoever has taken one of them over has to give it back.
  QStringList losers;
  for (const QKeySequence& key : row->keys(map))
    if (const KeyRow* holder = holder_of(rows_, map, *row, key)) {
      QList<QKeySequence> left = holder->keys(map);
      left.removeAll(key);
      give_keys(map, *holder, left);
      losers << tr("%1 from %2").arg(keys_on_screen({key}), called(*holder));
    }
  apply(map);
  const QString done = tr("%1 has its usual keys again").arg(called(*row));
  say(losers.isEmpty() ? done + QLatin1Char('.')
                       : tr("%1, taken back: %2.").arg(done, losers.join(QStringLiteral(", "))));
}

void PreferencesDialog::remove_current() {
  const KeyRow* row = current();
  if (!row) return;
  KeyMap map = actions_.key_map();
  give_keys(map, *row, {});
  apply(map);
  say(tr("%1 has no key now; F3 and its menu still find it.").arg(called(*row)));
}

void PreferencesDialog::choose_set() {
  KeyMap map;
  map.set = set_->currentData().toString();
  apply(map);
  say(set_->currentData(Qt::ToolTipRole).toString());
}

void PreferencesDialog::apply(KeyMap map) {
  actions_.set_key_map(std::move(map));
  show_keys();
}

void PreferencesDialog::show_keys() {
  const KeyMap& map = actions_.key_map();
  set_->setCurrentIndex(std::max(0, set_->findData(map.set)));
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool own = rows_[i].has_own_keys(map);
    const QString keys = keys_on_screen(rows_[i].keys(map));
    items_[i]->setText(At::keys, keys);
    items_[i]->setForeground(At::keys, own ? theme_colours().accent : theme_colours().text);
    const QString usual = keys_on_screen(key_sequences(map.set_keys(rows_[i].id, rows_[i].standard)));
    items_[i]->setToolTip(At::keys, !own              ? keys
                                    : usual.isEmpty() ? tr("Changed; the set has no key for it.")
                                                      : tr("Changed; in the set it is %1.").arg(usual));
  }
  update_buttons();
}

void PreferencesDialog::update_buttons() {
  const KeyRow* row = current();
  const KeyMap& map = actions_.key_map();
  take_over_->setVisible(wish_.has_value());
  instead_->setEnabled(row);
  besides_->setEnabled(row && !row->keys(map).isEmpty());
  remove_->setEnabled(row && !row->keys(map).isEmpty());
  reset_->setEnabled(row && row->has_own_keys(map));
  reset_all_->setEnabled(!map.own.empty());
}

void PreferencesDialog::say(const QString& sentence, bool warns) {
  said_->setText(sentence);
  QPalette colours = palette();
  if (warns) colours.setColor(QPalette::WindowText, theme_colours().warning);
  said_->setPalette(colours);
}

void PreferencesDialog::accept() {
  settings_.set_key_map(actions_.key_map());
  memory_->accept();
  QDialog::accept();
}

void PreferencesDialog::reject() {
  actions_.set_key_map(before_);
  memory_->reject();
  QDialog::reject();
}

}  // namespace hazumi
