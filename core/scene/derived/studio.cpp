#include "core/scene/derived/studio.h"

namespace hazumi {

namespace {

// A key lamp from the left above, a fill from the right at a quarter of it, a rim from behind.
const StudioSet kStudio{{{Vec3(-0.62, 1.0, 0.72), Vec3(0.82, 0.80, 0.76)},
                         {Vec3(1.0, 0.45, 0.65), Vec3(0.17, 0.19, 0.22)},
                         {Vec3(0.35, 0.7, -1.0), Vec3(0.34, 0.35, 0.38)}},
                        Vec3(0.23, 0.24, 0.26),
                        Vec3(0.11, 0.105, 0.10)};
// The sun of a late morning; the sky is blue, and the ground sends warm light back.
const StudioSet kDaylight{
    {{Vec3(0.55, 1.0, 0.6), Vec3(0.98, 0.92, 0.80)}}, Vec3(0.27, 0.35, 0.47), Vec3(0.16, 0.13, 0.10)};
// Most light is the sky's; where the sun stands is hardly seen.
const StudioSet kOvercast{
    {{Vec3(0.2, 1.0, 0.3), Vec3(0.24, 0.245, 0.25)}}, Vec3(0.62, 0.65, 0.69), Vec3(0.20, 0.195, 0.19)};
// A low sun, the sky above already violet.
const StudioSet kEvening{
    {{Vec3(-1.0, 0.36, 0.5), Vec3(1.05, 0.62, 0.32)}, {Vec3(1.0, 0.5, -0.6), Vec3(0.05, 0.06, 0.11)}},
    Vec3(0.20, 0.19, 0.30),
    Vec3(0.10, 0.075, 0.07)};

}  // namespace

const StudioSet& studio_set(StudioLight light) {
  switch (light) {
    case StudioLight::daylight:
      return kDaylight;
    case StudioLight::overcast:
      return kOvercast;
    case StudioLight::evening:
      return kEvening;
    case StudioLight::scene:
    case StudioLight::studio:
      break;
  }
  return kStudio;
}

}  // namespace hazumi
