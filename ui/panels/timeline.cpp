// The time line: transport, frame and time, speed and trouble of the computation, range, rate and sub-steps over the ruler.
#include <cmath>

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/scene/values/fields.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

class TimelinePanel : public QWidget {
 public:
  TimelinePanel(UiContext& context, QWidget* parent);

 private:
  template <class Spin>
  Spin* field(const char* name, const QString& label, std::string_view path, QHBoxLayout* row);
  template <class Spin>
  void bind(Spin* spin, std::string_view path);
  void refresh_range();
  void refresh_time();
  void refresh_status();

  UiContext context_;
  Binding<SceneSettings>* settings_;
  QSpinBox* frame_ = nullptr;
  QLabel *seconds_ = nullptr, *status_ = nullptr;
};

template <class Spin>
Spin* TimelinePanel::field(const char* name, const QString& label, std::string_view path, QHBoxLayout* row) {
  auto* caption = new QLabel(label, this);
  caption->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  auto* spin = new Spin(this);
  spin->setObjectName(QLatin1String(name));
  spin->setButtonSymbols(QAbstractSpinBox::NoButtons);
  spin->setKeyboardTracking(false);  // an edit when the number is complete, not at every digit
  spin->setAlignment(Qt::AlignRight);
  spin->setFixedWidth(58);
  if (const auto* row_of_table = find_field(settings_fields(), path)) {
    using Number = decltype(spin->value());
    const double cap = 1e6;
    const double low = std::max(row_of_table->low, -cap), high = std::min(row_of_table->high, cap);
    if constexpr (std::is_same_v<Spin, QDoubleSpinBox>) spin->setDecimals(3);
    const double lowest = row_of_table->low_open && low == std::floor(low)
                              ? (std::is_same_v<Spin, QSpinBox> ? low + 1 : low + 0.001)
                              : low;
    spin->setRange(static_cast<Number>(lowest), static_cast<Number>(high));
    spin->setToolTip(QString::fromUtf8(row_of_table->tooltip.data(), static_cast<int>(row_of_table->tooltip.size())));
  }
  // Enter gives the keys back to the window, so that Space plays again.
  connect(spin->template findChild<QLineEdit*>(), &QLineEdit::returnPressed, spin, [spin] {
    spin->interpretText();
    spin->clearFocus();
  });
  row->addWidget(caption);
  row->addWidget(spin);
  return spin;
}

template <class Spin>
void TimelinePanel::bind(Spin* spin, std::string_view path) {
  // As the field table has them: a number, or an integer.
  using Number = std::conditional_t<std::is_same_v<Spin, QDoubleSpinBox>, double, std::int64_t>;
  settings_->bind(path, [spin](std::span<const FieldValue> values) {
    const QSignalBlocker quiet(spin);
    spin->setValue(static_cast<decltype(spin->value())>(std::get<Number>(values.front())));
  });
  // Refused: the sentence is shown by the window, the field goes back to what is true.
  connect(spin, &Spin::valueChanged, this,
          [this, path](auto value) { (void)settings_->set(path, static_cast<Number>(value), false, nullptr); });
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

  for (const char* id : {"play.start", "play.back", "play.toggle", "play.forward", "play.end", "play.loop"}) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(context_.actions[id]);
    button->setObjectName(QLatin1String(id));
    button->setAutoRaise(true);
    button->setIconSize(QSize(18, 18));
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    row->addWidget(button);
  }
  row->addSpacing(6);
  frame_ = field<QSpinBox>("timeline_frame", tr("Frame"), {}, row);
  frame_->setToolTip(tr("The frame that is shown."));
  seconds_ = new QLabel(this);
  seconds_->setObjectName(QStringLiteral("timeline_seconds"));
  seconds_->setMinimumWidth(70);
  row->addWidget(seconds_);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("timeline_status"));
  status_->setTextFormat(Qt::PlainText);
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(status_, 1);
  bind(field<QSpinBox>("timeline_first", tr("Start"), "first_frame", row), "first_frame");
  bind(field<QSpinBox>("timeline_last", tr("End"), "last_frame", row), "last_frame");
  bind(field<QDoubleSpinBox>("timeline_rate", tr("Frames/s"), "frame_rate", row), "frame_rate");
  bind(field<QSpinBox>("timeline_substeps", tr("Sub-steps"), "substeps", row), "substeps");
  column->addLayout(row);
  column->addWidget(new TimelineRuler(context_, this), 1);

  connect(frame_, &QSpinBox::valueChanged, this, [this](int frame) { context_.playback.set_frame(frame); });
  connect(settings_, &BindingBase::shown_changed, this, &TimelinePanel::refresh_range);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &TimelinePanel::refresh_time);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &TimelinePanel::refresh_status);
  connect(&context_.playback, &PlaybackController::waiting_changed, this, &TimelinePanel::refresh_status);
  settings_->refresh();
  refresh_status();
}

void TimelinePanel::refresh_range() {
  const SceneSettings& settings = context_.document.scene().settings;
  {
    const QSignalBlocker quiet(frame_);
    frame_->setRange(settings.first_frame, std::max(settings.first_frame, settings.last_frame));
  }
  refresh_time();
}

void TimelinePanel::refresh_time() {
  const int frame = context_.playback.frame();
  if (!frame_->hasFocus()) {
    const QSignalBlocker quiet(frame_);
    frame_->setValue(frame);
  }
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
  status_->setText(text);
  status_->setToolTip(tip);
  status_->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
}

QWidget* make_timeline(UiContext& context, QWidget* parent) { return new TimelinePanel(context, parent); }

}  // namespace

const PanelInfo& panel_timeline() {
  static const PanelInfo info{"timeline", "Time Line", Qt::BottomDockWidgetArea, 0, 0, "play", &make_timeline};
  return info;
}

}  // namespace hazumi
