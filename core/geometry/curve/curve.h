// Curves as a person draws them, and ways along them.
//
//   line    straight from point to point
//   arc     circles through points 0 1 2, then 2 3 4, …; three points that are closed are a whole circle
//   spline  cubic Bézier pieces, their inner control points at place + out and place + in
//
// Places on a way are given by `along`, 0…1 of its length, so that equal steps of it are equal steps in space.
// Pure and plain arithmetic: the same bits everywhere.
#pragma once

#include <vector>

#include "core/math/types.h"

namespace hazumi {

enum class CurveKind { line, arc, spline };

/// automatic: the tangents follow the neighbours. aligned: in and out lie on one line. free: as they are.
enum class TangentKind { automatic, free, aligned };

struct CurvePoint {
  Vec3 place = Vec3::Zero();                      ///< m
  Vec3 in = Vec3::Zero(), out = Vec3::Zero();     ///< m, from the place; of splines
  TangentKind tangents = TangentKind::automatic;  ///< of splines
};

struct CurveShape {
  CurveKind kind = CurveKind::spline;
  bool closed = false;
  std::vector<CurvePoint> points;
};

/// With `in` and `out` as they are drawn: those of automatic and aligned points worked out.
CurveShape with_tangents(const CurveShape& shape);

/// The other way round; twice gives the same bits.
CurveShape reversed(const CurveShape& shape);

/// Where the curve is at a number of its own, 0…1 of one piece.
struct CurveParameter {
  std::size_t piece = 0;
  double u = 0;
};

/// With one point more (an arc: so many that both halves are arcs) and the same course. Automatic points become aligned,
/// or their neighbours would draw them anew.
CurveShape with_point_at(const CurveShape& shape, const CurveParameter& at);

/// `count` points at equal distances along the curve, from its start to its end (closed: not the start again); an arc
/// becomes a spline. At least 2 points (closed: 3).
CurveShape resampled(const CurveShape& shape, std::size_t count);

/// One piece: cubic, or `circle` with its centre, two unit axes times the radius, and the angle that it turns.
struct CurvePiece {
  bool circle = false;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), c = Vec3::Zero(),
       d = Vec3::Zero();  ///< control points; centre, x axis, y axis
  double angle = 0;       ///< rad

  Vec3 place(double u) const;
  Vec3 rate(double u) const;  ///< d place / d u
  /// Where x ↦ `linear` x + `shift` takes it: circles become ellipses, exactly.
  CurvePiece taken(const Mat3& linear, const Vec3& shift) const;
};

std::vector<CurvePiece> curve_pieces(const CurveShape& shape);

/// x: sideways, y: up, z: along the curve.
struct CurveFrame {
  Vec3 place = Vec3::Zero();
  Quat rotation = Quat::Identity();
};

/// A curve ready to be walked. Lengths are Gauss's sums over 32 cells a piece: 5e-9 of the length is the worst of 200 random
/// curves; a piece that comes to a stop in a cusp may be worse.
class CurveWay {
 public:
  /// `up`: where y of the frames points at the start, as far as the tangent lets it. No points: everything is at zero.
  explicit CurveWay(const CurveShape& shape, const Vec3& up = Vec3::UnitY());
  /// Of pieces that are there; `only`: where everything is when they have no length.
  CurveWay(std::vector<CurvePiece> pieces, bool closed, const Vec3& only, const Vec3& up = Vec3::UnitY());

  double length() const { return length_; }  ///< m
  const std::vector<CurvePiece>& pieces() const { return pieces_; }
  Vec3 place(double along) const;
  Vec3 tangent(double along) const;  ///< unit vector; of a curve without length: +z
  /// Turned with the curve, and about it no more than needed; on a closed one what is left over is spread evenly.
  CurveFrame frame(double along) const;

  double nearest(const Vec3& point) const;  ///< along
  CurveParameter parameter(double along) const;
  double along(const CurveParameter& at) const;

 private:
  struct Node {
    double length = 0;  ///< from the start, m
    Vec3 place = Vec3::Zero(), tangent = Vec3::UnitZ(), up = Vec3::UnitY();
  };

  double distance(double along) const;  ///< m from the start; round and round a closed curve
  void make_frames(const Vec3& up);

  std::vector<CurvePiece> pieces_;
  std::vector<Node> nodes_;  ///< at the ends of all cells
  Vec3 only_ = Vec3::Zero();
  double length_ = 0, spread_ = 0;  ///< spread: rad over the whole length
  bool closed_ = false;
};

}  // namespace hazumi
