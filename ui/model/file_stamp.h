// A file as it was when the program read or wrote it, to see whether another program has changed it since: its size and the
// time of its last change, to the nanosecond. Looking costs nothing, so that it can be done whenever the window comes back.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <QString>

namespace hazumi {

struct FileStamp {
  std::uintmax_t size = 0;
  std::int64_t time = 0;  ///< of the file system's clock; 0: there is no such file

  static FileStamp of(const QString& file) {
    std::error_code no_size, no_time;
    const std::filesystem::path path(file.toStdString());
    const std::uintmax_t size = std::filesystem::file_size(path, no_size);
    const auto time = std::filesystem::last_write_time(path, no_time);
    if (no_size || no_time) return {};
    return {size, static_cast<std::int64_t>(time.time_since_epoch().count())};
  }
  bool there() const { return time != 0; }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

}  // namespace hazumi
