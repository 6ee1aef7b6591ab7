// The window: menus and tool bar from the action table, docks from the panel table, the viewport in the middle, a status
// bar. What it shows and edits is the session's, which outlives it. Nothing here waits for a disk except saving, which a
// person asks for and wants to see done.
#pragma once

#include <memory>

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/scene/values/scene.h"
#include "ui/model/file_stamp.h"
#include "ui/window/session.h"

class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;
class QTabBar;
class QStackedLayout;

namespace hazumi {

class AdjustPanel;
class ExportDialog;
class ImportDialog;
class MessageBar;
class RecoveryPage;
class StartPage;
class Viewport;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);

  Session& session() { return session_; }
  UiContext& context() { return session_.context; }
  Viewport* viewport() { return viewport_; }
  MessageBar* messages() { return messages_; }
  AdjustPanel* adjust_panel() { return adjust_; }
  Settings& settings() { return session_.settings; }

  void new_scene();
  /// In the background; opened() or a message follows. What is open stays open until then, and when it fails.
  void open_file(const QString& file, bool play = false);
  bool loading() const { return session_.open_job.busy(); }
  /// Opens the import dialog with a mesh file, which is read in the background.
  void import_mesh(const QString& file);
  void import_sound(const QString& file, int frame);
  /// The same dialog for the mesh file of the active object.
  void adjust_mesh();
  const MeshJob& mesh_job() const { return session_.mesh_job; }
  const MetaballJob& metaball_job() const { return session_.metaballs; }
  bool save_to(const QString& file);
  void show_start_page();
  void hide_start_page();
  bool start_page_shown() const;
  /// The page of what a crash left behind, over everything; also when nothing is.
  void show_recovery();
  bool recovery_shown() const;

  // Further commands (ui/window/commands).
  bool confirm_leaving();  ///< Save, Discard, Cancel when there are unsaved changes; false: stay
  bool save();
  bool save_as();
  void choose_file();
  void choose_mesh();
  void choose_sound();
  void choose_append();
  void export_images();
  void rename_active();
  void show_shortcuts();
  void show_finder();  ///< of commands
  void show_preferences();
  void show_panel(const QString& id);
  void show_about();

 signals:
  void opened(const QString& file);
  void open_failed(const QString& file);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  // main_window.cpp
  bool presses(QKeyEvent& event, const QWidget* at);
  void make_centre();
  void make_docks();
  void arrange_docks();
  void name_docks();
  void fit_tabs(QTabBar* bar);
  void make_status_bar();
  void update_problems();
  void listen();
  void update_title();
  void update_status();
  void update_hint(const QString& hint);
  QString hint_here() const;
  void tell(const QString& sentence);
  void tell_of_operation();
  void place_start_page();
  // main_window_actions.cpp
  void make_menus();
  void make_tool_bar();
  void update_recent_menu();
  void take_stored_keys();
  void use_preferences();
  // main_window_files.cpp
  ImportDialog& fresh_import_dialog();
  void take_loaded(const QString& file, Result<Scene> result, bool play);
  void tell_of_mesh(const Diagnostic& problem, Id object);
  void restore_layout();
  void restore_viewpoint();
  void keep_viewpoint();
  // main_window_recovery.cpp
  void make_recovery();
  void offer_recovery();
  void raise_recovery();
  void hide_recovery();
  void recover(const QString& folder);
  bool file_changed_elsewhere() const;
  void tell_of_changed_file();
  bool ask_before_overwriting();
  void reload();

  Session& session_;
  Viewport* viewport_ = nullptr;
  AdjustPanel* adjust_ = nullptr;  ///< over the view
  MessageBar* messages_ = nullptr;
  StartPage* start_page_ = nullptr;
  RecoveryPage* recovery_page_ = nullptr;
  FileStamp on_disk_;     ///< the document's file as it was read or written last
  FileStamp told_stamp_;  ///< as it was when its change was told of
  QMenu* recent_menu_ = nullptr;
  QByteArray default_state_;
  QLabel *hint_ = nullptr, *computing_ = nullptr, *counts_ = nullptr, *selected_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QToolButton* problems_ = nullptr;
  QString tool_hint_, made_hint_;  ///< of the view's tools; what an operation made, for some seconds
  QString start_problem_;          ///< of the settings: told until there is an edit, whatever scene is opened first
  QTimer made_timer_;
  int vertices_ = -1;
  int view_time_ = -1;  ///< ms, as the view was told last
  bool shown_once_ = false;
  bool own_layout_ = false;               ///< of the scene or the person, not the default one
  QHash<QString, QDockWidget*> docks_;    ///< by the id of their panel
  QPointer<ExportDialog> export_dialog_;  ///< it and the next go when they are closed
  QPointer<ImportDialog> import_dialog_;
  QObject ears_;  ///< hears for the window what the session says; last: deaf before anything of the window ends
};

}  // namespace hazumi
