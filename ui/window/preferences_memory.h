// The page of the preferences for what computed frames may take: of memory, and beyond it of the disk. What is changed holds at once,
// and what is taken now is seen beside it; accept() keeps it in the settings, reject() puts back what was.
#pragma once

#include <QWidget>

#include "core/playback/frame_store.h"

class QLabel;
class QPushButton;
class QGridLayout;
class QProgressBar;

namespace hazumi {

class NumberField;
class PlaybackController;
class Settings;
struct UiContext;

class MemoryPage : public QWidget {
  Q_OBJECT
 public:
  MemoryPage(UiContext& context, Settings& settings, QWidget* parent);
  void accept();
  void reject();

 private:
  struct Row {
    NumberField* field;
    QProgressBar* bar;
    QLabel* used;
  };
  Row make_row(QGridLayout* grid, const QString& id, const QString& label, const QString& unit);
  void apply(const FrameLimits& limits);
  void refresh();

  PlaybackController& playback_;
  Settings& settings_;
  const FrameLimits before_;
  Row memory_, disk_;
  QLabel* problem_;
  QPushButton* reset_;
};

}  // namespace hazumi
