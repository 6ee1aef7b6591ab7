// Shipped scenes whose motions make the film.
#include <cmath>

#include "tests/playback/show.h"

namespace shipped_film_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("the fish that is thrown back falls into the water, where the film cuts to it and drops rise", "[shipped]") {
  Show show(shipped("thrown_back"));
  const auto middle = [&](int f) {
    Vec3f sum = Vec3f::Zero();
    const ObjectFrame fish = show.at(f, "Fish");
    for (const Vec3f& p : fish.vertices) sum += p;
    return Vec3f(sum / static_cast<float>(fish.vertices.size()));
  };
  // It flops, and stays on the pier until it is thrown.
  for (int f = 0; f <= 130; f += 10) CHECK(middle(f).y() > 1.5f);
  CHECK(show.at(150).cues == nullptr);
  const Frame last = show.at(300);
  REQUIRE(last.cues);
  REQUIRE(last.cues->size() == 1);
  const int wet = static_cast<int>(std::ceil(last.cues->front().time * 60));
  CHECK(middle(wet).y() == Approx(1).margin(0.15));
  CHECK(middle(wet).x() == Approx(1.5).margin(0.2));
  CHECK(show.at(wet - 1).particles.at(0).positions.empty());
  CHECK(show.at(wet + 6).particles.at(0).positions.size() > 200);
  // It swims on, under water.
  CHECK(middle(290).x() > middle(wet).x() + 0.3f);
  for (int f = wet + 20; f <= 300; f += 10) CHECK(middle(f).y() < 1.0f);
}

}  // namespace shipped_film_test
