// What a RunConfig means for this process: pure functions, and the device. Errors name the value
// and what would work.
#ifndef FAIRLAP_WORKER_TRAIN_SETTINGS_H_
#define FAIRLAP_WORKER_TRAIN_SETTINGS_H_

#include <torch/torch.h>

#include <cstdint>

#include "lib/api/run_config.h"
#include "lib/base/result.h"
#include "lib/models/networks.h"
#include "worker/step/train_step.h"

namespace fairlap::train {

int64_t BatchSize(const api::ProblemSpec& problem);  // per device
torch::MemoryFormat FormatOf(const api::RunConfig& config);

// kInvalidInput if the model cannot learn from such data or not at such an image size.
base::Result<models::NetworkFacts> ChooseNetwork(const api::RunConfig& config);
int64_t ImageSize(const api::RunConfig& config, const models::NetworkFacts& facts);

// kUnavailable if this build or this machine does not have it.
base::Result<torch::Device> ChooseDevice(api::Device device);

// kUnavailable for what cannot work on `device`.
base::Result<step::StepOptions> MakeStepOptions(const api::RunConfig& config,
                                                const models::NetworkFacts& facts,
                                                torch::Device device);
step::OptimizerOptions MakeOptimizerOptions(const api::OptimizerSpec& spec);

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SETTINGS_H_
