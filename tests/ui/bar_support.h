// A scene with one flexible bar, in the real window, and what is done to its poses by mouse and keys.
#pragma once

#include "core/scene/derived/poses.h"
#include "tests/ui/flow_support.h"
#include "ui/modes/pose_commands.h"
#include "ui/panels/pose_section.h"

namespace hazumi::test {

struct BarFlow : Flow {
  Id id;

  /// A lattice of so many cells in the air, selected, seen from the side.
  BarFlow(const char* solver, const Vec3& size, const std::array<int, 3>& divisions, const Vec3& place, float seen_at,
          double leans = 0) {
    window.resize(1580, 960);
    Scene made = make_new_scene();
    made.settings.last_frame = 60;
    made.settings.substeps = 4;
    id = next_id(made);
    const std::array<int, 3> twice = {2 * divisions[0], 2 * divisions[1], 2 * divisions[2]};
    Object bar = make_object(id.value, "Bar", {PrimitiveShape::box, size, twice}, place, BodyKind::flexible);
    bar.body.solver = solver;
    bar.body.stiffness = 300;
    bar.body.damping = 2;
    bar.analysis.kind = AnalysisKind::box_grid;
    bar.analysis.divisions = divisions;
    bar.analysis.size = size;
    bar.transform.rotation = Quat(Eigen::AngleAxisd(leans, Vec3::UnitZ()));
    made.objects.push_back(bar);
    Window::open(made);
    selection().select_only(id);
    view().camera() = ViewCamera{};
    view().camera().target = {0, seen_at, 0};
    view().camera().distance = 4.5f;
  }
  const Object& bar() { return *find_object(scene(), id); }
  PoseSection& section() { return *analysis().poses(); }
  ElementSelection& elements() { return window.context().elements; }
  int steps() { return document().undo_stack()->index(); }
  void push(const char* name) {
    QTest::mouseClick(sight(section().button(name)), Qt::LeftButton);
    QTest::qWait(10);
  }
  void press_key(Qt::Key key, Qt::KeyboardModifiers held = Qt::NoModifier) {
    view().setFocus();
    QTest::keyClick(&view(), key, held);
    QTest::qWait(5);
  }
  /// Of the pose that is edited.
  std::vector<Vec3> nodes() {
    const EditedPose edited = edited_pose(elements(), bar());
    REQUIRE(edited);
    return edited.nodes;
  }
};

}  // namespace hazumi::test
