// The edit mode that is on (ui/modes) at work in the view: its bar and tools, which element lies under the mouse, its keys,
// what it adds to the picture.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QRectF>

#include "ui/modes/mode.h"

class QMenu;
class QPainter;
class QToolButton;

namespace hazumi {

class ModeBar;
class PoseStand;
class ViewNavigation;
class ViewPicture;

class ModeInput : public QObject {
  Q_OBJECT
 public:
  /// `tool_bar`: where the mode's own tools stand, under the usual ones.
  ModeInput(UiContext& context, ModeStage& stage, const ViewNavigation& navigation, ViewPicture& picture,
            QWidget& tool_bar);
  ~ModeInput() override;

  ModeContext context() { return {context_, stage_, context_.elements}; }
  ModeBar& bar() const { return *bar_; }
  /// The edited object as it is seen; none in object mode.
  std::optional<ModeView> view() const;
  QString tool() const;  ///< of the present mode; "" none
  void take_tool(const QString& id);
  bool using_tool() const { return tool_ != nullptr; }
  bool shown() const;  ///< elements_shown()
  void show_start_pose();
  QString hint() const;
  /// Tab: into the mode, or out of it.
  void toggle();
  /// Commands of the mode, as entries of the context menu.
  void fill_menu(QMenu* menu) const;

  std::optional<Element> element_under(QPointF mouse, std::optional<Vec3>* surface = nullptr) const;
  /// What the mouse points at looks so; none: nothing.
  void hover(std::optional<Element> element);
  /// Of the tool; none: the arrow.
  Qt::CursorShape cursor() const;
  /// Of what is selected, else of everything; not valid in object mode.
  Box3 bounds() const;

  // The left button. True: the tool, or the way back to the start pose, has taken it.
  bool press(QPointF mouse, Qt::KeyboardModifiers held);
  /// `free`: no button is down for anything else.
  bool move(QPointF mouse, Qt::KeyboardModifiers held, bool free);
  bool release(QPointF mouse, Qt::KeyboardModifiers held);
  bool wheel(double notches, Qt::KeyboardModifiers held);
  void click(QPointF mouse, Qt::KeyboardModifiers held);
  void click_ring(QPointF mouse, Qt::KeyboardModifiers held);
  void select_box(const QRectF& box, Qt::KeyboardModifiers held);
  /// The element here is selected, if it was not; false: there is none.
  bool hold(QPointF mouse);

  /// Is this key the mode's while the view has the focus?
  bool takes_key(int key, Qt::KeyboardModifiers held) const;
  bool key(int key, Qt::KeyboardModifiers held);

  void draw(RenderList& list) const;
  void paint(QPainter& painter) const;

 signals:
  void changed();       ///< draw again
  void tool_changed();  ///< another tool, or none
  void bars_changed();  ///< bar or tools have another size

 private:
  ModePointer pointer(QPointF mouse, Qt::KeyboardModifiers held);
  void show_tools();
  bool leave_by_key();

  UiContext context_;
  ModeStage& stage_;
  const ViewNavigation& navigation_;
  ViewPicture& picture_;
  QWidget& tool_bar_;
  ModeBar* bar_ = nullptr;
  const ModeTool* tool_ = nullptr;
  std::unique_ptr<ModeToolRun> run_;
  std::vector<std::pair<const ModeTool*, QToolButton*>> buttons_;
  std::unique_ptr<PoseStand> stand_;
  bool pressed_ = false;  ///< the tool has the left button
  std::optional<Element> hovered_;
};

/// The looks of a button in the tool bar of the view.
void style_tool_button(QToolButton& button);

}  // namespace hazumi
