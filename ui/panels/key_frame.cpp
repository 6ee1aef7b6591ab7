#include "ui/panels/key_frame.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/key_words.h"
#include "ui/model/text.h"
#include "ui/panels/key_canvas.h"
#include "ui/panels/time_strip.h"
#include "ui/panels/track_list.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/keys_back.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr int kListWidth = 210, kFrameField = 64, kValueField = 84, kBarHeight = 28;  // logical pixels
constexpr double kFarthestFrame = 1e6;
}  // namespace

KeyFrame::KeyFrame(UiContext& context, bool components, QWidget* parent)
    : QWidget(parent), context_(context), view_(new TrackView(context, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* line = new QWidget(this);
  line->setFixedHeight(kBarHeight);  // with fields or without: nothing moves under the mouse when a key is selected
  bar_ = new QHBoxLayout(line);
  bar_->setContentsMargins(8, 2, 8, 2);
  bar_->setSpacing(6);
  // As on the time line, which is another tab of the same place.
  for (const char* id : {"play.start", "play.back", "play.toggle", "play.forward", "play.end", "play.loop"}) {
    QToolButton* button = icon_button(context_.actions[id], this);
    button->setObjectName(QLatin1String("keys_") + QLatin1String(id));
    bar_->addWidget(button);
  }
  bar_->addSpacing(6);
  auto* only = new QCheckBox(tr("Only selected"), this);
  only->setObjectName(QStringLiteral("only_selected"));
  only->setToolTip(tr("Only tracks of the objects that are selected."));
  only->setFocusPolicy(Qt::NoFocus);
  bar_->addWidget(only_ = only);
  connect(only, &QCheckBox::toggled, view_, &TrackView::set_only_selected);
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("keys_selected"));
  count_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  bar_->addStretch(1);
  bar_->addWidget(count_);
  name_ = new QLabel(this);
  name_->setObjectName(QStringLiteral("active_key"));
  bar_->addWidget(name_);
  frame_ = add_field("key_frame");
  frame_->set_name(tr("Frame"));
  frame_->set_prefix(tr("Frame"), theme_colours().quiet_text);
  frame_->setFixedWidth(kFrameField + 40);
  frame_->setToolTip(tr("The frame of the active key; the others that are selected go as far."));
  frame_->set_range(-kFarthestFrame, kFarthestFrame);
  frame_->set_step(0.25);
  connect(frame_, &NumberField::edited, this, [this](double frame, bool continues) {
    if (!continues) gesture_ = context_.document.new_gesture();
    type_time(context_, frame, gesture_);
    refresh();
  });
  for (std::size_t k = 0; k < 4; ++k) {
    values_.push_back(add_field(qPrintable(QStringLiteral("key_value_%1").arg(k))));
    values_.back()->setFixedWidth(kValueField);
    values_.back()->setToolTip(tr("The value of the active key; keys of the same kind that are selected get it too."));
    connect(values_.back(), &NumberField::edited, this,
            [this, k](double value, bool continues) { take_value(k, value, continues); });
  }
  add_word();
  column->addWidget(line);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setHandleWidth(3);
  splitter->setChildrenCollapsible(false);
  auto* left = new QWidget(splitter);
  auto* rows = new QVBoxLayout(left);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addSpacing(static_cast<int>(TimeStrip::kRulerHeight) + 1);
  rows->addWidget(new TrackList(context_, *view_, components, left), 1);
  auto* canvas = new QWidget(splitter);
  right_ = new QVBoxLayout(canvas);
  right_->setContentsMargins(0, 0, 0, 0);
  right_->setSpacing(0);
  auto* strip = new TimeStrip(context_, canvas);
  strip->setFixedHeight(static_cast<int>(TimeStrip::kRulerHeight) + 1);
  right_->addWidget(strip);
  splitter->addWidget(left);
  splitter->addWidget(canvas);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({kListWidth, 600});
  column->addWidget(splitter, 1);
  connect(&context_.keys, &KeySelection::changed, this, &KeyFrame::refresh);
  connect(&context_.document, &DocumentController::changed, this, &KeyFrame::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &KeyFrame::refresh);
  refresh();
}

void KeyFrame::add_word() {
  word_ = new QComboBox(this);
  word_->setObjectName(QStringLiteral("key_word"));
  word_->setFocusPolicy(Qt::StrongFocus);
  word_->setMinimumWidth(kValueField);
  word_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  word_->setToolTip(tr("What the active key says; keys of the same kind that are selected say it too."));
  bar_->addWidget(word_);
  connect(word_, &QComboBox::activated, this, [this](int index) {
    take_value(0, word_->itemData(index).toDouble(), false);
    give_keys_back(*word_);
  });
}

void KeyFrame::set_canvas(KeyCanvas* canvas) { right_->addWidget(canvas, 1); }

NumberField* KeyFrame::add_field(const char* name) {
  auto* field = new NumberField(this);
  field->setObjectName(QLatin1String(name));
  bar_->addWidget(field);
  return field;
}

/// What is gone is still named.
void KeyFrame::show_word(const Track& track, double value) {
  const Scene& scene = context_.document.scene();
  const QSignalBlocker still(word_);
  word_->clear();
  for (const auto& [of, text] : key_words(scene, track)) word_->addItem(text, of);
  if (word_->findData(value) < 0) word_->addItem(key_word(scene, track, value), value);
  word_->setCurrentIndex(word_->findData(value));
}

void KeyFrame::take_value(std::size_t component, double value, bool continues) {
  if (!continues) gesture_ = context_.document.new_gesture();
  type_value(context_, component, value, gesture_);
  refresh();
}

void KeyFrame::refresh() {
  const std::size_t count = context_.keys.count();
  count_->setText(count > 1 ? tr("%1 selected").arg(keys_text(count)) : QString());
  const auto active = context_.keys.active();
  const Scene& scene = context_.document.scene();
  const Track* track = active ? find_track(scene, active->track) : nullptr;
  const Key* key = track ? find_key(*track, active->time) : nullptr;
  const auto field = track ? track_field(scene, track->target, track->field) : std::nullopt;
  name_->setText(key ? tr("%1 of %2").arg(track_label(scene, *track), target_label(scene, *track)) : QString());
  frame_->setVisible(key != nullptr);
  if (key) frame_->set_value(std::round(key->time * frame_rate(context_) * 1e6) / 1e6);  // as typed, not as stored
  const QString word = key ? key_word(scene, *track, key->value[0]) : QString();
  word_->setVisible(!word.isEmpty());
  if (!word.isEmpty()) show_word(*track, key->value[0]);
  const int shown = key && field && word.isEmpty() ? track_components(field->range.type, track->turn) : 0;
  const auto names = key && field ? component_names(field->range.type, track->turn) : std::vector<QString>{};
  for (int k = 0; k < static_cast<int>(values_.size()); ++k) {
    NumberField* value = values_[static_cast<std::size_t>(k)];
    value->setVisible(k < shown);
    if (k >= shown) continue;
    const std::size_t place = static_cast<std::size_t>(k);
    const double factor = shown_factor(scene, *track);
    const bool whole = !is_continuous(field->range.type), rotation = field->range.type == FieldType::rotation;
    value->set_name(names.empty() ? track_label(scene, *track) : names[place]);
    value->set_prefix(names.empty() ? QString() : names[place], component_colour(field->range.type, track->turn, k));
    value->set_unit(factor != 1 ? QStringLiteral("°") : rotation ? QString() : text_of(field->range.unit));
    value->set_integer(whole);
    if (rotation)
      value->set_range(-1e6, 1e6);
    else
      value->set_range(field->range.low * factor, field->range.high * factor, field->range.low_open);
    value->set_value(key->value[place] * factor);
  }
}

}  // namespace hazumi
