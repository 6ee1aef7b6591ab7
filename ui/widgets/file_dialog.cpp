#include "ui/widgets/file_dialog.h"

#include <algorithm>

#include <QAbstractFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QScreen>
#include <QSplitter>
#include <QTreeView>

#include "core/import/mesh_file.h"
#include "ui/model/settings.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kDialogWidth = 940, kDialogHeight = 560, kPlaces = 150;  // px
enum FileColumn { kFileName, kFileSize, kFileType, kFileDate };

class FileIcons : public QAbstractFileIconProvider {
 public:
  QIcon icon(IconType type) const override {
    return theme_icon(type == Folder || type == Desktop ? QStringLiteral("folder")
                      : type == File                    ? QStringLiteral("file")
                                                        : QStringLiteral("drive"));
  }
  QIcon icon(const QFileInfo& info) const override {
    return theme_icon(info.isRoot()  ? QStringLiteral("drive")
                      : info.isDir() ? QStringLiteral("folder")
                                     : QStringLiteral("file"));
  }
};

/// A folder of the person's own, or a file in one.
QString first_place(const QString& start, const QString& kind) {
  if (start.isEmpty()) return own_folder(Settings().last_folder(kind));
  return QFileInfo(start).isDir() ? own_folder(start) : start;
}

}  // namespace

FileDialog::FileDialog(For purpose, const QString& title, const QString& kind, const QString& filters, QWidget* parent,
                       const QString& start)
    : QFileDialog(parent, title, first_place(start, kind), filters), kind_(kind) {
  static FileIcons icons;
  setIconProvider(&icons);
  setAcceptMode(purpose == For::save ? AcceptSave : AcceptOpen);
  setFileMode(purpose == For::open ? ExistingFile : purpose == For::save ? AnyFile : Directory);
  if (purpose == For::folder) setOption(ShowDirsOnly);
  // With its whole path: by its name alone it would be chosen in the list too, which goes before what is typed.
  if (!start.isEmpty() && !QFileInfo(start).isDir()) selectFile(start);
  const QSize room = parent ? parent->screen()->availableSize() : QSize(kDialogWidth, kDialogHeight);
  resize(std::min(kDialogWidth, room.width() - 40), std::min(kDialogHeight, room.height() - 60));
  connect(this, &QDialog::accepted, this, &FileDialog::remember);
}

QString FileDialog::ask() { return exec() == Accepted ? chosen() : QString(); }

void FileDialog::remember() {
  const QFileInfo info(chosen());
  if (chosen().isEmpty()) return;
  const QString folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
  if (own_folder(folder) == folder) Settings().set_last_folder(folder, kind_);
}

/// Names have the room: what they are is seen by their icons, and the words for it take a third.
void FileDialog::showEvent(QShowEvent* event) {
  QFileDialog::showEvent(event);
  if (auto* list = findChild<QTreeView*>(QStringLiteral("treeView"))) {
    list->setColumnHidden(kFileType, true);
    list->setTextElideMode(Qt::ElideMiddle);  // the end of a name tells numbered ones apart
    QHeaderView* header = list->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(60);
    header->setSectionResizeMode(kFileName, QHeaderView::Stretch);
    for (const int column : {kFileSize, kFileDate}) header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  if (auto* splitter = findChild<QSplitter*>(QStringLiteral("splitter")))
    splitter->setSizes({kPlaces, std::max(kPlaces, width() - kPlaces)});
}

QString scene_filter() { return tr("Hazumi scenes (*.json);;All files (*)"); }

QString mesh_filter() {
  const QString patterns = text_of(mesh_file_patterns());
  QStringList filters{tr("Mesh files (%1)").arg(patterns)};
  for (const QString& pattern : patterns.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    filters << QStringLiteral("%1 (%2)").arg(pattern.section(QLatin1Char('.'), 1).toUpper(), pattern);
  filters << tr("All files (*)");
  return filters.join(QStringLiteral(";;"));
}

}  // namespace hazumi
