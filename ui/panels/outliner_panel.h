// Outliner: collections, objects and lights of the scene by name, as a tree; selection in step with the viewport, eye and lock,
// rename in place, drag to reorder, into collections and onto parents, filter, context menu of the shared commands. Which
// branches are closed belongs to the panel, not to the scene.
#pragma once

#include <set>

#include <QWidget>

#include "ui/model/context.h"
#include "ui/panels/scene_model.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace hazumi {

class OutlinerPanel : public QWidget {
  Q_OBJECT
 public:
  OutlinerPanel(UiContext& context, QWidget* parent);
  ~OutlinerPanel() override;
  QTreeView* view() const { return view_; }
  QLineEdit* filter() const { return filter_; }
  SceneModel* model() const { return model_; }
  QLabel* empty_label() const { return empty_; }
  QModelIndex index_of(Id id) const;  ///< in the view; invalid when filtered out
  /// Opens the name of the active object for typing.
  void rename_active();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// `reveal`: opens the branches that the active thing is in.
  void show_selection(bool reveal);
  void make_view();
  void listen();
  void take_selection();
  void show_empty_state();
  void show_branches();
  void click(const QModelIndex& index);
  void context_menu(const QPoint& at);

  UiContext context_;
  SceneModel* model_;
  QSortFilterProxyModel* proxy_;
  QTreeView* view_;
  QLineEdit* filter_;
  QLabel* empty_;
  std::set<Id> closed_;  ///< branches that a person closed
  bool syncing_ = false, branching_ = false;
};

}  // namespace hazumi
