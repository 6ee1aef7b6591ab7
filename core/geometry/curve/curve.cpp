#include "core/geometry/curve/curve.h"
#include "core/math/golden_section.h"
#include "core/math/rotation.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double size = v.norm();
  return size > 0 ? Vec3(v / size) : otherwise;
}

CurvePiece straight(const Vec3& from, const Vec3& to) {
  return {false, from, from + (to - from) / 3, to + (from - to) / 3, to, 0};
}

/// The circle through three points, from the first by the second to the third, and on to the first again when `whole`.
CurvePiece arc(const Vec3& from, const Vec3& by, const Vec3& to, bool whole) {
  const Vec3 p = by - from, q = to - from, n = p.cross(q);
  const double area = n.squaredNorm();
  // Points on a line have no circle: nothing is left of the angle between them.
  if (!(area > 1e-24 * p.squaredNorm() * q.squaredNorm()) || !(area > 0)) return straight(from, to);
  const Vec3 centre = from + (p.squaredNorm() * q.cross(n) + q.squaredNorm() * n.cross(p)) / (2 * area);
  CurvePiece piece{true, centre, from - centre, unit_or(n, Vec3::UnitY()).cross(from - centre), Vec3::Zero(), 2 * kPi};
  if (!whole) {
    // n makes the turn positive: the third point lies beyond the second.
    double angle = std::atan2((to - centre).dot(piece.c), (to - centre).dot(piece.b));
    if (angle <= 0) angle += 2 * kPi;
    piece.angle = angle;
  }
  return piece;
}

/// The handles of an automatic point between two others (Catmull and Rom).
void follow_neighbours(std::vector<CurvePoint>& points, bool closed) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    CurvePoint& point = points[i];
    if (point.tangents == TangentKind::aligned) {
      const Vec3 way = unit_or(point.out - point.in, Vec3::Zero());
      point.in = -point.in.norm() * way;
      point.out = point.out.norm() * way;
    }
    const bool inside = closed ? n > 2 : i > 0 && i + 1 < n;
    if (point.tangents != TangentKind::automatic || !inside) continue;
    point.out = (points[(i + 1) % n].place - points[(i + n - 1) % n].place) / 6;
    point.in = -point.out;
  }
}

/// Those at an end look at the control point beside them; of two points, at one another.
void end_tangents(CurvePoint& end, const CurvePoint& beside, bool first, bool alone) {
  if (end.tangents != TangentKind::automatic) return;
  const Vec3 control = beside.place + (first ? beside.in : beside.out);
  const Vec3 way = alone ? Vec3((beside.place - end.place) / 3) : Vec3((control - end.place) / 2);
  end.out = first ? way : Vec3(-way);
  end.in = -end.out;
}

constexpr std::size_t kCells = 32;

double speed_sum(const CurvePiece& piece, double from, double to) {
  // Gauss-Legendre with 5 points.
  static constexpr double at[3] = {0, 0.53846931010568309104, 0.90617984593866399280};
  static constexpr double weight[3] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  const double half = (to - from) / 2, middle = (to + from) / 2;
  double sum = weight[0] * piece.rate(middle).norm();
  for (int i = 1; i < 3; ++i)
    sum += weight[i] * (piece.rate(middle - half * at[i]).norm() + piece.rate(middle + half * at[i]).norm());
  return sum * half;
}

Vec3 direction(const CurvePiece& piece, double u) {
  const Vec3 rate = piece.rate(u);
  if (rate.norm() > 1e-12 * (piece.d - piece.a).norm() && rate.norm() > 0) return rate.normalized();
  // The curve halts here (a handle of no length): where it comes from or goes to.
  const double step = u < 0.5 ? 1e-4 : -1e-4;
  const Vec3 chord = (piece.place(u + step) - piece.place(u)) * (step > 0 ? 1 : -1);
  return unit_or(chord, unit_or(piece.d - piece.a, Vec3::UnitZ()));
}

/// An up vector carried on by two reflections (Wang, Jüttler, Zheng, Liu 2008).
Vec3 carried(const Vec3& up, const Vec3& t0, const Vec3& t1, const Vec3& chord) {
  const double c1 = chord.squaredNorm();
  if (!(c1 > 0)) return turn_onto(t0, t1) * up;
  const Vec3 up1 = up - 2 / c1 * chord.dot(up) * chord, t = t0 - 2 / c1 * chord.dot(t0) * chord;
  const Vec3 second = t1 - t;
  const double c2 = second.squaredNorm();
  return c2 > 0 ? Vec3(up1 - 2 / c2 * second.dot(up1) * second) : up1;
}

Vec3 across(const Vec3& up, const Vec3& tangent) {
  Vec3 result = up - up.dot(tangent) * tangent;
  if (result.norm() < 1e-6) {
    const Vec3 other = std::abs(tangent.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
    result = other - other.dot(tangent) * tangent;
  }
  return result.normalized();
}

}  // namespace

Vec3 CurvePiece::place(double u) const {
  if (circle) return a + std::cos(angle * u) * b + std::sin(angle * u) * c;
  const double v = 1 - u;
  return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d;
}

Vec3 CurvePiece::rate(double u) const {
  if (circle) return angle * (std::cos(angle * u) * c - std::sin(angle * u) * b);
  const double v = 1 - u;
  return 3 * v * v * (b - a) + 6 * v * u * (c - b) + 3 * u * u * (d - c);
}

CurvePiece CurvePiece::taken(const Mat3& linear, const Vec3& shift) const {
  const auto point = [&](const Vec3& p) { return Vec3(linear * p + shift); };
  if (circle) return {true, point(a), linear * b, linear * c, Vec3::Zero(), angle};
  return {false, point(a), point(b), point(c), point(d), 0};
}

CurveShape with_tangents(const CurveShape& shape) {
  CurveShape result = shape;
  auto& points = result.points;
  if (shape.kind != CurveKind::spline || points.size() < 2) return result;
  const bool closed = shape.closed && points.size() > 2;
  follow_neighbours(points, closed);
  if (closed) return result;
  const bool alone = points.size() == 2;
  end_tangents(points.front(), points[1], true, alone);
  end_tangents(points.back(), points[points.size() - 2], false, alone);
  return result;
}

CurveShape reversed(const CurveShape& shape) {
  CurveShape result = shape;
  std::reverse(result.points.begin(), result.points.end());
  for (CurvePoint& point : result.points) std::swap(point.in, point.out);
  return result;
}

std::vector<CurvePiece> curve_pieces(const CurveShape& shape) {
  std::vector<CurvePiece> pieces;
  const CurveShape drawn = with_tangents(shape);
  const auto& p = drawn.points;
  const std::size_t n = p.size();
  if (n < 2) return pieces;
  if (shape.kind == CurveKind::arc) {
    if (n == 3 && shape.closed) return {arc(p[0].place, p[1].place, p[2].place, true)};
    std::size_t i = 0;
    for (; i + 2 < n; i += 2) pieces.push_back(arc(p[i].place, p[i + 1].place, p[i + 2].place, false));
    if (i + 1 < n && shape.closed)
      pieces.push_back(arc(p[i].place, p[i + 1].place, p[0].place, false));
    else if (i + 1 < n)
      pieces.push_back(straight(p[i].place, p[i + 1].place));
    else if (shape.closed)
      pieces.push_back(straight(p[i].place, p[0].place));
    return pieces;
  }
  const std::size_t count = shape.closed && n > 2 ? n : n - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const CurvePoint &from = p[i], &to = p[(i + 1) % n];
    pieces.push_back(shape.kind == CurveKind::line
                         ? straight(from.place, to.place)
                         : CurvePiece{false, from.place, from.place + from.out, to.place + to.in, to.place, 0});
  }
  return pieces;
}

CurveShape with_point_at(const CurveShape& shape, const CurveParameter& at) {
  CurveShape result = with_tangents(shape);
  const auto pieces = curve_pieces(shape);
  if (at.piece >= pieces.size() || !(at.u > 0 && at.u < 1)) return shape;
  const CurvePiece& piece = pieces[at.piece];
  auto& points = result.points;
  const auto put = [&](std::size_t where, const Vec3& place) {
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(where), CurvePoint{place, {0, 0, 0}, {0, 0, 0}, {}});
  };
  if (shape.kind == CurveKind::arc) {
    // Each half has its own point between its ends. Between those of a whole circle lie two, of a straight rest none.
    const std::size_t first = 2 * at.piece, n = points.size();
    const bool rest = first + 2 > n - 1 && !(shape.closed && first + 2 == n);
    const std::size_t between = shape.closed && n == 3 ? 2 : rest ? 0 : 1;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(first + 1),
                 points.begin() + static_cast<std::ptrdiff_t>(first + 1 + between));
    put(first + 1, piece.place((at.u + 1) / 2));
    put(first + 1, piece.place(at.u));
    put(first + 1, piece.place(at.u / 2));
    return result;
  }
  put(at.piece + 1, piece.place(at.u));
  if (shape.kind == CurveKind::line) return result;
  const auto mix = [&](const Vec3& a, const Vec3& b) { return Vec3(a + at.u * (b - a)); };
  const Vec3 ab = mix(piece.a, piece.b), bc = mix(piece.b, piece.c), cd = mix(piece.c, piece.d);
  // De Casteljau: the handles beside the new point keep their directions. Nobody's are drawn anew by neighbours.
  for (CurvePoint& point : points)
    if (point.tangents == TangentKind::automatic) point.tangents = TangentKind::aligned;
  CurvePoint &before = points[at.piece], &made = points[at.piece + 1], &after = points[(at.piece + 2) % points.size()];
  made.tangents = TangentKind::aligned;
  made.in = mix(ab, bc) - made.place;
  made.out = mix(bc, cd) - made.place;
  before.out = ab - before.place;
  after.in = cd - after.place;
  return result;
}

CurveShape resampled(const CurveShape& shape, std::size_t count) {
  CurveShape result{shape.kind == CurveKind::line ? CurveKind::line : CurveKind::spline, shape.closed, {}};
  const CurveWay way(shape);
  count = std::max<std::size_t>(count, shape.closed ? 3 : 2);
  const double steps = static_cast<double>(shape.closed ? count : count - 1);
  for (std::size_t i = 0; i < count; ++i)
    result.points.push_back({way.place(static_cast<double>(i) / steps), {0, 0, 0}, {0, 0, 0}, {}});
  return result;
}

CurveWay::CurveWay(const CurveShape& shape, const Vec3& up)
    : CurveWay(curve_pieces(shape), shape.closed,
               shape.points.empty() ? Vec3(Vec3::Zero()) : shape.points.front().place, up) {}

CurveWay::CurveWay(std::vector<CurvePiece> pieces, bool closed, const Vec3& only, const Vec3& up)
    : pieces_(std::move(pieces)), only_(only), closed_(closed) {
  for (const CurvePiece& piece : pieces_)
    for (std::size_t i = 0; i <= kCells; ++i) {
      const double u = static_cast<double>(i) / kCells;
      if (i > 0) length_ += speed_sum(piece, static_cast<double>(i - 1) / kCells, u);
      nodes_.push_back({length_, piece.place(u), direction(piece, u), Vec3::UnitY()});
    }
  if (!(length_ > 0)) pieces_.clear(), nodes_.clear(), length_ = 0;
  make_frames(up);
}

void CurveWay::make_frames(const Vec3& up) {
  if (nodes_.empty()) return;
  nodes_[0].up = across(up, nodes_[0].tangent);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& last = nodes_[i - 1];
    Node& node = nodes_[i];
    node.up = across(carried(last.up, last.tangent, node.tangent, node.place - last.place), node.tangent);
  }
  if (!closed_) return;
  const Node &first = nodes_.front(), &last = nodes_.back();
  const Vec3 back = carried(last.up, last.tangent, first.tangent, Vec3::Zero());
  spread_ = std::atan2(back.cross(first.up).dot(first.tangent), back.dot(first.up));
}

double CurveWay::distance(double along) const { return std::clamp(along, 0.0, 1.0) * length_; }

CurveParameter CurveWay::parameter(double along) const {
  if (nodes_.empty()) return {};
  const double wanted = distance(along);
  const auto by_length = [](const Node& node, double length) { return node.length < length; };
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), wanted, by_length);
  std::size_t node = found == nodes_.end() ? nodes_.size() - 1 : static_cast<std::size_t>(found - nodes_.begin());
  if (node % (kCells + 1) == 0) return {node / (kCells + 1), 0};
  const std::size_t piece = node / (kCells + 1);
  const double begin = static_cast<double>(node % (kCells + 1) - 1) / kCells, end = begin + 1.0 / kCells;
  const double rest = wanted - nodes_[node - 1].length;
  double low = begin, high = end;
  double u = begin + (end - begin) * rest / std::max(nodes_[node].length - nodes_[node - 1].length, 1e-300);
  // Newton's steps, halving where they leave the bracket (a cusp).
  for (int step = 0; step < 60 && high - low > 1e-16; ++step) {
    const double off = speed_sum(pieces_[piece], begin, u) - rest;
    (off > 0 ? high : low) = u;
    const double speed = pieces_[piece].rate(u).norm();
    double next = speed > 0 ? u - off / speed : low;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - u) < 1e-15) break;
    u = next;
  }
  return {piece, std::clamp(u, begin, end)};
}

double CurveWay::along(const CurveParameter& at) const {
  if (at.piece >= pieces_.size()) return 0;
  const double u = std::clamp(at.u, 0.0, 1.0);
  const auto cell = std::min(static_cast<std::size_t>(u * kCells), kCells - 1);
  const double begin = static_cast<double>(cell) / kCells;
  return (nodes_[at.piece * (kCells + 1) + cell].length + speed_sum(pieces_[at.piece], begin, u)) / length_;
}

Vec3 CurveWay::place(double along) const {
  if (pieces_.empty()) return only_;
  const CurveParameter at = parameter(along);
  return pieces_[at.piece].place(at.u);
}

Vec3 CurveWay::tangent(double along) const {
  if (pieces_.empty()) return Vec3::UnitZ();
  const CurveParameter at = parameter(along);
  return direction(pieces_[at.piece], at.u);
}

CurveFrame CurveWay::frame(double along) const {
  if (pieces_.empty()) return {only_, Quat::Identity()};
  const CurveParameter at = parameter(along);
  const CurvePiece& piece = pieces_[at.piece];
  const auto cell = std::min(static_cast<std::size_t>(at.u * kCells), kCells - 1);
  const Node& node = nodes_[at.piece * (kCells + 1) + cell];
  const Vec3 place = piece.place(at.u), z = direction(piece, at.u);
  const Vec3 y = across(carried(node.up, node.tangent, z, place - node.place), z);
  Mat3 axes;
  axes << y.cross(z), y, z;
  const double turn = spread_ * distance(along) / length_;
  return {place, (Eigen::AngleAxisd(turn, z) * Quat(axes)).normalized()};
}

double CurveWay::nearest(const Vec3& point) const {
  if (nodes_.empty()) return 0;
  const auto off = [&](double at) { return (place(at) - point).norm(); };
  double best = 0, least = (nodes_.front().place - point).norm();
  for (const Node& node : nodes_)
    if (const double distance = (node.place - point).norm(); distance < least)
      least = distance, best = node.length / length_;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node &from = nodes_[i - 1], &to = nodes_[i];
    // Nothing of a cell is further from the nearer of its ends than half of its length.
    const double ends = std::min((from.place - point).norm(), (to.place - point).norm());
    if (!(to.length > from.length) || ends - (to.length - from.length) / 2 >= least) continue;
    const double at = least_between(off, from.length / length_, to.length / length_);
    if (const double distance = off(at); distance < least) least = distance, best = at;
  }
  return best;
}

}  // namespace hazumi
