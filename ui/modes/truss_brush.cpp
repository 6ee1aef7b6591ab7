// The brush of the truss mode: mass, stiffness, damping and cross-section painted over the model, one undo step a stroke.
#include <QCoreApplication>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/brush_cursor.h"
#include "ui/modes/truss_commands.h"
#include "ui/modes/truss_options.h"
#include "ui/modes/truss_tools.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

class PaintTruss : public BrushTool {
 public:
  explicit PaintTruss(const ModeContext& context) : options_(TrussOptions::of(context.elements)) {
    options_.set_painting(true);
  }
  ~PaintTruss() override { options_.set_painting(false); }
  Qt::CursorShape cursor() const override { return Qt::BlankCursor; }

 protected:
  double radius() const override { return options_.brush().radius; }
  void set_radius(double radius) override {
    TrussBrush brush = options_.brush();
    brush.radius = radius;
    options_.set_brush(brush);
  }
  std::optional<Vec3> place(const ModeContext& context, const ModePointer& pointer) const override {
    const auto truss = edited_truss(context.elements);
    if (!truss) return std::nullopt;
    std::vector<Vec3> places;
    for (const StrungNode& node : truss->nodes) places.push_back(node.position);
    return brush_place(context, pointer, places);
  }
  void dab(const ModeContext& context, const Vec3& place, quint64 stroke) override {
    const auto truss = edited_truss(context.elements);
    if (!truss) return;
    TrussBrush brush = options_.brush();
    brush.radius = BrushCursor::local_radius(ObjectSpace(*context.object()), brush.radius);
    brush.centre = place;
    brush.action = action();
    StrungTruss painted = apply_brush(*truss, brush, symmetry_of(context.elements));
    if (painted == *truss) return;
    (void)replace_truss(context.ui, tr("Paint %1").arg(quantity_name(brush.quantity).toLower()), std::move(painted),
                        stroke);
  }
  QColor colour() const override {
    const BrushAction does = action();
    return does == BrushAction::lower    ? QColor(0x6c, 0xb4, 0xff)
           : does == BrushAction::smooth ? QColor(0xe6, 0xe8, 0xea)
                                         : QColor(0xf8, 0x7a, 0xbe);
  }
  QString about() const override {
    return tr("Drag paints %1 · Ctrl the other way · Shift smooths · wheel or F sets the radius, Ctrl+wheel zooms · "
              "Esc ends")
        .arg(quantity_name(options_.brush().quantity).toLower());
  }

 private:
  BrushAction action() const {
    const BrushAction set = options_.brush().action;
    if (held() & Qt::ShiftModifier) return BrushAction::smooth;
    if (!(held() & Qt::ControlModifier)) return set;
    return set == BrushAction::lower ? BrushAction::raise : BrushAction::lower;
  }

  TrussOptions& options_;
};

}  // namespace

std::unique_ptr<ModeToolRun> start_truss_brush(const ModeContext& context) {
  return std::make_unique<PaintTruss>(context);
}

}  // namespace hazumi
