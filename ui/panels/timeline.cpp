// The time line: transport, frame and time, speed and trouble of the computation, range, rate and sub-steps over the ruler.
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/scene/values/fields.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/panels/cut_strip.h"
#include "ui/panels/keying_set_button.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/panels/sound_strip.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

// Logical pixels. A frame's number may be 1000000; together the fields leave room for what is said between them.
constexpr int kFrameWidth = 70, kShortWidth = 46, kSpeedWidth = 44;

class TimelinePanel : public QWidget {
 public:
  TimelinePanel(UiContext& context, QWidget* parent);

 private:
  QToolButton* tool(const char* id);
  void add_speed(QHBoxLayout* row);
  void add(const QString& label, QWidget* field, int width, QHBoxLayout* row);
  void add_setting(const char* name, const QString& label, std::string_view path, int width, QHBoxLayout* row);
  void refresh_range();
  void refresh_time();
  void refresh_status();
  void refresh_speed();

  UiContext context_;
  Binding<SceneSettings>* settings_;
  NumberField* frame_ = nullptr;
  QLabel *seconds_ = nullptr, *status_ = nullptr;
  QToolButton* speed_ = nullptr;
};

void TimelinePanel::add(const QString& label, QWidget* field, int width, QHBoxLayout* row) {
  auto* caption = new QLabel(label, this);
  caption->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  field->setFixedWidth(width);
  row->addWidget(caption);
  row->addWidget(field);
}

QToolButton* TimelinePanel::tool(const char* id) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(context_.actions[id]);
  button->setObjectName(QLatin1String(id));
  button->setAutoRaise(true);
  button->setIconSize(QSize(18, 18));
  button->setFocusPolicy(Qt::NoFocus);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  return button;
}

void TimelinePanel::add_speed(QHBoxLayout* row) {
  speed_ = new QToolButton(this);
  speed_->setObjectName(QStringLiteral("timeline_speed"));
  speed_->setAutoRaise(true);
  speed_->setFixedWidth(kSpeedWidth);
  speed_->setFocusPolicy(Qt::NoFocus);
  speed_->setPopupMode(QToolButton::InstantPopup);
  speed_->setToolTip(tr("How fast it plays, and whether every frame is shown."));
  auto* menu = new QMenu(speed_);
  menu->setToolTipsVisible(true);
  for (const char* id : {"play.quarter", "play.half", "play.real", "play.double"})
    menu->addAction(context_.actions[id]);
  menu->addSeparator();
  menu->addAction(context_.actions["play.every_frame"]);
  speed_->setMenu(menu);
  row->addWidget(speed_);
}

/// As in the panels: what cannot be is said in a bubble, and the field goes back to what is true.
void TimelinePanel::add_setting(const char* name, const QString& label, std::string_view path, int width,
                                QHBoxLayout* row) {
  FieldWidget* field = settings_->make(path, this);
  field->setObjectName(QLatin1String(name));
  for (QWidget* each : {static_cast<QWidget*>(field), static_cast<QWidget*>(field->findChild<NumberField*>())})
    each->setToolTip(field->spec().tooltip);  // plain, so that it is a hint at once
  add(label, field, width, row);
}

/// Their undo steps need no owner: "Last frame".
Owners<SceneSettings> nameless_settings(const UiContext& context) {
  Owners<SceneSettings> owners = scene_settings(context);
  owners.subject = [](const Owners<SceneSettings>::List&) { return QString(); };
  return owners;
}

TimelinePanel::TimelinePanel(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      settings_(new Binding<SceneSettings>(context_, settings_fields(), nameless_settings(context_), this)) {
  setObjectName(QStringLiteral("timeline_panel"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 3, 8, 3);
  row->setSpacing(5);

  for (const char* id :
       {"play.start", "play.back", "play.toggle", "play.forward", "play.end", "play.loop", "play.back_and_forth"})
    row->addWidget(tool(id));
  add_speed(row);
  row->addSpacing(6);
  for (const char* id : {"key.previous", "key.set", "key.next", "key.automatic"}) row->addWidget(tool(id));
  row->addWidget(new KeyingSetButton(context_, this));
  row->addSpacing(6);
  frame_ = new NumberField(this);
  frame_->setObjectName(QStringLiteral("timeline_frame"));
  frame_->set_name(tr("Frame"));
  frame_->set_integer(true);
  frame_->setToolTip(tr("The frame that is shown."));
  add(tr("Frame"), frame_, kFrameWidth, row);
  seconds_ = new QLabel(this);
  seconds_->setObjectName(QStringLiteral("timeline_seconds"));
  seconds_->setMinimumWidth(70);
  row->addWidget(seconds_);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("timeline_status"));
  status_->setTextFormat(Qt::PlainText);
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(status_, 1);
  add_setting("timeline_first", tr("Start"), "first_frame", kFrameWidth, row);
  add_setting("timeline_last", tr("End"), "last_frame", kFrameWidth, row);
  add_setting("timeline_rate", tr("Frames/s"), "frame_rate", kShortWidth, row);
  add_setting("timeline_substeps", tr("Sub-steps"), "substeps", kShortWidth, row);
  column->addLayout(row);
  column->addWidget(new TimelineRuler(context_, this), 1);
  column->addWidget(new CutStrip(context_, this));
  column->addWidget(new SoundStrip(context_, this));

  connect(frame_, &NumberField::edited, this,
          [this](double frame) { context_.playback.set_frame(static_cast<int>(std::lround(frame))); });
  connect(settings_, &BindingBase::shown_changed, this, &TimelinePanel::refresh_range);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &TimelinePanel::refresh_time);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &TimelinePanel::refresh_status);
  connect(&context_.playback, &PlaybackController::waiting_changed, this, &TimelinePanel::refresh_status);
  connect(&context_.playback, &PlaybackController::manner_changed, this, &TimelinePanel::refresh_speed);
  settings_->refresh();
  refresh_status();
  refresh_speed();
}

void TimelinePanel::refresh_range() {
  const SceneSettings& settings = context_.document.scene().settings;
  frame_->set_range(settings.first_frame, std::max(settings.first_frame, settings.last_frame));
  refresh_time();
}

void TimelinePanel::refresh_time() {
  const int frame = context_.playback.frame();
  frame_->set_value(frame);  // what is being typed stays
  seconds_->setText(tr("%1 s").arg(frame / context_.document.scene().settings.frame_rate, 0, 'f', 3));
}

void TimelinePanel::refresh_status() {
  const FillStatus status = context_.playback.status();
  const ThemeColours& colours = theme_colours();
  QString text, tip;
  QColor colour = colours.quiet_text;
  if (status.phase == FillStatus::Phase::stopped && status.failure) {
    text = QString::fromStdString(status.failure->message);
    tip = text + QLatin1Char('\n') + QString::fromStdString(status.failure->hint);
    colour = colours.error;
  } else if (context_.playback.waits_for_disk()) {
    text = tr("Reading frames from the disk…");
  } else if (context_.playback.waiting()) {
    text = tr("Waiting for the computation, %1 frames a second").arg(std::lround(status.frames_per_second));
    colour = colours.warning;
  } else if (status.phase == FillStatus::Phase::running && status.frames_per_second > 0) {
    text = tr("%1 frames a second").arg(std::lround(status.frames_per_second));
  } else if (status.phase == FillStatus::Phase::preparing) {
    text = tr("Making surface %1 of %2…").arg(status.prepared + 1).arg(status.to_prepare);
  } else if (status.phase == FillStatus::Phase::compiling) {
    text = tr("Preparing…");
  }
  const QString fits = status_->fontMetrics().elidedText(text, Qt::ElideRight, status_->width());
  status_->setText(fits);
  status_->setToolTip(tip.isEmpty() && fits != text ? text : tip);
  status_->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
}

void TimelinePanel::refresh_speed() {
  const double speed = context_.playback.speed();
  speed_->setText(speed == 0.25 ? tr("¼ ×") : speed == 0.5 ? tr("½ ×") : tr("%1 ×").arg(speed));
}

QWidget* make_timeline(UiContext& context, QWidget* parent) { return new TimelinePanel(context, parent); }

}  // namespace

const PanelInfo& panel_timeline() {
  static const PanelInfo info{"timeline", "Time Line", Qt::BottomDockWidgetArea, 0, 0, "play", &make_timeline};
  return info;
}

}  // namespace hazumi
