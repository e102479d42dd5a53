// For each rule between fields: a spec that breaks it and one, close by, that keeps it.
#ifndef FAIRLAP_TESTS_UNIT_LIB_API_RULE_CASES_H_
#define FAIRLAP_TESTS_UNIT_LIB_API_RULE_CASES_H_

namespace fairlap::api {

// A spec that keeps every rule; the cases are RFC 7386 merge patches on it, in YAML.
inline constexpr char kSoundSpec[] = R"(
software: {model: resnet50}
problem:
  dataset: {format: imageFolder}
  batchSize: 16
  optimizer: {learningRate: "0.1"}
  stop: {steps: 100}
compute: {device: cpu}
storage: {data: {claimName: photos}}
)";

struct RuleCase {
  const char* path;     // of the rule
  const char* message;  // how its message begins
  const char* broken;
  const char* kept;
};

inline constexpr RuleCase kRuleCases[] = {
    // Between the sections.
    {"spec", "software.model care2d", "software: {model: care2d}",
     "{software: {model: care2d}, problem: {dataset: {format: carePairs}}}"},
    {"spec", "software.model care2d", "problem: {dataset: {format: carePairs}}",
     "{software: {model: care2d}, problem: {dataset: {format: synthetic}}, storage: {data: null}}"},
    {"spec", "problem.stop.accuracy.metric must be psnr",
     "problem: {stop: {steps: null, accuracy: {metric: psnr, target: \"30\"}}}",
     "problem: {stop: {steps: null, accuracy: {metric: loss, target: \"3\"}}}"},
    {"spec", "problem.stop.accuracy.metric must be psnr",
     "{software: {model: care2d}, problem: {dataset: {format: carePairs}, "
     "stop: {steps: null, accuracy: {metric: top5, target: \"0.5\"}}}}",
     "{software: {model: care2d}, problem: {dataset: {format: carePairs}, "
     "stop: {steps: null, accuracy: {metric: psnr, target: \"30\"}}}}"},
    {"spec", "storage.data is required", "storage: {data: null}",
     "{storage: {data: null}, problem: {dataset: {format: synthetic}}}"},
    {"spec", "storage.data is required", "problem: {dataset: {format: synthetic}}", "{}"},
    {"spec", "problem.dataset.format synthetic reads no files",
     "{storage: {data: null, cache: cold}, problem: {dataset: {format: synthetic}}}",
     "storage: {cache: cold}"},
    {"spec", "problem.dataset.format synthetic reads no files",
     "{storage: {data: null}, measurement: {stallAnalysis: true}, "
     "problem: {dataset: {format: synthetic}}}",
     "measurement: {stallAnalysis: true}"},
    {"spec", "problem.dataset.format synthetic reads no files",
     "{storage: {data: null, staging: copy, scratch: {profile: nvme}}, "
     "problem: {dataset: {format: synthetic}}}",
     "storage: {staging: copy, scratch: {profile: nvme}}"},
    {"spec", "compute.device emulated feeds",
     "{compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}, storage: {data: null}, "
     "problem: {dataset: {format: synthetic}}}",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}"},
    {"spec", "compute.device emulated feeds",
     "{compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}, "
     "problem: {batchSize: null, globalBatchSize: 16}}",
     "{compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}, "
     "problem: {stop: {steps: null, epochs: 2}}}"},
    {"spec", "software.precision tf32", "software: {precision: tf32}",
     "{software: {precision: tf32}, compute: {device: gpu}}"},
    {"spec", "software.precision tf32", "software: {cudaGraphs: true}",
     "{software: {cudaGraphs: true}, compute: {device: gpu}}"},
    {"spec", "software.precision tf32", "software: {input: {decoder: nvjpeg}}",
     "{software: {input: {decoder: nvjpeg}}, compute: {device: gpu}}"},
    {"spec", "problem.globalBatchSize must be a multiple",
     "{problem: {batchSize: null, globalBatchSize: 30}, compute: {device: gpu, gpus: 4}}",
     "{problem: {batchSize: null, globalBatchSize: 32}, compute: {device: gpu, gpus: 4}}"},
    {"spec", "problem.globalBatchSize must be a multiple",
     "{problem: {batchSize: null, globalBatchSize: 3}, compute: {nodes: 2}}",
     "{problem: {batchSize: null, globalBatchSize: 4}, compute: {nodes: 2}}"},
    // Within the problem.
    {"spec.problem", "exactly one of batchSize", "problem: {globalBatchSize: 16}", "{}"},
    {"spec.problem", "exactly one of batchSize", "problem: {batchSize: null}",
     "problem: {batchSize: null, globalBatchSize: 16}"},
    {"spec.problem", "stop.accuracy needs",
     "{storage: {data: null}, problem: {dataset: {format: synthetic, synthetic: "
     "{validationSamples: 0}}, stop: {steps: null, accuracy: {metric: top1, target: \"0.5\"}}}}",
     "{storage: {data: null}, problem: {dataset: {format: synthetic, synthetic: "
     "{validationSamples: 1}}, stop: {steps: null, accuracy: {metric: top1, target: \"0.5\"}}}}"},
    {"spec.problem", "optimizer.schedule.warmupSteps must be below",
     "problem: {optimizer: {schedule: {name: cosine, warmupSteps: 100}}}",
     "problem: {optimizer: {schedule: {name: cosine, warmupSteps: 99}}}"},
    {"spec.problem.dataset", "synthetic is for format",
     "problem: {dataset: {synthetic: {classes: 10}}}",
     "{storage: {data: null}, problem: {dataset: {format: synthetic, synthetic: {classes: 10}}}}"},
    {"spec.problem.dataset", "layout packed",
     "problem: {dataset: {format: cifar10, layout: packed}}",
     "problem: {dataset: {layout: packed}}"},
    {"spec.problem.dataset", "trainPath, validationPath and maxBadFiles",
     "problem: {dataset: {format: cifar10, trainPath: training}}",
     "problem: {dataset: {trainPath: training}}"},
    {"spec.problem.dataset", "trainPath, validationPath and maxBadFiles",
     "problem: {dataset: {format: cifar10, validationPath: test}}",
     "problem: {dataset: {validationPath: test}}"},
    {"spec.problem.dataset", "trainPath, validationPath and maxBadFiles",
     "problem: {dataset: {format: cifar10, maxBadFiles: 1}}",
     "problem: {dataset: {maxBadFiles: 1}}"},
    {"spec.problem.dataset", "trainPath and validationPath must differ",
     "problem: {dataset: {trainPath: val}}", "problem: {dataset: {trainPath: val/a}}"},
    {"spec.problem.dataset", "imageSize must be 32",
     "problem: {dataset: {format: cifar10, imageSize: 64}}",
     "problem: {dataset: {format: cifar10, imageSize: 32}}"},
    {"spec.problem.stop", "exactly one of steps", "problem: {stop: {epochs: 2}}",
     "problem: {stop: {steps: null, epochs: 2}}"},
    {"spec.problem.stop", "exactly one of steps", "problem: {stop: {steps: null}}",
     "problem: {stop: {steps: null, accuracy: {metric: top1, target: \"0.5\"}}}"},
    {"spec.problem.stop", "exactly one of steps",
     "problem: {stop: {epochs: 1, accuracy: {metric: top1, target: \"0.5\"}}}", "{}"},
    {"spec.problem.stop.accuracy", "target must be above 0",
     "problem: {stop: {steps: null, accuracy: {metric: top1, target: \"0\"}}}",
     "problem: {stop: {steps: null, accuracy: {metric: top1, target: \"1\"}}}"},
    {"spec.problem.stop.accuracy", "target must be above 0",
     "problem: {stop: {steps: null, accuracy: {metric: top5, target: \"90\"}}}",
     "problem: {stop: {steps: null, accuracy: {metric: loss, target: \"90\"}}}"},
    {"spec.problem.stop.accuracy", "everyEpochs must not",
     "problem: {stop: {steps: null, accuracy: {metric: top1, target: \"0.5\", everyEpochs: 5, "
     "maxEpochs: 4}}}",
     "problem: {stop: {steps: null, accuracy: {metric: top1, target: \"0.5\", everyEpochs: 5, "
     "maxEpochs: 5}}}"},
    {"spec.problem.optimizer", "learningRate must be above",
     "problem: {optimizer: {learningRate: \"0.0\"}}",
     "problem: {optimizer: {learningRate: \"5e-4\"}}"},
    {"spec.problem.optimizer", "momentum, beta1", "problem: {optimizer: {momentum: \"1\"}}",
     "problem: {optimizer: {momentum: \"0.99\"}}"},
    {"spec.problem.optimizer", "momentum, beta1",
     "problem: {optimizer: {name: adam, beta1: \"1.0\"}}",
     "problem: {optimizer: {name: adam, beta1: \"0.95\"}}"},
    {"spec.problem.optimizer", "momentum, beta1",
     "problem: {optimizer: {name: adamW, beta2: \"1.5\"}}",
     "problem: {optimizer: {name: adamW, beta2: \"0.99\"}}"},
    {"spec.problem.optimizer", "momentum, beta1", "problem: {optimizer: {labelSmoothing: \"1\"}}",
     "problem: {optimizer: {labelSmoothing: \"0.1\"}}"},
    {"spec.problem.optimizer", "epsilon and gradientClipNorm",
     "problem: {optimizer: {name: adam, epsilon: \"0\"}}",
     "problem: {optimizer: {name: adam, epsilon: \"1e-6\"}}"},
    {"spec.problem.optimizer", "epsilon and gradientClipNorm",
     "problem: {optimizer: {gradientClipNorm: \"0\"}}",
     "problem: {optimizer: {gradientClipNorm: \"1\"}}"},
    {"spec.problem.optimizer", "momentum and nesterov are for sgd",
     "problem: {optimizer: {beta1: \"0.8\"}}", "problem: {optimizer: {beta1: \"0.90\"}}"},
    {"spec.problem.optimizer", "momentum and nesterov are for sgd",
     "problem: {optimizer: {epsilon: \"1e-6\"}}", "problem: {optimizer: {beta2: \"0.9990\"}}"},
    {"spec.problem.optimizer", "momentum and nesterov are for sgd",
     "problem: {optimizer: {name: adam, momentum: \"0.8\"}}", "problem: {optimizer: {name: adam}}"},
    {"spec.problem.optimizer", "momentum and nesterov are for sgd",
     "problem: {optimizer: {name: adam, nesterov: true}}",
     "problem: {optimizer: {nesterov: true}}"},
    {"spec.problem.optimizer", "nesterov needs",
     "problem: {optimizer: {nesterov: true, momentum: \"0\"}}",
     "problem: {optimizer: {momentum: \"0\"}}"},
    {"spec.problem.optimizer", "schedule.endLearningRate must be below",
     "problem: {optimizer: {schedule: {name: cosine, endLearningRate: \"0.1\"}}}",
     "problem: {optimizer: {schedule: {name: cosine, endLearningRate: \"0.09\"}}}"},
    {"spec.problem.optimizer.schedule", "milestonesEpochs is needed",
     "problem: {optimizer: {schedule: {name: step}}}",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [3]}}}"},
    {"spec.problem.optimizer.schedule", "milestonesEpochs is needed",
     "problem: {optimizer: {schedule: {name: cosine, milestonesEpochs: [3]}}}",
     "problem: {optimizer: {schedule: {name: cosine, milestonesEpochs: []}}}"},
    {"spec.problem.optimizer.schedule", "milestonesEpochs must increase",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [3, 2]}}}",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [2, 3]}}}"},
    {"spec.problem.optimizer.schedule", "milestonesEpochs must increase",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [2, 2]}}}", "{}"},
    {"spec.problem.optimizer.schedule", "gamma must be above 0",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [3], gamma: \"1\"}}}",
     "problem: {optimizer: {schedule: {name: step, milestonesEpochs: [3], gamma: \"0.5\"}}}"},
    {"spec.problem.optimizer.schedule", "gamma must be above 0",
     "problem: {optimizer: {schedule: {name: polynomial, power: \"0\"}}}",
     "problem: {optimizer: {schedule: {name: polynomial, power: \"1\"}}}"},
    {"spec.problem.optimizer.schedule", "gamma is for step",
     "problem: {optimizer: {schedule: {name: cosine, gamma: \"0.5\"}}}",
     "problem: {optimizer: {schedule: {name: cosine, gamma: \"0.10\"}}}"},
    {"spec.problem.optimizer.schedule", "gamma is for step",
     "problem: {optimizer: {schedule: {name: cosine, power: \"1\"}}}", "{}"},
    {"spec.problem.optimizer.schedule", "gamma is for step",
     "problem: {optimizer: {schedule: {endLearningRate: \"0.01\"}}}",
     "problem: {optimizer: {schedule: {name: oneCycle, endLearningRate: \"0.01\"}}}"},
    // Within compute.
    {"spec.compute", "emulated is needed", "compute: {device: emulated}",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.1\"}}"},
    {"spec.compute", "emulated is needed", "compute: {emulated: {stepSeconds: \"0.1\"}}", "{}"},
    {"spec.compute", "gpus must be at least 1", "compute: {device: gpu, gpus: 0}",
     "compute: {device: gpu, gpus: 1}"},
    {"spec.compute", "gpuResource is for runs", "compute: {gpuResource: nvidia.com/mig-1g.10gb}",
     "compute: {gpuResource: nvidia.com/mig-1g.10gb, gpus: 1}"},
    {"spec.compute.gpuResource", "must name an extended resource",
     "compute: {device: gpu, gpuResource: cpu}",
     "compute: {device: gpu, gpuResource: amd.com/gpu}"},
    {"spec.compute.emulated", "stepSeconds must be above 0",
     "compute: {device: emulated, emulated: {stepSeconds: \"0\"}}",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.435\"}}"},
    {"spec.compute.emulated.accelerators", "must be auto",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.1\", accelerators: 0}}",
     "compute: {device: emulated, emulated: {stepSeconds: \"0.1\", accelerators: auto}}"},
    {"spec.compute.resources.cpu", "must be above 0", "compute: {resources: {cpu: 0}}",
     "compute: {resources: {cpu: 2}}"},
    {"spec.compute.resources.cpu", "must be above 0", "compute: {resources: {cpu: \"0.0\"}}",
     "compute: {resources: {cpu: 500m}}"},
    {"spec.compute.resources.memory", "must be above 0", "compute: {resources: {memory: 0Gi}}",
     "compute: {resources: {memory: 10Gi}}"},
    {"spec.compute.nodeSelector", "keys must be label names",
     "compute: {nodeSelector: {\"a b\": c}}",
     "compute: {nodeSelector: {nvidia.com/gpu.product: A100-SXM4-80GB}}"},
    {"spec.compute.tolerations", "value is for operator Equal",
     "compute: {tolerations: [{key: gpu, operator: Exists, value: a}]}",
     "compute: {tolerations: [{key: gpu, value: a}]}"},
    {"spec.compute.tolerations", "key is needed", "compute: {tolerations: [{value: a}]}",
     "compute: {tolerations: [{operator: Exists}]}"},
    {"spec.compute.tolerations", "tolerationSeconds is for",
     "compute: {tolerations: [{key: a, effect: NoSchedule, tolerationSeconds: 3}]}",
     "compute: {tolerations: [{key: a, effect: NoExecute, tolerationSeconds: 3}]}"},
    {"spec.compute.tolerations", "tolerationSeconds is for",
     "compute: {tolerations: [{key: a, tolerationSeconds: 3}]}", "compute: {tolerations: []}"},
    {"spec.compute.nodeAffinity", "values must hold",
     "compute: {nodeAffinity: [{key: a, operator: In}]}",
     "compute: {nodeAffinity: [{key: a, operator: In, values: [b, c]}]}"},
    {"spec.compute.nodeAffinity", "values must hold",
     "compute: {nodeAffinity: [{key: a, operator: Exists, values: [b]}]}",
     "compute: {nodeAffinity: [{key: a, operator: DoesNotExist}]}"},
    {"spec.compute.nodeAffinity", "values must hold",
     "compute: {nodeAffinity: [{key: a, operator: Gt, values: [b]}]}",
     "compute: {nodeAffinity: [{key: a, operator: Lt, values: [\"4\"]}]}"},
    {"spec.compute.nodeAffinity", "values must hold",
     "compute: {nodeAffinity: [{key: a, operator: Gt, values: [\"1\", \"2\"]}]}", "{}"},
    // Within storage.
    {"spec.storage.data", "exactly one of claimName", "storage: {data: {profile: nvme}}",
     "storage: {data: {claimName: null, profile: nvme}}"},
    {"spec.storage.data", "exactly one of claimName", "storage: {data: {claimName: null}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}}}"},
    {"spec.storage.data", "populate is for", "storage: {data: {populate: {fromClaim: a}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {fromClaim: a}}}"},
    {"spec.storage.data", "populate is for",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi, dataSource: {kind: "
     "VolumeSnapshot, "
     "name: a}}, populate: {fromClaim: a}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi, dataSource: {kind: "
     "VolumeSnapshot, "
     "name: a}}}}"},
    {"spec.storage.data.populate", "exactly one of fromClaim",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {generate: {}}}}"},
    {"spec.storage.data.populate", "exactly one of fromClaim",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {fromClaim: a, "
     "generate: {}}}}",
     "{}"},
    {"spec.storage.data.populate.generate", "images must not be below",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {generate: {classes: "
     "5, "
     "images: 4}}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi}, populate: {generate: {classes: "
     "5, "
     "images: 5}}}}"},
    {"spec.storage.data.claimTemplate.size", "must be above 0",
     "storage: {data: {claimName: null, claimTemplate: {size: 0}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1073741824}}}"},
    {"spec.storage.data.claimTemplate.accessModes", "must not hold a value twice",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi, accessModes: [ReadWriteOnce, "
     "ReadWriteOnce]}}}",
     "storage: {data: {claimName: null, claimTemplate: {size: 1Gi, accessModes: [ReadWriteOnce, "
     "ReadOnlyMany]}}}"},
    {"spec.storage", "scratch is needed", "storage: {staging: copy}",
     "storage: {staging: copy, scratch: {emptyDir: {}}}"},
    {"spec.storage", "scratch is needed", "storage: {scratch: {emptyDir: {}}}", "{}"},
    {"spec.storage.scratch", "exactly one of emptyDir", "storage: {staging: copy, scratch: {}}",
     "storage: {staging: copy, scratch: {profile: nvme}}"},
    {"spec.storage.scratch", "exactly one of emptyDir",
     "storage: {staging: copy, scratch: {emptyDir: {}, profile: nvme}}", "{}"},
    {"spec.storage.scratch.emptyDir.sizeLimit", "must be above 0",
     "storage: {staging: copy, scratch: {emptyDir: {sizeLimit: 0}}}",
     "storage: {staging: copy, scratch: {emptyDir: {sizeLimit: 2Gi}}}"},
    {"spec.storage.scratch.claimTemplate.size", "must be above 0",
     "storage: {staging: copy, scratch: {claimTemplate: {size: \"0\"}}}",
     "storage: {staging: copy, scratch: {claimTemplate: {size: 5Gi}}}"},
    {"spec.storage.scratch.claimTemplate.accessModes", "must not hold a value twice",
     "storage: {staging: copy, scratch: {claimTemplate: {size: 5Gi, accessModes: [ReadWriteMany, "
     "ReadWriteMany]}}}",
     "storage: {staging: copy, scratch: {claimTemplate: {size: 5Gi, accessModes: "
     "[ReadWriteMany]}}}"},
};

}  // namespace fairlap::api

#endif  // FAIRLAP_TESTS_UNIT_LIB_API_RULE_CASES_H_
