// The one precompiled header of everything that links libtorch; see cmake/FairlapTorch.cmake.
#ifndef FAIRLAP_WORKER_TORCH_PCH_H_
#define FAIRLAP_WORKER_TORCH_PCH_H_

#include <torch/torch.h>

#endif  // FAIRLAP_WORKER_TORCH_PCH_H_
