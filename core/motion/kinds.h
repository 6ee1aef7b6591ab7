// Kinds of events ("when", spec 7.2) and procedures ("do", spec 7.1). Each is one file of core/motion/events or core/motion/procedures: it
// defines `const EventKind& event_NAME()` or `const ProcedureKind& procedure_NAME()` with rows for its parameters, and a generated
// table finds it. Everything about a kind comes from its row: file format, panel, sentence, documentation, checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/motion/sketch.h"
#include "core/scene/values/box_parameters.h"
#include "core/sim/body/body.h"
#include "core/sim/director.h"
#include "core/sim/elastic/parameters.h"
#include "core/sim/model.h"
#include "core/sim/step.h"

namespace hazumi {

/// What MotionNode::other of a kind may be.
enum class OtherUse {
  none,
  anything,  ///< an object, a collection; left out: anything
  thing,     ///< the same, and there must be one
  curve,
  source,  ///< of particles
  camera,
  sound,
  marker,
  number,  ///< what the number is of that its row "number" names: a joint, a force, a field, a source; left out: its object, or the scene
};

/// Which parameters of a kind are places in the world, and no lengths.
enum class MotionPlaces { none, xyz, height };

/// Numbers of bodies by their ids. Ids that lie close, as those of nearly all scenes, are looked up at once.
class BodyNumbers {
 public:
  BodyNumbers() = default;
  explicit BodyNumbers(std::vector<Id> ids);  ///< ascending
  std::size_t size() const { return ids_.size(); }
  /// Of a body that is there; else any number.
  std::uint32_t of(Id id) const {
    if (!close_.empty() && id.value < close_.size()) return close_[id.value];
    return static_cast<std::uint32_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

 private:
  std::vector<Id> ids_;
  std::vector<std::uint32_t> close_;  ///< by id; empty: they lie too far apart
};

/// Who touches whom in the sub-step that was, body by body. It is filled again and again, and keeps its memory.
class TouchIndex {
 public:
  /// `touching`: pairs as in StepReport, ascending.
  void fill(const BodyNumbers& bodies, std::span<const std::pair<Id, Id>> touching);
  /// Ascending ids.
  std::span<const Id> of(std::size_t body) const {
    return std::span(with_).subspan(first_[body], first_[body + 1] - first_[body]);
  }

 private:
  std::vector<std::uint32_t> first_;  ///< of each body; one more
  std::vector<Id> with_;
  std::vector<std::uint32_t> bodies_, next_;
};

/// Which collisions that began in the sub-step that was are whose; filled again as that.
class HitIndex {
 public:
  struct Hit {
    std::uint32_t body = 0;
    const ContactEvent* contact = nullptr;
    double order =
        0;  ///< what is added to its moment: those that meet at once come in the order in which they are told
  };
  static constexpr double kApart = 1e-12;
  /// The collisions must stay.
  void fill(const BodyNumbers& bodies, std::span<const ContactEvent> contacts);
  std::span<const Hit> of(std::uint32_t body) const;

 private:
  std::vector<Hit> hits_;  ///< ascending by body
};

struct MotionKind {
  std::string_view name;   ///< in files: "contact"
  std::string_view label;  ///< on screen
  std::string_view tooltip;
  /// How its panel reads: {of}, {with} and names of parameters in braces stand for them. "{of} hits {with} with more than {above}".
  std::string_view sentence;
  std::string_view group;  ///< of the palette
  std::span<const ParameterRow> parameters;
  OtherUse other = OtherUse::none;
  MotionPlaces places = MotionPlaces::none;  ///< xyz: x, y and z, unless `other` says from where; height: limit
  /// What the view shows of it (sketch.h); null: nothing.
  void (*sketch)(std::span<const double> parameters, const SketchBody& body, MotionSketch& out) = nullptr;
  /// Makes of the parameters what puts that handle there. Not null where the sketch has handles.
  void (*drag)(std::size_t handle, const Vec3& to, const SketchBody& body, std::span<double> parameters) = nullptr;
  bool live = false;  ///< no run reads its parameters, but who presses keys while it plays: they have no keys in time
};

/// What an event or a procedure sees of a run: one body, its own parameters in the order of its rows, and all the rest.
struct MotionContext {
  const Model& model;
  const State& before;  ///< as the sub-step began; of procedures the same as `state`
  const State& state;
  std::size_t body = 0;                   ///< number in Model::bodies
  std::span<const std::uint32_t> others;  ///< numbers of bodies that `other` means
  bool anything = true;                   ///< `other` is left out
  std::span<const double> parameters;
  std::span<const Id> sources = {};      ///< boxes that lead to it
  const CurveWay* way = nullptr;         ///< of the curve that `other` is
  std::span<const double> moments = {};  ///< s of the film, ascending: of the markers that `other` means
  Id thing = {};  ///< what `other` is, where that is no body and no curve: a source of particles, a camera, a sound
  const ContactEvent* hit = nullptr;  ///< by which a procedure is started; null: by no collision that began
  BodyLook look = {};                 ///< as a procedure begins that says how it is seen: how it was seen until then
  NumberTold told = {};               ///< as a procedure begins that tells a number: what that was told until then
  std::span<const NumberTold> told_now =
      {};  ///< as a procedure says what its body is told: what boxes tell in the sub-step that comes
  const TouchIndex* touches =
      nullptr;                     ///< where many look at who touches them; null: StepReport::touching alone says it
  const HitIndex* hits = nullptr;  ///< the same of StepReport::contacts

  const Body& of_body() const { return model.bodies[body]; }
  std::span<const double> values() const { return state.bodies[body].values; }
  /// s, of a run: start of sub-step number `substep`.
  double time(double substep) const { return substep * model.step; }
  bool is_other(Id id) const;  ///< it is one of those that `other` means; anything is
};

/// When in a sub-step, 0 its start and 1 its end.
struct Happening {
  double moment = 1;
  Id with = {};  ///< what it happened with, where that is one thing
};

/// Without what an event need not be looked at.
enum class EventNeeds : std::uint8_t { nothing, collision, touch };

/// What `lasting` follows: its value changes by no more than that does, in m or m/s, and by nothing else but its parameters.
enum class EventFollows { anything, nothing, centre, velocity, distance };

/// As long as nothing leaves it, looking at an event finds nothing and changes nothing.
struct EventMargin {
  static constexpr double kEndless = std::numeric_limits<double>::infinity();
  double way = kEndless;     ///< m, that the centre of its body may move
  double change = kEndless;  ///< m/s, by which the velocity of that may change
  double apart = kEndless;   ///< m, by which the centre may move relative to that of the other body
  double film = kEndless;    ///< s of the film, up to before it
  double time = kEndless;    ///< s of the run, from now on
  bool none() const { return !(way > 0 && change > 0 && apart > 0 && time > 0); }
  void merge(const EventMargin& other) {
    way = std::min(way, other.way);
    change = std::min(change, other.change);
    apart = std::min(apart, other.apart);
    film = std::min(film, other.film);
    time = std::min(time, other.time);
  }
};

struct EventKind : MotionKind {
  /// collision: one of its body began; touch: it touches something, or its memory is not 0. Of a kind that needs one `happened` reads of the
  /// scene nothing but its parameters and `other`.
  EventNeeds needs = EventNeeds::nothing;
  /// Of what needs a collision: the row that says which impulse one must have to count; nothing comes of others, and it does not remember
  /// them. Null: all count.
  const ParameterRow* least = nullptr;
  /// The first moment after `from` at which it happens in the sub-step that was, from MotionContext::before to state; nothing: it does
  /// not. `own.memory` may be changed. What is a state of things rather than a moment gives `lasting` instead.
  std::optional<Happening> (*happened)(const MotionContext& context, double from, EventState& own,
                                       const StepReport& report) = nullptr;
  /// Positive while what it waits for holds; its crossing is looked for between both ends. The event happens when it begins to hold, or
  /// holds where it is armed, and again when it did not in between.
  double (*lasting)(const MotionContext& context, const State& at, const EventState& own) = nullptr;
  EventFollows follows = EventFollows::anything;  ///< of `lasting`
  /// Of `happened`, for an armed one that has looked at the sub-step that was, or was armed in it (then `own.since` may be its end, and it
  /// must be looked at once more): its margin from the end of it on. What ends on its body is outside any margin. Null: there is none.
  EventMargin (*margin)(const MotionContext& context, const EventState& own) = nullptr;
  bool is_case = false;  ///< of a branch: tried when the event before it happens
  bool repeats = false;  ///< made as a loop
  bool hears = false;    ///< happens when a procedure that sends has its number, which is the first parameter of both
};

/// What a procedure takes over: it ends others on the same body that hold the same.
enum class Claim {
  nothing,
  motion,   ///< where the body goes
  contact,  ///< what contacts with `other` are like
  gravity,
  visibility,  ///< these three: how it is seen
  colour,
  opacity,
  material,  ///< how it is seen below these, bounces and rubs
  solver,    ///< by which elastic model it bends
  number,    ///< what the number that it names is told: ends others that tell the same, of whatever object
};

/// How it comes about (thesis 4.1, figure 4.6); of kinds that have a switch the switch says (classes.h).
enum class Processing { none, dynamic, geometric };

struct GeometricLaw;

struct ProcedureKind : MotionKind {
  const ProcedureKind* parent = nullptr;        ///< class whose rows it has, too (classes.h)
  std::string_view noun = {};                   ///< what a child says that it is: "a free fall"
  std::span<const ParameterRow> own_rows = {};  ///< that are not the parent's; of what has no parent not read
  Processing processing = Processing::dynamic;
  Claim claim = Claim::nothing;
  bool stays = false;        ///< what it says holds on when it is over, until another one takes over
  bool shapes = false;       ///< it changes the shape of what bends, and does nothing to others
  bool tells_shape = false;  ///< by the rest shape, which not every elastic model takes
  bool leads = false;        ///< node by node, which what is pinned or breaks does not let happen
  bool rides = false;  ///< it goes with `other` once all have moved (riding.h): its first row is how much it feels
  bool emits = false;  ///< particles: what does not move can do that too
  bool sends = false;  ///< boxes of `other` that hear are told, at the moment at which it starts
  bool cues = false;   ///< of the film: cuts to a camera, or lets a sound be heard, from the moment at which it starts
  bool aims = false;   ///< as it starts it looks at all that its body is told
  std::size_t memory = 0;  ///< doubles that it remembers
  /// Its numbers no longer follow their keys: where it goes is a closed form of them from a moment on. Null: they do as long as it runs.
  bool (*settled)(std::span<const double> memory) = nullptr;
  bool at_once = false;  ///< what it reads it reads as it starts: keys count then
  /// It remembers something of a choice or of what it is about: where keys change these while it runs it begins anew.
  bool renews = false;
  /// As it starts: fills its memory, behind the parameters in `own.values`.
  void (*begin)(const MotionContext& context, RunningProcedure& own, std::span<double> memory) = nullptr;
  /// Adds what its body is told in the sub-step that comes, number State::substep.
  void (*direct)(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                 BodyForces& forces) = nullptr;
  /// How its body is seen `past` seconds after it began. It acts on nothing, unless it has `direct` too.
  void (*look)(const MotionContext& context, double past, std::span<const double> memory, BodyLook& look) = nullptr;
  /// Of `use` number: what that is told `past` seconds after it began; at 0 as before. `told` has thing and number.
  void (*tell)(const MotionContext& context, double past, std::span<const double> memory, NumberTold& told) = nullptr;
  /// After the sub-step that was, number State::substep: it is over. `memory` may be changed.
  bool (*over)(const MotionContext& context, const RunningProcedure& own, std::span<double> memory,
               const StepReport& report) = nullptr;
  /// Of kinds that can be processed geometrically by a path (geometric.h): what its path is. What the path remembers lies behind its
  /// own memory. Null: it has none.
  GeometricLaw (*law)(const MotionContext& context, const RunningProcedure& own) = nullptr;
};

/// All kinds, in order of their file names.
std::span<const EventKind* const> event_kinds();
std::span<const ProcedureKind* const> procedure_kinds();
const EventKind* find_event_kind(std::string_view name);          ///< null: none
const ProcedureKind* find_procedure_kind(std::string_view name);  ///< null: none
/// Of a box; null: a kind that this version does not know.
const MotionKind* kind_of(const MotionNode& node);

/// What expressions of a box may name (core/math/expression.h), in this order.
std::span<const std::string_view> expression_names();
/// One sentence of it, with its unit: "Speed of its centre of mass, m/s."
std::string_view expression_help(std::size_t name);
std::string_view expression_unit(std::size_t name);  ///< "m/s"

}  // namespace hazumi
