#include "ui/modes/bone_tools.h"

#include <QCoreApplication>

#include "core/sim/body_mapping.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/bone_commands.h"
#include "ui/modes/bone_options.h"
#include "ui/modes/brush_cursor.h"
#include "ui/modes/truss_tools.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kNewBone{1.0f, 0.82f, 0.45f, 1.0f};

class DrawBones : public ModeToolRun {
 public:
  bool press(const ModeContext& context, const ModePointer& pointer) override {
    child_ = pointer.modifiers & Qt::ShiftModifier;
    const Object& object = *context.object();
    const auto active = active_bone(context.elements);
    const Bone* from = active ? find_bone(object.mapping, *active) : nullptr;
    if (!from) child_ = false;
    head_ = child_ ? from->tail : place_in_view(context, pointer, depth(context));
    tail_ = head_;
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    if (head_) tail_ = place_in_view(context, pointer, *head_);
  }
  void release(const ModeContext& context, const ModePointer& pointer) override {
    move(context, pointer);
    const auto head = std::exchange(head_, std::nullopt);
    if (head && tail_ && (*tail_ - *head).norm() > 1e-4) add_bone(context, *head, *tail_, child_);
  }
  bool key(const ModeContext&, int key, Qt::KeyboardModifiers) override {
    if (key != Qt::Key_Escape || !head_) return false;
    head_.reset();
    return true;
  }
  void draw(const ModeView& view, RenderList& list) const override {
    if (!head_ || !tail_) return;
    DrawLines line;
    line.width = 3;
    line.on_top = true;
    line.vertices = {{view.space.at(*head_), kNewBone}, {view.space.at(*tail_), kNewBone}};
    list.lines.push_back(std::move(line));
  }
  QString hint() const override {
    return tr(
        "Drag draws a bone from head to tail, at the depth of the skeleton · Shift begins at the selected bone's tail "
        "· Esc ends");
  }

 private:
  static Vec3 depth(const ModeContext& context) {
    const Object& object = *context.object();
    if (const auto active = active_bone(context.elements))
      if (const Bone* bone = find_bone(object.mapping, *active)) return bone->tail;
    Vec3 sum = Vec3::Zero();
    for (const Bone& bone : object.mapping.bones) sum += 0.5 * (bone.head + bone.tail);
    return object.mapping.bones.empty() ? sum : Vec3(sum / static_cast<double>(object.mapping.bones.size()));
  }
  std::optional<Vec3> head_, tail_;
  bool child_ = false;
};

class PaintWeights : public BrushTool {
 public:
  explicit PaintWeights(const ModeContext& context) : options_(&BoneOptions::of(context.elements)) {}

 protected:
  double radius() const override { return options_->brush().radius; }
  void set_radius(double radius) override {
    WeightBrush brush = options_->brush();
    brush.radius = radius;
    options_->set_brush(brush);
  }
  bool begins(const ModeContext& context, const ModePointer& pointer) override {
    if (active_bone(context.elements)) return true;
    // Without a bone there is nothing to paint: this click chooses one.
    if (pointer.element)
      context.elements.select_only(*pointer.element);
    else
      emit context.ui.document.refused(tr("Select the bone to paint for first."));
    return false;
  }
  std::optional<Vec3> place(const ModeContext&, const ModePointer& pointer) const override { return pointer.surface; }
  void dab(const ModeContext& context, const Vec3& place, quint64 stroke) override {
    const auto bone = active_bone(context.elements);
    if (!bone) return;
    const Object& object = *context.object();
    WeightBrush brush = options_->brush();
    brush.centre = object.transform.scale.cwiseProduct(place);
    if (lowers()) brush.target = 0;
    const auto mesh = context.ui.document.meshes().mesh(object);
    std::vector<PaintedWeight> painted = paint_weights(scaled_mapping(object), *mesh, *bone, brush);
    if (painted == object.mapping.painted) return;
    const QString name = QString::fromStdString(find_bone(object.mapping, *bone)->name);
    (void)context.edit(
        tr("Paint weights of %1").arg(name), [&](Object& o) { o.mapping.painted = painted; }, stroke);
  }
  QColor colour() const override { return lowers() ? QColor(0x6c, 0xb4, 0xff) : QColor(0xff, 0xb0, 0x5c); }
  QString about() const override {
    return tr(
        "Drag paints the weight of the selected bone · Ctrl takes it away · wheel or F sets the radius, Ctrl+wheel "
        "zooms · Esc ends");
  }

 private:
  bool lowers() const { return held() & Qt::ControlModifier; }
  BoneOptions* options_;  // lives as long as the window's element selection
};

}  // namespace

std::unique_ptr<ModeToolRun> start_draw_bones(const ModeContext&) { return std::make_unique<DrawBones>(); }
std::unique_ptr<ModeToolRun> start_weight_brush(const ModeContext& context) {
  return std::make_unique<PaintWeights>(context);
}

}  // namespace hazumi
