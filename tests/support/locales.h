// Locales of other countries: decimal commas, points between thousands, and a Turkish i.
#pragma once

#include <stdlib.h>

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace hazumi::test {

/// de_DE and tr_TR, made with localedef where the machine has their sources, in a folder that LOCPATH names meanwhile.
class MadeLocales {
 public:
  MadeLocales() {
    for (const char* name : {"de_DE", "tr_TR"}) {
      const std::string to = (folder_ / (std::string(name) + ".UTF-8")).string();
      const std::string make =
          std::string("localedef -i ") + name + " -f UTF-8 --no-archive '" + to + "' >/dev/null 2>&1";
      if (std::system(make.c_str()) == 0) names.push_back(std::string(name) + ".UTF-8");
    }
    ::setenv("LOCPATH", path().c_str(), 1);
  }
  ~MadeLocales() { ::unsetenv("LOCPATH"); }
  MadeLocales(const MadeLocales&) = delete;
  MadeLocales& operator=(const MadeLocales&) = delete;
  std::string path() const { return folder_.path().string(); }

  std::vector<std::string> names;  ///< of those that could be made

 private:
  TemporaryFolder folder_;
};

/// As a window's program starts in such a country, and as a library may set C++ up beside it; as before at its end.
class OtherLocale {
 public:
  /// `name`: for C; empty: as it is.
  explicit OtherLocale(const std::string& name)
      : c_before_(std::setlocale(LC_ALL, nullptr)),
        cpp_before_(std::locale::global(std::locale(std::locale::classic(), new Commas))) {
    set = name.empty() || std::setlocale(LC_ALL, name.c_str()) != nullptr;
  }
  ~OtherLocale() {
    std::locale::global(cpp_before_);
    std::setlocale(LC_ALL, c_before_.c_str());
  }
  OtherLocale(const OtherLocale&) = delete;
  OtherLocale& operator=(const OtherLocale&) = delete;

  bool set = false;

 private:
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::string c_before_;
  std::locale cpp_before_;
};

}  // namespace hazumi::test
