// Memory of the process and of the machine.
#pragma once

#include <cstddef>

namespace hazumi {

/// What was freed goes back to the system: the C library keeps it for itself, as holes between what is in use, which after a large
/// scene is most of what the process has. Takes up to a tenth of a second for each gigabyte: for workers.
void give_back_freed_memory();
/// By default each of our threads (simulation, jobs, the software rasterizer's) gets an own heap that keeps what it has freed; none
/// of them allocates enough for two to be too few. Before the first thread.
void use_few_heaps();
std::size_t installed_memory();  ///< bytes; 0: not known
std::size_t resident_memory();   ///< bytes of this process; 0: not known

}  // namespace hazumi
