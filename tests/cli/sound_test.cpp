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

}  // namespace cli_sound_test
