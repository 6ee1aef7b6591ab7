// What every panel about a selection is made of: a sentence while there is nothing to show, else a page of sections that fold
// away and scrolls; and the grid of labels and fields in a section.
#pragma once

#include <QStackedWidget>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace hazumi {

class Section;

class PanelPage : public QStackedWidget {
  Q_OBJECT
 public:
  /// Fills `panel`. `key`: its sections remember whether they are open under "key/TITLE". `nothing`: the sentence; its label's
  /// object name is "key_empty".
  PanelPage(const QString& key, const QString& nothing, QWidget* panel);

  QWidget* content() const { return content_; }
  QLabel* nothing() const { return nothing_; }
  Section* add_section(const QString& title);
  void add(QWidget* widget);
  /// False: the sentence.
  void show_content(bool any) { setCurrentIndex(any ? 1 : 0); }

 private:
  QString key_;
  QLabel* nothing_;
  QWidget* content_;
  QVBoxLayout* column_;
};

/// Labels in an aligned column, fields in the rest, as all panels have them. `body` gets the layout.
QGridLayout* make_form_grid(QWidget* body);
/// The same, with room around it, as what a section holds.
QGridLayout* make_form_grid(Section* section);

/// A labelled row at the end; `tip` is the tooltip of both.
void add_form_row(QGridLayout* grid, const QString& label, const QString& tip, QWidget* widget);

}  // namespace hazumi
