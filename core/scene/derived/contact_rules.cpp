#include "core/scene/derived/contact_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "core/scene/diff.h"

namespace hazumi {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::size_t kMostSorts = 512;  // of objects that are compared with each other

/// Those that take part in contacts, ascending by id.
std::vector<const Object*> colliding(const Scene& scene) {
  std::vector<const Object*> all;
  for (const auto& object : scene.objects)
    if (collides(*object)) all.push_back(object.get());
  std::sort(all.begin(), all.end(), [](const Object* a, const Object* b) { return a->id < b->id; });
  return all;
}

const Object* find_in(const std::vector<const Object*>& objects, Id id) {
  const auto at =
      std::lower_bound(objects.begin(), objects.end(), id, [](const Object* o, Id wanted) { return o->id < wanted; });
  return at != objects.end() && (*at)->id == id ? *at : nullptr;
}

bool says_groups(const Object& object) { return !object.contact.groups.empty() || !object.contact.ignores.empty(); }

/// Numbers of the groups that some object is in and some object ignores.
std::map<std::string_view, std::size_t> numbered(const std::vector<const Object*>& objects) {
  std::set<std::string_view> ignored;
  for (const Object* object : objects)
    for (const std::string_view name : group_names(object->contact.ignores)) ignored.insert(name);
  std::map<std::string_view, std::size_t> numbers;
  if (ignored.empty()) return numbers;
  for (const Object* object : objects)
    for (const std::string_view name : group_names(object->contact.groups))
      if (ignored.contains(name)) numbers.try_emplace(name, numbers.size());
  return numbers;
}

std::vector<const Object*> with_groups(const Scene& scene) {
  // Most scenes have none, and nothing is sorted for them.
  if (std::none_of(scene.objects.begin(), scene.objects.end(), [](const auto& o) { return says_groups(*o); }))
    return {};
  std::vector<const Object*> objects = colliding(scene);
  std::erase_if(objects, [](const Object* o) { return !says_groups(*o); });
  return objects;
}

/// Takes out those that ignore nobody, though somebody else is in such a group, or ignores one.
void drop_idle(std::vector<ObjectGroups>& groups) {
  std::map<GroupMask, int> masks;
  for (const ObjectGroups& object : groups) ++masks[object.mask];
  if (masks.size() > kMostSorts) return;
  std::set<GroupMask> idle;
  for (const auto& [mask, count] : masks) {
    const bool ignores = std::any_of(masks.begin(), masks.end(), [&, &one = mask, &alike = count](const auto& other) {
      return ignore_each_other(one, other.first) && (other.first != one || alike > 1);
    });
    if (!ignores) idle.insert(mask);
  }
  std::erase_if(groups, [&](const ObjectGroups& object) { return idle.contains(object.mask); });
}

/// Objects that are alike to all others, in both versions.
struct Sort {
  GroupMask before, after;
  int first = kNoFrame;  ///< contact of the first of them
  int count = 0;
};

std::optional<int> groups_otherwise(const Scene& before, const Scene& after,
                                    const std::function<int(Id)>& first_contact) {
  const std::vector<ObjectGroups> old = collision_groups(before), now = collision_groups(after);
  if (old == now) return std::nullopt;
  std::set<Id> ids;
  for (const auto* groups : {&old, &now})
    for (const ObjectGroups& object : *groups) ids.insert(object.id);
  const std::vector<const Object*> was = colliding(before), is = colliding(after);
  std::map<std::pair<GroupMask, GroupMask>, Sort> sorts;
  for (const Id id : ids) {
    if (!find_in(was, id) || !find_in(is, id)) continue;  // its own signature says so
    const GroupMask mask_before = mask_of(old, id), mask_after = mask_of(now, id);
    Sort& sort = sorts[{mask_before, mask_after}];
    sort.before = mask_before;
    sort.after = mask_after;
    sort.first = std::min(sort.first, first_contact(id));
    ++sort.count;
  }
  if (sorts.size() > kMostSorts) return 0;
  int first = kNoFrame;
  for (auto x = sorts.begin(); x != sorts.end(); ++x)
    for (auto y = x; y != sorts.end(); ++y) {
      const Sort &a = x->second, &b = y->second;
      if (x == y && a.count < 2) continue;
      const bool did = ignore_each_other(a.before, b.before), does = ignore_each_other(a.after, b.after);
      if (did && !does) return 0;
      // What rests on something may have been woken by what it now ignores, before the two touched.
      if (!did && does) first = std::min({first, a.first, b.first});
    }
  return first;
}

std::optional<int> pairs_otherwise(const Scene& before, const Scene& after,
                                   const std::function<int(Id)>& first_contact) {
  const std::vector<PairValues> old = pair_values(before), now = pair_values(after);
  if (old == now) return std::nullopt;
  const std::vector<const Object*> was = colliding(before), is = colliding(after);
  const auto values = [](const std::vector<PairValues>& pairs, const std::vector<const Object*>& objects,
                         std::pair<Id, Id> ids) -> std::optional<std::array<std::uint64_t, 2>> {
    const Object *a = find_in(objects, ids.first), *b = find_in(objects, ids.second);
    if (!a || !b) return std::nullopt;
    const auto given =
        std::lower_bound(pairs.begin(), pairs.end(), ids,
                         [](const PairValues& pair, const auto& wanted) { return std::pair(pair.a, pair.b) < wanted; });
    const Substance &x = a->material.substance, &y = b->material.substance;
    if (given != pairs.end() && std::pair(given->a, given->b) == ids)
      return std::array{std::bit_cast<std::uint64_t>(given->restitution),
                        std::bit_cast<std::uint64_t>(given->friction)};
    return std::array{std::bit_cast<std::uint64_t>(mixed_value(x.restitution, y.restitution)),
                      std::bit_cast<std::uint64_t>(mixed_value(x.friction, y.friction))};
  };
  std::set<std::pair<Id, Id>> ids;
  for (const auto* pairs : {&old, &now})
    for (const PairValues& pair : *pairs) ids.emplace(pair.a, pair.b);
  int first = kNoFrame;
  for (const auto& both : ids) {
    const auto then = values(old, was, both), here = values(now, is, both);
    if (!then || !here || *then == *here) continue;
    first = std::min(first, std::max(first_contact(both.first), first_contact(both.second)));
  }
  return first;
}

}  // namespace

bool collides(const Object& object) { return object.contact.enabled && object.contact.shape != ContactShape::none; }

std::vector<std::string_view> group_names(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    const std::size_t first = name.find_first_not_of(kSpaces);
    if (first == std::string_view::npos) continue;
    names.push_back(name.substr(first, name.find_last_not_of(kSpaces) + 1 - first));
  }
  return names;
}

std::size_t ignored_groups(const Scene& scene) { return numbered(with_groups(scene)).size(); }

std::vector<ObjectGroups> collision_groups(const Scene& scene) {
  const std::vector<const Object*> objects = with_groups(scene);
  const std::map<std::string_view, std::size_t> numbers = numbered(objects);
  std::vector<ObjectGroups> groups;
  if (numbers.empty()) return groups;
  const auto bits = [&](std::string_view list) {
    std::uint64_t mask = 0;
    for (const std::string_view name : group_names(list))
      if (const auto at = numbers.find(name); at != numbers.end() && at->second < kMostGroups)
        mask |= std::uint64_t{1} << at->second;
    return mask;
  };
  for (const Object* object : objects) {
    const GroupMask mask{bits(object->contact.groups), bits(object->contact.ignores)};
    if (mask != GroupMask{}) groups.push_back({object->id, mask});
  }
  drop_idle(groups);
  return groups;
}

GroupMask mask_of(const std::vector<ObjectGroups>& groups, Id id) {
  const auto at = std::lower_bound(groups.begin(), groups.end(), id,
                                   [](const ObjectGroups& object, Id wanted) { return object.id < wanted; });
  return at != groups.end() && at->id == id ? at->mask : GroupMask{};
}

std::vector<PairValues> pair_values(const Scene& scene) {
  if (scene.pairs.empty()) return {};
  const std::vector<const Object*> objects = colliding(scene);
  std::map<std::pair<Id, Id>, PairValues> found;
  for (const auto& pair : scene.pairs) {
    const std::pair<Id, Id> ids = std::minmax(Id{pair->a}, Id{pair->b});
    if (!pair->visible || ids.first == ids.second || !find_in(objects, ids.first) || !find_in(objects, ids.second))
      continue;
    found[ids] = {ids.first, ids.second, pair->restitution, pair->friction};
  }
  std::vector<PairValues> values;
  for (const auto& [ids, one] : found) values.push_back(one);
  return values;
}

double mixed_value(double x1, double x2) { return std::sqrt(x1 * x2); }

void add_contact_rules(Hasher& hasher, const Scene& scene) {
  if (const auto groups = collision_groups(scene); !groups.empty()) {
    hasher.add(std::string_view("groups"));
    for (const ObjectGroups& object : groups) hasher.add(object.id.value).add(object.mask.in).add(object.mask.ignores);
  }
  if (const auto pairs = pair_values(scene); !pairs.empty()) {
    hasher.add(std::string_view("pairs"));
    for (const PairValues& pair : pairs)
      hasher.add(pair.a.value).add(pair.b.value).add(pair.restitution).add(pair.friction);
  }
}

std::optional<int> first_ruled_otherwise(const Scene& before, const Scene& after,
                                         const std::function<int(Id)>& first_contact) {
  const std::optional<int> groups = groups_otherwise(before, after, first_contact);
  const std::optional<int> pairs = pairs_otherwise(before, after, first_contact);
  if (!groups || !pairs) return groups ? groups : pairs;
  return std::min(*groups, *pairs);
}

}  // namespace hazumi
