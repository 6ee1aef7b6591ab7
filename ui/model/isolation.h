// The isolated view: only some objects are seen, and taken hold of, for as long as one works on them. It is a way to look at
// the scene, as the viewpoint is: no step of undo, nothing of it in the file, and what is exported does not depend on it.
//
// It keeps who was put aside, not who is shown, so that what is added meanwhile is seen.
#pragma once

#include <set>

#include <QObject>

#include "core/base/id.h"

namespace hazumi {

class DocumentController;

class Isolation : public QObject {
  Q_OBJECT
 public:
  explicit Isolation(DocumentController& document, QObject* parent = nullptr);

  bool on() const { return on_; }
  const std::set<Id>& aside() const { return aside_; }
  /// Of the scene's objects only those among `ids`.
  void show_only(const std::set<Id>& ids);
  void end();
  int shown() const;  ///< objects of the scene that are not aside

 signals:
  void changed();

 private:
  DocumentController& document_;
  std::set<Id> aside_;
  bool on_ = false;
};

}  // namespace hazumi
