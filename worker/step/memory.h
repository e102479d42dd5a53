// Where the framework's tensors on the host come from. A training step allocates and frees the same
// hundreds of megabytes again and again; with the C library's malloc the kernel hands over and
// clears every page of them in every step (docs/adr/0008).
#ifndef FAIRLAP_WORKER_STEP_MEMORY_H_
#define FAIRLAP_WORKER_STEP_MEMORY_H_

#include <string>

namespace fairlap::step {

// Lets libtorch ask the kernel for huge pages, unless the environment says otherwise. Before the
// first tensor and the first thread.
void AskForHugePages();

// Whose malloc this process has, as it was linked or preloaded: "tcmalloc (gperftools 2.10), huge
// pages".
std::string AllocatorName();

}  // namespace fairlap::step

#endif  // FAIRLAP_WORKER_STEP_MEMORY_H_
