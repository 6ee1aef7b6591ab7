// Sound beside pictures from the command line: the real hazumi-cli.
#include "core/sound/decode.h"
#include "tests/cli/cli_support.h"
#include "tests/support/wav.h"

namespace cli_sound_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("render and export write what is heard beside the pictures, and never over a sound of the scene") {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return (folder / name).string(); };
  write_bytes(folder / "bang.wav", wav_bytes(tone_values(440, 0.5), 1, 48'000));
  const std::string bang = contents(in("bang.wav"));
  Scene scene = busy_scene();
  Sound sound;
  sound.id = next_id(scene);
  sound.name = "Bang";
  sound.file = in("bang.wav");
  scene.sounds.push_back(sound);
  REQUIRE(save_scene(scene, in("s.json")).ok());
  const std::string frames = "'" + in("s.json") + "' --frames 2-4 ";
  const auto render = [&](const char* words, const char* out) {
    return cli("render " + frames + "--size 48x27 --samples 1 " + words + " --out '" + in(out) + "'");
  };
  CHECK(render("", "a.#.png").code == 0);
  CHECK(contents(in("a.wav")).empty());
  const Outcome heard = render("--sound", "b.#.png");
  CHECK(heard.code == 0);
  CHECK(heard.out.find(in("b.wav")) != std::string::npos);
  const auto clip = read_sound(in("b.wav"), std::atomic<bool>(false));
  REQUIRE(clip.ok());
  CHECK(clip->seconds() == Approx(3 / scene.settings.frame_rate).margin(1e-4));
  CHECK(render("--sound", "bang.#.png").code == 0);
  CHECK(contents(in("bang.wav")) == bang);
  CHECK_FALSE(contents(in("bang sound.wav")).empty());
  const std::string small = "--format png --option width=48 --option height=27 --option samples=1 ";
  CHECK(cli("export " + frames + small + "--option sound=0 --out '" + in("c.#.png") + "'").code == 0);
  CHECK(contents(in("c.wav")).empty());
  CHECK(cli("export " + frames + small + "--out '" + in("c.#.png") + "'").code == 0);
  CHECK(contents(in("c.wav")) == contents(in("b.wav")));
}

TEST_CASE("What a motion plays is in the sound beside pictures, also of those that were there already") {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return (folder / name).string(); };
  write_bytes(folder / "bang.wav", wav_bytes(std::vector<std::int16_t>(4'800, 9000), 1, 48'000));
  Scene scene = busy_scene();
  Sound sound;
  sound.id = next_id(scene);
  sound.name = "Bang";
  sound.file = in("bang.wav");
  sound.waits = true;
  scene.sounds.push_back(sound);
  const Id mover = scene.objects.back()->id;
  MotionNode when;
  when.id = next_id(scene);
  when.object = mover.value;
  when.parameters.push_back({"time", {}, 3 / scene.settings.frame_rate});
  MotionNode play;
  play.id = Id{when.id.value + 1};
  play.role = MotionRole::procedure;
  play.kind = "play";
  play.object = mover.value;
  play.other = sound.id.value;
  when.wires.push_back({play.id.value, false});
  scene.motion.push_back(when);
  scene.motion.push_back(play);
  REQUIRE(save_scene(scene, in("s.json")).ok());
  const std::string words = "render '" + in("s.json") + "' --frames 2-4 --size 48x27 --samples 1 --sound ";
  const Outcome made = cli(words + "--out '" + in("b.#.png") + "'");
  INFO(made.out << made.err);
  REQUIRE(made.code == 0);
  const auto clip = read_sound(in("b.wav"), std::atomic<bool>(false));
  REQUIRE(clip.ok());
  const auto at = [&](double frame) {
    return clip->samples[static_cast<std::size_t>((frame - 2) / scene.settings.frame_rate * 48'000)][0];
  };
  CHECK(at(2.9) == 0);
  CHECK(std::abs(at(3.1) - 9000) <= 1);
  // The last picture is there already, and nothing else: it is as loud.
  const std::string whole = contents(in("b.wav"));
  std::filesystem::remove(in("b.wav"));
  std::filesystem::remove(in("b.2.png"));
  REQUIRE(cli(words + "--keep-existing --out '" + in("b.#.png") + "'").code == 0);
  CHECK(contents(in("b.wav")) == whole);
}

}  // namespace cli_sound_test
