// Damaged and hostile scene files: one clear message that names the place, never a crash, a hang or half a
// scene.
#include <catch2/catch.hpp>

#include <fstream>

#include <sys/resource.h>

#include "core/scene/file/json_tree.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/words.h"
#include "tests/scene/random_scene.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::bad_input_test {

namespace {

/// A scene file with this text in place of its objects list.
std::string with_objects(const std::string& objects) {
  return "{\"format\": \"hazumi scene\", \"version\": 1, \"objects\": " + objects + "}";
}

/// … with these members of the only object.
std::string with_object_text(const std::string& members) {
  return with_objects("[{\"id\": 1, \"name\": \"Ball\", " + members + "}]");
}

Diagnostic refusal(const std::string& text) {
  const Result<Scene> read = scene_from_text(text, "/nonexistent");
  REQUIRE_FALSE(read.ok());
  REQUIRE(read.diagnostics().size() == 1);
  CHECK(read.error().severity == Severity::error);
  CHECK(read.error().message.ends_with('.'));
  CHECK_FALSE(read.error().path.empty());
  CHECK(read.error().message.size() < 400);
  return read.error();
}

std::string told(const std::string& text) {
  const Diagnostic d = refusal(text);
  return d.path + ": " + d.message;
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  text.reserve(piece.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

long peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

TEST_CASE("A scene that was cut off anywhere is refused", "[bad_input]") {
  const std::string text = scene_to_text(test::plain_scene());
  for (std::size_t length = 0; length + 2 < text.size(); length += 13) {
    INFO("cut at " << length);
    refusal(text.substr(0, length));
  }
  CHECK(told(text.substr(0, text.size() / 2)).find("cut off") != std::string::npos);
  CHECK(told("") == "line 1: The file is empty.");
  CHECK(told(" \n\t ") == "line 1: The file is empty.");
}

TEST_CASE("Garbled text is refused with line and column", "[bad_input]") {
  CHECK(told("{\n  \"format\" \"hazumi scene\"}") ==
        "line 2, column 25: The file is not valid JSON here: unexpected \"hazumi scene\".");
  CHECK(told("{\"format\": tru}").starts_with("line 1, column 15: "));
  CHECK(told("\x80\x81 not a scene") == "line 1, column 1: It is not a scene: a scene is a text that begins with {.");
  CHECK(told("hello") == "line 1, column 1: It is not a scene: a scene is a text that begins with {.");
  CHECK(told("{}x") == "line 1, column 3: The file is not valid JSON here: unexpected \"x\".");
  CHECK(told("{\"a\": 1,}").starts_with("line 1, column 9: "));
  CHECK(told("{\"a\": 'b'}").starts_with("line 1, column 7: "));
  CHECK(told("{\"a\": \"\xff\xfe\"}").starts_with("line 1, column 8: "));
  CHECK(told(std::string("\0\0\0\0", 4)).starts_with("line 1, column 1: "));
  CHECK(told("<html></html>").starts_with("line 1, column 1: "));
}

TEST_CASE("Bytes flipped at random never do more than be refused", "[bad_input]") {
  const std::string good = scene_to_text(test::plain_scene());
  test::Dice dice(21);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (std::int64_t k = dice.below(4); k >= 0; --k) {
      const auto at = static_cast<std::size_t>(dice.below(std::ssize(text)));
      switch (dice.below(3)) {
        case 0:
          text[at] = static_cast<char>(dice.below(256));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(1 + dice.below(20)));
          break;
        default:
          text.insert(at, text.substr(static_cast<std::size_t>(dice.below(std::ssize(text))), 30));
      }
    }
    const Result<Scene> read = scene_from_text(text, "/nonexistent");
    if (read.ok()) {
      CHECK_FALSE(has_error(validate(*read)));
    } else {
      ++refused;
      CHECK_FALSE(read.diagnostics().empty());
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("What is JSON but no scene", "[bad_input]") {
  for (const char* text : {"[1, 2]", "3", "\"scene\"", "null", "true", "[]", "[[[]]]"})
    CHECK(told(text) == "line 1: This is not a Hazumi scene: the file must hold one JSON object.");
  CHECK(told("{}") == "format: This is not a Hazumi scene: \"format\": \"hazumi scene\" is missing.");
  CHECK(told("{\"name\": \"left-pad\", \"version\": \"1.0.0\"}").find("version") != std::string::npos);
  CHECK(told("{\"format\": \"gltf\"}").starts_with("format: "));
  CHECK(told("{\"format\": 4}").starts_with("format: "));
}

TEST_CASE("Versions", "[bad_input]") {
  const std::string newer = "This scene was written by a newer Hazumi (format 7; this program reads up to 1).";
  Diagnostic d = refusal("{\"format\": \"hazumi scene\", \"version\": 7, \"objects\": 4, \"what\": null}");
  CHECK(d.message == newer);
  CHECK(d.hint == "Update Hazumi to open it.");
  // At the end, after things that this program finds wrong.
  CHECK(refusal("{\"objects\": 4, \"format\": \"hazumi scene\", \"version\": 7}").message == newer);
  CHECK(told("{\"format\": \"hazumi scene\"}") == "version: The version of the scene file is missing.");
  CHECK(refusal("{\"format\": \"hazumi scene\", \"version\": \"1\"}").message.starts_with("The version must be"));
  CHECK(refusal("{\"format\": \"hazumi scene\", \"version\": 0}").message.starts_with("The version must be"));
  CHECK(refusal("{\"format\": \"hazumi scene\", \"version\": 1e300}").message.starts_with("The version must be"));
}

TEST_CASE("Wrong types name the place and what was expected", "[bad_input]") {
  CHECK(told(with_object_text("\"body\": {\"mass\": \"heavy\"}")) ==
        "objects[0] \"Ball\" body.mass (line 1): Expected a number, found the text \"heavy\".");
  CHECK(told(with_object_text("\"body\": 3")) ==
        "objects[0] \"Ball\" body (line 1): Expected a block, found the number 3.");
  CHECK(told(with_object_text("\"visible\": 1")).ends_with("Expected true or false, found the number 1."));
  CHECK(told(with_object_text("\"transform\": {\"position\": [1, 2]}"))
            .ends_with("Expected 3 numbers, [x, y, z], found a list of 2 entries."));
  CHECK(told(with_object_text("\"transform\": {\"rotation\": [1, 0, 0]}")).find("quaternion [w, x, y, z]") !=
        std::string::npos);
  CHECK(told(with_object_text("\"analysis\": {\"divisions\": [1, 2.5, 3]}")).find("3 whole numbers") !=
        std::string::npos);
  CHECK(told(with_object_text("\"body\": {\"kind\": \"soft\"}"))
            .ends_with("Expected one of " + choice_list(words<BodyKind>()) + ", found the text \"soft\"."));
  CHECK(told(with_object_text("\"locked\": null")).ends_with("found null."));
  CHECK(told(with_objects("{}")).starts_with("objects (line 1): Expected a list"));
  CHECK(told(with_objects("[1]")) == "objects[0] (line 1): Expected a block, found the number 1.");
  CHECK(told("{\"format\": \"hazumi scene\", \"version\": 1, \"settings\": []}").starts_with("settings (line 1): "));
  CHECK(told("{\"format\": \"hazumi scene\", \"version\": 1, \"settings\": {\"look\": {\"light\": \"noon\"}}}") ==
        "settings.look.light (line 1): Expected one of " + choice_list(words<StudioLight>()) +
            ", found the text \"noon\".");
  CHECK(
      told("{\"format\": \"hazumi scene\", \"version\": 1, \"settings\": {\"substeps\": 2.5}}").find("whole number") !=
      std::string::npos);
  CHECK(told("{\"format\": \"hazumi scene\", \"version\": 1, \"name\": {}}").ends_with("found a block."));
}

TEST_CASE("Numbers that are none, or too large", "[bad_input]") {
  for (const char* number : {"NaN", "Infinity", "-Infinity", "nan", "inf"}) {
    INFO(number);
    refusal(with_object_text("\"body\": {\"mass\": " + std::string(number) + "}"));
  }
  CHECK(told(with_object_text("\"body\": {\"mass\": NaN}")).find("NaN and Infinity are not numbers") !=
        std::string::npos);
  CHECK(told(with_object_text("\"body\": {\"mass\": 1e999}")).find("\"1e999\" is too large") != std::string::npos);
  CHECK(told(with_object_text("\"body\": {\"mass\": 1e308}")).ends_with("Mass must be at most 1000000000 kg."));
  CHECK(told(with_object_text("\"transform\": {\"position\": [1e308, 0, 0]}")).ends_with("at most 1000000000 m."));
  CHECK(told(with_object_text("\"analysis\": {\"divisions\": [99999999999999999999, 1, 1]}")).find("divisions") !=
        std::string::npos);
  CHECK(told(with_objects("[{\"id\": 1e19, \"name\": \"A\"}]")).find("a whole number above 0") != std::string::npos);
  CHECK(told(with_objects("[{\"id\": -1, \"name\": \"A\"}]")).find("a whole number above 0") != std::string::npos);
  CHECK(told(with_object_text("\"transform\": {\"rotation\": [0, 0, 0, 0]}")).find("unit quaternion") !=
        std::string::npos);
}

TEST_CASE("Ids and keys that are there twice or not at all", "[bad_input]") {
  CHECK(told(with_objects("[{\"id\": 3, \"name\": \"A\"}, {\"id\": 3, \"name\": \"B\"}]")) ==
        "objects[1] \"B\" id: The id 3 is already that of objects[0] \"A\".");
  CHECK(told(with_objects("[{\"name\": \"A\"}]")) == "objects[0] \"A\" id (line 1): The id is missing.");
  CHECK(told(with_objects("[{\"id\": 3}]")) == "objects[0] name: Name must not be empty.");
  CHECK(told(with_object_text("\n\"body\": {\"mass\": 1, \"mass\": 2}")) ==
        "objects[0].body.mass (line 2): The key \"mass\" appears twice in the same block.");
  CHECK(told("{\"objects\": [],\n \"objects\": []}").find("appears twice") != std::string::npos);
}

TEST_CASE("Nesting", "[bad_input]") {
  const int deep = 10'000;
  for (const char* piece : {"[", "{\"a\":"}) {
    const std::string root = told(repeated(piece, deep));
    CHECK(root.find(*piece == '[' ? "not a Hazumi scene" : "nested more than 64 deep") != std::string::npos);
    CHECK(told("{\"a\": " + repeated(piece, deep) + "1").find("nested more than 64 deep") != std::string::npos);
    CHECK(told(with_objects("[" + repeated(piece, deep))).find("nested more than 64 deep") != std::string::npos);
  }
  // A million levels, closed properly.
  CHECK(told(repeated("[", 1'000'000) + repeated("]", 1'000'000)).starts_with("line 1: "));
}

TEST_CASE("Lists of ten million entries are refused without being kept", "[bad_input]") {
  const long before = peak_memory_mb();
  const int many = test::rounds(10'000'000, 2'500'000);
  const std::string zeros = "[" + repeated("0,", many) + "0]";
  CHECK(told(with_object_text("\"transform\": {\"position\": " + zeros + "}")).find("more than 2000000 values") !=
        std::string::npos);
  CHECK(told("{\"junk\": " + zeros + "}").find("junk") != std::string::npos);
  CHECK(told(with_objects("[" + repeated("{\"id\":1},", 200'000) + "{}]")).find("more than 100000 entries") !=
        std::string::npos);
  CHECK(told("{\"a\": \"" + std::string(3'000'000, 'x') + "\"}").find("too long") != std::string::npos);
  CHECK(told("{" + repeated("\"k\": 0, ", 1) + repeated("\"kk\": 0, ", 2) + "}").find("twice") != std::string::npos);
  std::string keys;
  for (int i = 0; i < 200'000; ++i) keys += "\"k" + std::to_string(i) + "\": 0, ";
  CHECK(told("{" + keys + "\"z\": 0}").find("too many keys") != std::string::npos);
  // The texts themselves take up to 40 MB each here; a tree of ten million nodes would take gigabytes. Measured: 158 MB. A
  // sanitizer keeps what was freed: there the number says nothing of ours.
  if (test::sanitized()) {
    WARN(peak_memory_mb() - before << " MB");
  } else {
    CHECK(peak_memory_mb() - before < 400);
  }
}

TEST_CASE("Numbers that no source of particles can have are refused in one sentence each", "[bad_input][particles]") {
  const auto with = [](const std::string& field, const std::string& value) {
    return told(
        "{\"format\": \"hazumi scene\", \"version\": 1, \"objects\": [], \"particles\": [{\"id\": 1, "
        "\"name\": \"Jet\", \"" +
        field + "\": " + value + "}]}");
  };
  const struct {
    const char *field, *least, *most;
  } rows[] = {{"life", "Life must be above 0 s.", "Life must be at most 1000000 s."},
              {"speed", "Speed must be at least 0 m/s.", "Speed must be at most 10000 m/s."},
              {"rate", "Rate must be at least 0 1/s.", "Rate must be at most 1000000 1/s."},
              {"mass", "Mass must be above 0 kg.", "Mass must be at most 1000000 kg."},
              {"size", "Size must be at least 1e-06 m.", "Size must be at most 1000000 m."}};
  for (const auto& [field, least, most] : rows) {
    const std::string place = std::string("particles[0] \"Jet\" ") + field + " (line 1): ";
    CHECK(with(field, "-1") == place + least);
    CHECK(with(field, "1e300") == place + most);
    for (const char* no : {"NaN", "Infinity", "-Infinity"})
      CHECK(with(field, no).ends_with(": NaN and Infinity are not numbers that a scene can hold."));
    CHECK(with(field, "1e999").ends_with(": The number \"1e999\" is too large."));
    CHECK(with(field, "\"long\"") == place + "Expected a number, found the text \"long\".");
  }
  CHECK(with("rate", "1e9").ends_with(": Rate must be at most 1000000 1/s."));
  CHECK(with("burst", "1000000000").ends_with(": Burst must be at most 1000000."));
  CHECK(with("burst", "1e9").ends_with(": Burst must be at most 1000000."));
  CHECK(with("burst", "1e300").ends_with(": Expected a whole number, found a number that is far too large."));
  CHECK(with("most", "1e300").ends_with(": Expected a whole number, found a number that is far too large."));
  CHECK(with("most", "2.5").ends_with(": Expected a whole number, found a number with a fraction."));
}

TEST_CASE("A hundred wrong objects do not give a hundred messages", "[bad_input]") {
  const Result<Scene> read = scene_from_text(with_objects("[" + repeated("{\"id\": \"x\"}, ", 100) + "{}]"), "");
  REQUIRE_FALSE(read.ok());
  CHECK(read.diagnostics().size() == 20);
}

TEST_CASE("Messages do not carry what was found in full, nor control characters", "[bad_input]") {
  const std::string message =
      told(with_object_text("\"body\": {\"mass\": \"" + repeated("\\u001b[31m", 5'000) + "\"}"));
  CHECK(message.size() < 300);
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(json::quote(repeated("é", 40)).find("\xc3\xe2") == std::string::npos);  // not cut inside a character
}

TEST_CASE("Files that cannot be opened", "[bad_input]") {
  const test::TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& file) {
    const Result<Scene> read = load_scene(file);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().path == file.string());
    return read.error().message;
  };
  CHECK(message(folder / "none.json") == "The file cannot be opened: it does not exist.");
  CHECK(message(folder / "") == "The file cannot be opened: it is a folder.");
  CHECK(message("/dev/zero") == "The file cannot be opened: it is not an ordinary file.");
  folder.write("big.json", "");
  std::filesystem::resize_file(folder / "big.json", std::uintmax_t{65} << 20);
  CHECK(message(folder / "big.json").find("larger than 64 MiB") != std::string::npos);
}

}  // namespace hazumi::bad_input_test
