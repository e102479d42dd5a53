// The same work on many items in several threads.
#ifndef FAIRLAP_WORKER_STORAGE_FOR_EACH_H_
#define FAIRLAP_WORKER_STORAGE_FOR_EACH_H_

#include <cstddef>
#include <functional>
#include <stop_token>

#include "lib/base/result.h"

namespace fairlap::storage {

// Calls work(item, thread) for every item below `items`, each in one of the threads 0 to
// `threads` - 1, which take them in order; meanwhile the calling thread calls `meanwhile` some
// times a second. The first error, or a stop (kInterrupted), ends it when the items being worked on
// are done.
base::Status ForEach(size_t items, int threads,
                     const std::function<base::Status(size_t item, size_t thread)>& work,
                     const std::function<void()>& meanwhile, const std::stop_token& stop);

}  // namespace fairlap::storage

#endif  // FAIRLAP_WORKER_STORAGE_FOR_EACH_H_
