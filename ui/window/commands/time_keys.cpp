// What is done to keys in time. The time line, the dope sheet and the curves have the same keys selected; what these editors do under
// the mouse (G, S, X, Ctrl+C …) is theirs (ui/panels/key_canvas.h).
#include "ui/model/key_commands.h"
#include "ui/model/key_thinning.h"
#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

QString no_chosen_keys(UiContext& c) { return no_keys(c); }
QString no_chosen_tracks(UiContext& c) { return no_tracks(c); }
QString no_chosen_ways(UiContext& c) { return no_ways(c); }
QString no_chosen_rotations(UiContext& c) { return no_rotations(c); }

template <KeyShape shape>
void shape_them(UiContext& c) {
  shape_keys(c, shape);
}
template <KeyTangent tangent>
void bend_them(UiContext& c) {
  set_tangents(c, tangent);
}
template <auto shape_or_tangent>
bool have_it(UiContext& c) {
  return keys_have(c, shape_or_tangent);
}
template <bool after, Beyond beyond>
void go_beyond(UiContext& c) {
  set_beyond(c, after, beyond);
}
template <bool after, Beyond beyond>
bool go_beyond_now(UiContext& c) {
  return goes_beyond(c, after, beyond);
}
template <TurnBy turn>
void turn_them(UiContext& c) {
  turn_tracks(c, turn);
}
template <TurnBy turn>
bool turn_now(UiContext& c) {
  return tracks_turn(c, turn);
}
template <std::size_t easing, EaseEnd end>
void ease_them(UiContext& c) {
  ease_keys(c, easings()[easing], end);
}

// A row for each way beyond an end.
#define BEYOND(word, after, menu)                                                                               \
  {"keys." word ".hold",                                                                                        \
   "&Hold",                                                                                                     \
   "",                                                                                                          \
   "",                                                                                                          \
   menu,                                                                                                        \
   "The value of the key at the end stays.",                                                                    \
   &go_beyond<after, Beyond::hold>,                                                                             \
   &no_chosen_tracks,                                                                                           \
   &go_beyond_now<after, Beyond::hold>},                                                                        \
      {"keys." word ".linear",                                                                                  \
       "Go On &Straight",                                                                                       \
       "",                                                                                                      \
       "",                                                                                                      \
       menu,                                                                                                    \
       "It goes on as it came to the key at the end.",                                                          \
       &go_beyond<after, Beyond::linear>,                                                                       \
       &no_chosen_tracks,                                                                                       \
       &go_beyond_now<after, Beyond::linear>},                                                                  \
      {"keys." word ".cycle",                                                                                   \
       "&Cycle",                                                                                                \
       "",                                                                                                      \
       "",                                                                                                      \
       menu,                                                                                                    \
       "From the first key to the last one, again and again.",                                                  \
       &go_beyond<after, Beyond::cycle>,                                                                        \
       &no_chosen_tracks,                                                                                       \
       &go_beyond_now<after, Beyond::cycle>},                                                                   \
  {                                                                                                             \
    "keys." word ".cycle_offset", "Cycle with &Offset", "", "", menu,                                           \
        "Again and again, each time from where the time before ended: steps of a walk.",                        \
        &go_beyond<after, Beyond::cycle_offset>, &no_chosen_tracks, &go_beyond_now<after, Beyond::cycle_offset> \
  }

// The easings in the order of their table (a test compares the names).
#define EASE(word, menu, end)                                                                                         \
  {"keys." word ".sine", "&Sine", "", "", menu, easings()[0].tip, &ease_them<0, end>, &no_chosen_ways},               \
      {"keys." word ".quad", "&Quadratic", "", "", menu, easings()[1].tip, &ease_them<1, end>, &no_chosen_ways},      \
      {"keys." word ".cubic", "&Cubic", "", "", menu, easings()[2].tip, &ease_them<2, end>, &no_chosen_ways},         \
      {"keys." word ".quart", "Qu&artic", "", "", menu, easings()[3].tip, &ease_them<3, end>, &no_chosen_ways},       \
      {"keys." word ".quint", "Qu&intic", "", "", menu, easings()[4].tip, &ease_them<4, end>, &no_chosen_ways},       \
      {"keys." word ".expo", "&Exponential", "", "", menu, easings()[5].tip, &ease_them<5, end>, &no_chosen_ways},    \
      {"keys." word ".circ", "Ci&rcular", "", "", menu, easings()[6].tip, &ease_them<6, end>, &no_chosen_ways},       \
      {"keys." word ".back", "&Back", "", "", menu, easings()[7].tip, &ease_them<7, end>, &no_chosen_ways, {}, true}, \
      {"keys." word ".elastic", "E&lastic", "", "", menu, easings()[8].tip, &ease_them<8, end>, &no_chosen_ways}, {   \
    "keys." word ".bounce", "B&ounce", "", "", menu, easings()[9].tip, &ease_them<9, end>, &no_chosen_ways            \
  }

}  // namespace

const CommandTable& commands_time_keys() {
  static const Command rows[] = {
      {"keys.mirror", "&Mirror about the Play Head", "mirror", "Alt+M", "Keys",
       "The selected keys swap sides of the frame that is shown.", [](UiContext& c) { mirror_keys(c); },
       &no_chosen_keys, nullptr, true},
      {"keys.snap", "&Snap to Frames", "snap", "Alt+S", "Keys", "The selected keys go to the nearest whole frames.",
       [](UiContext& c) { snap_keys(c); }, &no_chosen_keys},
      {"keys.align", "&Align to the Play Head", "", "Alt+G", "Keys",
       "Of each track the selected key that is nearest goes to the frame that is shown.",
       [](UiContext& c) { align_keys(c); }, &no_chosen_keys},
      {"keys.thin", "&Thin Out", "", "", "Keys",
       "Of selected keys that stand densely, as a recording leaves them, those stay that the curve needs (F9: how "
       "exactly).",
       [](UiContext& c) { thin_keys(c); }, [](UiContext& c) { return no_dense_keys(c); }},
      {"keys.step", "&Step", "", "", "Keys/Way to the Next", "The value stays until the next key.",
       &shape_them<KeyShape::step>, &no_chosen_keys, &have_it<KeyShape::step>, true},
      {"keys.linear", "&Linear", "", "", "Keys/Way to the Next", "Straight to the next key, at one speed.",
       &shape_them<KeyShape::linear>, &no_chosen_keys, &have_it<KeyShape::linear>},
      {"keys.spline", "S&pline", "", "", "Keys/Way to the Next", "A smooth curve, as the tangents say.",
       &shape_them<KeyShape::spline>, &no_chosen_keys, &have_it<KeyShape::spline>},
      {"keys.automatic", "&Automatic", "", "", "Keys/Tangents",
       "They follow the neighbours: level where the value turns round, never beyond the keys.",
       &bend_them<KeyTangent::automatic>, &no_chosen_keys, &have_it<KeyTangent::automatic>},
      {"keys.aligned", "A&ligned", "", "", "Keys/Tangents", "One direction on both sides, pulled by the handles.",
       &bend_them<KeyTangent::aligned>, &no_chosen_keys, &have_it<KeyTangent::aligned>},
      {"keys.free", "&Free", "", "", "Keys/Tangents", "A direction for each side: for what hits and turns at once.",
       &bend_them<KeyTangent::free>, &no_chosen_keys, &have_it<KeyTangent::free>},
      {"keys.flat", "F&lat", "", "", "Keys/Tangents", "Level on both sides.", &bend_them<KeyTangent::flat>,
       &no_chosen_keys, &have_it<KeyTangent::flat>},
      EASE("in", "Keys/Ease In", EaseEnd::in),
      EASE("out", "Keys/Ease Out", EaseEnd::out),
      EASE("in_out", "Keys/Ease In and Out", EaseEnd::in_out),
      BEYOND("before", false, "Keys/Before the First"),
      BEYOND("after", true, "Keys/After the Last"),
      {"keys.quaternions", "The &Shortest Way", "rotate", "", "Keys/Rotations Turn",
       "Between two keys the shortest way, whichever axis that is about.", &turn_them<TurnBy::quaternion>,
       &no_chosen_rotations, &turn_now<TurnBy::quaternion>},
      {"keys.angles", "By &Angles", "rotate", "", "Keys/Rotations Turn",
       "Three angles with a curve each, which may turn many times.", &turn_them<TurnBy::angles>, &no_chosen_rotations,
       &turn_now<TurnBy::angles>},
  };
  static const CommandTable table{6, rows};
  return table;
}

#undef BEYOND
#undef EASE

}  // namespace hazumi
