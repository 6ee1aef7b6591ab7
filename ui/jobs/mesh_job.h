// Reads mesh files that an edit names, off the interface thread, and gives them to the document: without it a file picked
// in Properties would be seen only after the scene is opened again. A file that cannot be read is tried once for each time
// that an object comes to name it, not at every edit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QObject>

#include "core/base/diagnostic.h"
#include "core/base/id.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

class MeshJob : public QObject {
  Q_OBJECT
 public:
  explicit MeshJob(DocumentController& document, QObject* parent = nullptr);

  /// Work that has not been delivered yet.
  bool busy() const { return under_way_ > 0; }

 signals:
  void failed(const hazumi::Diagnostic& diagnostic, hazumi::Id object);

 private:
  struct Outcome {
    Id object;
    MeshReference mesh;  ///< with a mesh: it was read
    Diagnostics problems;
  };
  void look();
  void forget();
  void take(const std::vector<Outcome>& outcomes);

  DocumentController& document_;
  std::map<Id, MeshReference> tried_;  ///< what was asked for, of objects without a mesh
  quint64 document_number_ = 0;        ///< results for a document that was closed are dropped
  int under_way_ = 0;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
