// The kinds of collision shapes. Each is one file of contact/shapes: it defines `const ContactShapeInfo& contact_NAME()`, and a
// generated table finds it. How two kinds meet is a row of one of them; the rows of all files are the pair table.
#pragma once

#include <span>
#include <string_view>

#include "core/geometry/mesh/mesh.h"
#include "core/sim/contact/proxy.h"

namespace hazumi {

struct BodyShape;
class ContactSink;

/// What a proxy is made from; all in the body frame.
struct ProxySetup {
  const Object& object;
  const Body& body;                ///< everything but its proxy is filled in
  const std::vector<Vec3>& cloud;  ///< display vertices, or nodes where there is no mesh; object frame
  Box3 box;                        ///< of the cloud
  const Body* before;              ///< the same object's in the model before, whose parts may be taken over; null: none
};

struct PairRow {
  std::string_view other;  ///< ContactShapeInfo::name
  /// Contacts of a shape of this kind, body i of the sink, with one of the other kind.
  void (*find)(BodyShape& shape, BodyShape& other, ContactSink& sink);
};

struct ContactShapeInfo {
  std::string_view name;                  ///< "points"
  std::span<const ContactShape> choices;  ///< of the scene that become one; the first is what proxies say
  bool flat = false;                      ///< its surface has no curvature of its own at a Hertz contact
  std::span<const PairRow> pairs;         ///< each pair of kinds is in one file; two kinds without a row do not meet
  void (*make)(const ProxySetup& setup, ContactProxy& proxy) = nullptr;
  /// Whether `automatic` is this by the object's looks; null: never.
  bool (*suits)(const Object& object, const Body& body) = nullptr;
  /// Without bounds, it is compared with every body that moves: whether that one may touch it. Null: it has bounds.
  bool (*near)(const BodyShape& shape, const BodyShape& other) = nullptr;
  /// Where a shape touches itself; null: it does not.
  void (*itself)(BodyShape& shape, ContactSink& sink) = nullptr;
};

/// All kinds, in order of their file names.
std::span<const ContactShapeInfo* const> contact_shapes();
const ContactShapeInfo* find_contact_shape(ContactShape choice);  ///< null: `none` and `automatic`

/// Row of two kinds, either way round: `swapped` when it is the second one's.
struct FoundPair {
  const PairRow* row = nullptr;
  bool swapped = false;
};
FoundPair find_pair(const ContactShapeInfo& a, const ContactShapeInfo& b);

}  // namespace hazumi
