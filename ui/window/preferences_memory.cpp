#include "ui/window/preferences_memory.h"

#include <algorithm>

#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/model/context.h"
#include "ui/model/playback_controller.h"
#include "ui/model/settings.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kFieldWidth = 130, kBarHeight = 6, kLongestLine = 620;  // px
constexpr int kBarSteps = 1000;

QLabel* quiet(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(true);
  label->setMaximumWidth(kLongestLine);
  QPalette colours = label->palette();
  colours.setColor(QPalette::WindowText, theme_colours().quiet_text);
  label->setPalette(colours);
  return label;
}

/// "~/.cache" for what lies in the person's home.
QString from_home(const QString& folder) {
  const QString home = QDir::homePath();
  return folder.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + folder.mid(home.size()) : folder;
}

void show_share(QProgressBar* bar, std::size_t part, std::size_t whole) {
  const double share = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  bar->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarSteps));
}

}  // namespace

MemoryPage::MemoryPage(UiContext& context, Settings& settings, QWidget* parent)
    : QWidget(parent), playback_(context.playback), settings_(settings), before_(playback_.frame_limits()) {
  setObjectName(QStringLiteral("preferences_memory"));
  const FrameLimits usual = usual_frame_limits();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 14, 14, 10);
  column->setSpacing(10);
  column->addWidget(
      quiet(tr("Computed frames stay in memory, those of earlier runs too, so that undo brings them back. "
               "What finds no room there goes to the disk, the frames furthest from the play head first, "
               "and is read back when it is looked at."),
            this));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(14);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(2, 1);
  column->addSpacing(4);
  column->addLayout(grid);
  memory_ = make_row(grid, QStringLiteral("memory"), tr("In memory, at most"), tr("MB"));
  const double low = static_cast<double>(least_frame_memory()) / kMegabyte,
               high = static_cast<double>(most_frame_memory()) / kMegabyte;
  memory_.field->set_range(low, high);
  memory_.field->set_step(10);
  memory_.field->set_integer(true);
  memory_.field->set_default(static_cast<double>(usual.memory) / kMegabyte);
  grid->addWidget(
      quiet(tr("%L1 to %L2 MB, all that this machine has; usual is a quarter of it, %L3 MB. What the program "
               "needs besides is not counted.")
                .arg(low, 0, 'f', 0)
                .arg(high, 0, 'f', 0)
                .arg(usual.memory / kMegabyte),
            this),
      grid->rowCount(), 1, 1, 2);
  grid->setRowMinimumHeight(grid->rowCount(), 12);
  disk_ = make_row(grid, QStringLiteral("disk"), tr("On the disk, at most"), tr("GB"));
  disk_.field->set_range(0, static_cast<double>(kMostFrameDisk / kGigabyte));
  disk_.field->set_step(0.1);
  disk_.field->set_default(static_cast<double>(usual.disk) / kGigabyte);
  grid->addWidget(
      quiet(tr("0 to %L1 GB; with 0 nothing goes there. The last %2 that are free stay free for your scenes. "
               "In %3; nothing is left there when Hazumi ends.")
                .arg(kMostFrameDisk / kGigabyte)
                .arg(memory_text(usual.disk_spared), from_home(QString::fromStdString(before_.folder.string()))),
            this),
      grid->rowCount(), 1, 1, 2);
  problem_ = quiet({}, this);
  problem_->setObjectName(QStringLiteral("preferences_memory_problem"));
  problem_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().warning.name()));
  column->addWidget(problem_);
  column->addStretch(1);
  reset_ = new QPushButton(tr("&Reset"), this);
  reset_->setObjectName(QStringLiteral("preferences_memory_reset"));
  reset_->setToolTip(tr("Memory and disk as they usually are."));
  reset_->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(reset_);
  column->addLayout(row);
  connect(memory_.field, &NumberField::edited, this, [this](double megabytes) {
    FrameLimits limits = playback_.frame_limits();
    limits.memory = static_cast<std::size_t>(megabytes + 0.5) * kMegabyte;
    apply(limits);
  });
  connect(disk_.field, &NumberField::edited, this, [this](double gigabytes) {
    FrameLimits limits = playback_.frame_limits();
    limits.disk = static_cast<std::size_t>(gigabytes * kGigabyte + 0.5);
    apply(limits);
  });
  connect(reset_, &QPushButton::clicked, this, [this] { apply(usual_frame_limits()); });
  connect(&playback_, &PlaybackController::fill_changed, this, &MemoryPage::refresh);
  refresh();
}

MemoryPage::Row MemoryPage::make_row(QGridLayout* grid, const QString& id, const QString& label, const QString& unit) {
  Row row{new NumberField(this), new QProgressBar(this), new QLabel(this)};
  row.field->setObjectName(QStringLiteral("preferences_") + id);
  row.field->set_name(label);
  row.field->set_unit(unit);
  row.field->setFixedWidth(kFieldWidth);
  row.bar->setObjectName(QStringLiteral("preferences_%1_bar").arg(id));
  row.bar->setRange(0, kBarSteps);
  row.bar->setTextVisible(false);
  row.bar->setFixedHeight(kBarHeight);
  row.used->setObjectName(QStringLiteral("preferences_%1_used").arg(id));
  const int line = grid->rowCount();
  auto* beside = new QVBoxLayout;
  beside->setSpacing(3);
  beside->addWidget(row.used);
  beside->addWidget(row.bar);
  auto* name = new QLabel(label, this);
  name->setBuddy(row.field);
  grid->addWidget(name, line, 0);
  grid->addWidget(row.field, line, 1);
  grid->addLayout(beside, line, 2);
  return row;
}

void MemoryPage::apply(const FrameLimits& limits) {
  playback_.set_frame_limits(limits);
  refresh();
}

void MemoryPage::refresh() {
  const FrameLimits limits = playback_.frame_limits(), usual = usual_frame_limits();
  const FrameUse use = playback_.frame_use();
  memory_.field->set_value(static_cast<double>(limits.memory / kMegabyte));
  disk_.field->set_value(static_cast<double>(limits.disk) / kGigabyte);
  memory_.used->setText(tr("%1 used, %L2 of %L3 frames")
                            .arg(memory_text(use.memory))
                            .arg(use.frames - use.frames_on_disk)
                            .arg(use.frames));
  disk_.used->setText(use.disk == 0
                          ? tr("nothing there")
                          : tr("%1 used, %L2 frames only there").arg(memory_text(use.disk)).arg(use.frames_on_disk));
  show_share(memory_.bar, use.memory, limits.memory);
  show_share(disk_.bar, use.disk, limits.disk);
  problem_->setText(use.problem.empty()
                        ? QString()
                        : tr("The disk takes no frames at present: %1. It is tried again every other second.")
                              .arg(QString::fromStdString(use.problem)));
  reset_->setEnabled(limits.memory != usual.memory || limits.disk != usual.disk);
}

void MemoryPage::accept() { settings_.set_frame_limits(playback_.frame_limits()); }

void MemoryPage::reject() { playback_.set_frame_limits(before_); }

}  // namespace hazumi
