// hazumi-mesh-reader SECONDS MEMORY FILE ENDING [clips]: reads one mesh file, with clips what moves in it too, for another program of ours, which starts it
// (core/import/apart.h) and checks the bytes that it writes as if they came from a stranger.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/import/apart.h"
#include "core/import/assimp_reader.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int count, char** arguments) {
#ifdef __GLIBC__  // memory that was used once is used again: new pages were a seventh of the time for a million faces
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
  const int code = hazumi::answer_apart(count, arguments, [](const std::vector<std::string>& asked) {
    const bool clips = asked.size() == 3 && asked[2] == "clips";
    if (asked.size() != 2 && !clips) throw std::invalid_argument("FILE ENDING [clips]");
    std::ostringstream bytes;  // whole blocks: a million faces are a hundred megabytes
    bytes << std::ifstream(asked[0], std::ios::binary).rdbuf();
    if (clips) return hazumi::to_bytes(hazumi::read_clips(asked[0], std::move(bytes).str(), asked[1]));
    return hazumi::to_bytes(hazumi::read_with_assimp(asked[0], std::move(bytes).str(), asked[1]));
  });
  std::_Exit(code);  // the answer is sent: what Assimp has not given back after damaged files goes with the process
}
