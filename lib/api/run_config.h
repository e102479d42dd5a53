// What one worker is told: the sections of the spec that it needs, who it is, and where its volumes
// are mounted. Made by the planner (operator/plan), carried as YAML in a ConfigMap or a file, read
// by the worker with the same decoder as a manifest. The same text in the cluster and on bare
// metal: where a volume really is comes from the worker's flags (see MakeJob), not from here.
#ifndef FAIRLAP_LIB_API_RUN_CONFIG_H_
#define FAIRLAP_LIB_API_RUN_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lib/api/spec.h"

namespace fairlap::api {

struct RepeatIdentity {
  std::string run;
  std::string ns;   // "" outside a cluster
  std::string uid;  // of the BenchmarkRun
  std::string job;  // <run>-<repeat>-<attempt>
  std::string repeat;
  bool warmup = false;
  int64_t attempt = 1;

  template <class V>
  static void Describe(V& v) {
    v(&RepeatIdentity::run, "run", Text(1, kMaxRunNameLength, kDnsLabel));
    v(&RepeatIdentity::ns, "namespace", Text(0, 63).Default());
    v(&RepeatIdentity::uid, "uid", Text(0, 64).Default());
    v(&RepeatIdentity::job, "job", Text(1, 63, kDnsLabel));
    v(&RepeatIdentity::repeat, "repeat", Text(1, 3, "^(w?[1-9][0-9]?)$"));
    v(&RepeatIdentity::warmup, "warmup", Plain());
    v(&RepeatIdentity::attempt, "attempt", Integer(1, 5));
  }
};

struct RunConfig {
  int64_t schema_version = 1;
  RepeatIdentity identity;
  int64_t seed = 0;  // this repeat's own
  SoftwareSpec software;
  ProblemSpec problem;
  Device device = Device::kGpu;
  std::optional<EmulatedSpec> emulated;
  int64_t gpus = 0;  // per node
  int64_t nodes = 1;
  Staging staging = Staging::kDirect;
  Cache cache = Cache::kAsIs;
  bool stall_analysis = false;

  template <class V>
  static void Describe(V& v) {
    v(&RunConfig::schema_version, "schemaVersion", Integer(1, 1));
    v(&RunConfig::identity, "identity", Plain());
    v(&RunConfig::seed, "seed", Integer(0, kMaxSafeInteger));
    v(&RunConfig::software, "software", Plain());
    v(&RunConfig::problem, "problem", Plain());
    v(&RunConfig::device, "device", Plain());
    v(&RunConfig::emulated, "emulated", Plain());
    v(&RunConfig::gpus, "gpus", Integer(0, 64));
    v(&RunConfig::nodes, "nodes", Integer(1, 256));
    v(&RunConfig::staging, "staging", Plain());
    v(&RunConfig::cache, "cache", Plain());
    v(&RunConfig::stall_analysis, "stallAnalysis", Plain());
  }
};

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_RUN_CONFIG_H_
