#include "ui/window/main_window.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <QApplication>
#include <QComboBox>
#include <QCursor>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QProgressBar>
#include <QResizeEvent>
#include <QScreen>
#include <QStatusBar>
#include <QStatusTipEvent>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/commands.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/last_operation.h"
#include "ui/model/presses.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/panels/panel.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/adjust_panel.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/hover_keys.h"
#include "ui/widgets/list_keys.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/typing.h"
#include "ui/window/start_page.h"

namespace hazumi {

namespace {

constexpr int kMadeHintTime = 8000;  // ms
constexpr int kTabPadding = 14;      // of a tab's title, left and right, as theme.qss has it

/// Those that are written for a bubble alone are none.
QString hint_of_tooltip(const QString& tip) {
  return Qt::mightBeRichText(tip) ? QString() : QString(tip).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

/// One line of plain text that ends in dots where the room ends, whatever the window's size becomes.
class ElidedLabel : public QLabel {
 public:
  using QLabel::QLabel;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
  }
};

/// What stands over a panel among tabs: nothing, or its name where the tabs are icons. Dragging it moves the panel.
class TabTitle : public QLabel {
 public:
  explicit TabTitle(QDockWidget* dock) : QLabel(dock->windowTitle(), dock) {
    setObjectName(QStringLiteral("dock_title"));
    setIndent(7);
  }
  void show_title(bool on) {
    if (on == on_) return;
    on_ = on;
    updateGeometry();
  }
  QSize sizeHint() const override { return {0, on_ ? fontMetrics().height() + 4 : 0}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 private:
  bool on_ = false;
};

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent) : QMainWindow(parent), session_(session) {
  setObjectName(QStringLiteral("main_window"));
  setWindowIcon(QIcon(QStringLiteral(":/hazumi/icons/hazumi.svg")));
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);  // problems need room beside the time line
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);

  session_.actions.add_to(*this);
  session_.actions.attend(*this, ears_);
  make_centre();
  make_docks();
  make_menus();
  make_tool_bar();
  make_status_bar();
  listen();

  const QByteArray geometry = session_.settings.window_geometry();
  if (geometry.isEmpty() || !restoreGeometry(geometry)) {
    const QRect room = screen()->availableGeometry();
    // On a small screen every pixel is needed.
    resize(std::min(1440, std::max(room.width() * 9 / 10, std::min(room.width(), 1400))),
           std::min(900, std::max(room.height() * 9 / 10, std::min(room.height(), 860))));
  }
  update_title();
  update_status();
  update_problems();
  qApp->installEventFilter(this);
}

void MainWindow::listen() {
  DocumentController& document = session_.document;
  connect(&document, &DocumentController::file_changed, &ears_, [this] { update_title(); });
  connect(document.undo_stack(), &QUndoStack::cleanChanged, &ears_, [this] { update_title(); });
  const auto warn = [this](const QString& sentence) { messages_->show_message(Severity::warning, sentence); };
  connect(&document, &DocumentController::refused, &ears_,
          [this](const QString& sentence) { messages_->show_refusal(sentence); });
  connect(&document, &DocumentController::told, &ears_, [this](const QString& sentence) { tell(sentence); });
  const auto settle = [this] { messages_->settle(); };
  connect(&document, &DocumentController::changed, &ears_, settle);
  connect(&document, &DocumentController::changed, &ears_, [this] { start_problem_.clear(); });
  // What was said of the scene before goes with it.
  connect(&document, &DocumentController::document_replaced, &ears_, [this] {
    messages_->dismiss();
    messages_->withdraw();
    if (!start_problem_.isEmpty()) messages_->show_message(Severity::warning, start_problem_);
    Bubble::hide_all();
    update_hint({});
    vertices_ = -1;
  });
  connect(&document.last_operation(), &LastOperation::replaced, &ears_, [this] { tell_of_operation(); });
  connect(&document.last_operation(), &LastOperation::adjusted, &ears_, [this] { tell_of_operation(); });
  made_timer_.setSingleShot(true);
  made_timer_.setInterval(kMadeHintTime);
  connect(&made_timer_, &QTimer::timeout, &ears_, [this] {
    made_hint_.clear();
    update_hint({});
  });
  connect(&session_.preferences, &PresentPreferences::changed, &ears_, [this] { use_preferences(); });
  use_preferences();
  connect(&session_.autosave, &Autosave::failed, &ears_, warn);
  connect(&session_.diagnostics, &QAbstractItemModel::modelReset, &ears_, [this] { update_problems(); });
  connect(&session_.autosave, &Autosave::kept_again, &ears_,
          [this](const QString& sentence) { messages_->show_message(Severity::info, sentence); });
  connect(&session_.mesh_job, &MeshJob::failed, &ears_,
          [this](const Diagnostic& problem, Id object) { tell_of_mesh(problem, object); });
  connect(&session_.open_job, &OpenJob::read, &ears_,
          [this](const QString& file, const std::shared_ptr<Result<Scene>>& result, bool play) {
            take_loaded(file, std::move(*result), play);
          });
  const auto tell = [this] { update_status(); };
  connect(&document, &DocumentController::changed, &ears_, tell);
  connect(&document, &DocumentController::document_replaced, &ears_, tell);
  connect(&session_.selection, &Selection::changed, &ears_, tell);
  connect(&session_.elements, &ElementSelection::changed, &ears_, tell);
  connect(&session_.playback, &PlaybackController::fill_changed, &ears_, tell);
  connect(&session_.playback, &PlaybackController::waiting_changed, &ears_, tell);
  connect(&session_.elements, &ElementSelection::mode_changed, &ears_, [this] {
    update_status();
    const ModeInfo* mode = session_.elements.mode();
    QDockWidget* dock = mode ? docks_.value(text_of(mode->panel)) : nullptr;
    if (!dock) return;
    dock->show();
    dock->raise();
  });
  connect(viewport_, &Viewport::hint_changed, &ears_, [this](const QString& hint) {
    tool_hint_ = hint;
    update_hint({});
    adjust_->set_aside(viewport_->gesture() != nullptr);
  });
  // Not from within the painting that it tells of: a progress bar paints at once when it is set.
  connect(
      viewport_, &Viewport::stats_changed, &ears_,
      [this](int vertices, double) {
        if (vertices == vertices_) return;
        vertices_ = vertices;
        update_status();
      },
      Qt::QueuedConnection);
}

void MainWindow::make_centre() {
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  messages_ = new MessageBar(centre);
  viewport_ = new Viewport(session_.context, centre);
  viewport_->setObjectName(QStringLiteral("viewport"));
  adjust_ = new AdjustPanel(session_.document, *viewport_);
  column->addWidget(messages_);
  column->addWidget(viewport_, 1);
  setCentralWidget(centre);
  start_page_ = new StartPage(session_.settings, session_.document.mesh_store(), this);
  start_page_->hide();
  connect(start_page_, &StartPage::open_wanted, this, [this](const QString& file) {
    if (confirm_leaving()) open_file(file, is_shipped_scene(file));
  });
  connect(start_page_, &StartPage::new_wanted, this, [this] {
    if (confirm_leaving()) new_scene();
  });
  connect(start_page_, &StartPage::browse_wanted, this, &MainWindow::choose_file);
  connect(start_page_, &StartPage::closed, this, &MainWindow::hide_start_page);
  make_recovery();
}

void MainWindow::make_docks() {
  std::vector<const PanelInfo*> sorted(panels().begin(), panels().end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const PanelInfo* a, const PanelInfo* b) {
    return std::tie(a->order, a->tab) < std::tie(b->order, b->tab);
  });
  std::map<std::pair<int, int>, QDockWidget*> tabs;
  for (const PanelInfo* info : sorted) {
    auto* dock = new QDockWidget(text_of(info->title), this);
    dock->setObjectName(text_of(info->id));
    dock->setWidget(info->make(session_.context, dock));
    // The time line needs no title: it is what it looks like. View > Panels closes and opens it.
    if (info->id == "timeline") dock->setTitleBarWidget(new QWidget(dock));
    addDockWidget(info->area, dock);
    if (info->least_height > 0)
      connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, info](bool visible) {
        if (!visible || !shown_once_ || dock->isFloating() || dock->height() >= info->least_height) return;
        // Later: the dock area is just being laid out.
        QTimer::singleShot(0, dock, [this, dock, info] { resizeDocks({dock}, {info->least_height}, Qt::Vertical); });
      });
    docks_.insert(text_of(info->id), dock);
    auto [place, first] = tabs.try_emplace({static_cast<int>(info->area), info->order}, dock);
    if (!first) tabifyDockWidget(place->second, dock);
  }
  for (QDockWidget* dock : std::as_const(docks_)) {
    // Among tabs the tab is the title; alone or floating a dock has its own.
    connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::name_docks, Qt::QueuedConnection);
    connect(dock, &QDockWidget::topLevelChanged, this, &MainWindow::name_docks, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, &MainWindow::name_docks, Qt::QueuedConnection);
  }
}

void MainWindow::name_docks() {
  for (QDockWidget* dock : std::as_const(docks_)) {
    if (dock->objectName() == QLatin1String("timeline")) continue;
    const bool in_tabs = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
    if (in_tabs == (dock->titleBarWidget() != nullptr)) continue;
    QWidget* old = dock->titleBarWidget();
    dock->setTitleBarWidget(in_tabs ? new TabTitle(dock) : nullptr);
    delete old;
  }
  for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    bar->setElideMode(Qt::ElideNone);
    bar->setExpanding(false);
    bar->setUsesScrollButtons(true);
    bar->setIconSize(QSize(16, 16));
    bar->setDrawBase(false);
    fit_tabs(bar);
  }
}

/// Where the titles have no room beside each other all tabs show icons, of one width whichever is in front, and the title stands over
/// the panel: nothing moves under the mouse.
void MainWindow::fit_tabs(QTabBar* bar) {
  int titles = 0;
  for (int i = 0; i < bar->count(); ++i) titles += bar->fontMetrics().horizontalAdvance(bar->tabText(i)) + kTabPadding;
  const bool icons = titles > bar->width();
  for (int i = 0; i < bar->count(); ++i) {
    const auto shown = std::find_if(panels().begin(), panels().end(),
                                    [&](const PanelInfo* info) { return text_of(info->title) == bar->tabText(i); });
    const QIcon icon = icons && shown != panels().end() ? theme_icon(text_of((*shown)->icon)) : QIcon();
    if (icon.isNull() != bar->tabIcon(i).isNull()) bar->setTabIcon(i, icon);
    for (QDockWidget* dock : std::as_const(docks_))
      if (auto* title = dynamic_cast<TabTitle*>(dock->titleBarWidget());
          title && dock->windowTitle() == bar->tabText(i))
        title->show_title(icons);
  }
  if (bar->property("icons").toBool() == icons) return;
  bar->setProperty("icons", icons);
  // Style sheets read properties only when they are put on.
  bar->style()->unpolish(bar);
  bar->style()->polish(bar);
}

/// Sizes of a first start: most room for the view. Only a window that is shown can do this.
void MainWindow::arrange_docks() {
  const auto dock = [&](const char* id) { return docks_.value(QLatin1String(id)); };
  QList<QDockWidget*> bottom, right;
  for (const char* id : {"timeline", "diagnostics"})
    if (dock(id)) bottom << dock(id);
  for (const char* id : {"outliner", "properties"})
    if (dock(id)) right << dock(id);
  for (const char* front :
       {"outliner", "properties", "timeline"})  // of the tabs in its place the one that is wanted most
    if (dock(front)) dock(front)->raise();
  if (bottom.size() == 2) resizeDocks(bottom, {860, 420}, Qt::Horizontal);
  if (!bottom.isEmpty()) resizeDocks({bottom.first()}, {104}, Qt::Vertical);
  if (!right.isEmpty()) resizeDocks({right.first()}, {330}, Qt::Horizontal);
  if (right.size() == 2) resizeDocks(right, {230, 560}, Qt::Vertical);
}

void MainWindow::make_status_bar() {
  QStatusBar* bar = statusBar();
  bar->setSizeGripEnabled(false);
  hint_ = new ElidedLabel(bar);
  hint_->setObjectName(QStringLiteral("status_hint"));
  hint_->setTextFormat(Qt::PlainText);
  hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  bar->addWidget(hint_, 1);
  problems_ = new QToolButton(bar);
  problems_->setObjectName(QStringLiteral("status_problems"));
  problems_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  problems_->setFocusPolicy(Qt::NoFocus);
  const int low = problems_->fontMetrics().height();  // the bar stays as low as its words
  problems_->setMaximumHeight(low);
  problems_->setIconSize(QSize(low - 2, low - 2));
  problems_->setStatusTip(tr("Show the list of problems."));
  connect(problems_, &QToolButton::clicked, this, [this] { show_panel(QStringLiteral("diagnostics")); });
  computing_ = new QLabel(bar);
  computing_->setObjectName(QStringLiteral("status_computing"));
  progress_ = new QProgressBar(bar);
  progress_->setObjectName(QStringLiteral("status_progress"));
  progress_->setFixedSize(90, 6);
  progress_->setTextVisible(false);
  selected_ = new QLabel(bar);
  selected_->setObjectName(QStringLiteral("status_selected"));
  counts_ = new QLabel(bar);
  counts_->setObjectName(QStringLiteral("status_counts"));
  for (QWidget* widget :
       {static_cast<QWidget*>(problems_), static_cast<QWidget*>(computing_), static_cast<QWidget*>(progress_),
        static_cast<QWidget*>(selected_), static_cast<QWidget*>(counts_)})
    bar->addPermanentWidget(widget);
}

/// How many there are, in the colour of the worst; nothing where there are none. What is only worth knowing is no problem.
void MainWindow::update_problems() {
  const auto& entries = session_.diagnostics.entries();
  const auto number = [&](Severity severity) {
    return static_cast<int>(std::count_if(entries.begin(), entries.end(),
                                          [severity](const Problem& p) { return p.diagnostic.severity == severity; }));
  };
  const int all = static_cast<int>(entries.size()), notes = number(Severity::info), count = all - notes;
  problems_->setVisible(all > 0);
  if (all == 0) return;
  const QString problems = count == 1 ? tr("1 problem") : tr("%L1 problems").arg(count),
                noted = notes == 1 ? tr("1 note") : tr("%L1 notes").arg(notes);
  problems_->setText(notes == 0 ? problems : count == 0 ? noted : tr("%1 · %2").arg(problems, noted));
  problems_->setIcon(theme_icon(count > 0 ? QStringLiteral("warning") : QStringLiteral("info")));
  const ThemeColours& colours = theme_colours();
  const QColor colour = number(Severity::error) > 0 ? colours.error : count > 0 ? colours.warning : colours.quiet_text;
  problems_->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
  const auto first = std::find_if(entries.begin(), entries.end(), [count](const Problem& p) {
    return count == 0 || p.diagnostic.severity != Severity::info;
  });
  problems_->setToolTip(QString::fromStdString(first->diagnostic.message) +
                        (all == 1 ? QString() : tr("\n… and %L1 more").arg(all - 1)) + tr("\nClick to see the list."));
}

void MainWindow::update_title() {
  setWindowModified(session_.document.modified());
  setWindowTitle(tr("%1[*] – Hazumi").arg(session_.document.title()));
}

void MainWindow::update_status() {
  const FillStatus status = session_.playback.status();
  QString text;
  bool bar = false;
  switch (status.phase) {
    case FillStatus::Phase::idle:
      break;
    case FillStatus::Phase::preparing:
      text = tr("Making surface %1 of %2…").arg(status.prepared + 1).arg(status.to_prepare);
      break;
    case FillStatus::Phase::compiling:
      text = tr("Preparing…");
      break;
    case FillStatus::Phase::running:
      text = session_.playback.waiting() && !session_.playback.waits_for_disk()
                 ? tr("Waiting for frame %1 of %2").arg(status.computed).arg(status.wanted - 1)
                 : tr("Computing %1 of %2").arg(status.computed).arg(status.wanted);
      bar = true;
      break;
    case FillStatus::Phase::complete:
      text = tr("%1 frames computed").arg(status.computed);
      break;
    case FillStatus::Phase::stopped:
      text = tr("Stopped at frame %1").arg(std::max(0, status.computed - 1));
      break;
  }
  const FrameUse use = session_.playback.frame_use();
  const FrameLimits limits = session_.playback.frame_limits();
  if (use.disk > 0) text += tr(" · %1 on disk").arg(memory_text(use.disk));
  computing_->setText(text);
  const bool failed = status.phase == FillStatus::Phase::stopped && status.failure.has_value();
  computing_->setStyleSheet(failed ? QStringLiteral("color: %1").arg(theme_colours().error.name()) : QString());
  const QString frames =
      tr("Frames take %1 of %2 of memory and %3 of %4 on the disk: Preferences, Memory.")
          .arg(memory_text(use.memory), memory_text(limits.memory), memory_text(use.disk), memory_text(limits.disk));
  computing_->setToolTip(failed ? QString::fromStdString(status.failure->message + " " + status.failure->hint) +
                                      QLatin1Char('\n') + frames
                                : frames);
  progress_->setVisible(bar);
  if (bar) {
    progress_->setRange(0, std::max(1, status.wanted));
    progress_->setValue(status.computed);
  }
  const Scene& scene = session_.document.scene();
  selected_->setText(session_.selection.empty() ? tr("Nothing selected")
                                                : tr("%1 selected").arg(selection_text(scene, session_.selection)));
  if (session_.elements.mode()) {
    const QString parts = elements_text(session_.context);
    selected_->setText(parts.isEmpty() ? tr("Editing %1").arg(selection_text(scene, session_.selection))
                                       : tr("%1 selected").arg(parts));
  }
  const int objects = static_cast<int>(scene.objects.size());
  QString counts = objects == 1 ? tr("1 object") : tr("%L1 objects").arg(objects);
  if (vertices_ >= 0) counts += tr(" · %L1 vertices").arg(vertices_);
  counts_->setText(counts);
}

void MainWindow::update_hint(const QString& hint) {
  if (hint_) hint_->setText(hint.isEmpty() ? hint_here() : hint);
}

void MainWindow::tell_of_operation() {
  const LastOperation& last = session_.document.last_operation();
  tell(last.note().isEmpty() ? QString() : tr("%1: %2").arg(last.text(), last.note()));
}

/// What was made is said in the status bar for as long as it takes to read it.
void MainWindow::tell(const QString& sentence) {
  made_hint_ = sentence;
  update_hint({});
  if (!made_hint_.isEmpty()) made_timer_.start();
}

/// What the part under the mouse says of itself: after an edit, a menu or a gesture it is still what is worked in. Else the view's.
QString MainWindow::hint_here() const {
  if (!made_hint_.isEmpty() && !viewport_->gesture()) return made_hint_;
  if (viewport_->gesture() || QApplication::activePopupWidget()) return tool_hint_;
  const QWidget* grabber = QWidget::mouseGrabber();
  const QWidget* at = grabber ? grabber : QApplication::widgetAt(QCursor::pos());
  for (; at && at != viewport_ && at->window() == this; at = at->parentWidget()) {
    if (!at->statusTip().isEmpty()) return at->statusTip();
    if (!at->toolTip().isEmpty()) return hint_of_tooltip(at->toolTip());
  }
  return tool_hint_;
}

bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::WindowActivate) tell_of_changed_file();
  if (event->type() == QEvent::StatusTip) {
    update_hint(static_cast<QStatusTipEvent*>(event)->tip());
    return true;
  }
  return QMainWindow::event(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // Hovering a field shows its tooltip sentence at once as a hint, without waiting for the tooltip.
  if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget && hint_ && widget->window() == this && !widget->toolTip().isEmpty() && widget->statusTip().isEmpty()) {
      if (event->type() == QEvent::Leave)
        update_hint({});
      else if (const QString hint = hint_of_tooltip(widget->toolTip()); !hint.isEmpty())
        update_hint(hint);
    }
  }
  if (event->type() == QEvent::Resize)
    if (auto* bar = qobject_cast<QTabBar*>(watched); bar && bar->parent() == this) fit_tabs(bar);
  // Over the view Tab is the view's, wherever the focus was left: a dialog that closed, a field that was typed into.
  if (event->type() == QEvent::KeyPress && viewport_ && watched != viewport_) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    const bool over = viewport_->mouse_inside() && viewport_->rect().contains(viewport_->mapFromGlobal(QCursor::pos()));
    if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier && widget && widget->window() == this && over &&
        !adjust_->isAncestorOf(widget) && !QApplication::activePopupWidget() && !HoverKeys::kept_by(widget)) {
      viewport_->setFocus();  // what was being typed is taken
      QApplication::sendEvent(viewport_, event);
      return true;
    }
  }
  // Digits that events of motion graphs wait for are theirs while it plays, and no commands.
  if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)
    if (presses(*static_cast<QKeyEvent*>(event), qobject_cast<QWidget*>(watched))) return true;
  // Arrows walk a list that has the focus; they step no frames and jump to no keys then.
  if (event->type() == QEvent::ShortcutOverride &&
      walks_list(qobject_cast<QWidget*>(watched), *static_cast<QKeyEvent*>(event)))
    event->accept();
  // Letters choose an entry in a list box that has the focus; they are no shortcuts then.
  if (event->type() == QEvent::ShortcutOverride && qobject_cast<QComboBox*>(watched)) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) && !key->text().isEmpty() &&
        key->text().at(0).isPrint())
      event->accept();
  }
  return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::presses(QKeyEvent& event, const QWidget* at) {
  const int digit = event.key() - Qt::Key_0;
  if (digit < 1 || digit > 9 || (event.modifiers() & ~Qt::KeypadModifier) || !at || at->window() != this ||
      is_typed_into(at) || qobject_cast<const NumberField*>(at) || qobject_cast<const QComboBox*>(at) ||
      QApplication::activePopupWidget())
    return false;
  const LivePress press{std::to_string(digit)};
  if (!has_press_while_playing(session_.context, press)) return false;
  event.accept();
  if (event.type() == QEvent::KeyPress && !event.isAutoRepeat()) press_while_playing(session_.context, press);
  return true;
}

/// Keys that nobody took. Those of a command that cannot be done now say why: nothing at all would look broken.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  const QString why = event->isAutoRepeat() ? QString() : session_.actions.refusal_of(*event);
  if (why.isEmpty()) return QMainWindow::keyPressEvent(event);
  messages_->show_refusal(why);
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  place_start_page();
  // A layout that somebody chose stays as it is.
  if (!shown_once_ || own_layout_ || event->size().width() <= event->oldSize().width()) return;
  for (const PanelInfo* info : panels())
    if (QDockWidget* dock = docks_.value(text_of(info->id)); dock && info->least_width > 0)
      QTimer::singleShot(0, dock, [this, dock, least = info->least_width] {
        if (dock->isVisible() && !dock->isFloating() && dock->width() < least)
          resizeDocks({dock}, {least}, Qt::Horizontal);
      });
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  place_start_page();
  if (shown_once_) return;
  shown_once_ = true;
  arrange_docks();
  default_state_ = saveState();
  restore_layout();
  take_stored_keys();
  offer_recovery();
}

}  // namespace hazumi
