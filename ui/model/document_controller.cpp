#include "ui/model/document_controller.h"

#include <algorithm>

#include "core/scene/derived/family.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/takes.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "ui/model/edit_command.h"
#include "ui/model/last_operation.h"
#include "ui/model/sentence.h"

namespace hazumi {

namespace {

constexpr int kUndoLimit = 1000;  // until the preferences say another

const Diagnostic& first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) return diagnostic;
  return diagnostics.front();
}

}  // namespace

DocumentController::DocumentController(QObject* parent)
    : QObject(parent), last_operation_(std::make_unique<LastOperation>(*this)) {
  undo_.setUndoLimit(kUndoLimit);
}

DocumentController::~DocumentController() = default;

/// The scene before the gesture that is going on.
const Scene& DocumentController::start_of(quint64 merge_key) const {
  if (merge_key != 0 && undo_.index() > 0)
    if (const auto* step = dynamic_cast<const EditCommand*>(undo_.command(undo_.index() - 1));
        step && step->merge_key() == merge_key)
      return *step->before();
  return scene();
}

Status DocumentController::edit(const QString& text, Scene next, quint64 merge_key) {
  const Scene& start = start_of(merge_key);
  // What rides may be a parent, or have one.
  next = placed_on_curves(settled(start, scene(), settled_on_curves(start, scene(), std::move(next))));
  if (!next.joints.empty()) next = with_settled_joints(scene(), std::move(next));
  next = with_settled_takes(scene(), std::move(next));
  Diagnostics problems = validate_change(scene(), next);
  if (has_error(problems)) {
    emit refused(sentence_of(first_error(problems)));
    return problems;
  }
  // Compared with the present scene, not with a gesture's start: a drag that returns to its start still gets there, and
  // one that rests there leaves no step of its own.
  if (same_scene(scene(), next)) return Done{};
  const Shared<Scene> after = with_known_meshes(Shared<Scene>(std::move(next)));
  remember_redo(merge_key);
  if (joins_saved_step(merge_key)) undo_.resetClean();
  push(std::make_unique<EditCommand>(*this, text, document_.snapshot(), after, merge_key));
  if (merge_key != 0 && merge_key == lost_.merge_key) restore_redo();
  return Status(Done{}, std::move(problems));
}

Status DocumentController::edit_object(const QString& text, Id id, const std::function<void(Object&)>& change,
                                       quint64 merge_key) {
  return edit(text, with_object(scene(), id, change), merge_key);
}

void DocumentController::push(std::unique_ptr<EditCommand> command) { undo_.push(command.release()); }

/// What is in the file is no state of the stack any more when its step goes on; Qt would begin a second step instead.
bool DocumentController::joins_saved_step(quint64 merge_key) const {
  if (merge_key == 0 || undo_.index() == 0 || !undo_.isClean()) return false;
  const auto* top = dynamic_cast<const EditCommand*>(undo_.command(undo_.index() - 1));
  return top && top->merge_key() == merge_key;
}

void DocumentController::set_undo_limit(int steps) {
  if (steps == undo_.undoLimit()) return;
  // Qt takes another limit only while the stack is empty: the steps that stay are put in anew.
  const int count = undo_.count(), index = undo_.index(), clean = undo_.cleanIndex();
  const int too_many = steps > 0 ? std::max(0, count - steps) : 0;
  const int oldest = std::min(too_many, index), last = count - (too_many - oldest);
  std::vector<std::unique_ptr<EditCommand>> kept;
  for (int i = oldest; i < last; ++i)
    if (const auto* step = dynamic_cast<const EditCommand*>(undo_.command(i))) kept.push_back(step->copy());
  {
    const QSignalBlocker nobody_hears(undo_);
    quiet_ = true;
    undo_.clear();
    undo_.setUndoLimit(steps);
    for (auto& step : kept) push(std::move(step));
    if (clean >= oldest && clean <= last) {
      undo_.setIndex(clean - oldest);
      undo_.setClean();
    } else {
      undo_.resetClean();
    }
    undo_.setIndex(index - oldest);
    quiet_ = false;
  }
  lost_ = {};
  emit undo_.indexChanged(undo_.index());
  emit undo_.cleanChanged(undo_.isClean());
}

// QUndoStack drops what could be redone when the first edit of a gesture is pushed, before anybody knows whether the
// gesture will be cancelled.
void DocumentController::remember_redo(quint64 merge_key) {
  if (merge_key != 0 && merge_key == lost_.merge_key) return;
  lost_ = {};
  if (merge_key == 0 || !undo_.canRedo()) return;
  lost_.merge_key = merge_key;
  lost_.index = undo_.index();
  lost_.clean = undo_.cleanIndex();
  for (int i = undo_.index(); i < undo_.count(); ++i)
    if (const auto* step = dynamic_cast<const EditCommand*>(undo_.command(i))) lost_.steps.push_back(step->copy());
}

void DocumentController::restore_redo() {
  // Only when the gesture's own step is gone: it returned to its start.
  if (undo_.index() != lost_.index || undo_.count() != lost_.index) return;
  LostRedo lost = std::move(lost_);
  lost_ = {};
  quiet_ = true;
  for (auto& step : lost.steps) push(std::move(step));
  if (lost.clean > lost.index) {
    undo_.setIndex(lost.clean);
    undo_.setClean();
  }
  undo_.setIndex(lost.index);
  quiet_ = false;
}

void DocumentController::go_to_step(int step) {
  if (step < 0 || step > undo_.count() || step == undo_.index()) return;
  // As QUndoStack does by one step: first the scene, then the index.
  const int neighbour = step > 0 ? step - 1 : 0;
  const auto* command = dynamic_cast<const EditCommand*>(undo_.command(neighbour));
  if (!command) return;
  apply(step > 0 ? command->after() : command->before());
  quiet_ = true;
  undo_.setIndex(step);
  quiet_ = false;
}

void DocumentController::apply(const Shared<Scene>& after) {
  if (quiet_) return;
  const Shared<Scene> before = document_.snapshot(), now = with_known_meshes(after);
  const ChangeSet change = diff(
      *before, *now, first_frame_ ? first_frame_ : [](const Cause&) { return 0; });
  document_.set_scene(now);
  emit changed(change);
}

Shared<Scene> DocumentController::with_known_meshes(const Shared<Scene>& scene) const {
  if (known_meshes_.empty()) return scene;
  Shared<Scene> filled = scene;
  for (std::size_t i = 0; i < scene->objects.size(); ++i) {
    const DisplayModel& display = scene->objects[i]->display;
    if (display.kind != DisplayKind::mesh || display.mesh.mesh) continue;
    const auto known = std::find_if(known_meshes_.begin(), known_meshes_.end(), [&](const MeshReference& mesh) {
      return mesh.file == display.mesh.file && same_reading(mesh.settings, display.mesh.settings);
    });
    if (known == known_meshes_.end()) continue;
    filled = filled.edited([&](Scene& next) {
      next.objects[i] = next.objects[i].edited([&](Object& object) {
        const MeshSettings settings = object.display.mesh.settings;
        object.display.mesh = *known;
        object.display.mesh.settings = settings;  // whether textures are shown
      });
    });
  }
  return filled;
}

void DocumentController::supply_mesh(const MeshReference& mesh) {
  if (!mesh.mesh) return;
  // The ways a file was read before, as a slider went by, are read again when undo gets there.
  static constexpr std::ptrdiff_t kReadings = 4;
  const auto same_file = [&](const MeshReference& known) { return known.file == mesh.file; };
  std::erase_if(known_meshes_, [&](const MeshReference& known) {
    return same_file(known) && same_reading(known.settings, mesh.settings);
  });
  if (std::count_if(known_meshes_.begin(), known_meshes_.end(), same_file) >= kReadings)
    known_meshes_.erase(std::find_if(known_meshes_.begin(), known_meshes_.end(), same_file));
  known_meshes_.push_back(mesh);
  const Shared<Scene> now = document_.snapshot();
  if (!with_known_meshes(now).same_as(now)) apply(now);
}

std::string DocumentController::mesh_name(const std::filesystem::path& mesh_file) const {
  if (!mesh_file.is_absolute() || document_.file().empty()) return mesh_file.generic_string();
  const std::filesystem::path beside = mesh_file.lexically_normal().lexically_relative(
      std::filesystem::absolute(document_.file()).parent_path().lexically_normal());
  return stays_beside_scene(beside.generic_string()) ? beside.generic_string() : mesh_file.generic_string();
}

void DocumentController::reset(Scene scene, std::filesystem::path file) {
  layout_ = scene.layout;
  known_meshes_.clear();
  meshes_->forget_previews();
  lost_ = {};
  document_.set_scene(Shared<Scene>(std::move(scene)));
  document_.set_file(std::move(file));
  undo_.clear();
  undo_.setClean();
  emit document_replaced();
  emit file_changed();
}

Shared<Scene> DocumentController::as_saved() const {
  Scene scene = this->scene();
  scene.layout = layout_;
  return Shared<Scene>(std::move(scene));
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
