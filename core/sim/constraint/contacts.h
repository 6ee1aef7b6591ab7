// Contacts of one sub-step: from the free motion of all bodies to where they end.
//
//   detect    where shapes meet between the two positions (contact/narrow.h)
//   rows      one per contact (row.h), shared out to islands (islands.h)
//   solve     every island by itself (island.h), several at a time
//   look      bodies now end elsewhere: what would pass there becomes a row too, and its island is solved again
//   finish    work booked, overlaps taken out
//   look      what that drives into others becomes a row too, and its island is solved and finished again
//   hold      what is deep in something that does not move all the same, and deeper than before, stays where it was
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/base/parallel.h"
#include "core/sim/constraint/island.h"
#include "core/sim/constraint/islands.h"
#include "core/sim/constraint/sleep.h"
#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape.h"
#include "core/sim/step.h"

namespace hazumi {

class ContactStage {
 public:
  /// `substep.state` holds the free motion, `shapes` both its ends. Adds events, pairs in touch and figures to `report`, and the
  /// memory of rows to the state. The number of the body that left all bounds, if there is one. `woken`: something came near what
  /// sleeps, which is awake now; the sub-step is to be made again, with its free motion.
  std::optional<std::size_t> run(const Substep& substep, std::vector<BodyShape>& shapes, Executor& executor,
                                 Sleep& sleep, bool& woken, StepReport& report);

 private:
  bool add_rows(const Substep& s, bool first);
  std::optional<std::size_t> solve(const Substep& s, Executor& executor);
  bool look_again(const Substep& s, std::vector<BodyShape>& shapes, bool after_lift, Sleep& sleep, bool& woken);
  const BodyMotion& seen(const Substep& s, std::uint32_t body);
  void finish(const Substep& s, Executor& executor);
  void hold_entered(const Substep& s, std::vector<BodyShape>& shapes);
  void leave(const Substep& s, const Sleep& sleep, StepReport& report);
  void report_gifts(const Substep& s, StepReport& report) const;
  void note_passing(const Substep& s, std::vector<BodyShape>& shapes, StepReport& report);
  void find_near(const Substep& s, std::vector<BodyShape>& shapes);
  void freshen(const Substep& s, std::uint32_t body);
  void load(const Substep& s, std::uint32_t body);
  void load_one(const Substep& s, std::uint32_t body);

  NearPairs near_;
  ContactSearch search_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> passing_;  ///< told to pass through each other
  std::vector<Contact> contacts_;
  std::vector<Row> rows_;
  std::vector<ContactKey> keys_;  ///< of the rows, ascending
  std::vector<char> fresh_;       ///< per body: it has rows that were not solved yet
  std::vector<char> loaded_;
  std::vector<char> lifted_;  ///< per body, in a look after overlaps were taken out: it was moved by that
  std::map<std::uint32_t, BodyMotion> seen_;  ///< of these
  std::vector<IslandRange> ranges_;
  std::vector<std::size_t> slot_;     ///< solver of each range
  std::vector<std::size_t> slot_of_;  ///< solver of the island whose first row is with this body
  std::vector<std::unique_ptr<IslandSolver>> solvers_;
  std::size_t used_ = 0;
  struct Noted {
    bool done = false;
    std::vector<ContactEvent> contacts;
    std::vector<ContactTouch> touches;
  };
  std::vector<Noted> noted_;  ///< of each solver that is finished
};

}  // namespace hazumi
