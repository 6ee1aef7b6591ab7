// What keys of a box change of what waits or runs, as a sub-step ends.
#include <algorithm>

#include "core/motion/look.h"

namespace hazumi {
namespace {

/// By how it is processed it goes a path or does not, which is settled as it starts.
bool is_settled(const BoundBox& box, const BoundKeys& keys) {
  return box.procedure->parameters[keys.row].name == "processing";
}

}  // namespace

/// A procedure that runs has in the sub-step that comes what its keys say as it begins: numbers, choices, and what it is about. What goes
/// along a path, or is settled, keeps that with which it started. What remembers something of a choice, or of what it is about, remembers it
/// anew. False: it is over.
bool MotionLook::take_keys(std::size_t i, double film) {
  std::vector<RunningProcedure>& running = state_.motion.running;
  const std::size_t at = d_.number(running[i].box);
  if (at == d_.boxes.size()) return true;
  const BoundBox& box = d_.boxes[at];
  if (box.keys.empty() && box.keyed_others.empty()) return true;
  const std::uint32_t body = model_.bodies.number(running[i].object);
  const BoundOther& was = about(box, running[i]);
  if (keeps_start(box, running[i])) return true;
  const BoundOther& other = box.about(film);
  const bool other_changed = &other != &was;
  if (other.idle) {
    end(i, 1);
    return false;
  }
  const std::size_t count = box.values.size();
  bool choice_changed = false;
  for (const BoundKeys& keys : box.keys) {
    if (is_settled(box, keys)) continue;
    double& value = running[i].values[keys.row];
    const double now = keys.at(film);
    choice_changed = choice_changed || (keys.range.type != FieldType::number && value != now);
    value = now;
  }
  if (!other_changed && !choice_changed) return true;
  const Taker taker{box, body, other, box.procedure->tell ? static_cast<std::size_t>(running[i].values[0]) : 0};
  const Id own_box = running[i].box, own_object = running[i].object;
  const auto is_own = [&](const RunningProcedure& one) { return one.box == own_box && one.object == own_object; };
  const bool claims = box.procedure->claim == Claim::number || box.procedure->claim == Claim::contact;
  NumberTold told;
  if (box.procedure->tell) {
    // It has left what it told until now.
    const RunningProcedure own = running[i];
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    told = told_of(taker);
    running.insert(running.begin() + static_cast<std::ptrdiff_t>(i), own);
  }
  for (std::size_t j = 0; claims && j < running.size();)
    if (!is_own(running[j]) && takes_over(taker, running[j]))
      end(j, 1);
    else
      ++j;
  const auto own = std::find_if(running.begin(), running.end(), is_own);
  if (!box.procedure->renews) return true;
  const std::span<double> values(own->values);
  const std::span<double> memory = values.subspan(count, box.procedure->memory);
  std::fill(memory.begin(), memory.end(), 0.0);
  MotionContext begun = context(box, body, values.first(count), other);
  begun.told = told;
  box.procedure->begin(begun, *own, memory);
  return true;
}

void MotionLook::take_keys() {
  if (!d_.any_keys) return;
  const double film = model_.clock.film(state_.substep + 1);
  std::vector<std::pair<Id, Id>> all;
  for (const RunningProcedure& own : state_.motion.running) all.emplace_back(own.box, own.object);
  for (const auto& [box, object] : all) {
    const std::vector<RunningProcedure>& running = state_.motion.running;
    const auto at = std::find_if(running.begin(), running.end(), [box = box, object = object](const auto& one) {
      return one.box == box && one.object == object;
    });
    if (at != running.end()) take_keys(static_cast<std::size_t>(at - running.begin()), film);
  }
  forget_others(film);
}

/// What an event remembers is of what it was about: once it is about something else it begins anew.
void MotionLook::forget_others(double film) {
  if (state_.substep < 0) return;
  const double before = model_.clock.film(state_.substep);
  for (EventState& own : state_.motion.events) {
    if (own.memory == 0) continue;
    const std::size_t at = d_.number(own.box);
    if (at == d_.boxes.size() || !d_.boxes[at].event || d_.boxes[at].keyed_others.empty()) continue;
    if (&d_.boxes[at].about(before) == &d_.boxes[at].about(film)) continue;
    keep(own);
    own.memory = 0;
  }
}

}  // namespace hazumi
