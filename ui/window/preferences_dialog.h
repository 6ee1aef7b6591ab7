// Preferences: a list of pages at the left, each a widget with accept() and reject(). What is changed holds at once where it can; OK
// keeps it in the settings, Cancel puts back what every page changed.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

class QListWidget;
class QStackedWidget;
class QTreeWidget;

namespace hazumi {

class PreferencesKeys;
class Session;

class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  PreferencesDialog(Session& session, QWidget* parent);
  QTreeWidget* list();  ///< of the keys
  QListWidget* pages() { return pages_; }

  void accept() override;
  void reject() override;

 private:
  /// `Page`: a QWidget with accept() and reject().
  template <class Page>
  Page* add_page(const QString& title, const QString& icon, Page* page) {
    ends_.push_back({[page] { page->accept(); }, [page] { page->reject(); }});
    show_page(title, icon, page);
    return page;
  }
  void show_page(const QString& title, const QString& icon, QWidget* page);

  struct End {
    std::function<void()> accept, reject;
  };
  Session& session_;
  std::vector<End> ends_;  ///< of the pages
  QListWidget* pages_;
  QStackedWidget* stack_;
  PreferencesKeys* keys_;
};

}  // namespace hazumi
