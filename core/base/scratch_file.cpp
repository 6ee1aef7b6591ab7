#include "core/base/scratch_file.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace hazumi {

namespace {

int open_without_name(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
  if (const int handle = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); handle >= 0) return handle;
#endif
  // A file system that knows no files without names: it has one for a moment.
  std::string name = (folder / "frames-XXXXXX").string();
  const int handle = ::mkostemp(name.data(), O_CLOEXEC);
  if (handle >= 0) ::unlink(name.c_str());
  return handle;
}

}  // namespace

std::unique_ptr<ScratchFile> ScratchFile::make(const std::filesystem::path& folder, int& error) {
  std::error_code why;
  std::filesystem::create_directories(folder, why);
  const int handle = why ? -1 : open_without_name(folder);
  error = why ? why.value() : handle < 0 ? errno : 0;
  return handle < 0 ? nullptr : std::unique_ptr<ScratchFile>(new ScratchFile(handle));
}

ScratchFile::~ScratchFile() { ::close(handle_); }

std::optional<std::uint64_t> ScratchFile::append(std::span<const std::byte> bytes, int& error) {
  const std::uint64_t begin = size_, all = bytes.size();
  for (std::uint64_t at = begin; !bytes.empty();) {
    const ssize_t written = ::pwrite(handle_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error = written < 0 ? errno : ENOSPC;
      // What came before the end of the disk takes room for nothing.
      (void)!::ftruncate(handle_, static_cast<off_t>(begin));
      return std::nullopt;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  size_ = begin + all;
  return begin;
}

bool ScratchFile::read(std::uint64_t from, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(handle_, bytes.data(), bytes.size(), static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    from += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace hazumi
