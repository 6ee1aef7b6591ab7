// A box whose truss is strung by hand, in the real window with truss mode on.
#pragma once

#include <QToolButton>

#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/select.h"
#include "tests/ui/flow_support.h"
#include "ui/modes/mode_bar.h"
#include "ui/modes/truss_commands.h"
#include "ui/modes/truss_options.h"

namespace hazumi::test {

struct TrussFlow : Flow {
  Id id;

  /// A flexible cube of 1 m, one cell of springs: nodes at the corners.
  explicit TrussFlow(std::array<int, 3> cells = {1, 1, 1}) {
    Scene made = make_new_scene();
    made.settings.last_frame = 20;
    id = next_id(made);
    Object box = make_object(id.value, "Box", {PrimitiveShape::box, Vec3(1, 1, 1), {4, 4, 4}}, Vec3(0, 1.2, 0),
                             BodyKind::flexible);
    box.analysis.kind = AnalysisKind::box_grid;
    box.analysis.divisions = cells;
    string_by_hand(box, document().meshes());
    made.objects.push_back(box);
    Window::open(made);
    selection().select_only(id);
    view().camera() = ViewCamera{};
    view().camera().target = {0, 1.2f, 0};
    view().camera().distance = 4;
    enter();
  }
  ElementSelection& elements() { return window.context().elements; }
  const Object& box() { return *find_object(scene(), id); }
  const StrungTruss& truss() { return *box().analysis.strung; }
  int steps() { return document().undo_stack()->index(); }
  void enter() {
    QTest::mouseClick(view().mode_bar()->button(find_mode("truss")), Qt::LeftButton);
    REQUIRE(elements().in("truss"));
    view().setFocus();
    QTest::qWait(10);
  }
  std::uint32_t node_at(const Vec3& local) {
    for (std::uint32_t i = 0; i < truss().nodes.size(); ++i)
      if ((truss().nodes[i].position - local).norm() < 1e-6) return i;
    FAIL("no node there");
    return kNoNode;
  }
  QPointF pixel_of_node(std::uint32_t node) { return pixel(ObjectSpace(box()).world(truss().nodes[node].position)); }
  QPointF middle_of(std::uint32_t a, std::uint32_t b) { return 0.5 * (pixel_of_node(a) + pixel_of_node(b)); }
  void press_key(Qt::Key key, Qt::KeyboardModifiers held = Qt::NoModifier) {
    view().setFocus();
    QTest::keyClick(&view(), key, held);
    QTest::qWait(5);
  }
};

}  // namespace hazumi::test
