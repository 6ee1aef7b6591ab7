// docs/motion-boxes.md: every kind of event and procedure with its parameters, made from their rows.
#pragma once

#include <string>

namespace hazumi {

std::string motion_document();

}  // namespace hazumi
