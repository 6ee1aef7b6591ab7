#include "core/import/folder_access.h"

#include <algorithm>
#include <fstream>

namespace hazumi {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kMostFiles = 256;

bool inside(const fs::path& path, const fs::path& folder) {
  const auto [rest, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

}  // namespace

std::string tidy_name(std::string_view name) {
  std::string text(name.substr(0, name.find('\0')));
  std::replace(text.begin(), text.end(), '\\', '/');
  return fs::path(text).lexically_normal().generic_string();
}

FolderAccess::FolderAccess(const fs::path& file) {
  std::error_code error;
  const fs::path parent = file.parent_path();
  folder_ = fs::canonical(parent.empty() ? fs::path(".") : parent, error);
}

std::optional<FolderAccess::Place> FolderAccess::place(std::string_view name) const {
  const fs::path relative(tidy_name(name));
  if (folder_.empty() || relative.empty() || relative.is_absolute() || *relative.begin() == "..") return {};
  std::error_code error;
  const fs::path real = fs::canonical(folder_ / relative, error);  // follows links: where they lead counts
  if (error || !inside(real, folder_) || !fs::is_regular_file(real, error)) return {};
  return Place{real, relative.generic_string()};
}

bool FolderAccess::exists(std::string_view name) const { return place(name).has_value(); }

std::optional<std::string> FolderAccess::read(std::string_view name) {
  const std::optional<Place> found = place(name);
  if (!found) {
    refused_.push_back(tidy_name(name));
    return {};
  }
  std::error_code error;
  const std::uintmax_t size = fs::file_size(found->path, error);
  const bool known = std::find(companions_.begin(), companions_.end(), found->name) != companions_.end();
  if (error || (!known && (companions_.size() >= kMostFiles || size > kMostBytes - total_))) return {};
  std::ifstream in(found->path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!in || (size > 0 && !in.read(bytes.data(), static_cast<std::streamsize>(size)))) return {};
  if (!known) {
    companions_.push_back(found->name);
    total_ += size;
  }
  return bytes;
}

std::string decoded_name(const std::string& name) {
  std::string out;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '%' && i + 2 < name.size() && std::isxdigit(static_cast<unsigned char>(name[i + 1])) &&
        std::isxdigit(static_cast<unsigned char>(name[i + 2]))) {
      out += static_cast<char>(16 * digit(name[i + 1]) + digit(name[i + 2]));
      i += 2;
    } else {
      out += name[i];
    }
  }
  return out;
}

}  // namespace hazumi
