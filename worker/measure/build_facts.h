// What this binary was built from. Only build_facts.cc sees the generated header, so that a new git
// revision compiles one file.
#ifndef FAIRLAP_WORKER_MEASURE_BUILD_FACTS_H_
#define FAIRLAP_WORKER_MEASURE_BUILD_FACTS_H_

#include <string>
#include <vector>

namespace fairlap::measure {

struct BuildFacts {
  std::string version;       // "0.1.0"
  std::string build_id;      // of the running program, as its linker noted it; "unknown" without
  std::string git_revision;  // with "-dirty" if the tree differed; "unknown" outside git
  std::string build_type;    // "Release"
  std::string compiler;      // "GNU 12.2.0"
  std::string sanitizers;    // "" if none
};

BuildFacts ObserveBuildFacts();

// "a Debug build: not a measurement" and the like.
std::vector<std::string> BuildWarnings(const BuildFacts& facts);

}  // namespace fairlap::measure

#endif  // FAIRLAP_WORKER_MEASURE_BUILD_FACTS_H_
