// The signature of anything that has a field table and lists; for signature.cpp and diff.cpp.
#pragma once

#include <optional>

#include "core/base/hash.h"
#include "core/scene/derived/signature.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

/// Adds what a run reads of an owner, by when it is read. A row is added with its number, so that what one row no longer
/// says another does not.
class SignatureMaker {
 public:
  template <class Owner>
  void fields(std::span<const Field<Owner>> table, const Owner& owner) {
    for (std::size_t i = 0; i < table.size(); ++i)
      if (const Effect effect = effect_now(table[i], owner); effect != Effect::look) field(table[i], i, owner, effect);
  }

  template <class Owner>
  void lists(const Owner& owner) {
    std::uint64_t number = 1000;
    visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
      ++number;
      const Effect effect = list.reads(owner);
      if (effect == Effect::look) return;
      Hasher& hasher = of(effect);
      hasher.add(number);
      const std::vector<Entry>& entries = list.get(owner);
      if constexpr (kIsRow<Entry>) hasher.add(static_cast<std::uint64_t>(entries.size()));
      for (const Entry& entry : entries)
        if (list.counts == nullptr || list.counts(owner, entry)) add(entry, effect, list.numbers_read);
    });
  }

  Hasher& of(Effect effect) {
    std::optional<Hasher>& hasher = effect == Effect::motion ? motion_ : effect == Effect::touch ? touch_ : contact_;
    if (!hasher) hasher.emplace();
    return *hasher;
  }

  Signature take() const {
    const auto value = [](const std::optional<Hasher>& hasher) { return hasher ? hasher->value() : std::uint64_t{0}; };
    return {value(motion_), value(contact_), value(touch_)};
  }

 private:
  template <class Owner>
  void field(const Field<Owner>& field, std::size_t number, const Owner& owner, Effect effect) {
    Hasher& hasher = of(effect);
    hasher.add(static_cast<std::uint64_t>(number));
    if (field.content != nullptr)
      hasher.add(field.content(owner));
    else
      std::visit([&](const auto& value) { add_value(hasher, value); }, field.get(owner));
  }

  static void add_value(Hasher& hasher, const auto& value) { hasher.add(value); }
  static void add_value(Hasher& hasher, const std::string& text) { hasher.add(std::string_view(text)); }
  static void add_value(Hasher& hasher, const Vec3& v) { hasher.add(v.x()).add(v.y()).add(v.z()); }
  static void add_value(Hasher& hasher, const Quat& q) { hasher.add(q.w()).add(q.x()).add(q.y()).add(q.z()); }
  static void add_value(Hasher& hasher, const std::array<int, 3>& numbers) {
    for (int n : numbers) hasher.add(n);
  }

  template <class Entry>
  void add(const Entry& entry, Effect effect, bool number_read) {
    if constexpr (kIsRow<Entry>) {
      Hasher& hasher = of(effect);
      for (std::size_t i = 0; i < RowFormat<Entry>::columns.size(); ++i) hasher.add(RowFormat<Entry>::get(entry, i));
    } else {
      if constexpr (kHasNumber<Entry>)
        if (number_read) of(effect).add(std::uint64_t{entry.id});
      fields(entry_fields(std::type_identity<Entry>{}), entry);
      lists(entry);
    }
  }

  std::optional<Hasher> motion_, contact_, touch_;
};

template <class Thing>
Signature signature_of_thing(const Thing& thing, std::span<const Field<Thing>> table) {
  SignatureMaker maker;
  if constexpr (requires { thing.id.value; }) maker.of(Effect::motion).add(thing.id.value);
  maker.fields(table, thing);
  maker.lists(thing);
  return maker.take();
}

template <class Thing>
Signature signature_of_shared(const Shared<Thing>& thing, std::span<const Field<Thing>> table) {
  const auto note = thing.noted([&](const Thing& value) {
    const Signature made = signature_of_thing(value, table);
    return std::array{made.motion, made.contact, made.touch};
  });
  return {note[0], note[1], note[2]};
}

}  // namespace hazumi
