// Where a pose is shaped at a frame of the run: where the body is there, as a whole. It stays there while it is shaped, though the run is
// computed anew after each touch, until another frame or pose is chosen.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>

#include "ui/modes/mode.h"

namespace hazumi {

class PoseStand : public QObject {
 public:
  explicit PoseStand(UiContext& context);

 private:
  struct Of {
    Id object;
    std::uint32_t pose = 0;
    int frame = -1;
    friend bool operator==(const Of&, const Of&) = default;
  };
  void update();
  Transform place_in(const FramePtr& frame, const Object& object) const;

  UiContext context_;
  FramePtr seen_;  ///< the newest of the frame that is asked for, of the run as it is or was
  Of of_;
  std::vector<Vec3> nodes_;  ///< the pose when it was placed
};

}  // namespace hazumi
