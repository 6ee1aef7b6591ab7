// What panels about the selected objects share: which objects are shown, field widgets that follow them, and edits that
// set all of them in one undo step.
#pragma once

#include <functional>
#include <vector>

#include <QObject>

#include "core/scene/diff.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/widgets/field_widget.h"

class QGridLayout;
class QLabel;

namespace hazumi {

class ObjectBinding : public QObject {
  Q_OBJECT
 public:
  ObjectBinding(UiContext& context, QObject* parent);

  /// A widget for a row of object_fields(), bound to the shown objects.
  FieldWidget* make(std::string_view path, QWidget* parent);
  /// The same with its label, as a row at the end of `grid`; both are hidden where the field does not apply.
  FieldWidget* add_row(std::string_view path, QGridLayout* grid, QWidget* parent);

  /// Selected objects, the active one first; valid until the next edit.
  std::vector<const Object*> objects() const;
  const Object* active() const;
  /// "Ball", "3 objects".
  QString subject() const;

  /// One undo step "TEXT of SUBJECT" over all shown objects. continues: joined to the edit before. A refusal is shown in a
  /// bubble at `at`.
  bool edit(const QString& text, const std::function<void(Object&)>& change, bool continues, QWidget* at);
  /// The same on the active object alone, for what belongs to one object.
  bool edit_active(const QString& text, const std::function<void(Object&)>& change, bool continues, QWidget* at);
  void refresh();

 signals:
  /// After the widgets were refreshed: another selection, or an edit, undo or redo touched a shown object.
  void shown_changed();

 private:
  struct Bound {
    const Field<Object>* field;
    FieldWidget* widget;
    QLabel* label;
  };
  bool edit_those(const std::vector<Id>& those, const QString& text, const std::function<void(Object&)>& change,
                  bool continues, QWidget* at);
  void on_selection();
  void on_change(const ChangeSet& change);

  UiContext context_;
  std::vector<Id> ids_;
  std::vector<Bound> bound_;
  quint64 gesture_ = 0;
};

}  // namespace hazumi
