// Keys of the parameters of boxes of motion graphs. A box that waits or runs reads its numbers in each sub-step; those that have keys are as
// the keys say at that moment of the film. Where a parameter is an expression that counts, and its keys wait.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/values/box_parameters.h"

namespace hazumi {

/// By its name, without a look at the table.
bool may_be_of_box(std::string_view field);
/// "above" of "event.contact.above".
std::string_view parameter_of(std::string_view field);
/// It is one of the kind's own parameters, and not what every box has.
bool is_parameter(std::string_view field);
/// It says what the box is about: its keys are ids.
bool is_with(std::string_view field);
/// The row that such a field is of that box now; null: none.
const Field<MotionNode>* box_row(const MotionNode& node, std::string_view field);
/// An expression says it: a word that is no choice.
bool is_expression(const MotionNode& node, std::string_view field);
/// Rows of the box that keys may say now.
std::vector<Field<MotionNode>> keyable_rows(const MotionNode& node);

/// Keys of one parameter.
struct BoxTrack {
  const Field<MotionNode>* row = nullptr;
  Shared<Track> track;
};

/// All that are used in a scene.
class BoxTracks {
 public:
  BoxTracks() = default;
  explicit BoxTracks(const Scene& scene);
  bool empty() const { return of_.empty(); }
  /// In the order of the rows.
  std::vector<BoxTrack> of(const MotionNode& node) const;

 private:
  std::multimap<std::uint64_t, Shared<Track>> of_;
};
bool is_keyed(const Scene& scene, const MotionNode& node);
/// Id of the thing with which a track is listed: of a box the object or collection whose motion it is, else what it is of.
std::uint64_t listed_with(const Scene& scene, const Track& track);

/// Within the row's range; whole, 0 or 1 where the row is.
double keyed_number(const FieldRange& range, const Track& track, double time);

/// Ids of what the box may be about: those of its keys, or its own; 0: nothing named. Each once.
std::vector<std::uint64_t> others_of(const MotionNode& node, const std::vector<BoxTrack>& tracks);
/// What it is about at a time of the film.
std::uint64_t other_at(const MotionNode& node, const std::vector<BoxTrack>& tracks, double time);
/// Of its keys those of what it is about; null: none.
const Track* with_track(const std::vector<BoxTrack>& tracks);

/// A box with its parameters as keys say at a time.
MotionNode keyed_box(MotionNode node, const BoxTracks& tracks, double time);
/// The scene with the parameters of its boxes as their keys say at a time.
Scene boxes_at(Scene scene, double time);

/// s of the film: from when on the box may read other numbers in `b` than in `a`, by keys alone; −∞: from the beginning; nothing: never.
std::optional<double> first_keyed_otherwise(const MotionNode& was, const std::vector<BoxTrack>& a, const MotionNode& is,
                                            const std::vector<BoxTrack>& b);
void add_keys(Hasher& hasher, const std::vector<BoxTrack>& tracks);
bool same_keys(const std::vector<BoxTrack>& a, const std::vector<BoxTrack>& b);

}  // namespace hazumi
