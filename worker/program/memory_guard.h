// Lets a repeat that needs more memory than there is fail with an error that is written down.
// Without it the kernel kills the process (its control group's limit, or the machine's end) and all
// that it had measured is lost.
#ifndef FAIRLAP_WORKER_PROGRAM_MEMORY_GUARD_H_
#define FAIRLAP_WORKER_PROGRAM_MEMORY_GUARD_H_

#include <cstdint>
#include <optional>

namespace fairlap::program {

// What setrlimit(RLIMIT_DATA) is to be, so that an allocation fails just before `memory_bytes` are
// in use: the limit counts what is mapped and not what is touched, so what is mapped and untouched
// now (stacks, arenas) comes on top; a fiftieth is left to the kernel's own tables. `mapped_bytes`
// and `touched_bytes`: VmData and RssAnon of /proc/self/status.
int64_t DataLimit(int64_t memory_bytes, int64_t mapped_bytes, int64_t touched_bytes);

// Sets it for this process, whose memory is its control group's limit or, without one, what the
// machine has available now. For training on the CPU: a GPU's driver maps far more than it uses.
void GuardMemory(std::optional<int64_t> control_group_bytes);

// For writing down what happened.
void LiftMemoryGuard();

}  // namespace fairlap::program

#endif  // FAIRLAP_WORKER_PROGRAM_MEMORY_GUARD_H_
