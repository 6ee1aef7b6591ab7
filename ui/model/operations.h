// The operations of several commands: something that comes in beside what is there, a thing that is added, an array.
#pragma once

#include <memory>
#include <set>

#include "core/scene/derived/array.h"
#include "ui/model/operation.h"

namespace hazumi {

class Selection;

/// Copies, or what comes in from elsewhere: how far they stand away.
struct Shift {
  Vec3 offset = Vec3::Zero();  ///< m
};
using ShiftMake = OperationOf<Shift>::Make;
/// `follows`: a move at once, by the same gesture, moves all of it.
std::unique_ptr<Operation> shift_operation(const Vec3& offset, bool follows, ShiftMake make);

/// The things of these ids and what `settings` makes of them; all become the selection.
std::unique_ptr<Operation> array_operation(Selection& selection, std::set<Id> ids, Id active,
                                           const ArraySettings& settings);
inline constexpr int kMostInArray = 500;  ///< of a thing
/// Why there cannot be so many of so many things; empty: there can.
QString array_problem(std::size_t things, int count);

/// The thing at the end of its list, selected.
template <class Thing>
std::unique_ptr<Operation> added_operation(OperationRows<Thing> rows, Thing thing,
                                           std::vector<Shared<Thing>> Scene::*list, std::function<void()> select) {
  return std::make_unique<OperationOf<Thing>>(
      std::move(rows), std::move(thing), [list, select = std::move(select)](const Scene& before, const Thing& made) {
        Operation::Made result{before, select, {}};
        (result.scene.*list).push_back(Shared<Thing>(made));
        return result;
      });
}

}  // namespace hazumi
