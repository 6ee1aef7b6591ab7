// What tracks say (values/track.h): pure functions of scene and time, the same bits wherever they are asked.
//
// Between two keys, with T the time between them and x in 0…T:
//   step      the value of the key before
//   linear    (1 − x/T) v₀ + x/T v₁; rotations on the shortest way
//   spline    Bezier in time and value, (0, v₀) (r₀ T, v₀ + s₀ r₀ T) (T − r₁ T, v₁ − s₁ r₁ T) (T, v₁) with slopes s and reaches r in
//             0…1: time never turns back. With r = 1/3 it is Hermite's cubic.
//             Rotations: the same by de Casteljau on the sphere, q₀, q₀ exp(ω₀ r₀ T), q₁ exp(−ω₁ r₁ T), q₁, with ω in the thing's own axes;
//             of a squad the speed would jump where keys are not evenly spaced.
// Automatic slopes: 0 where a value turns round, and at an end; else 3(h₀+h₁) / ((2h₁+h₀)/d₀ + (h₁+2h₀)/d₁) of the secants d on both
// sides and their lengths h (Fritsch and Butland 1984), which never goes beyond the keys. Ends of a cycle have the neighbours
// that they have in it; ends that go on linearly have the secant. Of rotations: the mean of ω₀ and ω₁ by the other's length, 0 where
// they point against each other.
// What has no values between (switches, choices) steps. A time within 1e-9 s of a key is at the key.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/scene/values/fields.h"

namespace hazumi {

inline constexpr double kSameTime = 1e-9;  ///< s

/// The row whose values a track has.
struct TrackField {
  FieldRange range;
  Effect effect = Effect::look;
  bool keyable = false;
  std::string_view group;
};
/// Nothing: the scene has no such thing, or the thing no such field.
std::optional<TrackField> track_field(const Scene& scene, std::uint64_t target, std::string_view field);
/// Null: that field has no track.
const Track* find_track(const Scene& scene, std::uint64_t target, std::string_view field);
/// Whether a value of this type has others between two of its values.
bool is_continuous(FieldType type);
/// How many numbers of Key::value a track has.
int track_components(FieldType type, TurnBy turn);

/// Of a track with keys; rotations as w x y z whatever they are keyed by.
std::array<double, 4> track_value(const Track& track, FieldType type, double time);
/// Slopes before and behind the key at a place, as they are used.
struct KeySlopes {
  std::array<double, 4> in = {}, out = {};
};
KeySlopes key_slopes(const Track& track, FieldType type, std::size_t place);

std::array<double, 4> numbers_of(const FieldValue& value);
/// Within the field's range.
FieldValue value_of(const FieldRange& range, const std::array<double, 4>& numbers);

/// What the field of a thing (0: of the scene) is at a time: as its track says, else its own value. Nothing as track_field().
std::optional<FieldValue> value_at(const Scene& scene, std::uint64_t target, std::string_view field, double time);

/// The scene as it looks at a time: fields that no run reads have the values that their tracks say. What a run reads is in
/// frames.
class LookTracks {
 public:
  explicit LookTracks(const Scene& scene);  ///< which must be the one that is asked about
  bool empty() const { return places_.empty(); }
  Scene at(Scene scene, double time) const;

 private:
  enum class List { objects, lights, cameras, settings };
  struct Place {
    Shared<Track> track;
    List list = List::objects;
    std::size_t thing = 0, row = 0;
  };
  std::vector<Place> places_;  ///< ascending by list and thing
};
Scene scene_at(const Scene& scene, double time);

/// An object that goes where keys say: its place, its rotation, or where it is along its curve has one beyond time 0 (one at time 0
/// alone is a start). What is fixed on a curve and looks at something is led by that.
struct LedTracks {
  Id object;
  const Track* position = nullptr;  ///< null: as it is, or on the curve
  const Track* rotation = nullptr;  ///< null: as it is, or as the curve or what it looks at turns it
  const Track* led = nullptr;       ///< null: as Object::body.led says
  const Track* along = nullptr;     ///< of what is on a curve; null: as Object::follow says
  const Track* roll = nullptr;
  const Curve* curve = nullptr;  ///< null: it is on none
  std::shared_ptr<const CurveWay> way = {};
  Id looks_at = {};  ///< where that is, only a frame knows (leading.h)
};
/// All of a scene, ascending by object, of what can be led. Pointers are into the scene.
std::vector<LedTracks> led_objects(const Scene& scene);
bool is_led(const Scene& scene, Id object);
/// Of the object frame. What looks at something is turned as it would be without that.
Pose led_pose(const LedTracks& tracks, const Object& object, double time);
/// 0…1, and rad, of what is on a curve.
double led_along(const LedTracks& tracks, const Object& object, double time);
double led_roll(const LedTracks& tracks, const Object& object, double time);
/// Whether it goes where its keys say at that time, or physics has it.
bool led_now(const LedTracks& tracks, const Object& object, double time);

/// The scene with a key of this value at the time, in place of one that is there; the field gets a track where it has none. The
/// scene unchanged where the field cannot be keyed.
Scene with_key(Scene scene, std::uint64_t target, std::string_view field, double time, const FieldValue& value);
/// Without the track, or its key at this time, and the track when none is left. The field then keeps what it showed at the time.
Scene without_track(Scene scene, std::uint64_t target, std::string_view field, double time);
Scene without_key(Scene scene, std::uint64_t target, std::string_view field, double time);

/// The keys of a place or a rotation as they are after what they are of was moved: x → place(x), turned by `turn`.
void move_keys(Track& track, const std::function<Vec3(const Vec3&)>& place, const Quat& turn);

}  // namespace hazumi
