// Another material, from the one that it has by then: how it is seen, and how it meets others. With s₀ and v₀ the share and a number of the
// material that it had as it begins, v₁ the one that is asked for, a its share and x the part of the time that is over:
//
//   s = s₀ (1 − x) + a x,   v = (v₀ s₀ (1 − x) + v₁ a x)/s,   of its own 1 − s
//
// One of the shipped materials, or one whose numbers the box itself has: a person's own are kept beside the program, and a scene opens
// the same elsewhere.
//
// How heavy and how stiff it is stays: a run is made from that.
#include <algorithm>

#include "core/motion/material_box.h"
#include "core/motion/sight.h"
#include "core/scene/values/materials.h"
#include "core/sim/constraint/substance_told.h"

namespace hazumi {
namespace {

std::span<const std::string_view> material_names() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
    names.push_back(kOwnNumbers);
    return names;
  }();
  return all;
}

constexpr std::string_view kMaterialSides[] = {"look and contact", "look", "contact"};
enum MaterialSide : int { kBothSides, kLookAlone, kContactAlone };

constexpr ParameterRow material_part(std::string_view name, std::string_view label, double fallback) {
  return number_row(name, label, "", "Of own numbers: how it is seen.", 0, 1, fallback);
}

/// Made when they are first asked for: the words are of another table.
std::span<const ParameterRow> material_rows() {
  static const ParameterRow rows[] = {
      {.name = "material",
       .label = "Material",
       .tooltip = "What it becomes; own numbers: what the numbers below say. How heavy and how stiff it is stays.",
       .type = FieldType::choice,
       .choices = material_names(),
       .fallback = static_cast<double>(find_material("red rubber") - material_presets().data())},
      {.name = "side",
       .label = "Changes",
       .tooltip = "How it is seen, how it bounces and rubs, or both.",
       .type = FieldType::choice,
       .choices = kMaterialSides},
      number_row("duration", "In", "s", "How long it takes; 0: at once.", 0, 1e6, 0.2),
      number_row("share", "Share", "%", "How much of the material; 0 gives it its own again.", 0, 100, 100),
      number_row("friction", "Friction", "", "Of own numbers: Coulomb coefficient μ.", 0, 10, 0.5),
      number_row("restitution", "Bounce", "", "Of own numbers: the part of its speed with which it leaves.", 0, 1, 0.6),
      material_part("diffuse_red", "Colour, red", 0.8),
      material_part("diffuse_green", "Colour, green", 0.8),
      material_part("diffuse_blue", "Colour, blue", 0.8),
      material_part("ambient_red", "In shade, red", 0.2),
      material_part("ambient_green", "In shade, green", 0.2),
      material_part("ambient_blue", "In shade, blue", 0.2),
      material_part("specular_red", "Highlight, red", 0.2),
      material_part("specular_green", "Highlight, green", 0.2),
      material_part("specular_blue", "Highlight, blue", 0.2),
      number_row("shininess", "Shininess", "", "Of own numbers: higher makes the highlight smaller.", 0, 128, 16),
      material_part("opacity", "Opacity", 1)};
  return rows;
}
enum MaterialRow : std::size_t {
  kMaterialName,
  kMaterialSide,
  kMaterialDuration,
  kMaterialShare,
  kMaterialFriction,
  kMaterialRestitution,
  kMaterialDiffuse,
  kMaterialAmbient = kMaterialDiffuse + 3,
  kMaterialSpecular = kMaterialAmbient + 3,
  kMaterialShininess = kMaterialSpecular + 3,
  kMaterialOpacity
};
enum MaterialMemory : std::size_t {
  kMaterialWasSeen,
  kMaterialWasFelt,
  kMaterialWasRough,
  kMaterialWasBouncy,
  kMaterialWasShiny,
  kMaterialWasOpaque,
  kMaterialWasAmbient,
  kMaterialWasDiffuse = kMaterialWasAmbient + 3,
  kMaterialWasSpecular = kMaterialWasDiffuse + 3,
  kMaterialMemory = kMaterialWasSpecular + 3
};

struct MaterialAsked {
  Surface surface;
  double friction = 0, restitution = 0;
};

MaterialAsked material_asked(std::span<const double> p) {
  const auto which = static_cast<std::size_t>(p[kMaterialName]);
  if (which < material_presets().size()) {
    const MaterialPreset& preset = material_presets()[which];
    return {preset.surface, preset.substance.friction, preset.substance.restitution};
  }
  const auto colour = [&](std::size_t at) { return Vec3(p[at], p[at + 1], p[at + 2]); };
  Surface surface;
  surface.ambient = colour(kMaterialAmbient);
  surface.diffuse = colour(kMaterialDiffuse);
  surface.specular = colour(kMaterialSpecular);
  surface.shininess = p[kMaterialShininess];
  surface.opacity = p[kMaterialOpacity];
  return {surface, p[kMaterialFriction], p[kMaterialRestitution]};
}

void material_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const MaterialTold& was = context.look.material;
  memory[kMaterialWasSeen] = was.seen;
  memory[kMaterialWasFelt] = was.felt;
  memory[kMaterialWasRough] = was.friction;
  memory[kMaterialWasBouncy] = was.restitution;
  memory[kMaterialWasShiny] = was.surface.shininess;
  memory[kMaterialWasOpaque] = was.surface.opacity;
  std::copy_n(was.surface.ambient.data(), 3, &memory[kMaterialWasAmbient]);
  std::copy_n(was.surface.diffuse.data(), 3, &memory[kMaterialWasDiffuse]);
  std::copy_n(was.surface.specular.data(), 3, &memory[kMaterialWasSpecular]);
}

/// What it is told `past` seconds after it began.
MaterialTold material_at(const MotionContext& context, double past, std::span<const double> memory) {
  const auto& p = context.parameters;
  const double part = p[kMaterialDuration] > 0 ? std::clamp(past / p[kMaterialDuration], 0.0, 1.0) : 1;
  const MaterialAsked asked = material_asked(p);
  const int side = static_cast<int>(p[kMaterialSide]);
  const auto share = [&](bool changes, double was, double& kept, double& more) {
    kept = changes ? was * (1 - part) : was;
    more = changes ? 0.01 * p[kMaterialShare] * part : 0;
    return kept + more;
  };
  double kept = 0, more = 0;
  MaterialTold told;
  told.seen = share(side != kContactAlone, memory[kMaterialWasSeen], kept, more);
  const auto mixed = [&](const auto& was, const auto& is) {
    using Value = std::decay_t<decltype(is)>;
    if (!(more > 0)) return kept > 0 ? Value(was) : is;
    return Value((kept * was + more * is) / (kept + more));
  };
  const auto vector = [&](std::size_t at) { return Vec3(memory[at], memory[at + 1], memory[at + 2]); };
  told.surface.ambient = mixed(vector(kMaterialWasAmbient), asked.surface.ambient);
  told.surface.diffuse = mixed(vector(kMaterialWasDiffuse), asked.surface.diffuse);
  told.surface.specular = mixed(vector(kMaterialWasSpecular), asked.surface.specular);
  told.surface.shininess = mixed(memory[kMaterialWasShiny], asked.surface.shininess);
  told.surface.opacity = mixed(memory[kMaterialWasOpaque], asked.surface.opacity);
  told.felt = share(side != kLookAlone, memory[kMaterialWasFelt], kept, more);
  told.friction = mixed(memory[kMaterialWasRough], asked.friction);
  told.restitution = mixed(memory[kMaterialWasBouncy], asked.restitution);
  return told;
}

void material_look(const MotionContext& context, double past, std::span<const double> memory, BodyLook& look) {
  look.material = material_at(context, past, memory);
}

void material_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                     BodyForces& forces) {
  const MaterialTold told =
      material_at(context, context.time(static_cast<double>(context.state.substep + 1 - own.start)), memory);
  if (!(told.felt > 0)) return;
  const Substance& substance = context.of_body().substance;
  if (!substance_told({&forces, 1}, 0)) tell_substance(forces, substance.friction, substance.restitution);
  const auto mixed = [&](double has, double other) {
    return told.felt >= 1 ? other : (1 - told.felt) * has + told.felt * other;
  };
  for (ContactTold& contact : forces.contacts) {
    if (contact.other != kOfItself) continue;
    contact.friction = mixed(*contact.friction, told.friction);
    contact.restitution = mixed(*contact.restitution, told.restitution);
  }
}

bool material_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return context.parameters[kMaterialDuration] <= 0 || ran_for(context, own, context.parameters[kMaterialDuration]);
}

}  // namespace

const ProcedureKind& procedure_material() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "material",
        "Material",
        "Gives it another material, at once or over a time: how it looks, bounces and rubs; pictures on it stay.",
        "make {of} {material}, {side}, in {duration}",
        "Look",
        material_rows(),
        OtherUse::none};
    k.claim = Claim::material;
    k.stays = true;
    k.memory = kMaterialMemory;
    k.begin = material_begin;
    k.look = material_look;
    k.direct = material_direct;
    k.over = material_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
