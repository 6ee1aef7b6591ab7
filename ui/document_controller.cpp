#include "ui/document_controller.h"

#include "core/scene/scene_io.h"
#include "core/scene/validate.h"
#include "ui/edit_command.h"

namespace hazumi {

namespace {

QString sentence(const Diagnostic& diagnostic) {
  QString text = QString::fromStdString(diagnostic.message);
  if (!diagnostic.hint.empty()) text += QLatin1Char(' ') + QString::fromStdString(diagnostic.hint);
  return text;
}

const Diagnostic& first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) return diagnostic;
  return diagnostics.front();
}

}  // namespace

DocumentController::DocumentController(QObject* parent) : QObject(parent) {
  undo_.setUndoLimit(1000);
}

Status DocumentController::edit(const QString& text, Scene next, quint64 merge_key) {
  Diagnostics problems = validate_change(scene(), next);
  if (has_error(problems)) {
    emit refused(sentence(first_error(problems)));
    return problems;
  }
  // Compared with the present scene, not with a gesture's start: a drag that returns to its start still gets there, and
  // one that rests there leaves no step of its own.
  if (same_scene(scene(), next)) return Done{};
  undo_.push(new EditCommand(*this, text, document_.snapshot(), Shared<Scene>(std::move(next)), merge_key));
  return Status(Done{}, std::move(problems));
}

Status DocumentController::edit_object(const QString& text, Id id, const std::function<void(Object&)>& change,
                                       quint64 merge_key) {
  return edit(text, with_object(scene(), id, change), merge_key);
}

void DocumentController::apply(const Shared<Scene>& before, const Shared<Scene>& after) {
  ChangeSet change = diff(*before, *after, first_contact_ ? first_contact_ : [](Id) { return 0; });
  document_.set_scene(after);
  emit changed(change);
}

void DocumentController::reset(Scene scene, std::filesystem::path file) {
  layout_ = scene.layout;
  document_.set_scene(Shared<Scene>(std::move(scene)));
  document_.set_file(std::move(file));
  undo_.clear();
  undo_.setClean();
  emit document_replaced();
  emit file_changed();
}

Status DocumentController::save(const std::filesystem::path& file) {
  Scene scene = this->scene();
  scene.layout = layout_;
  Status status = save_scene(scene, file);
  if (status.ok()) mark_saved(file);
  return status;
}

void DocumentController::mark_saved(const std::filesystem::path& file) {
  document_.set_file(file);
  undo_.setClean();
  emit file_changed();
}

void DocumentController::set_layout(const std::string& layout) { layout_ = layout; }

QString DocumentController::title() const {
  const std::filesystem::path& path = document_.file();
  return path.empty() ? tr("Untitled") : QString::fromStdString(path.stem().string());
}

}  // namespace hazumi
