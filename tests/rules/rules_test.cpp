// Rules of the house that a compiler does not hold: who may include what, no Qt or GL in core, sizes of files, one undo
// command, no global singletons. Each is read from the files themselves.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace rules_test {

namespace fs = std::filesystem;

namespace {

struct SourceFile {
  std::string path;  // from the root of the tree
  std::vector<std::string> lines;
};

std::vector<SourceFile> sources(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const auto& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HAZUMI_SOURCE_DIR) / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cpp") continue;
      SourceFile file{fs::relative(entry.path(), HAZUMI_SOURCE_DIR).generic_string(), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  return files;
}

/// The layer that a path belongs to: "core/base", …, "render", "ui/model", …, "app".
std::string layer(const std::string& path) {
  const auto first = path.find('/');
  const std::string top = path.substr(0, first);
  if (top != "core" && top != "ui") return top;
  const auto second = path.find('/', first + 1);
  return path.substr(0, second);
}

const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::map<std::string, std::set<std::string>> table = [] {
    std::map<std::string, std::set<std::string>> t;
    t["core/base"] = {};
    t["core/math"] = {"core/base"};
    t["core/sound"] = {"core/base"};
    t["core/geometry"] = {"core/base", "core/math"};
    t["core/import"] = {"core/base", "core/math", "core/geometry"};
    t["core/scene"] = {"core/base", "core/math", "core/geometry", "core/import"};
    t["core/sim"] = {"core/base", "core/math", "core/geometry", "core/scene"};
    t["core/motion"] = {"core/base", "core/math", "core/geometry", "core/scene", "core/sim"};
    t["core/playback"] = {"core/base", "core/math", "core/geometry", "core/scene", "core/sim", "core/motion"};
    t["core/export"] = t["core/playback"];
    t["core/export"].insert({"core/playback", "core/sound"});
    t["render"] = {"core/base", "core/math", "core/geometry", "core/scene"};  // and playback/frame, export/format
    std::set<std::string> all = t["core/export"];
    all.insert({"core/export", "core/import", "core/sound", "render"});
    // The window from within outwards. Panels and editors stand beside each other and know nothing of one another.
    using Folders = std::vector<std::string>;
    for (const Folders& rank : {Folders{"ui/model"},
                                {"ui/widgets"},
                                {"ui/jobs"},
                                {"ui/tools"},
                                {"ui/modes"},
                                {"ui/viewport"},
                                {"ui/panels", "ui/editors"},
                                {"ui/window"}}) {
      for (const std::string& folder : rank) t[folder] = all;
      all.insert(rank.begin(), rank.end());
    }
    t["app"] = all;
    return t;
  }();
  return table;
}

std::string include_problem(const std::string& from, const std::string& to) {
  const std::string a = layer(from), b = layer(to);
  if (a == b) return {};
  const auto row = allowed().find(a);
  if (row == allowed().end()) return from + " lies in a folder that no rule knows";
  if (row->second.count(b)) return {};
  for (const char* allowed_to_render : {"core/playback/frame.h", "core/playback/film.h", "core/export/frame_sink.h",
                                        "core/export/format.h", "core/export/sound_file.h"})
    if (a == "render" && to == allowed_to_render) return {};
  return from + " must not include " + to;
}

}  // namespace

TEST_CASE("Layers include only what lies below them", "[rules]") {
  static const std::regex include("^\\s*#include \"([^\"]+)\"");
  int seen = 0;
  for (const auto& file : sources({"core", "render", "ui", "app"}))
    for (const auto& line : file.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      if (match[1].str().starts_with("generated/")) continue;  // made of the files of a folder: HazumiTargets.cmake
      const std::string to = match[1];
      if (to.rfind("core/", 0) && to.rfind("render/", 0) && to.rfind("ui/", 0) && to.rfind("app/", 0)) continue;
      ++seen;
      const std::string problem = include_problem(file.path, to);
      INFO(problem);
      CHECK(problem.empty());
    }
  CHECK(seen > 100);  // the rule looked at something
}

TEST_CASE("The include rule itself can fail", "[rules]") {
  CHECK_FALSE(include_problem("core/math/a.h", "core/scene/values/scene.h").empty());
  CHECK_FALSE(include_problem("render/a.h", "core/sim/step.h").empty());
  CHECK_FALSE(include_problem("render/a.h", "core/playback/simulator.h").empty());
  CHECK_FALSE(include_problem("core/scene/a.h", "ui/model/selection.h").empty());
  CHECK(include_problem("ui/panels/a.h", "core/playback/simulator.h").empty());
  CHECK(include_problem("ui/modes/a.h", "ui/tools/gizmo.h").empty());
  CHECK_FALSE(include_problem("ui/model/a.h", "ui/widgets/theme.h").empty());
  CHECK_FALSE(include_problem("ui/modes/a.h", "ui/viewport/viewport.h").empty());
  CHECK_FALSE(include_problem("ui/panels/a.h", "ui/editors/export_dialog.h").empty());
  CHECK_FALSE(include_problem("ui/editors/a.h", "ui/panels/panel.h").empty());
  CHECK_FALSE(include_problem("ui/viewport/a.h", "ui/window/session.h").empty());
  CHECK_FALSE(include_problem("ui/a.h", "core/base/id.h").empty());  // a room for each file
  CHECK_FALSE(include_problem("ui/odd/a.h", "ui/model/text.h").empty());
}

TEST_CASE("core has no Qt and no OpenGL", "[rules]") {
  static const std::regex foreign("#include\\s*<(Q[A-Za-z]|Qt|GL|EGL|GLES|epoxy|glm)");
  CHECK(std::regex_search(std::string("#include <QString>"), foreign));
  for (const auto& file : sources({"core"}))
    for (const auto& line : file.lines) {
      INFO(file.path << ": " << line);
      CHECK_FALSE(std::regex_search(line, foreign));
    }
}

TEST_CASE("Files are written and renamed in one place", "[rules]") {
  // What replaces files by itself, or writes into them where they lie. Standard output and pipes are no files.
  static const std::regex own(
      "(::rename\\(|fs::rename|filesystem::rename|QSaveFile|mkstemp|ofstream|fopen|WriteOnly|QTemporaryFile)");
  CHECK(std::regex_search(std::string("  ::rename(a, b);"), own));
  CHECK(std::regex_search(std::string("  std::ofstream out(file);"), own));
  int seen = 0;
  for (const auto& file : sources({"core", "render", "app", "ui"}))
    for (const auto& line : file.lines) {
      if (!std::regex_search(line, own)) continue;
      if (line.find("buffer.open(") != std::string::npos || line.find("stream(&bytes") != std::string::npos)
        continue;  // into memory
      INFO(file.path << ": " << line);
      CHECK(file.path == "core/base/atomic_file.cpp");
      ++seen;
    }
  CHECK(seen > 0);  // the rule looked at something
}

TEST_CASE("Files over 600 lines say why at the top", "[rules]") {
  for (const auto& file : sources({"core", "render", "ui", "app", "tests"})) {
    if (file.lines.size() <= 600) continue;
    bool reason = false;
    for (std::size_t i = 0; i < 12 && i < file.lines.size(); ++i)
      reason = reason || file.lines[i].find("Length:") != std::string::npos;
    INFO(file.path << " has " << file.lines.size() << " lines and no comment \"Length: why\" in its first twelve");
    CHECK(reason);
  }
}

TEST_CASE("Who asks what a body can do asks its row, not for a kind by its name", "[rules]") {
  // So that a new kind of body is one file (core/scene/values/body_kinds.h): in lists, in files and in whatever treats bodies.
  for (const auto& file : sources({"core", "render", "ui", "app"})) {
    if (file.path == "core/scene/values/body_kinds.h") continue;
    for (const auto& line : file.lines) {
      INFO(file.path << ": " << line);
      CHECK(line.find("BodyKind::") == std::string::npos);
    }
  }
}

TEST_CASE("There is one undo command, and no object that everybody can reach", "[rules]") {
  static const std::regex singleton("static\\s+\\w+\\s*[&*]\\s*instance\\s*\\(");
  int commands = 0;
  for (const auto& file : sources({"core", "render", "ui", "app"}))
    for (const auto& line : file.lines) {
      if (line.find("public QUndoCommand") != std::string::npos) ++commands;
      INFO(file.path << ": " << line);
      CHECK_FALSE(std::regex_search(line, singleton));
    }
  CHECK(commands <= 1);
}

}  // namespace rules_test
