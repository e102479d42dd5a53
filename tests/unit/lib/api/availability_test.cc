#include "lib/api/availability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "spec_text.h"

namespace fairlap::api {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Unavailable {
  const char* path;
  const char* value;
  const char* patch;
};

constexpr Unavailable kUnavailable[] = {
    {"spec.software.input.decoder", "nvjpeg",
     "{software: {input: {decoder: nvjpeg}}, compute: {device: gpu}}"},
    {"spec.software.input.reader", "uring", "software: {input: {reader: uring}}"},
    {"spec.software.input.reader", "direct for a packed data set",
     "{software: {input: {reader: direct}}, problem: {dataset: {layout: packed}}}"},
    {"spec.problem.dataset.layout", "packed for carePairs",
     "{software: {model: care2d}, problem: {dataset: {format: carePairs, layout: packed}}}"},
    {"spec.compute.device", "emulated",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}"},
    {"spec.compute.gpus", "2", "compute: {device: gpu, gpus: 2}"},
    {"spec.compute.nodes", "2", "compute: {nodes: 2}"},
    {"spec.compute.placement", "spread", "compute: {placement: spread}"},
    {"spec.compute.pricePerHour", "cost", "compute: {pricePerHour: \"3\"}"},
    {"spec.storage.data.populate.fromClaim", "copying another claim",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {fromClaim: x}}}"},
    {"spec.storage.data.profile", "a storage profile",
     "storage: {data: {claimName: null, profile: nvme}}"},
    {"spec.storage.cache", "preparing a packed data set",
     "{problem: {dataset: {layout: packed}}, storage: {cache: cold}}"},
    {"spec.storage.scratch.profile", "a storage profile",
     "storage: {staging: copy, scratch: {profile: nvme}}"},
    {"spec.measurement.stallAnalysis", "true", "measurement: {stallAnalysis: true}"},
    {"spec.measurement.onDisruption", "rerun", "measurement: {onDisruption: rerun}"},
};

TEST(CheckAvailability, RefusesByNameWhatThisVersionCannotDo) {
  for (const Unavailable& tried : kUnavailable) {
    SCOPED_TRACE(tried.patch);
    const std::string message = std::string(tried.value) + " is not available in this version";
    EXPECT_THAT(CheckAvailability(MakeSpec(tried.patch)),
                Contains(AllOf(Field(&base::Problem::path, tried.path),
                               Field(&base::Problem::message, HasSubstr(message))))
                    .Times(1));
  }
}

TEST(CheckAvailability, SaysWhatThereIsInstead) {
  const auto problems = CheckAvailability(MakeSpec("software: {input: {reader: uring}}"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].message,
            "uring is not available in this version (available: buffered, direct)");
}

TEST(CheckAvailability, AcceptsWhatIsBuilt) {
  for (const char* patch : {
           "{}",
           "software: {model: resnet20v1}",
           "{software: {precision: tf32}, compute: {device: gpu}}",
           "software: {memoryFormat: channelsLast, image: registry.example/worker:1}",
           "{problem: {dataset: {format: synthetic}}, storage: {data: null}}",
           "problem: {dataset: {format: cifar10}}",
           "problem: {dataset: {format: imageFolder, layout: packed}}",
           "storage: {staging: copy, scratch: {emptyDir: {}}}",
           "storage: {staging: copy, scratch: {claimTemplate: {size: 5Gi}}}",
           "problem: {optimizer: {nesterov: true, decayNormAndBias: false, weightDecay: \"0\"}}",
           "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [3], warmupSteps: 5}}}",
           "software: {precision: bf16}",
           "{software: {cudaGraphs: true, precision: fp16}, compute: {device: gpu}}",
           "problem: {optimizer: {name: adamW, gradientClipNorm: \"1\", labelSmoothing: \"0.1\"}}",
           "problem: {optimizer: {schedule: {name: oneCycle}}}",
           "{software: {model: care2d}, problem: {dataset: {format: carePairs}, "
           "stop: {steps: null, accuracy: {metric: psnr, target: \"30\"}}}}",
           "problem: {optimizer: {schedule: {name: cosine, endLearningRate: \"0.01\"}}}",
           "problem: {stop: {steps: null, epochs: 3}}",
           "problem: {stop: {steps: null, accuracy: {metric: loss, target: \"0.3\"}}}",
           "storage: {cache: cold}",
           "storage: {cache: warm}",
           "compute: {gpus: 1, nodeSelector: {a: b}, tolerations: [{operator: Exists}]}",
           "compute: {resources: {cpu: 2, memory: 4Gi}, priorityClassName: low}",
           "{queueName: batch, suspend: true, ttlSecondsAfterFinished: 60}",
       }) {
    SCOPED_TRACE(patch);
    EXPECT_THAT(CheckAvailability(MakeSpec(patch)), IsEmpty());
  }
}

}  // namespace
}  // namespace fairlap::api
