// Writing files so that at every moment there is either the old or the new whole file: the one way in which the program
// writes. Everything is written beside the target under another name, flushed to the disk, and renamed; on failure nothing
// is left behind and the old file stays. Links are written through, and so are devices and pipes, which a renamed file
// would replace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/result.h"

namespace hazumi {

/// Why a file could not be written; who asked makes a sentence of it.
struct WriteProblem {
  int error = 0;  ///< as in errno; EISDIR: there is a folder of that name
  std::filesystem::path
      folder;  ///< not empty: this is missing (ENOENT), is no folder (ENOTDIR) or may not be written to
};

/// Nothing when all went well.
std::optional<WriteProblem> replace_file(const std::filesystem::path& file, std::string_view bytes);
/// A copy of a file of any length where none is yet, on the disk as a whole or not at all. `going` is told of bytes as they are
/// copied; when it says no, nothing is left (ECANCELED).
std::optional<WriteProblem> copy_to_new_file(const std::filesystem::path& source, const std::filesystem::path& file,
                                             const std::function<bool(std::uintmax_t bytes)>& going = {});
/// Whether a file could be made there, asked before long work: its folder exists and may be written to.
std::optional<WriteProblem> cannot_replace(const std::filesystem::path& file);
/// "no such file or directory": what the system says to an errno, ready for the middle of a sentence.
std::string error_text(int error);

/// For documents: replace_file(), then the folder is flushed too, so that the new file is there after a power cut.
Status write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// The whole file; refuses folders, devices and files above `limit` bytes.
Result<std::string> read_whole_file(const std::filesystem::path& file, std::uintmax_t limit);

}  // namespace hazumi
