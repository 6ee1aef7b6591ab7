// The brush of the truss mode: mass, stiffness, damping and cross-section painted over the model, one undo step a stroke.
#include <QCoreApplication>
#include <QPointer>

#include "ui/document_controller.h"
#include "ui/modes/brush_cursor.h"
#include "ui/modes/truss_commands.h"
#include "ui/modes/truss_options.h"
#include "ui/modes/truss_tools.h"
#include "ui/theme.h"
#include "ui/viewport/viewport.h"

namespace hazumi {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Modes", text); }

class PaintTruss : public ModeToolRun {
 public:
  explicit PaintTruss(const ModeContext& context) : options_(&TrussOptions::of(context.elements)) {
    options_->set_painting(true);
  }
  ~PaintTruss() override {
    if (options_) options_->set_painting(false);
  }

  bool press(const ModeContext& context, const ModePointer& pointer) override {
    if (cursor_.sizing()) {
      cursor_.end_sizing();
      return true;
    }
    stroke_ = context.ui.document.new_gesture();
    last_.reset();
    move(context, pointer);
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    if (cursor_.sizing()) {
      if (const auto view = context.viewport.mode_view()) set_radius(cursor_.sized(*view, pointer.pixel));
      return;
    }
    const auto truss = edited_truss(context.elements);
    if (!truss) return;
    std::vector<Vec3> places;
    for (const StrungNode& node : truss->nodes) places.push_back(node.position);
    cursor_.at(pointer.pixel, brush_place(context, pointer, places));
    modifiers_ = pointer.modifiers;
    if (stroke_ == 0 || !cursor_.place()) return;
    TrussBrush brush = options_->brush();
    const Object& object = *context.object();
    brush.radius = BrushCursor::local_radius(ObjectSpace(object), brush.radius);
    brush.centre = *cursor_.place();
    brush.action = action();
    // Dabs lie a quarter of the radius apart, however the mouse moves.
    if (last_ && (*last_ - brush.centre).norm() < 0.25 * brush.radius) return;
    last_ = brush.centre;
    StrungTruss painted = apply_brush(*truss, brush, symmetry_of(context.elements));
    if (painted == *truss) return;
    (void)replace_truss(context.ui, tr("Paint %1").arg(quantity_name(brush.quantity).toLower()), std::move(painted), stroke_);
  }
  void release(const ModeContext&, const ModePointer&) override { stroke_ = 0; }
  bool key(const ModeContext&, int key, Qt::KeyboardModifiers held) override {
    if (key == Qt::Key_F && held == Qt::NoModifier) {
      if (!cursor_.sizing()) cursor_.start_sizing(options_->brush().radius);
      return true;
    }
    if (!cursor_.sizing()) return false;
    if (key == Qt::Key_Escape) set_radius(cursor_.start_radius());
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) cursor_.end_sizing();
    return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
  }
  bool wheel(const ModeContext&, double notches, Qt::KeyboardModifiers held) override {
    if (held & Qt::ControlModifier) return false;
    set_radius(BrushCursor::wheeled(options_->brush().radius, notches));
    return true;
  }
  void paint(const ModeView& view, QPainter& painter) const override {
    if (!options_) return;
    const BrushAction does = action();
    const QColor colour = does == BrushAction::lower    ? QColor(0x6c, 0xb4, 0xff)
                          : does == BrushAction::smooth ? QColor(0xe6, 0xe8, 0xea)
                                                        : QColor(0xf8, 0x7a, 0xbe);
    const QString text = cursor_.sizing() ? tr("%1 m").arg(options_->brush().radius, 0, 'g', 3) : QString();
    cursor_.paint(view, painter, options_->brush().radius, colour, text);
  }
  QString hint() const override {
    if (cursor_.sizing()) return tr("Move sets the radius · click takes it · Esc gives up");
    return tr("Drag paints %1 · Ctrl the other way · Shift smooths · wheel or F sets the radius, Ctrl+wheel zooms · Esc ends")
        .arg(options_ ? quantity_name(options_->brush().quantity).toLower() : QString());
  }
  Qt::CursorShape cursor() const override { return Qt::BlankCursor; }

 private:
  BrushAction action() const {
    const BrushAction set = options_->brush().action;
    if (modifiers_ & Qt::ShiftModifier) return BrushAction::smooth;
    if (!(modifiers_ & Qt::ControlModifier)) return set;
    return set == BrushAction::lower ? BrushAction::raise : BrushAction::lower;
  }
  void set_radius(double radius) {
    TrussBrush brush = options_->brush();
    brush.radius = radius;
    options_->set_brush(brush);
  }

  QPointer<TrussOptions> options_;
  BrushCursor cursor_;
  Qt::KeyboardModifiers modifiers_;
  quint64 stroke_ = 0;
  std::optional<Vec3> last_;
};

}  // namespace

std::unique_ptr<ModeToolRun> start_truss_brush(const ModeContext& context) { return std::make_unique<PaintTruss>(context); }

}  // namespace hazumi
