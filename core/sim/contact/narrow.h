// Narrow phase: where two shapes touch within a sub-step. Each function finds the contacts of one pair of shapes and
// appends them; all of them see the motion from start to end of the sub-step, so that nothing fast passes through.
// Which function meets which shapes is told by the rows of contact/shapes (shape_table.h).
#pragma once

#include <memory>
#include <mutex>

#include "core/base/parallel.h"
#include "core/sim/constraint/memory.h"
#include "core/sim/contact/face_marks.h"
#include "core/sim/contact/shape.h"

namespace hazumi {

/// Of the first and of the second of a pair.
struct PairMarks {
  FaceMarks first, second;
};

/// Collects contacts of the bodies i and j; normals are given from j to i and turned round where the order asks for it.
class ContactSink {
 public:
  /// `thickness`: of both together; `rows`: of the two bodies, in the sub-step before; `of_i`, `of_j`: their parts, null: each is one.
  ContactSink(PairMarks& pair_marks, std::vector<Contact>& out, std::uint32_t i, std::uint32_t j, double slop,
              double thickness, std::span<const RowMemory> rows, const BodyParts* of_i = nullptr,
              const BodyParts* of_j = nullptr)
      : marks(pair_marks),
        out_(out),
        first_(out.size()),
        i_(i),
        j_(j),
        slop_(slop),
        thickness_(thickness),
        rows_(rows),
        of_i_(of_i && of_i->count > 1 ? of_i : nullptr),
        of_j_(of_j && of_j->count > 1 ? of_j : nullptr) {}
  double slop() const { return slop_; }
  /// Between the shapes without their thickness; contacts with a wider gap are not listed.
  double margin() const { return slop_ * (kKeep / kSlop) + thickness_; }
  /// gap: at the end of the sub-step, between the shapes without their thickness.
  void add(std::uint64_t feature, const Vec3& point, const Vec3& normal, double gap, const ContactAnchor& on_i,
           const ContactAnchor& on_j, const ShortList<ContactStart>& starts = {});
  /// All that were there, ascending.
  std::span<const RowMemory> before() const { return rows_; }
  bool empty() const { return out_.size() == first_; }
  /// Whether nothing has been added of the parts that these anchors are on.
  bool empty(const ContactAnchor& on_i, const ContactAnchor& on_j) const;
  /// A row that was there whose feature is this one but for its last `loose` bits; null: none.
  const RowMemory* remembered(std::uint64_t feature, int loose) const;
  /// Leaves few of what was added (thin.h), of each pair of parts. What deforms needs more.
  void thin(bool deforms);
  PairMarks& marks;
  bool limp = false;  ///< one of the two is (Body::limp): all of its places that touch stay

 private:
  std::uint64_t parts_of(const ContactAnchor& on_i, const ContactAnchor& on_j) const;
  void thin_from(std::size_t first, bool deforms, std::size_t nodes, double size);

  std::vector<Contact>& out_;
  std::size_t first_;
  std::uint32_t i_, j_;
  double slop_, thickness_;
  std::span<const RowMemory> rows_;
  const BodyParts *of_i_, *of_j_;  // null: one part
};

ContactAnchor body_anchor(const BodyShape& shape, const Vec3& p);
/// Anchor of a place on a sphere: for a round body the place stays where it is while the body turns; for a flexible one
/// the hull triangle that looks there.
ContactAnchor sphere_anchor(const BodyShape& shape, const Vec3& p);

// `first` is body i of the sink in all of them.
void points_plane(BodyShape& points, const BodyShape& plane, ContactSink& sink);
void sphere_plane(const BodyShape& sphere, const BodyShape& plane, ContactSink& sink);
void points_box(BodyShape& points, const BodyShape& box, ContactSink& sink);
void sphere_box(const BodyShape& sphere, const BodyShape& box, ContactSink& sink);
void points_sphere(BodyShape& points, const BodyShape& sphere, ContactSink& sink);
void sphere_sphere(const BodyShape& a, const BodyShape& b, ContactSink& sink);
void box_box(BodyShape& a, BodyShape& b, ContactSink& sink);

/// Finds all contacts of one sub-step.
class ContactSearch {
 public:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  /// Ordered as the pairs are. Shapes must be read and finished. `rows`: State::rows at its start. With an executor pairs are shared out to
  /// its threads; the answer is the same.
  void find(std::vector<BodyShape>& shapes, const Pairs& pairs, std::span<const RowMemory> rows,
            std::vector<Contact>& out, Executor* executor = nullptr);

 private:
  void share_out(const std::vector<BodyShape>& shapes, const Pairs& pairs);
  std::unique_ptr<PairMarks> take_marks();
  void give_back(std::unique_ptr<PairMarks> marks);

  std::mutex marking_;
  std::vector<std::unique_ptr<PairMarks>> marks_;  // that no thread uses
  std::vector<std::vector<std::uint32_t>> rounds_;
  std::vector<std::uint64_t> taken_;         // rounds of each body
  std::vector<std::vector<Contact>> found_;  // of each pair
};

}  // namespace hazumi
