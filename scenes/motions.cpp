// The motions of the catalogue (assets/motions), made with a ball half a metre across, of a kilogram.
#include "scenes/motions.h"

#include "core/motion/catalogue.h"
#include "scenes/builder.h"

namespace hazumi::shipped {
namespace {

constexpr double kMotionSize = 0.5;

/// A ball above a floor, and boxes of its motion.
struct Draft {
  Builder b;
  Id ball, floor;
  std::string description;

  Draft(const char* name, const char* what) : b(name, what, 240), description(what) {
    b.floor(1e8, 0.5);
    Object o = b.object("Ball", "red plastic", PrimitiveShape::sphere, Vec3::Constant(kMotionSize),
                        Vec3(0, 0.5 * kMotionSize, 0));
    o.body.kind = BodyKind::rigid;
    o.body.mass = 1;
    b.add(o);
    ball = b.id_of("Ball");
    floor = b.id_of("Floor");
  }
  Id when(const char* kind, double column, double row, std::vector<MotionParameter> parameters = {},
          bool loop = false) {
    return b.when(kind, ball, {}, column, row, std::move(parameters), loop);
  }
  Id does(const char* kind, double column, double row, std::vector<MotionParameter> parameters = {}) {
    return b.does(kind, ball, {}, column, row, std::move(parameters));
  }
  Id start(double row = 0) { return when("time", 0, row); }
  Id only_if(Id box, const char* name, const char* condition) {
    b.change(box, [&](MotionNode& node) {
      node.name = name;
      node.condition = condition;
    });
    return box;
  }
  Scene done() {
    std::set<Id> all;
    for (const auto& node : b.scene.motion) all.insert(node->id);
    return motion_of(b.scene, all, b.scene.name, description, [](const Object&) { return MotionBody{kMotionSize, 1}; });
  }
};

MotionParameter number(const char* name, double value) { return {name, {}, value}; }

Scene bounce_and_roll() {
  Draft d("Bounce and roll", "It bounces off what it hits until that settles, then rolls.");
  d.b.chain({d.start(), d.does("bounce", 1, 0, {number("restitution", 0.65), number("until", 0.3)}),
             d.when("finished", 2, 0), d.does("roll", 3, 0)});
  return d.done();
}

Scene toss() {
  Draft d("Toss", "It is thrown, bounces, and rolls on.");
  const Id start = d.start(), thrown = d.does("throw", 1, 0, {number("x", 2), number("y", 3.5)});
  d.b.chain({start, thrown, d.when("contact", 2, 0), d.does("bounce", 3, 0, {number("restitution", 0.55)}),
             d.when("finished", 4, 0), d.does("roll", 5, 0)});
  return d.done();
}

Scene thud() {
  Draft d("Thud", "It stays where it comes down, heavy and without a bounce.");
  d.b.chain({d.start(), d.does("throw", 1, 0, {number("y", 3)}), d.when("contact", 2, 0), d.does("land", 3, 0)});
  return d.done();
}

Scene slide_to_a_stop() {
  Draft d("Slide to a stop", "It is shoved, slides, and is brought to rest.");
  const Id start = d.start(), shove = d.does("throw", 1, 0, {number("x", 3), number("y", 0)});
  d.b.chain({start, shove, d.when("time", 2, 0, {number("time", 0.8), {"from", "armed", 0}}),
             d.does("stop", 3, 0, {number("duration", 0.4)})});
  d.b.chain({start, d.does("slide", 1, 1, {number("friction", 0.05), number("duration", 1.2)})});
  return d.done();
}

Scene start_rolling() {
  Draft d("Start rolling", "It is pushed along and rolls without slipping.");
  const Id start = d.start();
  d.b.chain({start, d.does("throw", 1, 0, {number("x", 2.5), number("y", 0)})});
  d.b.chain({start, d.does("roll", 1, 1)});
  return d.done();
}

Scene hang_and_fall() {
  Draft d("Hang and fall", "It hangs in the air for a second, as in a cartoon, and then remembers to fall.");
  d.b.chain({d.start(0), d.does("throw", 1, 0, {number("y", 4.4)}),
             d.when("time", 2, 0, {number("time", 0.44), {"from", "armed", 0}}),
             d.does("hold", 3, 0, {number("duration", 1)}), d.when("finished", 4, 0), d.does("let_go", 5, 0)});
  d.b.chain({d.when("contact", 0, 1), d.does("land", 1, 1)});
  return d.done();
}

Scene hop() {
  Draft d("Hop", "Whenever it has come to rest, it hops.");
  d.b.chain({d.start(), d.does("land", 1, 0)});
  d.b.chain({d.when("rest", 0, 1, {number("slower", 0.1), number("duration", 0.15)}, true),
             d.does("throw", 1, 1, {number("y", 2.8)})});
  return d.done();
}

Scene hop_along() {
  Draft d("Hop along", "Whenever it has come to rest, it hops forwards.");
  d.b.chain({d.start(), d.does("land", 1, 0, {number("friction", 3)})});
  d.b.chain({d.when("rest", 0, 1, {number("slower", 0.3), number("duration", 0.1)}, true),
             d.does("stop", 1, 1, {number("duration", 0.1)}), d.when("finished", 2, 1),
             d.does("throw", 3, 1, {number("x", 1), number("y", 2.8)})});
  return d.done();
}

Scene on_the_moon() {
  Draft d("On the moon", "A sixth of the weight, and bounces that go on.");
  const Id start = d.start();
  d.b.chain({start, d.does("throw", 1, 0, {number("x", 0.5), number("y", 2)})});
  d.b.chain({start, d.does("gravity", 1, 1, {number("gain", 0.165)})});
  d.b.chain({start, d.does("bounce", 1, 2, {number("restitution", 0.8), number("until", 0.1)})});
  return d.done();
}

Scene three_and_out() {
  Draft d("Three and out", "It bounces three times and stays.");
  const Id start = d.start();
  d.b.chain({start, d.does("throw", 1, 0, {number("y", 4)})});
  d.b.chain({start, d.does("bounce", 1, 1, {number("restitution", 0.8)})});
  d.b.chain({start, d.when("bounces", 1, 2, {number("count", 3)}), d.does("land", 2, 2)});
  return d.done();
}

Scene shiver() {
  Draft d("Shiver", "It trembles for two seconds.");
  const Id each = d.when("time", 1, 0, {number("time", 0.05), {"from", "armed", 0}});
  d.b.change(each, [](MotionNode& node) { node.condition = "n < 40"; });
  const Id shake = d.does("throw", 2, 0, {{"x", "0.5*sin(37*t)", 0}, number("y", 0), {"z", "0.5*cos(51*t)", 0}});
  d.b.chain({d.start(), each, shake, each});
  return d.done();
}

Scene balloon() {
  Draft d("Balloon", "It floats up, bursts when it is high enough, and drops.");
  const Id start = d.start(), light = d.does("gravity", 1, 0, {number("gain", -0.12)}),
           high = d.when("height", 2, 0, {number("limit", 1.6), {"side", "over", 0}}), burst = d.does("gravity", 3, 0);
  d.b.chain({start, light, high, burst, d.when("contact", 4, 0), d.does("land", 5, 0)});
  return d.done();
}

Scene spin_up() {
  Draft d("Spin", "It is set spinning where it is.");
  const Id start = d.start();
  d.b.chain({start, d.does("throw", 1, 0, {number("y", 0), {"added", {}, 1}, {"spins", {}, 1}, number("sy", 12)})});
  d.b.chain({start, d.does("slide", 1, 1, {number("friction", 0.05)})});
  return d.done();
}

Scene flip() {
  Draft d("Flip", "A leap with a whole turn in the air.");
  d.b.chain({d.start(), d.does("throw", 1, 0, {number("y", 4.5), {"spins", {}, 1}, number("sz", -6.85)}),
             d.when("contact", 2, 0), d.does("land", 3, 0, {number("friction", 3)})});
  return d.done();
}

Scene brake() {
  Draft d("Dash and brake", "It darts off and stops dead.");
  d.b.chain({d.start(), d.does("throw", 1, 0, {number("x", 4), number("y", 0)}),
             d.when("time", 2, 0, {number("time", 0.5), {"from", "armed", 0}}),
             d.does("stop", 3, 0, {number("duration", 0.12)})});
  return d.done();
}

Scene by_strength() {
  Draft d("Weak, medium, strong", "How hard it hits decides: it lands, bounces, or breaks through.");
  const Id hit = d.when("contact", 0, 1, {}, true);
  const Id weak = d.only_if(d.when("case", 1, 0), "Weak", "approach < 2"),
           medium = d.only_if(d.when("case", 1, 1), "Medium", "approach < 6"),
           strong = d.only_if(d.when("case", 1, 2), "Strong", "");
  d.b.chain({hit, weak, d.does("land", 2, 0)});
  d.b.chain({hit, medium, d.does("bounce", 2, 1, {number("restitution", 0.8)})});
  d.b.chain({hit, strong, d.does("pass", 2, 2, {number("duration", 0.5)})});
  return d.done();
}

Scene pounce() {
  Draft d("Pounce", "It waits, crouched, and leaps at a spot two metres ahead.");
  d.b.chain({d.start(), d.does("hold", 1, 0, {number("duration", 0.6)}), d.when("finished", 2, 0),
             d.does("aim", 3, 0, {number("x", 2), number("y", 0.25), number("duration", 0.7)}), d.when("contact", 4, 0),
             d.does("land", 5, 0, {number("friction", 2)})});
  return d.done();
}

Scene lap() {
  Draft d("A lap", "It comes onto a round course, goes once around, and is let go.");
  Curve ring;
  ring.id = next_id(d.b.scene);
  ring.name = "Lap";
  ring.kind = CurveKind::arc;
  ring.closed = true;
  ring.points = {{Vec3(1, 0, 0)}, {Vec3(0, 0, -1)}, {Vec3(-1, 0, 0)}};
  ring.transform.position = Vec3(0, 0.8, 0);
  d.b.scene.curves.push_back(Shared<Curve>(ring));
  const Id follow = d.b.does("follow", d.ball, ring.id, 1, 0, {number("duration", 3), number("blend", 0.5)});
  d.b.chain({d.start(), follow, d.when("finished", 2, 0), d.does("bounce", 3, 0)});
  return d.done();
}

Scene crouch_and_jump() {
  Draft d("Crouch and jump", "It crouches, leaps, and comes down flat; for what bends.");
  const Id start = d.start();
  d.b.chain({start, d.does("squash", 1, 1, {number("depth", 40), number("restitution", 0), number("slides", 0)})});
  d.b.chain({start, d.does("stretch", 1, 2)});
  d.b.chain(
      {start,
       d.does("pose", 1, 0, {number("stretch", -32), number("in", 0.4), number("stay", 0.12), number("out", 0.06)}),
       d.when("finished", 2, 0), d.does("throw", 3, 0, {number("y", 4.5)})});
  return d.done();
}

Scene rubber() {
  Draft d("Rubber", "Flat where it hits, long where it is fast, and off again; for what bends.");
  const Id start = d.start();
  d.b.chain({start, d.does("squash", 1, 0, {number("depth", 35), number("restitution", 0.8)})});
  d.b.chain({start, d.does("stretch", 1, 1, {number("gain", 6)})});
  d.b.chain({start, d.does("throw", 1, 2, {number("x", 1), number("y", 4)}), d.when("contact", 2, 2, {}, true)});
  return d.done();
}

Scene breathe() {
  Draft d("Breathe", "It draws a breath again and again; for what bends.");
  const Id in = d.does(
               "pose", 1, 0,
               {number("stretch", 8), {"volume", {}, 0}, number("in", 1), number("stay", 0.2), number("out", 1.2)}),
           again = d.when("finished", 2, 0, {}, true);
  d.b.chain({d.start(), in, again, in});
  return d.done();
}

Scene look_around() {
  Draft d("Look around", "It turns to one side, then to the other; for what bends.");
  d.b.chain({d.start(),
             d.does("pose", 1, 0,
                    {number("stretch", 12), number("twist", 0.8), number("in", 0.4), number("stay", 0.4),
                     number("out", 0.3)}),
             d.when("finished", 2, 0),
             d.does("pose", 3, 0,
                    {number("stretch", 12), number("twist", -0.8), number("in", 0.4), number("stay", 0.4),
                     number("out", 0.3)})});
  return d.done();
}

}  // namespace

std::vector<ShippedMotion> shipped_motions() {
  return {{"bounce_and_roll", bounce_and_roll()},
          {"toss", toss()},
          {"thud", thud()},
          {"slide_to_a_stop", slide_to_a_stop()},
          {"start_rolling", start_rolling()},
          {"hang_and_fall", hang_and_fall()},
          {"hop", hop()},
          {"hop_along", hop_along()},
          {"on_the_moon", on_the_moon()},
          {"three_and_out", three_and_out()},
          {"shiver", shiver()},
          {"balloon", balloon()},
          {"spin", spin_up()},
          {"flip", flip()},
          {"dash_and_brake", brake()},
          {"by_strength", by_strength()},
          {"pounce", pounce()},
          {"lap", lap()},
          {"crouch_and_jump", crouch_and_jump()},
          {"rubber", rubber()},
          {"breathe", breathe()},
          {"look_around", look_around()}};
}

}  // namespace hazumi::shipped
