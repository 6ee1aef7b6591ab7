// One name, one type: two of one name in one namespace, each in a file of its own, compile and link, and a program takes
// the functions of either for both. What sees it is at best a sanitizer.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace names_test {

namespace fs = std::filesystem;

namespace {

/// Types that are defined at the outermost level of the namespaces of a file, by their full names; none of a namespace
/// without a name. The tree is formatted: what stands in a namespace begins its line, and so does its end.
std::vector<std::string> types(std::istream& file) {
  static const std::regex space("^namespace ?([\\w:]*) \\{$"), end("^\\}  // namespace"),
      type("^(?:template <.*> )?(?:struct|class|enum|enum class|union) (\\w+)(?: final)?(?: : .*)?(?: \\{.*|,|)$");
  std::vector<std::string> within, found;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_search(line, match, space)) {
      within.push_back(match[1]);
    } else if (std::regex_search(line, end)) {
      if (!within.empty()) within.pop_back();
    } else if (std::regex_search(line, match, type)) {
      std::string name;
      bool local = false;
      for (const std::string& part : within) {
        local |= part.empty();
        name += part + "::";
      }
      if (!local) found.push_back(name + match[1].str());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("No two types have one name", "[rules]") {
  std::map<std::string, std::string> defined;  // name, file
  for (const char* folder : {"core", "render", "ui", "app", "scenes", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HAZUMI_SOURCE_DIR) / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cpp") continue;
      const std::string path = fs::relative(entry.path(), HAZUMI_SOURCE_DIR).generic_string();
      std::ifstream file(entry.path());
      for (const std::string& name : types(file)) {
        const auto [at, first] = defined.emplace(name, path);
        INFO(name << " is defined in " << at->second << " and in " << path);
        CHECK(first);
      }
    }
  CHECK(defined.size() > 500);  // the rule looked at something
}

TEST_CASE("The rule for names finds what it should", "[rules]") {
  std::istringstream file(
      "namespace hazumi::test {\n\nnamespace {\n\nstruct Local {\n};\n\n}  // namespace\n\nstruct Run : World {\n"
      "  struct Inner {\n  };\n};\nclass Ahead;\ntemplate <class T> class Of final {\n};\nenum class Kind { a, b };\n\n"
      "}  // namespace hazumi::test\nunion Outer {\n};\n");
  CHECK(types(file) ==
        std::vector<std::string>{"hazumi::test::Run", "hazumi::test::Of", "hazumi::test::Kind", "Outer"});
}

}  // namespace names_test
