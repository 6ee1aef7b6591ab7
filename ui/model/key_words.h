// Keys that say no number but a word: of a choice, a switch, or a thing of the scene.
#pragma once

#include <utility>
#include <vector>

#include <QString>

#include "core/scene/derived/tracks.h"

namespace hazumi {

/// What a key of this value says; empty: a number.
QString key_word(const Scene& scene, const Track& track, double value);
/// All that a key of the track may say, with their values; none: any number.
std::vector<std::pair<double, QString>> key_words(const Scene& scene, const Track& track);

}  // namespace hazumi
