#include "core/motion/catalogue.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/motion/kinds.h"
#include "core/motion/model_recipe.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {
namespace {

/// Powers of lengths, times and masses in a unit.
struct Powers {
  double length = 0, time = 0, mass = 0;
};

Powers powers_of(std::string_view unit) {
  struct Known {
    std::string_view unit;
    Powers powers;
  };
  static constexpr Known kUnits[] = {
      {"m", {1, 0, 0}},  {"s", {0, 1, 0}},      {"m/s", {1, -1, 0}},       {"°/s", {0, -1, 0}}, {"rad/s", {0, -1, 0}},
      {"kg", {0, 0, 1}}, {"N", {1, -2, 1}},     {"N s", {1, -1, 1}},       {"N m", {2, -2, 1}}, {"J", {2, -2, 1}},
      {"m³", {3, 0, 0}}, {"frames", {0, 1, 0}}, {"% at 1 m/s", {-1, 1, 0}}};
  for (const Known& known : kUnits)
    if (known.unit == unit) return known.powers;
  return {};
}

struct Scaling {
  double length = 1, time = 1, mass = 1;
  double of(std::string_view unit) const {
    const Powers p = powers_of(unit);
    return std::pow(length, p.length) * std::pow(time, p.time) * std::pow(mass, p.mass);
  }
};

/// Which axis of a place a parameter is; −1: none.
int axis_of(const MotionKind& kind, const MotionNode& node, std::string_view name) {
  if (kind.places == MotionPlaces::height && name == "limit") return 1;
  const MotionParameter* added = find_parameter(node, "added");
  if (kind.places != MotionPlaces::xyz || node.other != 0 || (added && added->number != 0)) return -1;
  return name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : -1;
}

std::string shown(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

/// Of a place or a size of the stand-in what it is of the thing: factor × p + shift.
struct Change {
  double factor = 1, shift = 0;
};

/// The same expression of the thing's own values: where it says speed it gets the speed that the stand-in would have.
std::string retold(const std::string& text, const Scaling& scaling, const Vec3& from, const Vec3& to) {
  std::string out;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    // Numbers such as 1e3 are no names.
    if (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.') {
      const std::size_t begin = i;
      while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '.')) ++i;
      out += text.substr(begin, i - begin);
      continue;
    }
    if (!is_letter(text[i])) {
      out += text[i++];
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && (is_letter(text[i]) || std::isdigit(static_cast<unsigned char>(text[i])))) ++i;
    const std::string name = text.substr(begin, i - begin);
    const auto names = expression_names();
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    const double factor = at < names.size() ? scaling.of(expression_unit(at)) : 1;
    const int axis = name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : -1;
    if (axis >= 0 && (factor != 1 || from != to))
      out += "((" + name + " - " + shown(to[axis]) + ")/" + shown(factor) + " + " + shown(from[axis]) + ")";
    else if (factor != 1)
      out += "(" + name + "/" + shown(factor) + ")";
    else
      out += name;
  }
  return out;
}

void adapt(const ParameterRow& row, const Change& change, MotionParameter& parameter) {
  const bool whole = row.type == FieldType::integer;
  if (row.type != FieldType::number && !whole) return;
  if (!parameter.word.empty()) {
    if (change.factor != 1 || change.shift != 0)
      parameter.word =
          "(" + parameter.word + ")*" + shown(change.factor) + (change.shift != 0 ? " + " + shown(change.shift) : "");
    return;
  }
  double value = std::clamp(change.factor * parameter.number + change.shift, row.low, row.high);
  if (whole) value = std::max(row.low, std::round(value));
  parameter.number = value;
}

/// Every parameter is written out, since defaults are of the size that they are of.
void adapt(MotionNode& node, const Scaling& scaling, const Vec3& from, const Vec3& to) {
  const MotionKind* kind = kind_of(node);
  if (!kind) return;
  node.condition = retold(node.condition, scaling, from, to);
  for (const ParameterRow& row : kind->parameters)
    if (const MotionParameter* set = find_parameter(node, row.name); set && row.type != FieldType::choice)
      set_parameter(node, {set->name, retold(set->word, scaling, from, to), set->number});
  for (const ParameterRow& row : kind->parameters) {
    const double factor = scaling.of(row.unit);
    const int axis = axis_of(*kind, node, row.name);
    const double shift = axis < 0 ? 0 : to[axis] - factor * from[axis];
    if (factor == 1 && shift == 0) continue;
    MotionParameter parameter{std::string(row.name), {}, row.fallback};
    if (const MotionParameter* set = find_parameter(node, row.name)) parameter = *set;
    adapt(row, {factor, shift}, parameter);
    if (parameter.word.empty() && parameter.number == row.fallback)
      remove_parameter(node, row.name);
    else
      set_parameter(node, std::move(parameter));
  }
}

/// Keys of one of its numbers go as that does, and their times as all times.
void adapt(const MotionNode& node, const Scaling& scaling, const Vec3& from, const Vec3& to, Track& track) {
  for (Key& key : track.keys) key.time *= scaling.time;
  const MotionKind* kind = kind_of(node);
  const Field<MotionNode>* field = kind ? box_row(node, track.field) : nullptr;
  if (!field) return;
  const double factor = scaling.of(field->unit);
  const int axis = axis_of(*kind, node, parameter_of(track.field));
  const double shift = axis < 0 ? 0 : to[axis] - factor * from[axis];
  for (Key& key : track.keys) {
    key.value[0] = std::clamp(factor * key.value[0] + shift, field->low, field->high);
    if (field->type == FieldType::integer) key.value[0] = std::max(field->low, std::round(key.value[0]));
    for (auto* slope : {&key.in, &key.out}) (*slope)[0] *= factor / scaling.time;
  }
}

Object stand_in_of(const Object& object, const MotionBody& body) {
  Object out;
  out.id = object.id;
  out.name = object.name;
  out.display.kind = DisplayKind::none;
  out.display.primitive.size = Vec3::Constant(body.size);
  out.transform.position = object.transform.position;
  keep_model(object, body, out);
  out.body.mass = body.mass;
  return out;
}

/// It, or the first that is in it.
const Object* stand_in_object(const Scene& motion, Id id) {
  for (const auto& object : motion.objects)
    if (object->id == id || object->collection == id.value) return object.get();
  return nullptr;
}

/// Who names it has something that comes along, or something of its own to look for.
bool comes_along(const MotionNode& node, const BoxTracks& tracks) {
  const MotionKind* kind = kind_of(node);
  const std::vector<std::uint64_t> others = others_of(node, tracks.of(node));
  const bool names = std::any_of(others.begin(), others.end(), [](std::uint64_t id) { return id != 0; });
  return !kind || !names || (kind->other != OtherUse::source && kind->other != OtherUse::number);
}

/// Wires of a box to boxes that stay behind go on to where these lead.
std::vector<MotionWire> joined_wires(const Scene& scene, const MotionNode& node, const std::set<Id>& behind) {
  std::vector<MotionWire> out;
  std::set<Id> seen;
  const auto add = [&](const auto& self, const MotionWire& wire, bool related) -> void {
    if (!behind.count(Id{wire.to})) {
      if (std::none_of(out.begin(), out.end(), [&](const MotionWire& w) { return w.to == wire.to; }))
        out.push_back({wire.to, related});
      return;
    }
    const MotionNode* gone = find_motion(scene, Id{wire.to});
    if (related || !gone || !seen.insert(gone->id).second) return;
    for (const MotionWire& next : gone->wires)
      if (!next.related) self(self, next, false);
  };
  for (const MotionWire& wire : node.wires) add(add, wire, wire.related);
  return out;
}

/// Where it stands, by itself: nothing that only its own scene has.
Camera camera_alone(Camera camera) {
  camera.collection = 0;
  camera.follow = {};
  camera.picture = {};
  return camera;
}

class Putter {
 public:
  Putter(Scene scene, const Scene& motion, const MotionAdapts& adapts, const BodyOf& body)
      : out_{std::move(scene), {}}, motion_(motion), adapts_(adapts), body_(body) {}

  MotionPut run(std::map<Id, Id> given, double x, double y) {
    things_ = std::move(given);
    for (const StandIn& one : stand_ins(motion_))
      if (!things_.count(one.id)) things_[one.id] = guess(one);
    measure();
    if (adapts_.model) put_models();
    std::uint64_t next = next_id(out_.scene).value;
    for (const auto& curve : motion_.curves) things_[curve->id] = Id{next++};
    for (const auto& node : motion_.motion) boxes_[node->id] = Id{next++};
    for (const auto& curve : motion_.curves) put_curve(*curve);
    for (const auto& camera : motion_.cameras) put_camera(*camera, next);
    for (const auto& sound : motion_.sounds) put_sound(*sound, next);
    put_markers(next);
    double left = 1e300, top = 1e300;
    for (const auto& node : motion_.motion) {
      left = std::min(left, node->x);
      top = std::min(top, node->y);
    }
    for (const auto& node : motion_.motion) put_box(*node, x - left, y - top);
    for (const auto& track : motion_.tracks)
      if (const MotionNode* node = find_motion(motion_, Id{track->target})) {
        Track own = *track;
        own.id = Id{next++};
        own.target = boxes_.at(node->id).value;
        adapt(*node, scaling_, from_, to_, own);
        if (is_with(own.field))
          for (Key& key : own.keys)
            key.value[0] = static_cast<double>(thing(static_cast<std::uint64_t>(std::max(key.value[0], 0.0))));
        out_.scene.tracks.push_back(Shared<Track>(std::move(own)));
      }
    return std::move(out_);
  }

 private:
  Id guess(const StandIn& one) const {
    for (const auto& object : out_.scene.objects)
      if (object->name == one.name && object->id != things_.begin()->second) return object->id;
    for (const auto& collection : out_.scene.collections)
      if (collection->name == one.name) return collection->id;
    return {};
  }

  /// By the first stand-in that has a size, and what it is put on.
  void measure() {
    const std::vector<StandIn> all = stand_ins(motion_);
    const Object* was = stand_in_object(motion_, all.front().id);
    const std::vector<Id> now = actors(out_.scene, things_.at(all.front().id).value);
    const Object* is = now.empty() ? nullptr : find_object(out_.scene, now.front());
    if (!was || !is) return;
    from_ = was->transform.position;
    to_ = is->transform.position;
    const MotionBody body = body_(*is);
    const double size = size_made_with(*was), mass = was->body.mass;
    const double length = size > 0 && body.size > 0 ? body.size / size : 1;
    scaling_.length = adapts_.lengths ? length : 1;
    scaling_.time = adapts_.times ? std::sqrt(length) : 1;
    scaling_.mass = adapts_.masses && mass > 0 && body.mass > 0 ? body.mass / mass : 1;
  }

  /// What sources give copies of stays as they need it.
  void put_models() {
    const std::vector<Id> copied = copied_objects(out_.scene);
    for (const StandIn& one : stand_ins(motion_)) {
      const Object* was = stand_in_object(motion_, one.id);
      if (!was || !bends(was->body)) continue;
      for (const Id id : actors(out_.scene, things_.at(one.id).value)) {
        const Object* is = find_object(out_.scene, id);
        if (!is_stiff(is->body) || std::binary_search(copied.begin(), copied.end(), id)) continue;
        const MotionBody body = body_(*is);
        out_.scene = with_object(std::move(out_.scene), id, [&](Object& o) { take_model(*was, body, o); });
      }
    }
  }

  void put_curve(const Curve& curve) {
    Curve own = curve;
    own.id = things_.at(curve.id);
    own.name = unique_name(out_.scene, curve.name);
    own.collection = 0;
    own.transform.position = to_ + scaling_.length * (curve.transform.position - from_);
    own.transform.scale = scaling_.length * curve.transform.scale;
    own.way = {};
    out_.scene.curves.push_back(Shared<Curve>(std::move(own)));
  }

  void put_camera(const Camera& camera, std::uint64_t& next) {
    for (const auto& there : out_.scene.cameras)
      if (there->name == camera.name) return void(things_[camera.id] = there->id);
    Camera own = camera_alone(camera);
    things_[camera.id] = own.id = Id{next++};
    own.position = to_ + scaling_.length * (camera.position - from_);
    own.target = to_ + scaling_.length * (camera.target - from_);
    own.looks_at = find_object(out_.scene, Id{thing(camera.looks_at)}) ? thing(camera.looks_at) : 0;
    out_.scene.cameras.push_back(Shared<Camera>(std::move(own)));
  }

  void put_sound(const Sound& sound, std::uint64_t& next) {
    for (const auto& there : out_.scene.sounds)
      if (there->name == sound.name && there->file == sound.file) return void(things_[sound.id] = there->id);
    Sound own = sound;
    things_[sound.id] = own.id = Id{next++};
    own.name = unique_name(out_.scene, sound.name);
    own.waits = true;  // the motion plays it
    out_.scene.sounds.push_back(Shared<Sound>(std::move(own)));
  }

  /// All of one name mean the same.
  void put_markers(std::uint64_t& next) {
    const std::vector<Shared<Marker>> there = out_.scene.markers;
    for (const auto& marker : motion_.markers) {
      const auto same =
          std::find_if(there.begin(), there.end(), [&](const auto& one) { return one->name == marker->name; });
      if (same != there.end()) {
        things_[marker->id] = (*same)->id;
        continue;
      }
      Marker own = *marker;
      things_[marker->id] = own.id = Id{next++};
      own.time *= scaling_.time;
      out_.scene.markers.push_back(Shared<Marker>(std::move(own)));
    }
  }

  void put_box(const MotionNode& node, double right, double down) {
    MotionNode own = node;
    own.id = boxes_.at(node.id);
    if (!own.group.empty())
      own.group = groups_.try_emplace(own.group, free_group_name(out_.scene, own.group)).first->second;
    own.x += right;
    own.y += down;
    adapt(own, scaling_, from_, to_);
    own.object = thing(node.object);
    own.other = thing(node.other);
    std::erase_if(own.wires, [&](MotionWire& wire) {
      const auto at = boxes_.find(Id{wire.to});
      if (at == boxes_.end()) return true;
      wire.to = at->second.value;
      return false;
    });
    out_.boxes.insert(own.id);
    out_.scene.motion.push_back(Shared<MotionNode>(std::move(own)));
  }

  std::uint64_t thing(std::uint64_t id) const {
    const auto at = things_.find(Id{id});
    return at == things_.end() ? 0 : at->second.value;
  }

  MotionPut out_;
  const Scene& motion_;
  const MotionAdapts& adapts_;
  const BodyOf& body_;
  std::map<Id, Id> things_, boxes_;
  std::map<std::string, std::string> groups_;
  Scaling scaling_;
  Vec3 from_ = Vec3::Zero(), to_ = Vec3::Zero();
};

}  // namespace

MotionBody motion_body(const Object& object, const DisplayMesh& mesh) {
  MotionBody out;
  out.mass = body_kind(object.body.kind).moves ? object_mass(object, mesh) : 1;
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  for (const Vec3& place : mesh.positions) {
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
  }
  if (mesh.positions.empty()) {
    high = object.display.kind == DisplayKind::none ? object.display.primitive.size : object.analysis.size;
    low.setZero();
    high = high.cwiseProduct(object.transform.scale.cwiseAbs());
  }
  out.size = (high - low).norm() / std::sqrt(3.0);
  if (!mesh.positions.empty()) {
    out.low = low;
    out.high = high;
  }
  return out;
}

std::set<Id> left_behind(const Scene& scene, const std::set<Id>& boxes) {
  std::set<Id> behind;
  const BoxTracks tracks(scene);
  for (const auto& node : scene.motion)
    if (boxes.count(node->id) && !comes_along(*node, tracks)) behind.insert(node->id);
  return behind;
}

Scene motion_of(const Scene& scene, const std::set<Id>& boxes, const std::string& name, const std::string& description,
                const BodyOf& body) {
  Scene motion;
  motion.name = name;
  motion.description = description;
  std::set<std::uint64_t> things;
  const BoxTracks tracks(scene);
  const std::set<Id> behind = left_behind(scene, boxes);
  for (const auto& node : scene.motion) {
    if (!boxes.count(node->id) || behind.count(node->id)) continue;
    MotionNode own = *node;
    own.wires = joined_wires(scene, own, behind);
    std::erase_if(own.wires, [&](const MotionWire& wire) { return !boxes.count(Id{wire.to}); });
    for (const std::uint64_t id : {own.object, own.other}) things.insert(id);
    for (const std::uint64_t id : others_of(own, tracks.of(own))) things.insert(id);
    motion.motion.push_back(Shared<MotionNode>(std::move(own)));
  }
  for (const auto& track : scene.tracks)
    if (find_motion(motion, Id{track->target})) motion.tracks.push_back(track);
  for (const auto& object : scene.objects)
    if (things.count(object->id.value)) motion.objects.push_back(Shared<Object>(stand_in_of(*object, body(*object))));
  for (const auto& curve : scene.curves)
    if (things.count(curve->id.value)) {
      Curve own = *curve;
      own.collection = 0;
      motion.curves.push_back(Shared<Curve>(std::move(own)));
    }
  for (const auto& camera : scene.cameras)
    if (things.count(camera->id.value)) {
      Camera own = camera_alone(*camera);
      if (!find_object(motion, Id{own.looks_at})) own.looks_at = 0;
      motion.cameras.push_back(Shared<Camera>(std::move(own)));
    }
  for (const auto& sound : scene.sounds)
    if (things.count(sound->id.value)) motion.sounds.push_back(sound);
  for (const std::uint64_t id : things)
    if (const Marker* named = find_marker(scene, Id{id}))
      for (const auto& marker : scene.markers)
        if (marker->name == named->name && !find_marker(motion, marker->id)) motion.markers.push_back(marker);
  for (const auto& collection : scene.collections)
    if (things.count(collection->id.value)) {
      Collection own = *collection;
      own.collection = 0;
      motion.collections.push_back(Shared<Collection>(std::move(own)));
      // Its size and mass are those of the first that is in it.
      if (const std::vector<Id> all = actors(scene, collection->id.value); !all.empty()) {
        Object first = stand_in_of(*find_object(scene, all.front()), body(*find_object(scene, all.front())));
        if (things.count(first.id.value)) continue;
        first.collection = collection->id.value;
        motion.objects.push_back(Shared<Object>(std::move(first)));
      }
    }
  return motion;
}

std::vector<StandIn> stand_ins(const Scene& motion) {
  std::vector<StandIn> all;
  const auto add = [&](std::uint64_t id) {
    if (id == 0 || std::any_of(all.begin(), all.end(), [&](const StandIn& s) { return s.id.value == id; })) return;
    if (const Object* object = find_object(motion, Id{id})) return all.push_back({Id{id}, object->name, false});
    for (const auto& collection : motion.collections)
      if (collection->id.value == id) all.push_back({Id{id}, collection->name, true});
  };
  for (const auto& node : motion.motion) add(node->object);
  for (const auto& node : motion.motion) add(node->other);
  const BoxTracks tracks(motion);
  for (const auto& node : motion.motion)
    for (const std::uint64_t id : others_of(*node, tracks.of(*node))) add(id);
  return all;
}

std::string no_motion(const Scene& motion) {
  if (motion.motion.empty()) return "There are no boxes of a motion graph in it.";
  if (stand_ins(motion).empty()) return "It does not say whose motion it is.";
  return {};
}

Result<MotionPut> put_motion(Scene scene, const Scene& motion, const std::map<Id, Id>& given,
                             const MotionAdapts& adapts, const BodyOf& body, double x, double y) {
  if (std::string why = no_motion(motion); !why.empty())
    return Diagnostics{{Severity::error, motion.name, std::move(why), "Pick another motion."}};
  const Id whose = stand_ins(motion).front().id;
  const auto at = given.find(whose);
  if (at == given.end() || actors(scene, at->second.value).empty())
    return Diagnostics{{Severity::error, motion.name,
                        "A motion must be put on an object, or on a collection with some.", "Select one first."}};
  return Putter(std::move(scene), motion, adapts, body).run(given, x, y);
}

}  // namespace hazumi
