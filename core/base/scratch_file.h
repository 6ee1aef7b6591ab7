// A file without a name, for what does not fit into memory. It is gone when it is closed, and when the program ends, in whatever
// way: nothing is ever left on the disk. One thread appends; any thread reads what has been appended before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace hazumi {

class ScratchFile {
 public:
  /// In `folder`, which is made when it is missing. Null: `error` says why, as in errno.
  static std::unique_ptr<ScratchFile> make(const std::filesystem::path& folder, int& error);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Where the bytes lie from now on. Nothing: `error` says why, and the file is what it was.
  std::optional<std::uint64_t> append(std::span<const std::byte> bytes, int& error);
  /// False: they are not to be had.
  bool read(std::uint64_t from, std::span<std::byte> bytes) const;
  std::uint64_t size() const { return size_; }

 private:
  explicit ScratchFile(int handle) : handle_(handle) {}
  int handle_;
  std::uint64_t size_ = 0;
};

}  // namespace hazumi
