// What objects say together about their contacts: which ignore each other, and pairs with values of their own. A run reads it
// of the whole scene, not object by object: a group that nobody ignores is nothing.
//
// Groups: an object is in those that it names, and ignores those that it names. Two objects ignore each other where one of them
// ignores a group that the other one is in. Names are compared as they are, without the spaces around them.
// Pairs: of two objects the values of the last pair that is on; of others the geometric means √(x₁ x₂) of their materials.
// What takes no part in contacts says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::size_t kMostGroups = 64;  ///< that are ignored, in a scene

/// One bit for each group that some object is in and some object ignores.
struct GroupMask {
  std::uint64_t in = 0, ignores = 0;
  friend auto operator<=>(const GroupMask&, const GroupMask&) = default;
};

inline bool ignore_each_other(const GroupMask& a, const GroupMask& b) {
  return ((a.in & b.ignores) | (b.in & a.ignores)) != 0;
}

struct ObjectGroups {
  Id id;
  GroupMask mask;
  friend bool operator==(const ObjectGroups&, const ObjectGroups&) = default;
};

/// Whether the object takes part in contacts.
bool collides(const Object& object);
/// The names in a list of groups.
std::vector<std::string_view> group_names(std::string_view list);
/// How many groups some object is in and some object ignores.
std::size_t ignored_groups(const Scene& scene);
/// Objects whose mask is not empty, ascending by id. Bits are given in the order in which objects name the groups that they are
/// in: other names make no other run. Of more than kMostGroups the first.
std::vector<ObjectGroups> collision_groups(const Scene& scene);
GroupMask mask_of(const std::vector<ObjectGroups>& groups, Id id);

struct PairValues {
  Id a, b;  ///< a < b; both are there, and take part in contacts
  double restitution = 0, friction = 0;
  friend bool operator==(const PairValues&, const PairValues&) = default;
};

/// Ascending by (a, b).
std::vector<PairValues> pair_values(const Scene& scene);
/// √(x₁ x₂).
double mixed_value(double x1, double x2);

/// Adds what a run reads of the rules; of a scene without any nothing.
void add_contact_rules(Hasher& hasher, const Scene& scene);

/// The first frame from which on the rules of `after` can make another run than those of `before`, with what both versions have in
/// common: kNoFrame for none of those computed. Nothing: the rules are the same. `first_contact`: of an object, in the run of
/// `before`.
std::optional<int> first_ruled_otherwise(const Scene& before, const Scene& after,
                                         const std::function<int(Id)>& first_contact);

}  // namespace hazumi
