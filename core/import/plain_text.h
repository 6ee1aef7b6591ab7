// Text formats as people write them, brought to what the reader understands: lines that are indented, a byte-order mark, line ends
// of other systems, key words in capitals. Everything else stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace hazumi {

/// OBJ and MTL.
std::string plain_obj(std::string bytes);
/// STL written as text; a binary one stays.
std::string plain_stl(std::string bytes);
/// Whether the file begins as an STL file of text does.
bool is_stl_text(std::string_view bytes);

}  // namespace hazumi
