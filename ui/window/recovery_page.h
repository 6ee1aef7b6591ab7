// What a crash left behind, before anything else: a page over the whole window with a card for each scene that was not
// saved. Every one is brought back or discarded by its own name; Later leaves all of them for the next start. What was
// discarded can be put back here, as long as the preferences say.
#pragma once

#include <QWidget>

#include "ui/jobs/autosave.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace hazumi {

class RecoveryPage : public QWidget {
  Q_OBJECT
 public:
  RecoveryPage(const QString& root, const Autosave& autosave, QWidget* parent);

  /// Looks again what there is; how many can be brought back.
  int refresh();
  /// Why this one could not be brought back, on its card.
  void show_problem(const QString& folder, const QString& sentence);
  /// "12 minutes newer than its file", "its file is gone", "never saved".
  static QString compared_with_file(const Autosave::Remains& remains);

 signals:
  void wanted(const QString& folder);  ///< bring it back
  void closed();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void add_heading(const QString& text);
  QWidget* card(const Autosave::Remains& remains);
  QWidget* buttons(const Autosave::Remains& remains, QLabel* problem);
  QLabel* problem_of(const QString& folder) const;

  QString root_;
  const Autosave& autosave_;  ///< whose limits of the trash hold
  QLabel* said_;
  QScrollArea* area_;
  QVBoxLayout* list_ = nullptr;
  QPushButton* later_;
};

}  // namespace hazumi
