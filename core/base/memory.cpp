#include "core/base/memory.h"

#include <fstream>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

namespace hazumi {

void give_back_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

void use_few_heaps() {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 2);
  // By itself the library lets these grow with what was freed: a picture's samples then stay in the heap below what came later.
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

std::size_t installed_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) : 0;
}

std::size_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  const long size = ::sysconf(_SC_PAGESIZE);
  return file >> all >> resident && size > 0 ? resident * static_cast<std::size_t>(size) : 0;
}

}  // namespace hazumi
