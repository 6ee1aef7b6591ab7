// Looking for a file or a folder. It begins where the last dialog of its kind was left, which is never among the shipped scenes, and
// is as wide as names are.
#pragma once

#include <QFileDialog>

namespace hazumi {

class FileDialog : public QFileDialog {
  Q_OBJECT
 public:
  enum class For { open, save, folder };
  /// `kind`: "scene", "mesh", "pictures": each remembers its own folder. `start`: where it begins instead, a folder, or a file for
  /// its name too.
  FileDialog(For purpose, const QString& title, const QString& kind, const QString& filters, QWidget* parent,
             const QString& start = {});
  /// Waits for the person; empty: cancelled.
  QString ask();
  QString chosen() const { return selectedFiles().value(0); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void remember();
  QString kind_;
};

/// "Hazumi scenes (*.json);;All files (*)".
QString scene_filter();
/// All mesh files, each of their formats, all files.
QString mesh_filter();

}  // namespace hazumi
