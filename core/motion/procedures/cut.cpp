// Cuts to a camera: pictures of the film are taken by it from the moment on at which this starts, until the next cut, by a motion or by a
// key (playback/film.h).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

bool cut_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_cut() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"cut",
                                   "Cut",
                                   "Cuts to a camera, until the next cut: of a motion, or a key of the scene's camera.",
                                   "cut to {with} for {of}",
                                   "Film",
                                   {},
                                   OtherUse::camera};
    k.cues = true;
    k.over = cut_over;
    k.processing = Processing::none;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
