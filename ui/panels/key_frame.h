// What stands around an editor of keys: the list of tracks at the left, the ruler above, and a line with the numbers of the active key.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/panels/track_view.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSplitter;
class QVBoxLayout;

namespace hazumi {

class KeyCanvas;
class NumberField;

class KeyFrame : public QWidget {
  Q_OBJECT
 public:
  /// `components`: the list has a letter for each number of a track.
  KeyFrame(UiContext& context, bool components, QWidget* parent = nullptr);

 protected:
  TrackView& view() { return *view_; }
  /// Before what says how many keys are selected.
  QHBoxLayout* bar() { return bar_; }
  QWidget* only_selected() { return only_; }
  void set_canvas(KeyCanvas* canvas);

  UiContext context_;

 private:
  NumberField* add_field(const char* name);
  void refresh();
  void add_word();
  void show_word(const Track& track, double value);
  void take_value(std::size_t component, double value, bool continues);

  TrackView* view_;
  QHBoxLayout* bar_;
  QWidget* only_;
  QVBoxLayout* right_;
  QLabel *count_, *name_;
  NumberField* frame_;
  std::vector<NumberField*> values_;
  QComboBox* word_;  ///< in the place of these, of what is no number
  quint64 gesture_ = 0;
};

}  // namespace hazumi
