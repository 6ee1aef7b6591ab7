// What is done to keys, as functions of a scene: times, shapes, easings, copies.
#include "tests/ui/key_support.h"

#include <random>

#include "core/math/rotation.h"
#include "core/scene/validate.h"
#include "tests/ui/session_parts.h"
#include "ui/model/key_clipboard.h"
#include "ui/model/key_commands.h"
#include "ui/model/key_easings.h"
#include "ui/panels/curve_lines.h"

namespace key_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kFrame = 1.0 / 60;

const Easing& easing_of(std::string_view id) {
  for (const Easing& easing : easings())
    if (easing.id == id) return easing;
  FAIL("no such easing");
  return easings()[0];
}

/// Penner's formulas, in.
double formula(std::string_view id, double u) {
  if (id == "sine") return 1 - std::cos(u * kPi / 2);
  if (id == "quad") return u * u;
  if (id == "cubic") return u * u * u;
  if (id == "quart") return std::pow(u, 4);
  if (id == "quint") return std::pow(u, 5);
  if (id == "expo") return u <= 0 ? 0 : std::pow(2, 10 * u - 10);
  if (id == "circ") return 1 - std::sqrt(std::max(0.0, 1 - u * u));
  if (id == "back") return 2.70158 * u * u * u - 1.70158 * u * u;
  if (id == "elastic")
    return u <= 0 ? 0 : u >= 1 ? 1 : -std::pow(2, 10 * u - 10) * std::sin((10 * u - 10.75) * 2 * kPi / 3);
  REQUIRE(id == "bounce");
  double t = 1 - u;
  const double n = 7.5625, d = 2.75;
  if (t < 1 / d) return 1 - n * t * t;
  for (const auto& [middle, rest] : {std::pair(1.5, 0.75), {2.25, 0.9375}})
    if (t < (middle + (middle == 1.5 ? 0.5 : 0.25)) / d) return 1 - (n * (t - middle / d) * (t - middle / d) + rest);
  return 1 - (n * (t - 2.625 / d) * (t - 2.625 / d) + 0.984375);
}

}  // namespace

TEST_CASE("Keys that are moved take the place of those that they meet, and come back from behind them",
          "[ui][keytime]") {
  const KeyedScene k;
  const KeyTimes first{{k.place, {0}}};
  const KeyEdit onto = retimed_keys(k.scene, first, {0.5, 1, 0, 0});
  CHECK(frames_of(onto.scene, k.place) == std::vector<double>{30, 60, 90});
  CHECK(track_of(onto.scene, k.place).keys[0].value == std::array<double, 4>{0, 0.5, 0, 0});
  CHECK(onto.keys == KeyTimes{{k.place, {0.5}}});
  // From the scene that the drag began with the next step brings the other one back.
  const KeyEdit beyond = retimed_keys(k.scene, first, {0.75, 1, 0, 0});
  CHECK(frames_of(beyond.scene, k.place) == std::vector<double>{30, 45, 60, 90});
  // All to one time: the last one stays.
  const KeyEdit all = retimed_keys(k.scene, all_keys(k.scene, {k.place}), {0, 0, 1, 0});
  REQUIRE(frames_of(all.scene, k.place) == std::vector<double>{60});
  CHECK(track_of(all.scene, k.place).keys[0].value[0] == 2);
}

TEST_CASE("Mirrored keys say the same backwards, tangents too", "[ui][keytime]") {
  KeyedScene k;
  auto& track = k.scene.tracks[0];
  track = track.edited([](Track& t) {
    t.keys[0].tangent = KeyTangent::free;
    t.keys[0].out = {3, -2, 1, 0};
    t.keys[0].reach_out = 0.6;
    t.keys[1].tangent = KeyTangent::free;
    t.keys[1].in = {-1, 4, 0, 0};
    t.keys[1].out = {2, 2, 2, 0};
    t.keys[2].shape = KeyShape::linear;
  });
  const double head = 0.8;
  const KeyEdit mirrored = retimed_keys(k.scene, all_keys(k.scene), {0, -1, head, 0});
  for (double t = 0.01; t < 1.5; t += 0.0371) {
    const auto before = track_value(track_of(k.scene, k.place), FieldType::vector, t);
    const auto after = track_value(track_of(mirrored.scene, k.place), FieldType::vector, 2 * head - t);
    for (std::size_t i = 0; i < 3; ++i) CHECK(after[i] == Approx(before[i]).margin(1e-9));
  }
  // Twice as slow: the same values at twice the time.
  const KeyEdit slow = retimed_keys(k.scene, all_keys(k.scene), {0, 2, 0, 0});
  for (double t = 0.01; t < 1.5; t += 0.0371) {
    const auto before = track_value(track_of(k.scene, k.place), FieldType::vector, t);
    const auto after = track_value(track_of(slow.scene, k.place), FieldType::vector, 2 * t);
    for (std::size_t i = 0; i < 3; ++i) CHECK(after[i] == Approx(before[i]).margin(1e-9));
  }
}

TEST_CASE("Given tangents begin as those that are there: nothing moves", "[ui][keytime]") {
  const KeyedScene k;
  for (const KeyTangent tangent : {KeyTangent::free, KeyTangent::aligned}) {
    const KeyEdit edit = with_tangents(k.scene, all_keys(k.scene), tangent);
    for (const Id id : {k.place, k.colour, k.turn})
      for (double t = -0.1; t < 1.6; t += 0.0173) {
        const FieldType type = type_of(k.scene, track_of(k.scene, id));
        const auto before = track_value(track_of(k.scene, id), type, t);
        const auto after = track_value(track_of(edit.scene, id), type, t);
        for (std::size_t i = 0; i < 4; ++i) CHECK(after[i] == Approx(before[i]).margin(1e-12));
      }
  }
}

TEST_CASE("Easings follow their formulas, as ordinary keys", "[ui][keytime]") {
  // Measured, in order: 0.0004 0 0 0.0048 0.0076 0.0049 (+ 2^-10, where the formula jumps) 0.0114 0 0.0033 0.
  const std::map<std::string_view, double> bounds{
      {"sine", 0.001}, {"quad", 1e-9},  {"cubic", 1e-9}, {"quart", 0.006},   {"quint", 0.009},
      {"expo", 0.008}, {"circ", 0.015}, {"back", 1e-9},  {"elastic", 0.006}, {"bounce", 1e-9}};
  REQUIRE(easings().size() == bounds.size());
  for (const Easing& easing : easings())
    for (const EaseEnd end : {EaseEnd::in, EaseEnd::out, EaseEnd::in_out}) {
      const double bound = bounds.at(easing.id);
      // Between two keys of a track, 2 s long from value 1 to value 4.
      KeyedScene k;
      const Id id = add_track(k.scene, k.ball, "contact.thickness", {key_at(1, {1}), key_at(3, {4}), key_at(4, {0})});
      const KeyEdit edit = eased_keys(k.scene, {{id, {1, 3}}}, easing, end);
      double worst = 0;
      for (double u = 0; u <= 1; u += 0.005) {
        const double in = formula(easing.id, u), out = 1 - formula(easing.id, 1 - u);
        const double wanted = end == EaseEnd::in    ? in
                              : end == EaseEnd::out ? out
                              : u < 0.5             ? formula(easing.id, 2 * u) / 2
                                                    : 1 - formula(easing.id, 2 - 2 * u) / 2;
        const double got = track_value(track_of(edit.scene, id), FieldType::number, 1 + 2 * u)[0];
        worst = std::max(worst, std::abs((got - 1) / 3 - wanted));
      }
      INFO(easing.id << " " << static_cast<int>(end) << ": " << worst);
      CHECK(worst <= bound);
      // What comes behind is as it was.
      for (const double t : {3.2, 3.5, 3.9})
        CHECK(track_value(track_of(edit.scene, id), FieldType::number, t)[0] ==
              Approx(track_value(track_of(k.scene, id), FieldType::number, t)[0]));
    }
}

TEST_CASE("Each easing has its commands, under its own name", "[ui][keytime]") {
  SessionParts s;
  for (const Easing& easing : easings())
    for (const char* end : {"in", "out", "in_out"}) {
      const std::string id = std::string("keys.") + end + "." + std::string(easing.id);
      INFO(id);
      REQUIRE(s.actions.all().contains(QString::fromStdString(id)));
      CHECK(plain_text(s.actions.row(id)).toStdString() == easing.title);
      CHECK(s.actions.row(id).tip == easing.tip);
    }
  // And does what it says: the table's own order is not trusted.
  const KeyedScene k;
  for (const Easing& easing : easings()) {
    s.document.reset(k.scene, {});
    s.session.keys.set({{k.place, {0, 0.5}}});
    s.actions["keys.out." + std::string(easing.id)]->trigger();
    const KeyEdit wanted = eased_keys(k.scene, {{k.place, {0, 0.5}}}, easing, EaseEnd::out);
    INFO(easing.id);
    CHECK(scene_to_text(s.document.scene()) == scene_to_text(wanted.scene));
  }
}

TEST_CASE("A rotation is eased on the shortest way", "[ui][keytime]") {
  KeyedScene k;
  const Quat a = Quat::Identity(), b = exp_rotation(Vec3(0, 1.2, 0.4));
  const Id id = add_track(k.scene, k.ball, "transform.rotation",
                          {key_at(0, numbers_of(FieldValue(a))), key_at(1, numbers_of(FieldValue(b)))});
  for (const auto& [name, bound] : {std::pair("cubic", 1e-6), {"back", 1e-6}, {"bounce", 1e-6}, {"elastic", 0.006}}) {
    const KeyEdit edit = eased_keys(k.scene, {{id, {0, 1}}}, easing_of(name), EaseEnd::out);
    for (double u = 0.05; u < 1; u += 0.05) {
      const auto v = track_value(track_of(edit.scene, id), FieldType::rotation, u);
      const Vec3 turned = log_rotation(Quat(v[0], v[1], v[2], v[3]));
      const double wanted = 1 - formula(name, 1 - u);
      INFO(name << " " << u);
      CHECK((turned - wanted * Vec3(0, 1.2, 0.4)).norm() < bound);
    }
  }
}

TEST_CASE("Without its keys a track goes, and the field keeps what it showed", "[ui][keytime]") {
  const KeyedScene k;
  const KeyEdit some = without_keys(k.scene, {{k.place, {0, 0.5}}}, 0);
  CHECK(frames_of(some.scene, k.place) == std::vector<double>{60, 90});
  const KeyEdit all = without_keys(k.scene, all_keys(k.scene, {k.place, k.gravity}), 1.5);  // the last key's
  CHECK(find_track(all.scene, k.place) == nullptr);
  CHECK(find_track(all.scene, k.gravity) == nullptr);
  CHECK(find_track(all.scene, k.colour) != nullptr);
  CHECK(find_object(all.scene, Id{k.ball})->transform.position == Vec3(2, 0.5, 1));
  CHECK(all.scene.settings.gravity == Vec3(0, -9.8, 0));
  CHECK(all.keys.empty());
  // Where the play head is, and not where the last key would bring it.
  const KeyEdit early = without_keys(k.scene, all_keys(k.scene, {k.place}), 0.25);
  const Vec3 shown = std::get<Vec3>(*value_at(k.scene, k.ball, "transform.position", 0.25));
  CHECK(find_object(early.scene, Id{k.ball})->transform.position == shown);
  CHECK(shown != Vec3(2, 0.5, 1));
}

TEST_CASE("Copied keys come to the same things, to another one that is selected, and into another scene",
          "[ui][keytime]") {
  const KeyedScene k;
  const KeyTimes two{{k.place, {0.5, 1}}};
  const QString text = copied_keys_text(k.scene, two);
  const PastedKeys same = pasted_keys(k.scene, {}, text, 2);
  CHECK(same.why_not.isEmpty());
  CHECK(frames_of(same.edit.scene, k.place) == std::vector<double>{0, 30, 60, 90, 120, 150});
  CHECK(same.edit.keys == KeyTimes{{k.place, {2, 2.5}}});
  CHECK(track_of(same.edit.scene, k.place).keys[4].value == track_of(k.scene, k.place).keys[1].value);
  const PastedKeys other = pasted_keys(k.scene, {Id{k.box}}, text, 0);
  REQUIRE(other.why_not.isEmpty());
  const Track* fresh = find_track(other.edit.scene, k.box, "transform.position");
  REQUIRE(fresh);
  CHECK(fresh->keys.size() == 2);
  CHECK(fresh->keys[0].time == 0);
  CHECK_FALSE(has_error(validate(other.edit.scene)));
  // By name, whatever the id is there.
  Scene elsewhere = make_new_scene();
  elsewhere.objects.push_back(make_object(70, "Ball", {PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}}, Vec3::Zero()));
  const PastedKeys there = pasted_keys(elsewhere, {}, text, 1);
  REQUIRE(there.why_not.isEmpty());
  CHECK(find_track(there.edit.scene, 70, "transform.position") != nullptr);
  // A rotation by angles into a track of quaternions.
  KeyedScene turning;
  add_track(turning.scene, turning.ball, "transform.rotation", {key_at(0, {1, 0, 0, 0})});
  const QString turn = copied_keys_text(turning.scene, all_keys(turning.scene, {turning.turn}));
  const PastedKeys as_quaternion = pasted_keys(turning.scene, {Id{turning.ball}}, turn, 0.5);
  REQUIRE(as_quaternion.why_not.isEmpty());
  CHECK_FALSE(has_error(validate(as_quaternion.edit.scene)));
}

TEST_CASE("What is no text of keys is refused with a sentence", "[ui][keytime][bad]") {
  const KeyedScene k;
  const QString good = copied_keys_text(k.scene, all_keys(k.scene, {k.place}));
  const auto refusal = [&](const QString& text) { return pasted_keys(k.scene, {}, text, 0).why_not; };
  for (QString text : {QString(), QString("hello"), QString("{}"), QString("{\"format\": \"hazumi keys\"}"),
                       QString(good).replace("hazumi keys", "other keys"), QString(good).left(good.size() / 2)}) {
    INFO(text.toStdString());
    CHECK(refusal(text) == "Nothing was pasted: the clipboard holds no keys that were copied in Hazumi.");
  }
  Scene empty = make_new_scene();
  CHECK(pasted_keys(empty, {}, good, 0).why_not.contains("transform.position"));
  // Numbers that no key has.
  for (const char* number : {"1e300", "null", "\"x\""}) {
    QString bad = good;
    bad.replace(bad.indexOf("0.5"), 3, number);
    CHECK_FALSE(refusal(bad).isEmpty());
  }
  // Some of it has a place.
  const QString all = copied_keys_text(k.scene, all_keys(k.scene, {k.gravity, k.place}));
  const PastedKeys partly = pasted_keys(empty, {}, all, 0);
  CHECK(partly.why_not.isEmpty());
  CHECK(partly.left.contains("transform.position"));
}

TEST_CASE("Rotations become angles and quaternions again", "[ui][keytime]") {
  KeyedScene k;
  std::vector<Key> keys;
  for (int i = 0; i < 12; ++i) {
    Key key = key_at(i * 0.25, numbers_of(FieldValue(exp_rotation(Vec3(0.3, i * 0.55, -0.1 * i)))));
    keys.push_back(key);
  }
  const Id id = add_track(k.scene, k.ball, "transform.rotation", keys);
  const Scene angles = turning_by(k.scene, {id}, TurnBy::angles);
  CHECK(track_of(angles, id).turn == TurnBy::angles);
  for (const Key& key : keys) {
    const auto before = track_value(track_of(k.scene, id), FieldType::rotation, key.time);
    const auto after = track_value(track_of(angles, id), FieldType::rotation, key.time);
    const Quat a(before[0], before[1], before[2], before[3]), b(after[0], after[1], after[2], after[3]);
    CHECK(a.angularDistance(b) < 1e-7);
  }
  for (std::size_t i = 1; i < 12; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(std::abs(track_of(angles, id).keys[i].value[c] - track_of(angles, id).keys[i - 1].value[c]) <= kPi + 1e-9);
  CHECK_FALSE(has_error(validate(turning_by(angles, {id}, TurnBy::quaternion))));
}

TEST_CASE("What is drawn of a curve is what the track says", "[ui][keytime]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-3, 3), share(0.05, 1);
  Track track;
  for (int i = 0; i < 9; ++i) {
    Key key = key_at(i * 0.4 + 0.1 * share(random), {number(random)}, i == 4 ? KeyShape::linear : KeyShape::spline);
    key.tangent = static_cast<KeyTangent>(i % 4);
    key.in = {number(random)};
    key.out = {number(random)};
    key.reach_in = share(random);
    key.reach_out = share(random);
    track.keys.push_back(key);
  }
  track.after = Beyond::linear;
  track.before = Beyond::cycle_offset;
  const CurvePlace place{{-30, 260, 1000}, 60, 2, 0.5, -8, 8, 500};
  const CurveLine line = curve_line(track, FieldType::number, 0, place, 1000, false);
  int points = 0;
  double worst = 0;
  for (const QPainterPath& path : {line.keyed, line.beyond})
    for (const QPolygonF& polygon : path.toSubpathPolygons())
      for (const QPointF& point : polygon) {
        ++points;
        const double wanted = curve_values(track, FieldType::number, place.seconds(point.x()))[0];
        worst = std::max(worst, std::abs(place.y(wanted) - point.y()));
      }
  INFO(points << " points, " << worst << " pixels");
  CHECK(points > 100);
  CHECK(worst < 0.02);  // pixels: a steep curve, the last digits of x
}

TEST_CASE("Random edits of keys keep them in order, finite and undone to the byte", "[ui][keytime]") {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    std::mt19937 random(seed);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const auto real = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    SessionParts s;
    s.session.playback.set_paused(true);
    const KeyedScene k;
    s.document.reset(k.scene, {});
    std::vector<std::string> states{scene_to_text(s.document.scene())};
    for (int step = 0; step < 60; ++step) {
      KeyTimes some;
      for (const auto& [track, times] : all_keys(s.document.scene()))
        for (const double time : times)
          if (pick(3) == 0) some[track].push_back(time);
      s.session.keys.set(some);
      s.playback.set_frame(pick(121));
      const int what = pick(14);
      INFO("seed " << seed << " step " << step << " what " << what);
      UiContext& c = s.context;
      const KeyTimes& keys = c.keys.keys();
      if (what == 0) (void)apply_keys(c, "Move %1", retimed_keys(s.document.scene(), keys, {real(-1, 1), 1, 0, 0}));
      if (what == 1) (void)apply_keys(c, "Scale %1", retimed_keys(s.document.scene(), keys, {0, real(-3, 3), 0.5, 60}));
      if (what == 2) (void)apply_keys(c, "Copy %1", copied_keys(s.document.scene(), keys, {real(-1, 1), 1, 0, 60}));
      if (what == 3) mirror_keys(c);
      if (what == 4) snap_keys(c);
      if (what == 5) align_keys(c);
      if (what == 6) shape_keys(c, static_cast<KeyShape>(pick(3)));
      if (what == 7) set_tangents(c, static_cast<KeyTangent>(pick(4)));
      if (what == 8) ease_keys(c, easings()[static_cast<std::size_t>(pick(10))], static_cast<EaseEnd>(pick(3)));
      if (what == 9 && pick(3) == 0) delete_keys(c);
      if (what == 10) {
        copy_keys(c);
        (void)paste_keys(c);
      }
      if (what == 11) type_value(c, static_cast<std::size_t>(pick(3)), real(-2, 2), 0);
      if (what == 12) set_beyond(c, pick(2) == 0, static_cast<Beyond>(pick(4)));
      if (what == 13) turn_tracks(c, static_cast<TurnBy>(pick(2)));
      for (const auto& track : s.document.scene().tracks) {
        CHECK_FALSE(track->keys.empty());
        const FieldType type = type_of(s.document.scene(), *track);
        for (std::size_t i = 0; i < track->keys.size(); ++i) {
          const Key& key = track->keys[i];
          CHECK(std::isfinite(key.time));
          if (i > 0) CHECK(key.time - track->keys[i - 1].time > kSameTime);
          for (const auto& numbers : {key.value, key.in, key.out})
            for (const double n : numbers) CHECK(std::isfinite(n));
          CHECK(std::isfinite(track_value(*track, type, key.time + 0.013)[0]));
        }
      }
      CHECK_FALSE(has_error(validate(s.document.scene())));
      CHECK(existing_keys(s.document.scene(), c.keys.keys()) == c.keys.keys());
      if (s.document.undo_stack()->index() == static_cast<int>(states.size()))
        states.push_back(scene_to_text(s.document.scene()));
    }
    const int edits = s.document.undo_stack()->index();
    CHECK(edits > 20);
    REQUIRE(states.size() == static_cast<std::size_t>(edits) + 1);
    for (int i = edits; i-- > 0;) {
      s.document.undo_stack()->undo();
      INFO("seed " << seed << " undone to " << i);
      CHECK(scene_to_text(s.document.scene()) == states[static_cast<std::size_t>(i)]);
    }
    for (int i = 1; i <= edits; ++i) {
      s.document.undo_stack()->redo();
      CHECK(scene_to_text(s.document.scene()) == states[static_cast<std::size_t>(i)]);
    }
  }
}

TEST_CASE("A key of place at time 0 that becomes another one is the start too", "[ui][keytime]") {
  SessionParts s;
  const KeyedScene k;
  s.document.reset(k.scene, {});
  const auto start = [&] { return find_object(s.document.scene(), Id{k.ball})->transform.position; };
  REQUIRE(start() == Vec3(0, 0.5, 0));
  s.session.keys.set({{k.place, {0.5}}});
  type_value(s.context, 1, 4, 0);
  CHECK(start() == Vec3(0, 0.5, 0));
  s.session.keys.set({{k.place, {0}}});
  type_value(s.context, 1, 3, 0);
  CHECK(start() == Vec3(0, 3, 0));
  s.session.keys.set({{k.place, {0.5}}});
  type_time(s.context, 0, 0);  // onto it
  CHECK(start() == Vec3(1, 4, 0.5));
  s.document.undo_stack()->undo();
  CHECK(start() == Vec3(0, 3, 0));
}

TEST_CASE("Undo and redo bring back which keys were selected", "[ui][keytime]") {
  SessionParts s;
  const KeyedScene k;
  s.document.reset(k.scene, {});
  KeySelection& keys = s.session.keys;
  keys.set({{k.place, {0.5, 1}}}, KeyRef{k.place, 0.5});
  (void)apply_keys(s.context, "Move %1", retimed_keys(s.document.scene(), keys.keys(), {0.1, 1, 0, 0}));
  const KeyTimes moved = keys.keys();
  CHECK(moved == KeyTimes{{k.place, {0.6, 1.1}}});
  CHECK(s.document.undo_stack()->undoText() == "Move 2 keys");
  s.document.undo_stack()->undo();
  CHECK(keys.keys() == KeyTimes{{k.place, {0.5, 1}}});
  CHECK(keys.active() == KeyRef{k.place, 0.5});
  s.document.undo_stack()->redo();
  CHECK(keys.keys() == moved);
  delete_keys(s.context);
  CHECK(keys.empty());
  s.document.undo_stack()->undo();
  CHECK(keys.keys() == moved);
  // An edit of something else leaves it alone, and so does its undo.
  REQUIRE(s.document.edit_object("Push", Id{k.ball}, [](Object& o) { o.body.mass = 3; }).ok());
  keys.set({{k.colour, {0}}});
  s.document.undo_stack()->undo();
  CHECK(keys.keys() == KeyTimes{{k.colour, {0}}});
}

TEST_CASE("Aligned, the nearest selected key of each track comes to the play head", "[ui][keytime]") {
  SessionParts s;
  const KeyedScene k;
  s.document.reset(k.scene, {});
  s.session.keys.set(all_keys(s.document.scene(), {k.place, k.colour}));
  s.playback.set_frame(40);
  align_keys(s.context);
  CHECK(frames_of(s.document.scene(), k.place) == std::vector<double>{0, 40, 60, 90});
  CHECK(frames_of(s.document.scene(), k.colour) == std::vector<double>{0, 40});
  CHECK(s.document.undo_stack()->undoText() == "Align 2 keys");
}

TEST_CASE("The window of time follows another range, and nothing else", "[ui][keytime]") {
  SessionParts s;
  s.document.reset(ball_scene(200), {});
  TimeWindow& time = s.session.time;
  CHECK(time.first() == 0);
  CHECK(time.last() == Approx(208));
  time.zoom(0.5, 100);
  const double first = time.first(), last = time.last();
  CHECK(last - first == Approx(104));
  Scene heavy = s.document.scene();
  heavy.settings.gravity.y() = -1;
  REQUIRE(s.document.edit("Gravity", heavy).ok());
  CHECK(time.first() == first);
  Scene longer = s.document.scene();
  longer.settings.last_frame = 400;
  REQUIRE(s.document.edit("Range", longer).ok());
  CHECK(time.last() > 400);
  time.zoom(1e-12, 3);
  time.zoom(1e12, 3);
  time.pan(1e300);
  time.pan(std::nan(""));
  CHECK(std::isfinite(time.first()));
  CHECK(time.last() - time.first() >= 1);
  const TimeScale scale = time.scale(640);
  CHECK(scale.frame_at(scale.x_of(kFrame)) == Approx(kFrame).margin(1e-6));
}

}  // namespace key_edits_test
