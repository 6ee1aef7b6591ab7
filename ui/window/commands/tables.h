// The commands of the program, a file for each menu in this folder (file NAME.cpp defines commands_NAME()), found by a generated
// table. A new command is a row there and its function.
#pragma once

#include <span>

namespace hazumi {

struct CommandTable;

std::span<const CommandTable* const> command_tables();

}  // namespace hazumi
