// A number over a particle's life, through knots: for looks (particle_shade.h), and for runs, which read means over a stretch of it.
//
//   c(s)   cubics without overshoot through the knots (Fritsch & Carlson 1980, with Fritsch & Butland's mean of slopes at knots between others and
//          straight ends), held before the first and behind the last; of two knots the straight line between them
//   s      age, 0…1 of the life; a … b a stretch of it
//   whole  1/(b − a) ∫ c ds                       late   1/(b − a)² ∫ c (s − a) ds
// Both by Gauss's rule of three places from knot to knot, which has no error for cubics.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hazumi {

struct LifeKnot {
  double age, value;
};

/// Between two knots.
struct LifePiece {
  double age, span;  ///< where it begins, how long it is
  double from, to;
  double out, in;  ///< slopes at both ends times `span`
  double at(double when) const {
    const double t = (when - age) / span;
    return from + t * (out + t * (3 * (to - from) - 2 * out - in + t * (out + in - 2 * (to - from))));
  }
};

/// The value at an age; at least one knot, ascending in age.
double through(std::span<const LifeKnot> knots, double age);

class LifeCurve {
 public:
  LifeCurve() = default;  ///< 1 throughout
  explicit LifeCurve(std::span<const LifeKnot> knots);
  bool none() const { return none_; }
  double at(double age) const;
  struct Means {
    double whole = 1, late = 0.5;
  };
  /// `from` ≤ `to`; where they are the same, of a stretch without length.
  Means means(double from, double to) const;

 private:
  /// The last piece that begins at or before the age; −1: before the first.
  std::ptrdiff_t piece_at(double age) const;
  double value(std::ptrdiff_t piece, double age) const;

  bool none_ = true;
  double first_ = 1, last_ = 1, end_ = 0;
  std::vector<LifePiece> pieces_;
};

}  // namespace hazumi
