// The window: menus and tool bar from the action table, docks from the panel table, the viewport in the middle, a status
// bar. It owns the controllers and hands references down (UiContext). Opening runs in a worker; nothing here waits for a disk
// except saving, which a person asks for and wants to see done.
#pragma once

#include <memory>

#include <QMainWindow>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"
#include "ui/model/actions.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/settings.h"
#include "ui/modes/element_selection.h"

class QLabel;
class QProgressBar;
class QTabBar;
class QStackedLayout;

namespace hazumi {

class Autosave;
class DiagnosticsModel;
class MessageBar;
class MeshJob;
class MetaballJob;
class StartPage;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  UiContext& context() { return context_; }
  Viewport* viewport() { return viewport_; }
  MessageBar* messages() { return messages_; }
  Settings& settings() { return settings_; }

  void new_scene();
  /// In the background; opened() or a message follows. What is open stays open until then, and when it fails.
  void open_file(const QString& file, bool play = false);
  bool loading() const { return loading_; }
  /// Opens the import dialog with a mesh file, which is read in the background.
  void import_mesh(const QString& file);
  /// The same dialog for the mesh file of the active object.
  void adjust_mesh();
  const MeshJob& mesh_job() const { return *mesh_job_; }
  const MetaballJob& metaball_job() const { return *metaball_job_; }
  bool save_to(const QString& file);
  void show_start_page();
  void hide_start_page();
  bool start_page_shown() const;

 signals:
  void opened(const QString& file);
  void open_failed(const QString& file);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  // main_window.cpp
  void make_centre();
  void make_docks();
  void arrange_docks();
  void name_docks();
  void fit_tabs(QTabBar* bar);
  void make_status_bar();
  void update_title();
  void update_status();
  void update_hint(const QString& hint);
  void place_start_page();
  // main_window_actions.cpp
  void make_menus();
  void make_tool_bar();
  void connect_actions();
  void update_actions();
  void update_element_actions(const Object& edited);  ///< while an edit mode is on
  void update_recent_menu();
  void rename_active();
  void show_shortcuts();
  void show_about();
  void export_images();
  // main_window_files.cpp
  bool confirm_leaving();  ///< Save, Discard, Cancel when there are unsaved changes; false: stay
  bool save();
  bool save_as();
  void choose_file();
  void choose_mesh();
  void take_loaded(const QString& file, Result<Scene> result, bool play);
  void tell_of_mesh(const Diagnostic& problem, Id object);
  void restore_layout();
  void offer_recovery();
  void recover(const QString& folder);

  Settings settings_;
  DocumentController document_;
  Selection selection_;
  ElementSelection elements_{document_, selection_};
  ActionSet actions_;
  PlaybackController playback_;
  std::unique_ptr<DiagnosticsModel> diagnostics_;
  UiContext context_;

  Viewport* viewport_ = nullptr;
  MessageBar* messages_ = nullptr;
  StartPage* start_page_ = nullptr;
  QMenu* recent_menu_ = nullptr;
  QByteArray default_state_;
  QLabel *hint_ = nullptr, *computing_ = nullptr, *counts_ = nullptr, *selected_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QString tool_hint_;
  int vertices_ = -1;
  bool loading_ = false;
  bool shown_once_ = false;
  quint64 load_ticket_ = 0;
  std::unique_ptr<Autosave> autosave_;
  std::unique_ptr<MeshJob> mesh_job_;
  std::unique_ptr<MetaballJob> metaball_job_;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
