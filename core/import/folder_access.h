// The files that a mesh file may read: those in its own folder and below it, by relative names, up to a total
// size. A mesh file is data from anywhere, not a program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hazumi {

class FolderAccess {
 public:
  /// `file`: the mesh file; it is itself not counted.
  explicit FolderAccess(const std::filesystem::path& file);

  /// The companion named `name` in the file, "/" or "\" between folders. Nothing when it is not there, leaves
  /// the folder (also through links), is no plain file, or would exceed the limits (256 files, 256 MiB
  /// together).
  std::optional<std::string> read(std::string_view name);
  bool exists(std::string_view name) const;
  /// Names of what was read, relative to the folder, in order of first reading.
  const std::vector<std::string>& companions() const { return companions_; }
  /// Names that were asked for and may not be read because they lead elsewhere.
  const std::vector<std::string>& refused() const { return refused_; }

 private:
  struct Place {
    std::filesystem::path path;
    std::string name;
  };
  std::optional<Place> place(std::string_view name) const;

  std::filesystem::path folder_;  ///< canonical
  std::vector<std::string> companions_, refused_;
  std::uintmax_t total_ = 0;
};

/// "..\maps\Wood.PNG" → "../maps/Wood.PNG", "./a//b.png" → "a/b.png".
std::string tidy_name(std::string_view name);
/// "Red%20box.bin" → "Red box.bin", as names are in addresses.
std::string decoded_name(const std::string& name);

}  // namespace hazumi
