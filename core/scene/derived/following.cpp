#include "core/scene/derived/following.h"

#include <algorithm>

#include "core/geometry/curve/follow.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {
namespace {

double number_at_start(const Scene& scene, Id id, std::string_view field, double own) {
  const auto value = scene.tracks.empty() ? std::nullopt : value_at(scene, id.value, field, 0);
  return value && std::holds_alternative<double>(*value) ? std::get<double>(*value) : own;
}

bool same_bits(const Vec3& a, const Vec3& b) { return (a.array() == b.array()).all(); }
bool same_bits(const Quat& a, const Quat& b) { return (a.coeffs().array() == b.coeffs().array()).all(); }

/// The turn of its own with which what is at `along` is turned like this.
Quat turn_for(const CurveWay& way, double along, double roll, const Quat& rotation) {
  const Quat on = pose_on(way, along, Quat::Identity(), {true, std::nullopt, roll}).rotation;
  return (on.conjugate() * rotation).normalized();
}

template <class Thing>
const Thing* find_same(const std::vector<Shared<Thing>>& things, std::size_t place, Id id) {
  if (place < things.size() && things[place]->id == id) return things[place].get();
  const auto at = std::find_if(things.begin(), things.end(), [id](const auto& thing) { return thing->id == id; });
  return at == things.end() ? nullptr : at->get();
}

bool rides_alike(const Follow& a, const Follow& b) { return a.curve == b.curve && a.along == b.along; }

bool any_rides(const Scene& scene) {
  const auto rides = [](const auto& thing) { return thing->follow.curve != 0; };
  return !scene.curves.empty() && (std::any_of(scene.objects.begin(), scene.objects.end(), rides) ||
                                   std::any_of(scene.cameras.begin(), scene.cameras.end(), rides));
}

/// The curve lies in `next` where it lay in this version.
bool same_curve(const Scene& before, const Scene& next, std::uint64_t id) {
  const Shared<Curve>*was = find_shared_curve(before, id), *is = find_shared_curve(next, id);
  return was && is && was->same_as(*is);
}

void slide(const CurveWay& way, const Object& was, Object& object) {
  if (!same_bits(was.transform.position, object.transform.position)) {
    object.follow.along = nearest_over(way, object.transform.position, object.follow.height, object.follow.along);
    object.transform.position = place_over(way, object.follow.along, object.follow.height);
  }
  const bool turned = object.follow.turned && object.follow.looks_at == 0 && was.follow.turned;
  const bool same_turn = same_bits(was.follow.turn, object.follow.turn) && was.follow.roll == object.follow.roll;
  if (turned && same_turn && !same_bits(was.transform.rotation, object.transform.rotation))
    object.follow.turn = turn_for(way, object.follow.along, object.follow.roll, object.transform.rotation);
}

void slide(const CurveWay& way, const Camera& was, Camera& camera) {
  if (same_bits(was.position, camera.position)) return;
  camera.follow.along = nearest_over(way, camera.position, camera.follow.height, camera.follow.along);
  camera.position = place_over(way, camera.follow.along, camera.follow.height);
}

bool moved(const Object& was, const Object& is) {
  return !same_bits(was.transform.position, is.transform.position) ||
         !same_bits(was.transform.rotation, is.transform.rotation);
}
bool moved(const Camera& was, const Camera& is) { return !same_bits(was.position, is.position); }

/// `bases`: versions that the edit may have been made from. It moved a thing when that is elsewhere than in all of them.
template <class Thing>
void slide_all(const std::vector<const Scene*>& bases, Scene& next, std::vector<Shared<Thing>> Scene::*list) {
  for (std::size_t i = 0; i < (next.*list).size(); ++i) {
    const Thing& is = *(next.*list)[i];
    const Shared<Curve>* curve = is.follow.curve != 0 ? curve_of(next, is) : nullptr;
    if (!curve) continue;
    const Thing* from = nullptr;
    bool elsewhere = true;
    for (const Scene* base : bases) {
      const Thing* was = find_same(base->*list, i, is.id);
      elsewhere = elsewhere && was && moved(*was, is);
      if (was && !from && rides_alike(was->follow, is.follow) && same_curve(*base, next, is.follow.curve)) from = was;
    }
    if (!from || !elsewhere) continue;
    (next.*list)[i] = (next.*list)[i].edited([&](Thing& thing) { slide(*way_of(*curve), *from, thing); });
  }
}

Scene slid_from(const std::vector<const Scene*>& bases, Scene next) {
  if (!any_rides(next)) return next;
  slide_all(bases, next, &Scene::objects);
  slide_all(bases, next, &Scene::cameras);
  return next;
}

}  // namespace

std::shared_ptr<const CurveWay> way_of(const Shared<Curve>& curve) {
  return curve->way.get([&] {
    const Transform& to = curve->transform;
    const Mat3 linear = to.rotation.normalized().toRotationMatrix() * to.scale.asDiagonal();
    std::vector<CurvePiece> pieces = curve_pieces(*curve);
    for (CurvePiece& piece : pieces) piece = piece.taken(linear, to.position);
    const Vec3 first = curve->points.empty() ? Vec3(Vec3::Zero()) : curve->points.front().place;
    return std::make_shared<const CurveWay>(std::move(pieces), curve->closed, linear * first + to.position);
  });
}

const Shared<Curve>* find_shared_curve(const Scene& scene, std::uint64_t id) {
  if (id == 0) return nullptr;
  for (const auto& curve : scene.curves)
    if (curve->id.value == id) return &curve;
  return nullptr;
}

const Shared<Curve>* curve_of(const Scene& scene, const Object& object) {
  return find_shared_curve(scene, object.follow.curve);
}

const Shared<Curve>* curve_of(const Scene& scene, const Camera& camera) {
  return find_shared_curve(scene, camera.follow.curve);
}

Id looked_at(const Scene& scene, const Object& object) {
  const Id id{object.follow.looks_at};
  return id && find_object(scene, id) && !goes_with(scene, id, object.id) ? id : Id{};
}

void put_on_curve(const Scene& scene, Camera& camera) {
  const Shared<Curve>* curve = curve_of(scene, camera);
  if (!curve) return;
  const std::shared_ptr<const CurveWay> way = way_of(*curve);
  camera.position = place_over(*way, camera.follow.along, camera.follow.height);
  // A metre ahead: any distance shows the same.
  if (camera.follow.turned && camera.looks_at == 0) camera.target = camera.position + way->tangent(camera.follow.along);
  if (same_bits(camera.position, camera.target)) camera.target += Vec3::UnitZ();
}

Scene slid(const Scene& before, Scene next) { return slid_from({&before}, std::move(next)); }

Scene settled_on_curves(const Scene& start, const Scene& now, Scene next) {
  return placed_on_curves(slid_from({&now, &start}, std::move(next)));
}

Scene placed_on_curves(Scene scene) {
  if (!any_rides(scene)) return scene;
  struct Looker {
    std::size_t place;
    Id at;
    double roll;
  };
  std::vector<Looker> lookers;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& o = *scene.objects[i];
    const Shared<Curve>* curve = o.follow.curve != 0 ? curve_of(scene, o) : nullptr;
    if (!curve) continue;
    const double roll = number_at_start(scene, o.id, kFollowRoll, o.follow.roll);
    Pose pose = pose_on(*way_of(*curve), number_at_start(scene, o.id, kAlong, o.follow.along),
                        o.follow.turned ? o.follow.turn : o.transform.rotation,
                        {o.follow.turned, std::nullopt, roll, o.follow.height});
    if (const Id at = looked_at(scene, o)) {
      lookers.push_back({i, at, roll});
      pose.rotation = o.transform.rotation;
    }
    if (same_bits(pose.position, o.transform.position) && same_bits(pose.rotation, o.transform.rotation)) continue;
    scene.objects[i] = scene.objects[i].edited([&](Object& object) {
      object.transform.position = pose.position;
      object.transform.rotation = pose.rotation;
    });
  }
  for (const Looker& one : lookers) {
    const Vec3 place = scene.objects[one.place]->transform.position;
    const auto turn = looking_at(place, find_object(scene, one.at)->transform.position, one.roll);
    if (turn && !same_bits(*turn, scene.objects[one.place]->transform.rotation))
      scene.objects[one.place] = scene.objects[one.place].edited([&](Object& o) { o.transform.rotation = *turn; });
  }
  for (auto& camera : scene.cameras) {
    if (camera->follow.curve == 0) continue;
    Camera put = *camera;
    put.follow.along = number_at_start(scene, camera->id, kAlong, camera->follow.along);
    put_on_curve(scene, put);
    if (same_bits(put.position, camera->position) && same_bits(put.target, camera->target)) continue;
    camera = camera.edited([&](Camera& c) {
      c.position = put.position;
      c.target = put.target;
    });
  }
  return scene;
}

}  // namespace hazumi
