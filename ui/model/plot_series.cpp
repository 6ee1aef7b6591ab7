#include "ui/model/plot_series.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct BodyRow {
  const char *name, *unit;
};
constexpr BodyRow kBodyRows[] = {{QT_TR_NOOP("Speed"), "m/s"},
                                 {QT_TR_NOOP("Place x"), "m"},
                                 {QT_TR_NOOP("Place y"), "m"},
                                 {QT_TR_NOOP("Place z"), "m"},
                                 {QT_TR_NOOP("Kinetic energy"), "J"},
                                 {QT_TR_NOOP("Elastic energy"), "J"},
                                 {QT_TR_NOOP("Energy of both"), "J"},
                                 {QT_TR_NOOP("Largest strain"), "%"},
                                 {QT_TR_NOOP("Volume"), "m³"},
                                 {QT_TR_NOOP("Passes of the solver"), ""},
                                 {QT_TR_NOOP("Elements inside out"), ""},
                                 {QT_TR_NOOP("Weights of poses"), "%"}};
const BodyRow& row_of(BodyQuantity quantity) { return kBodyRows[static_cast<std::size_t>(quantity)]; }

constexpr BodyRow kSourceRows[] = {{QT_TR_NOOP("Particles or copies alive"), ""},
                                   {QT_TR_NOOP("Copies that wait for room"), ""},
                                   {QT_TR_NOOP("Mean speed of particles"), "m/s"},
                                   {QT_TR_NOOP("Greatest speed of particles"), "m/s"}};
const BodyRow& row_of(SourceQuantity quantity) { return kSourceRows[static_cast<std::size_t>(quantity)]; }

bool needs_solver(BodyQuantity quantity) {
  return quantity >= BodyQuantity::elastic && quantity != BodyQuantity::volume;
}

QString pose_name(const Object& object, std::uint32_t id) {
  for (const AnalysisPose& pose : object.analysis.poses)
    if (pose.id == id) return QString::fromStdString(pose.name);
  return tr("pose %1").arg(id);
}

/// A line for each group and pose that any frame has of it.
void add_weights(const Object& object, const PlotFrames& frames, std::vector<PlotSeries>& all) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> there;  // (group, pose)
  std::set<std::uint32_t> groups;
  for (const auto& frame : frames.examples)
    for (const FrameExample& one : frame ? *frame : FrameExamples())
      if (one.object == object.id) {
        there.emplace(one.group, one.pose);
        groups.insert(one.group);
      }
  for (const auto& [group, pose] : there) {
    QString name = QString::fromStdString(object.name) + QStringLiteral(" · ") + pose_name(object, pose);
    if (groups.size() > 1) name += tr(" · group %1").arg(group);
    PlotSeries series{object.id, name, QStringLiteral("%"), {}};
    for (const auto& frame : frames.examples) {
      double value = kNoNumber;
      for (const FrameExample& one : frame ? *frame : FrameExamples())
        if (one.object == object.id && one.group == group && one.pose == pose)
          value = 100 * static_cast<double>(one.weight);
      series.values.push_back(value);
    }
    all.push_back(std::move(series));
  }
}

}  // namespace

const std::vector<PlotQuantity>& plot_quantities() {
  static const std::vector<PlotQuantity> all = [] {
    std::vector<PlotQuantity> made;
    for (int q = 0; q <= static_cast<int>(JointQuantity::power); ++q) made.emplace_back(static_cast<JointQuantity>(q));
    for (int q = 0; q <= static_cast<int>(BodyQuantity::poses); ++q) made.emplace_back(static_cast<BodyQuantity>(q));
    for (int q = 0; q <= static_cast<int>(SourceQuantity::fastest); ++q)
      made.emplace_back(static_cast<SourceQuantity>(q));
    return made;
  }();
  return all;
}

QString name_of(const PlotQuantity& quantity) {
  if (const auto* joint = std::get_if<JointQuantity>(&quantity)) return name_of(*joint);
  if (const auto* source = std::get_if<SourceQuantity>(&quantity)) return tr(row_of(*source).name);
  return tr(row_of(std::get<BodyQuantity>(quantity)).name);
}

QString unit_of(BodyQuantity quantity) { return QString::fromUtf8(row_of(quantity).unit); }
QString unit_of(SourceQuantity quantity) { return QString::fromUtf8(row_of(quantity).unit); }

void PlotFrames::clear() { *this = {}; }

void PlotFrames::add_from(const FrameCache& cache) {
  const auto add = [](auto& list, auto more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  const int first = static_cast<int>(bodies.size());
  add(joints, cache.joints(first));
  add(examples, cache.examples(first));
  add(bodies, cache.bodies(first));
  add(sources, cache.sources(first));
  // A frame may have come between two of these questions.
  const std::size_t size = std::min({joints.size(), examples.size(), bodies.size(), sources.size()});
  joints.resize(size);
  examples.resize(size);
  bodies.resize(size);
  sources.resize(size);
}

const FrameBody* find_body(const PlotFrames& frames, int frame, Id object) {
  if (frame < 0 || frame >= static_cast<int>(frames.bodies.size())) return nullptr;
  const auto& bodies = frames.bodies[static_cast<std::size_t>(frame)];
  if (!bodies) return nullptr;
  const auto at = std::lower_bound(bodies->begin(), bodies->end(), object,
                                   [](const FrameBody& one, Id wanted) { return one.object < wanted; });
  return at != bodies->end() && at->object == object ? &*at : nullptr;
}

const FrameSource* find_source(const PlotFrames& frames, int frame, Id source) {
  if (frame < 0 || frame >= static_cast<int>(frames.sources.size())) return nullptr;
  const auto& sources = frames.sources[static_cast<std::size_t>(frame)];
  if (!sources) return nullptr;
  const auto at = std::lower_bound(sources->begin(), sources->end(), source,
                                   [](const FrameSource& one, Id wanted) { return one.source < wanted; });
  return at != sources->end() && at->source == source ? &*at : nullptr;
}

double value_of(const FrameSource& source, SourceQuantity quantity) {
  switch (quantity) {
    case SourceQuantity::alive:
      return source.alive;
    case SourceQuantity::waiting:
      return source.waiting;
    case SourceQuantity::speed:
      return source.alive > 0 ? source.speed : kNoNumber;
    case SourceQuantity::fastest:
      return source.alive > 0 ? source.fastest : kNoNumber;
  }
  return kNoNumber;
}

double value_of(const FrameBody& body, BodyQuantity quantity) {
  if (!body.deforms && needs_solver(quantity) && quantity != BodyQuantity::energy) return kNoNumber;
  switch (quantity) {
    case BodyQuantity::speed:
      return body.velocity.cast<double>().norm();
    case BodyQuantity::x:
    case BodyQuantity::y:
    case BodyQuantity::z:
      return body.centre[static_cast<Eigen::Index>(quantity) - static_cast<Eigen::Index>(BodyQuantity::x)];
    case BodyQuantity::kinetic:
      return body.kinetic;
    case BodyQuantity::elastic:
      return body.elastic;
    case BodyQuantity::energy:
      return static_cast<double>(body.kinetic) + static_cast<double>(body.elastic);
    case BodyQuantity::strain:
      return 100 * static_cast<double>(body.strain);
    case BodyQuantity::volume:
      return body.volume;
    case BodyQuantity::passes:
      return body.passes;
    case BodyQuantity::inverted:
      return body.inverted < 0 ? kNoNumber : body.inverted;
    case BodyQuantity::poses:
      return kNoNumber;
  }
  return kNoNumber;
}

std::vector<Id> plotted_things(const Scene& scene, const Selection& selection, const PlotQuantity& quantity,
                               const PlotFrames& frames) {
  if (std::holds_alternative<JointQuantity>(quantity)) return plotted_joints(scene, selection);
  if (std::holds_alternative<SourceQuantity>(quantity)) {
    std::set<Id> sources;
    for (const auto& source : scene.particles)
      if (selection.empty() || selection.contains(source->id)) sources.insert(source->id);
    return {sources.begin(), sources.end()};
  }
  std::set<Id> moving;
  for (const auto& frame : frames.bodies)
    for (const FrameBody& body : frame ? *frame : FrameBodies()) moving.insert(body.object);
  std::vector<Id> found;
  for (const Id id : moving)
    if (find_object(scene, id) && (selection.empty() || selection.contains(id))) found.push_back(id);
  return found;
}

namespace {

std::vector<PlotSeries> source_series(const Scene& scene, const std::vector<Id>& things, SourceQuantity wanted,
                                      const PlotFrames& frames) {
  std::vector<PlotSeries> all;
  for (const Id id : things) {
    const ParticleSource* source = hazumi::find_source(scene, id);
    if (!source || (wanted == SourceQuantity::waiting && !gives_copies(*source))) continue;
    PlotSeries series{id, QString::fromStdString(source->name), unit_of(wanted), {}};
    bool any = false;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const FrameSource* at = find_source(frames, static_cast<int>(f), id);
      series.values.push_back(at ? value_of(*at, wanted) : kNoNumber);
      any = any || !std::isnan(series.values.back());
    }
    if (any) all.push_back(std::move(series));
  }
  return all;
}

}  // namespace

std::vector<PlotSeries> plot_series(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity,
                                    const PlotFrames& frames) {
  if (const auto* joint = std::get_if<JointQuantity>(&quantity))
    return joint_series(scene, things, *joint, frames.joints);
  if (const auto* source = std::get_if<SourceQuantity>(&quantity)) return source_series(scene, things, *source, frames);
  const BodyQuantity wanted = std::get<BodyQuantity>(quantity);
  std::vector<PlotSeries> all;
  for (const Id id : things) {
    const Object* object = find_object(scene, id);
    if (!object) continue;
    if (wanted == BodyQuantity::poses) {
      add_weights(*object, frames, all);
      continue;
    }
    PlotSeries series{id, QString::fromStdString(object->name), unit_of(wanted), {}};
    bool any = false;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const FrameBody* body = find_body(frames, static_cast<int>(f), id);
      series.values.push_back(body ? value_of(*body, wanted) : kNoNumber);
      any = any || !std::isnan(series.values.back());
    }
    if (any) all.push_back(std::move(series));
  }
  return all;
}

QString why_no_series(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity) {
  if (std::holds_alternative<JointQuantity>(quantity)) {
    if (scene.joints.empty()) return tr("The scene has no joints whose forces could be plotted.");
    if (things.empty()) return tr("Select joints, or what they hold.");
    return tr("What is selected has no %1.").arg(name_of(quantity).toLower());
  }
  if (const auto* source = std::get_if<SourceQuantity>(&quantity)) {
    if (scene.particles.empty()) return tr("The scene has no sources of particles or copies.");
    if (things.empty()) return tr("Select sources of particles or copies.");
    return *source == SourceQuantity::waiting ? tr("No source here gives copies of an object.")
                                              : tr("Nothing of these sources is alive in any frame.");
  }
  if (things.empty()) return tr("Select objects that move.");
  switch (std::get<BodyQuantity>(quantity)) {
    case BodyQuantity::poses:
      return tr("No body here knows poses: make some in Analysis, with the elastic model Shape matching.");
    case BodyQuantity::inverted:
      return tr("No body here is made of elements that could be turned inside out.");
    default:
      return tr("Only what deforms has that: nothing here does.");
  }
}

QString plot_table(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity,
                   const PlotFrames& frames) {
  if (std::holds_alternative<JointQuantity>(quantity)) return joint_table(scene, things, frames.joints);
  std::vector<PlotSeries> columns;
  QStringList names{QStringLiteral("frame"), QStringLiteral("time (s)")};
  for (const Id id : things)
    for (const PlotQuantity& one : plot_quantities()) {
      if (one.index() != quantity.index()) continue;
      for (PlotSeries& series : plot_series(scene, {id}, one, frames)) {
        const QString unit = series.unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(series.unit);
        names << table_cell(QStringLiteral("%1: %2%3").arg(series.name, name_of(one).toLower(), unit));
        columns.push_back(std::move(series));
      }
    }
  return table_of(names, columns, frames.size(), scene.settings.frame_rate);
}

QString body_reading(const FrameBody& body) {
  const auto said = [&](const QString& name, BodyQuantity quantity) {
    QString value = value_text(value_of(body, quantity), unit_of(quantity));
    value.replace(QLatin1Char(' '), QChar(QChar::Nbsp));  // no unit stands by itself on the next line
    return QStringLiteral("%1 %2").arg(name, value);
  };
  QStringList motion{said(tr("Speed"), BodyQuantity::speed), said(tr("kinetic energy"), BodyQuantity::kinetic)};
  if (!body.deforms) return motion.join(QStringLiteral(" · "));
  motion << said(tr("elastic"), BodyQuantity::elastic);
  QStringList holds{said(tr("Largest strain"), BodyQuantity::strain)};
  holds << (body.passes == 1 ? tr("1 pass") : tr("%1 passes").arg(body.passes));
  if (body.inverted == 0) holds << tr("nothing inside out");
  if (body.inverted > 0)
    holds << (body.inverted == 1 ? tr("1 element inside out") : tr("%1 elements inside out").arg(body.inverted));
  return motion.join(QStringLiteral(" · ")) + '\n' + holds.join(QStringLiteral(" · "));
}

}  // namespace hazumi
