// Lets a sound be heard, from its beginning. It is one of the scene, whose loudness counts as well; one that shall be heard only so waits
// for it (Sound::waits).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kPlayRows[] = {number_row(
    "gain", "Loudness", "", "Times the loudness of the sound; \"impulse/2\" lets a harder hit be louder.", 0, 100, 1)};

bool play_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_play() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"play",
                                   "Play Sound",
                                   "Lets a sound be heard, from its beginning.",
                                   "play {with} for {of}, {gain} as loud",
                                   "Film",
                                   kPlayRows,
                                   OtherUse::sound};
    k.cues = true;
    k.over = play_over;
    k.processing = Processing::none;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
