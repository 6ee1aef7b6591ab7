#include "core/sim/constraint/law.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kGentle = 0.1;           // of an overlap per sub-step
constexpr double kGentleSpeed = 0.6;      // m/s at most
constexpr double kJustBelow = 1 - 1e-12;  // so that the round-off of a bounce with e = 1 does not overdraw the account

}  // namespace

double touch_speed(const RowLaw& law, double gap, double before) {
  if (gap <= 0) return std::max(0.0, -before);
  const double square = before * before + 2 * law.closing * gap;
  return square > 0 && (before < 0 || law.closing > 0) ? std::sqrt(square) : 0.0;
}

void begin_row(const RowLaw& law, bool known, double gap, double before, RowMemory& memory) {
  const double speed = touch_speed(law, gap, before);
  const double exit = speed > law.rest_speed ? law.restitution * speed * kJustBelow : 0;
  if (!known) {
    memory.exit = exit;
    memory.unloading = 0;
  } else if (before >= 0) {
    memory.unloading = 1;
  } else if (memory.unloading != 0) {
    memory.exit = exit;
    memory.unloading = 0;
  } else {
    memory.exit = std::max(memory.exit, exit);
  }
}

double row_target(const RowLaw& law, double gap, double before, const RowMemory& memory) {
  const double landing = -before - 2 * gap / law.h;
  if (memory.exit > 0) {
    const double q = memory.exit, half = 0.5 * law.closing * law.h;
    const double square = q * q - 2 * law.closing * (gap + 0.5 * law.h * before) + half * half;
    double target = std::sqrt(std::max(square, 0.0)) - half;
    if (gap + 0.5 * law.h * (before + target) < 0) target = q;
    return gap > 1e-3 * law.reach && landing < 0 ? landing : target;
  }
  if (gap < law.reach && -before < law.rest_speed) return std::min(0.0, -gap / law.h);
  return gap > 0 ? std::min(0.0, landing) : 0.0;
}

double curved_target(const RowLaw& law, double gap, double before, double comes, double leaves, bool follows,
                     const RowMemory& memory) {
  if (follows && !(memory.exit > 0)) return std::min(leaves, leaves - comes - before);
  double target = row_target(law, gap, before + comes, memory);
  if (comes <= 0) return target + comes;
  // What has not come to where the surface turns is not drawn there.
  if (gap > 0 && !(memory.exit > 0)) target = std::min(0.0, -(before + comes) - 2 * gap / law.h);
  return std::max(target, std::min(target + comes, -before));
}

double taken_out(double over, double was, double h) { return over - was + std::min(kGentle * was, kGentleSpeed * h); }

void end_row(const RowLaw& law, double before, double mean, double normal, RowMemory& memory) {
  const double after = 2 * mean - before, work = normal * mean;
  const double e2 = memory.exit > 0 ? law.restitution * law.restitution : 0;
  if (before < 0 && after > 0)
    memory.recoverable += 0.5 * normal * (e2 * before * before - after * after) / (after - before);
  else
    memory.recoverable += work < 0 ? e2 * -work : -work;
  if (memory.recoverable > 1e-12 * std::abs(work)) return;
  memory.recoverable = 0;
  if (after >= 0 || normal == 0) memory.exit = 0;
}

}  // namespace hazumi
