// Keys of how a joint holds: its places, axis, limits, length, stiffness, ratio and the force at which it breaks. What they say holds, work comes
// from what is told alone, and momentum is kept.
#include <functional>

#include "core/scene/derived/joined.h"
#include "core/scene/diff.h"
#include "tests/sim/joint/joint_support.h"

namespace joint_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object bar(const Vec3& at, double mass) {
  Object o = World::hard("bar", {PrimitiveShape::box, Vec3(0.5, 0.2, 0.3), {1, 1, 1}}, at, mass);
  o.contact.enabled = false;
  return o;
}

/// Two bars in the void that turn and go, and a joint between them under 3; of a gear a third bar and its hinges.
struct Pair : JointWorld {
  Id first, second, joint;
  explicit Pair(
      JointKind kind, const std::function<void(Joint&)>& change = [](Joint&) {}) {
    scene.settings.gravity.setZero();
    scene.settings.substeps = 4;
    Object a = bar(Vec3(0, 1, 0), 2), b = bar(Vec3(0.6, 1.1, 0.1), 1);
    a.body.spin = Vec3(0.3, 0.5, -0.8);
    b.body.velocity = Vec3(0.1, 0.4, 0);
    b.transform.scale = Vec3(1, 2, 1);
    first = add(a);
    second = add(b);
    const Vec3 between(0.3, 1.05, 0.05);
    const auto set = [&](Joint& j) {
      if (has_length(kind)) j.b.place = own(second, Vec3(0.5, 1.1, 0.1));
      j.limited = true;
      j.measured = false;
      change(j);
    };
    if (kind == JointKind::gear) {
      const Id third = add(bar(Vec3(-0.6, 1, 0), 1));
      const Id one = joined(JointKind::hinge, first, second, between),
               two = joined(JointKind::hinge, first, third, Vec3(-0.3, 1, 0));
      joint = joined(kind, Id{0}, Id{0}, Vec3::Zero(), Quat::Identity(), [&](Joint& j) {
        j.first = one.value;
        j.second = two.value;
        set(j);
      });
    } else {
      joint = joined(kind, first, has_target(kind) ? Id{0} : second, between,
                     Quat(Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized())), set);
    }
  }
  void key(const std::string& field, double time, const FieldValue& value) {
    scene = with_key(std::move(scene), joint.value, field, time, value);
  }
  const Joint& at() const { return *find_joint(scene, joint); }
};

FieldValue value_of_joint(const Joint& joint, const std::string& path) {
  return find_field(joint_fields(), std::string_view(path))->get(joint);
}

/// Another value of that field.
struct Keyed {
  JointKind kind;
  const char* path;
  FieldValue to;
};
std::vector<Keyed> all_keyed() {
  const Quat turned(Eigen::AngleAxisd(0.9, Vec3(1, 0.3, 0.2).normalized()));
  std::vector<Keyed> all;
  for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed,
                               JointKind::spring, JointKind::rope, JointKind::lead, JointKind::pull})
    all.push_back({kind, "a.place", Vec3(0.1, 0.2, 0.15)});
  for (const JointKind kind : {JointKind::spring, JointKind::rope})
    all.push_back({kind, "b.place", Vec3(0.05, -0.1, 0.1)});
  for (const JointKind kind : {JointKind::hinge, JointKind::slider}) all.push_back({kind, "turn", turned});
  all.push_back({JointKind::hinge, "least_turn", 0.5});
  all.push_back({JointKind::hinge, "most_turn", -0.6});
  all.push_back({JointKind::slider, "least_way", 0.2});
  all.push_back({JointKind::slider, "most_way", -0.15});
  all.push_back({JointKind::spring, "length", 0.7});
  all.push_back({JointKind::rope, "length", 0.15});
  all.push_back({JointKind::spring, "stiffness", 900.0});
  all.push_back({JointKind::spring, "damping", 6.0});
  all.push_back({JointKind::pull, "pull_rate", 9.0});
  all.push_back({JointKind::pull, "pull_most", 0.3});
  all.push_back({JointKind::gear, "ratio", -2.5});
  all.push_back({JointKind::ball, "break_force", 0.05});
  return all;
}

void set(Joint& joint, const std::string& path, const FieldValue& value) {
  find_field(joint_fields(), std::string_view(path))->set(joint, value);
}

/// Limits that do not cross each other, a rope that is taut, a target that is elsewhere.
void as_drawn(Joint& j) {
  j.length = j.kind == JointKind::rope ? 0.3 : 0.4;
  j.least_turn = j.least_way = -0.7;
  j.most_turn = j.most_way = 0.7;
}

}  // namespace

TEST_CASE("Every number of a joint can be keyed", "[joint][keys]") {
  std::set<std::string> tried;
  for (const Keyed& one : all_keyed()) tried.insert(one.path);
  for (const auto& field : joint_fields())
    if (field.type == FieldType::number || field.type == FieldType::vector || field.type == FieldType::rotation) {
      INFO(field.path);
      CHECK(field.keyable);
      const std::string_view others[] = {"along",       "strictness",   "motor_turn",
                                         "motor_speed", "motor_torque", "motor_force"};
      CHECK((tried.contains(std::string(field.path)) ||
             std::find(std::begin(others), std::end(others), field.path) != std::end(others)));
    }
}

TEST_CASE("A number that keys hold is the scene's own, bit for bit", "[joint][keys]") {
  for (const Keyed& one : all_keyed()) {
    INFO(static_cast<int>(one.kind) << " " << one.path);
    const auto drawn = [&](Joint& j) { as_drawn(j); };
    Pair own(one.kind, [&](Joint& j) {
      as_drawn(j);
      set(j, one.path, one.to);
    });
    Pair keyed(one.kind, drawn);
    for (const double time : {0.0, 0.5, 1.0}) keyed.key(one.path, time, one.to);
    JointRun a(own), b(keyed);
    for (int n = 0; n < 120; ++n) {
      a.steps(1);
      b.steps(1);
    }
    for (std::size_t i = 0; i < a.state.bodies.size(); ++i) CHECK(a.state.bodies[i].values == b.state.bodies[i].values);
    // Not that of the scene as it was drawn; the least limits are on the side that it does not come to by itself.
    if (std::string(one.path).starts_with("least")) continue;
    JointRun other((Pair(one.kind, drawn)));
    other.steps(120);
    bool same = true;
    for (std::size_t i = 0; i < a.state.bodies.size(); ++i)
      same = same && a.state.bodies[i].values == other.state.bodies[i].values;
    CHECK_FALSE(same);
  }
}

TEST_CASE("Work of numbers that go is booked, and momentum kept", "[joint][keys]") {
  for (const Keyed& one : all_keyed()) {
    INFO(static_cast<int>(one.kind) << " " << one.path);
    Pair world(one.kind, as_drawn);
    const FieldValue from = value_of_joint(world.at(), one.path);
    const std::vector<std::pair<double, FieldValue>> keys = {
        {0, from}, {0.3, one.to}, {0.6, from}, {0.8, from}, {0.9, one.to}};
    for (const auto& [time, value] : keys) world.key(one.path, time, value);
    JointRun run(world);
    const double start = run.energy();
    Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
    const auto moments = [&](Vec3& p, Vec3& l) {
      p = l = Vec3::Zero();
      for (const Body& body : run.model->bodies) {
        const Observables o = run.at(body.id);
        p += o.momentum;
        l += o.angular_momentum + o.centre.cross(o.momentum);
      }
    };
    moments(momentum, spin);
    double booked = 0, gain = 0, lost = 0, off = 0;
    std::vector<State> middle;
    for (int n = 0; n < 300; ++n) {
      if (n == 90) middle.push_back(run.state);
      const StepReport report = run.step();
      REQUIRE(report.ok);
      booked += report.joint_figures.motors + report.joint_figures.leads + report.joint_figures.pulls;
      gain = std::max(gain, run.energy() - start - booked);
      lost = std::max(lost, start + booked - run.energy());
      Vec3 p, l;
      moments(p, l);
      if (!has_target(one.kind)) off = std::max({off, (p - momentum).norm(), (l - spin).norm()});
    }
    INFO("gain " << gain << ", lost " << lost << ", booked " << booked << ", momentum off by " << off << ", rough "
                 << run.figures.parts);
    CHECK(gain < 1e-9 * (1 + std::abs(booked)));
    CHECK(off < 1e-11);
    // What keys move costs nothing beside its work but where limits are met, ropes become taut, dampers damp and gears jump.
    const bool loses = one.kind == JointKind::rope || one.kind == JointKind::spring || one.kind == JointKind::slider ||
                       one.kind == JointKind::hinge || one.kind == JointKind::pull || one.kind == JointKind::gear;
    if (!loses && std::string(one.path) != "break_force") CHECK(lost < 1e-9 * (1 + std::abs(booked)));
    // From any state.
    JointRun again(world);
    again.state = middle[0];
    again.steps(210);
    CHECK(hash(again.state) == hash(run.state));
  }
}

}  // namespace joint_keys_test
