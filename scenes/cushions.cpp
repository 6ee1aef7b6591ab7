// Three cushions that breathe one after the other: keys of the size of a kept volume (thesis 3.2.1, swelling as exaggeration), and
// a board on them that goes up and down like a wave.
#include <array>
#include <cmath>

#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene cushions() {
  Builder b("Breathing cushions",
            "Each keeps the volume that its keys say, one after the other; the board on them is physics.", 300);
  b.stage(1e7, 0.2, Vec3(0.55, 0.52, 0.50), Vec3(0.30, 0.34, 0.42));
  constexpr double kRound = 2.0, kHigh = 0.44, kFar = 0.62;  // s; m
  const Vec3 colours[] = {Vec3(0.85, 0.30, 0.25), Vec3(0.95, 0.72, 0.20), Vec3(0.25, 0.55, 0.75)};
  const char* names[] = {"First cushion", "Second cushion", "Third cushion"};
  std::array<Id, 3> ids;
  for (std::size_t k = 0; k < 3; ++k) {
    const double turn = 2 * kPi * static_cast<double>(k) / 3;
    Object o = b.object(names[k], "red plastic", PrimitiveShape::sphere, Vec3(0.62, kHigh, 0.62),
                        Vec3(kFar * std::sin(turn), 0.5 * kHigh + 1e-3, kFar * std::cos(turn)));
    Builder::flexible(o, AnalysisKind::icosahedron, {2, 1, 1}, 0.6, 90, 0.8, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.8);
    Builder::paint(o, colours[k]);
    o.body.volume.of = VolumeOf::surface;
    ids[k] = o.id;
    b.add(o);
  }
  Object board =
      b.object("Board", "white plastic", PrimitiveShape::cylinder, Vec3(2.1, 0.05, 2.1), Vec3(0, kHigh + 0.03, 0));
  board.display.primitive.divisions = {64, 1, 1};
  board.body.mass = 1.2;
  Builder::physics(board, 1e7, 0.1, 0.8);
  Builder::paint(board, Vec3(0.72, 0.55, 0.36));
  b.add(board);
  for (std::size_t k = 0; k < 3; ++k) {
    const double first = 0.5 + kRound * static_cast<double>(k) / 3;
    for (const auto& [time, size] :
         {std::pair(0.0, 1.0), {first, 1.0}, {first + 0.5 * kRound, 2.0}, {first + kRound, 1.0}})
      b.scene = with_key(std::move(b.scene), ids[k].value, "body.volume.size", time, size);
  }
  b.next = next_id(b.scene).value;
  b.camera(Vec3(0.6, 1.15, 4.1), Vec3(0, 0.42, 0));
  return b.done();
}

}  // namespace hazumi::shipped
