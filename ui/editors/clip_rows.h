// Rows of the import dialog for files in which something moves: which clip, how its keys are made, what the scene takes over
// of its time, and what comes of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QObject>

#include "ui/jobs/import_job.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;

namespace hazumi {

class ClipRows : public QObject {
  Q_OBJECT
 public:
  /// From `row` on, which is then the next one. Hidden until there is a file.
  ClipRows(QGridLayout* grid, int& row, QWidget* form, const Scene& scene);

  void show_file(const std::shared_ptr<const ClipFile>& file);
  /// Nothing: the file comes in as one mesh.
  std::optional<ClipAsked> asked() const;
  /// What the scene takes over; nothing: it keeps its own.
  std::optional<ClipTime> time() const;
  /// What came of it, in a sentence or two; warnings apart.
  void show_made(const ImportPreview& preview);
  QStringList warnings(const ImportPreview& preview) const;

 signals:
  void changed();  ///< another clip, other keys

 private:
  void show_time();

  std::shared_ptr<const ClipFile> file_;
  double scene_rate_;
  bool scene_is_empty_;
  QComboBox *clip_, *keys_;
  QCheckBox* time_;
  QLabel* effect_;
  QList<QWidget*> all_;
};

}  // namespace hazumi
