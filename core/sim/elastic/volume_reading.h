// How a body stands with the volume that it keeps (kept_volume.h).
#pragma once

namespace hazumi {

struct KeptVolumeReading {
  double volume = 0;    ///< m³
  double wanted = 0;    ///< m³, s V₀
  double pressure = 0;  ///< Pa, inside over outside, mean over the last step
  double work = 0;      ///< J, of the last step
};

}  // namespace hazumi
