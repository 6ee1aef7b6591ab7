// hazumi-mesh-reader SECONDS MEMORY FILE ENDING: reads one mesh file with Assimp for another program of ours, which starts it
// (core/import/apart.h) and checks the bytes that it writes as if they came from a stranger.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/import/apart.h"
#include "core/import/assimp_reader.h"

int main(int count, char** arguments) {
  const int code = hazumi::answer_apart(count, arguments, [](const std::vector<std::string>& asked) {
    if (asked.size() != 2) throw std::invalid_argument("FILE ENDING");
    std::ifstream file(asked[0], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return hazumi::to_bytes(hazumi::read_with_assimp(asked[0], bytes, asked[1]));
  });
  std::_Exit(code);  // the answer is sent: what Assimp has not given back after damaged files goes with the process
}
