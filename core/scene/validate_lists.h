// Checks the lists of things (scene/values/lists.h): sizes, numbers and fields of all entries, and of objects what
// several of them say together: metaballs, trusses strung by hand, skeleton, analysis models kept beside the present one,
// materials of parts. Private to validate.
#pragma once

#include <functional>
#include <string>

#include "core/scene/values/lists.h"

namespace hazumi {

using ReportError = std::function<void(std::string path, std::string message, std::string hint)>;

inline std::string numbered(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

class EntryChecker {
 public:
  EntryChecker(std::string where, const ReportError& error) : where_(std::move(where)), error_(error) {}

  /// Sizes, numbers and fields of every entry of every list. False when something was wrong.
  template <class Owner>
  bool entries(const Owner& owner, const Owner* before) {
    bool fine = true;
    visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
      const std::vector<Entry>& all = list.get(owner);
      const std::vector<Entry>* old = before == nullptr ? nullptr : &list.get(*before);
      if (&all == old) return;  // a truss that both share
      const std::string path(list.path);
      if (all.size() > list.most) {
        error(path, "There are " + std::to_string(all.size()) + " " + std::string(list.entries) + "; at most " +
                        std::to_string(list.most) + " are possible.");
        fine = false;
        return;
      }
      for (std::size_t i = 0; i < all.size() && fine; ++i) {
        const Entry* same = old != nullptr && i < old->size() ? &(*old)[i] : nullptr;
        fine = entry(path, i, all[i], same);
      }
    });
    return fine;
  }

  void error(const std::string& path, std::string message, std::string hint = {}) {
    error_(where_ + path, std::move(message), std::move(hint));
  }

 private:
  template <class Entry>
  bool entry(const std::string& list, std::size_t index, const Entry& entry, const Entry* before) {
    if constexpr (kIsRow<Entry>) {
      constexpr auto& columns = RowFormat<Entry>::columns;
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (std::string problem = column_problem(columns[i], RowFormat<Entry>::get(entry, i)); !problem.empty())
          return error(numbered(list, index), std::move(problem)), false;
      return true;
    } else {
      if (before != nullptr && same_entry(entry, *before)) return true;
      const std::string& name = entry_name(entry);
      const std::string place = numbered(list, index) + (name.empty() ? " " : " \"" + name + "\" ");
      for (const auto& field : entry_fields(std::type_identity<Entry>{}))
        if (std::string problem = field_problem(field, field.get(entry)); !problem.empty())
          return error(place + std::string(field.path), std::move(problem)), false;
      EntryChecker inner(where_ + place, error_);
      return inner.entries(entry, before);
    }
  }

  std::string where_;
  const ReportError& error_;
};

/// `where` ends with a space: "objects[3] "Ball" ". `before`: the same thing in a valid scene, whose entries need no
/// second look; may be null.
void check_lists(const Object& object, const Object* before, const std::string& where, const ReportError& error);
void check_lists(const ParticleSource& source, const ParticleSource* before, const std::string& where,
                 const ReportError& error);
template <class Thing>
void check_lists(const Thing& thing, const Thing* before, const std::string& where, const ReportError& error) {
  EntryChecker(where, error).entries(thing, before);
}

}  // namespace hazumi
