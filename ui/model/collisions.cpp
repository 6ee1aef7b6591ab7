#include "ui/model/collisions.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/copies.h"
#include "core/scene/values/body_kinds.h"
#include "core/sim/contact/hertz.h"
#include "ui/model/commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

const QString kNoFigure = QStringLiteral("–");

/// Three figures, no exponent.
QString three(double value) {
  const double size = std::abs(value);
  if (!(size > 0)) return QStringLiteral("0");
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(1.0005001 * size)));
  return QString::number(value, 'f', std::clamp(decimals, 0, 6));
}

QString time_text(double seconds, double frame_rate) {
  return tr("%1 · %2 frames").arg(figure_text(seconds, QStringLiteral("s")), three(seconds * frame_rate));
}

struct CollisionFacts {
  const ContactEvent& event;
  const std::optional<ContactMeasure>& measure;
  double step, frame_rate;
  int whole;  ///< frame of the collision that it is a part of
};

bool moves(const Scene& scene, Id id) {
  const Object* object = find_object(scene, id);
  return object ? body_kind(object->body.kind).moves : find_source(scene, id) != nullptr;
}

/// Why nothing can be measured; empty where it can. `short_too`: also when it was over within a sub-step.
QString why_not(const CollisionFacts& r, bool short_too = false) {
  if (!r.measure)
    return tr("Not measured: both are rigid and bounce within one sub-step. The closed form says what they would do.");
  if (r.measure->state == ContactMeasure::State::part)
    return tr("Not measured by itself: it is a part of the collision of the two that began in frame %1.").arg(r.whole);
  if (!short_too && r.measure->substeps() < 2)
    return tr("Not measured: it was over within one sub-step (%1). With more sub-steps a frame it can be seen.")
        .arg(figure_text(r.step, QStringLiteral("s")));
  return {};
}

CollisionFigure impulse_of(const CollisionFacts& r) {
  CollisionFigure f{figure_text(r.event.impulse, QStringLiteral("N s")), kNoFigure, {}};
  f.tip = tr("Closed form: (1 + restitution) times the approach speed times the mass that answers.");
  const QString why = why_not(r, true);
  if (why.isEmpty()) f.measured = figure_text(r.measure->impulse, QStringLiteral("N s"));
  f.tip += QLatin1Char('\n') + (why.isEmpty() ? tr("Measured: along the normal, of the whole collision.") : why);
  return f;
}

CollisionFigure force_of(const CollisionFacts& r) {
  CollisionFigure f{figure_text(r.event.peak_force, QStringLiteral("N")), kNoFigure, {}};
  f.tip = tr("Closed form: the peak by Hertz. A sine pulse of this impulse and time has %1.")
              .arg(figure_text(r.event.pulse_peak, QStringLiteral("N")));
  const QString why = why_not(r);
  if (!why.isEmpty()) {
    f.tip += QLatin1Char('\n') + why;
    return f;
  }
  const double mean = r.measure->impulse / (r.measure->substeps() * r.step);
  f.measured = figure_text(r.measure->force, QStringLiteral("N"));
  f.tip += QLatin1Char('\n') + tr("Measured: the greatest force, as a mean over a sub-step; %1 over the whole contact.")
                                   .arg(figure_text(mean, QStringLiteral("N")));
  return f;
}

CollisionFigure time_of(const CollisionFacts& r) {
  CollisionFigure f{time_text(r.event.duration, r.frame_rate), kNoFigure, {}};
  f.tip = tr("Closed form: how long they touch by Hertz.");
  if (const QString why = why_not(r); !why.isEmpty()) {
    f.tip += QLatin1Char('\n') + why;
    return f;
  }
  const int steps = r.measure->substeps();
  const QString time = time_text(steps * r.step, r.frame_rate);
  switch (r.measure->state) {
    case ContactMeasure::State::parted:
      f.measured = time;
      f.tip += QLatin1Char('\n') + tr("Measured: %1 sub-steps from the first touch to the last.").arg(steps);
      break;
    case ContactMeasure::State::resting:
      f.measured = tr("stays");
      f.tip += QLatin1Char('\n') + tr("Measured: it stays; it had come to rest after %1.").arg(time);
      break;
    default:
      f.measured = tr("> %1").arg(time);
      f.tip += QLatin1Char('\n') + tr("Measured: they still touch in the last frame that is computed.");
      break;
  }
  return f;
}

CollisionFigure squash_of(const CollisionFacts& r) {
  const double closed = hertz_squash(r.event.approach_speed, r.event.duration);
  CollisionFigure f{figure_text(closed, QStringLiteral("m")), kNoFigure, {}};
  f.tip = tr("Closed form: how far the two come nearer by Hertz.");
  const QString why = why_not(r);
  if (why.isEmpty()) f.measured = figure_text(r.measure->squash, QStringLiteral("m"));
  f.tip += QLatin1Char('\n') + (why.isEmpty() ? tr("Measured: by how much the two as wholes came nearer.") : why);
  return f;
}

}  // namespace

QString figure_text(double value, const QString& unit) {
  struct Prefix {
    double size;
    const char* sign;
  };
  static constexpr Prefix kPrefixes[] = {{1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}};
  const double size = std::abs(value);
  if (!(size > 0)) return QStringLiteral("0 ") + unit;
  // Lengths and times are in thousandths up to one whole; of the other units nobody counts in thousandths.
  const bool thousandths = unit == QLatin1String("m") || unit == QLatin1String("s");
  for (const Prefix& p : kPrefixes) {
    if (thousandths ? p.size > 1 : p.size < 1) continue;
    if (size >= 0.9995 * p.size || p.size == (thousandths ? 1e-3 : 1))
      return three(value / p.size) + QLatin1Char(' ') + QString::fromUtf8(p.sign) + unit;
  }
  return {};
}

std::vector<CollisionRow> collisions_of_frame(const RunLog& log, const Scene& scene, const std::set<Id>& selected,
                                              int frame) {
  struct Entry {
    CollisionRow row;
    bool chosen;
    double impulse;
  };
  std::vector<Entry> entries;
  const auto begins = [](const auto& entry, int wanted) { return entry.first < wanted; };
  auto at = std::lower_bound(log.contacts.begin(), log.contacts.end(), frame, begins);
  if (at == log.contacts.end() || at->first != frame) return {};
  const auto measured = log.measured();
  const double rate = scene.settings.frame_rate, step = 1 / (rate * log.clock.substeps());
  for (; at != log.contacts.end() && at->first == frame; ++at) {
    const ContactEvent& event = at->second;
    const auto& measure = measured[static_cast<std::size_t>(at - log.contacts.begin())];
    const int whole = measure ? log.contacts[measure->whole].first : 0;
    const CollisionFacts reading{event, measure, step, rate, whole};
    CollisionRow row{thing_of(event.a), thing_of(event.b), frame, {}, {}, impulse_of(reading), force_of(reading),
                     time_of(reading),  squash_of(reading)};
    const bool first_a = selected.contains(row.a), first_b = selected.contains(row.b);
    if (first_a != first_b ? first_b : !moves(scene, row.a)) std::swap(row.a, row.b);
    row.objects = tr("%1 – %2").arg(name_of(scene, row.a), name_of(scene, row.b));
    row.speed = three(event.approach_speed) + QStringLiteral(" m/s");
    entries.push_back(
        {std::move(row), selected.contains(thing_of(event.a)) || selected.contains(thing_of(event.b)), event.impulse});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
    return x.chosen != y.chosen ? x.chosen : x.impulse > y.impulse;
  });
  std::vector<CollisionRow> rows;
  for (Entry& e : entries) rows.push_back(std::move(e.row));
  return rows;
}

std::optional<int> last_collision(const RunLog& log, const std::set<Id>& of, int frame) {
  for (auto it = log.contacts.rbegin(); it != log.contacts.rend(); ++it)
    if (it->first <= frame && (of.contains(thing_of(it->second.a)) || of.contains(thing_of(it->second.b))))
      return it->first;
  return std::nullopt;
}

}  // namespace hazumi
