// Writing files so that at every moment there is either the old or the new whole file.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace hazumi {

/// Writes beside the target, flushes to the disk, renames. On failure nothing is left behind, the old file
/// stays, and the error says why in one sentence.
Status write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// The whole file; refuses folders, devices and files above `limit` bytes.
Result<std::string> read_whole_file(const std::filesystem::path& file, std::uintmax_t limit);

}  // namespace hazumi
