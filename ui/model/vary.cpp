#include "ui/model/vary.h"

#include <algorithm>
#include <cmath>

#include "core/motion/kinds.h"
#include "core/scene/derived/takes.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/elastic/parameters.h"
#include "ui/model/field_spec.h"
#include "ui/model/motion_commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr const char* kAxes[] = {"X", "Y", "Z"};

template <class Owner>
void add_variable(const Field<Owner>& field, const Owner& owner, const QString& label,
                  const std::function<Scene(Scene, const FieldValue&)>& put, std::vector<Variable>& all) {
  const FieldSpec spec = field_spec(field);
  Variable one;
  one.label = label;
  one.unit = spec.unit;
  one.tooltip = spec.tooltip;
  one.low = field.low;
  one.high = field.high;
  one.low_open = field.low_open;
  one.step = spec.shown_step();
  one.shown_scale = spec.shown_scale();
  const FieldValue now = field.get(owner);
  if (const auto* number = std::get_if<double>(&now)) {
    one.value = *number;
    one.set = [put](Scene scene, double value) { return put(std::move(scene), value); };
    all.push_back(std::move(one));
  } else if (const auto* whole = std::get_if<std::int64_t>(&now); whole && field.type == FieldType::integer) {
    one.value = static_cast<double>(*whole);
    one.integer = true;
    one.set = [put](Scene scene, double value) {
      return put(std::move(scene), static_cast<std::int64_t>(std::llround(value)));
    };
    all.push_back(std::move(one));
  } else if (const auto* vector = std::get_if<Vec3>(&now); vector && field.type == FieldType::vector) {
    for (int axis = 0; axis < 3; ++axis) {
      Variable part = one;
      part.label = label + QLatin1Char(' ') + QLatin1String(kAxes[axis]);
      part.value = (*vector)[axis];
      part.set = [put, axis, whole = *vector](Scene scene, double value) {
        Vec3 next = whole;
        next[axis] = value;
        return put(std::move(scene), next);
      };
      all.push_back(std::move(part));
    }
  }
}

template <class Thing>
void add_fields(std::span<const Field<Thing>> fields, const Thing& thing, std::vector<Variable>& all) {
  for (const Field<Thing>& field : fields) {
    if (!field.shown(thing) || field.refers != Refers::nothing) continue;
    add_variable<Thing>(
        field, thing, text_of(field.label),
        [&field, id = thing.id](Scene scene, const FieldValue& value) {
          return with_thing(std::move(scene), id, [&](auto& t) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(t)>, Thing>) field.set(t, value);
          });
        },
        all);
  }
}

template <class Owner>
std::vector<Field<Owner>> of_takes(std::span<const Field<Owner>> fields) {
  std::vector<Field<Owner>> own;
  for (const Field<Owner>& field : fields)
    if (belongs_to_take(field)) own.push_back(field);
  return own;
}

/// Rows that belong to takes, which live as long as the program.
template <class Owner>
std::span<const Field<Owner>> rows_of_takes(std::span<const Field<Owner>> (*table)()) {
  static const std::vector<Field<Owner>> rows = of_takes(table());
  return rows;
}

void add_boxes(const Scene& scene, Id object, std::vector<Variable>& all) {
  for (const auto& node : scene.motion) {
    if (node->object != object.value || !node->visible) continue;
    for (const Field<MotionNode>& field : motion_parameter_rows()) {
      if (!field.shown(*node) || find_track(scene, node->id.value, field.path)) continue;  // its keys say it
      add_variable<MotionNode>(
          field, *node, box_title(*node) + QStringLiteral(": ") + text_of(field.label),
          [&field, id = node->id](Scene next, const FieldValue& value) {
            return with_thing(std::move(next), id, [&](auto& t) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(t)>, MotionNode>) field.set(t, value);
            });
          },
          all);
    }
  }
}

}  // namespace

std::vector<Variable> variables_of(const Scene& scene, Id thing) {
  std::vector<Variable> all;
  if (!thing) {
    for (const Field<SceneSettings>& field : rows_of_takes(&settings_fields))
      if (field.shown(scene.settings))
        add_variable<SceneSettings>(
            field, scene.settings, text_of(field.label),
            [&field](Scene next, const FieldValue& value) {
              field.set(next.settings, value);
              return next;
            },
            all);
    return all;
  }
  if (const Object* object = find_object(scene, thing)) {
    add_fields(rows_of_takes(&object_fields), *object, all);
    add_fields(elastic_parameter_fields(), *object, all);
    add_boxes(scene, thing, all);
  } else if (const Joint* joint = find_joint(scene, thing)) {
    add_fields(rows_of_takes(&joint_fields), *joint, all);
  } else if (const Force* force = find_force(scene, thing)) {
    add_fields(rows_of_takes(&force_fields), *force, all);
  } else if (const ForceField* field = find_force_field(scene, thing)) {
    add_fields(rows_of_takes(&force_field_fields), *field, all);
  } else if (const ParticleSource* source = find_source(scene, thing)) {
    add_fields(rows_of_takes(&particle_source_fields), *source, all);
  }
  return all;
}

std::vector<std::pair<Id, QString>> things_to_vary(const Scene& scene, Id active) {
  std::vector<std::pair<Id, QString>> all;
  const auto add = [&](const auto& things) {
    for (const auto& thing : things) all.emplace_back(thing->id, QString::fromStdString(thing->name));
  };
  add(scene.objects);
  add(scene.joints);
  add(scene.forces);
  add(scene.fields);
  add(scene.particles);
  std::stable_sort(all.begin(), all.end(),
                   [active](const auto& a, const auto& b) { return a.first == active && b.first != active; });
  all.emplace_back(Id{}, tr("Scene"));
  return all;
}

QString name_of_value(const Variable& variable, double value) {
  const QString number = QString::number(value * variable.shown_scale, 'g', 4);
  return variable.label + QLatin1Char(' ') + number +
         (variable.unit.isEmpty() ? QString() : QLatin1Char(' ') + variable.unit);
}

Scene varied(Scene scene, const Variable& variable, double from, double to, int count) {
  const Scene before = scene;
  for (int k = 0; k < count; ++k) {
    const double value = count < 2 ? from : from + (to - from) * k / (count - 1);
    const Scene motion = variable.set(before, value);
    scene = with_take_of(std::move(scene), motion, name_of_value(variable, value).toStdString()).scene;
  }
  return scene;
}

}  // namespace hazumi
