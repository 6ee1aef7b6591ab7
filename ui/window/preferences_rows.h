// Preferences, a page of rows of their table (ui/model/preferences.h): Saving, Display, Editing.
#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include <QWidget>

#include "ui/model/preferences.h"

class QLabel;
class QPushButton;

namespace hazumi {

class FieldForm;
class Settings;

class PreferencesRows : public QWidget {
  Q_OBJECT
 public:
  /// What is to be said of them as they are now, empty: nothing; `warns`: it can cost something.
  using Note = std::function<QString(const Preferences& now, bool& warns)>;
  /// The rows of these groups.
  PreferencesRows(PresentPreferences& present, Settings& settings, std::initializer_list<std::string_view> groups,
                  Note note, QWidget* parent);

  void accept();
  void reject();
  FieldForm* form() { return form_; }

 private:
  void give(const Preferences& from);
  void show_values();

  PresentPreferences& present_;
  Settings& settings_;
  const Preferences before_;
  std::vector<const Field<Preferences>*> rows_;
  Note note_;
  FieldForm* form_;
  QLabel* said_;
  QPushButton* reset_;
};

}  // namespace hazumi
