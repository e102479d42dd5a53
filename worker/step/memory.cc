#include "worker/step/memory.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace fairlap::step {
namespace {

constexpr char kHugePagesVariable[] = "THP_MEM_ALLOC_ENABLE";  // libtorch's own

std::string MallocName() {
  if (const auto version = reinterpret_cast<const char* (*)(int*, int*, const char**)>(
          dlsym(RTLD_DEFAULT, "tc_version"))) {
    int major = 0, minor = 0;
    const char* patch = nullptr;
    return std::string("tcmalloc (") + version(&major, &minor, &patch) + ")";
  }
  constexpr std::array<std::pair<const char*, const char*>, 3> kOthers = {
      {{"mallctl", "jemalloc"}, {"mi_version", "mimalloc"}, {"__asan_init", "AddressSanitizer"}}};
  for (const auto& [symbol, name] : kOthers) {
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) return name;
  }
  return "C library";
}

// Of the kernel: "always [madvise] never"; unreadable counts as never.
bool KernelHasHugePages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string text;
  std::getline(file, text);
  return !text.empty() && text.find("[never]") == std::string::npos;
}

}  // namespace

void AskForHugePages() { setenv(kHugePagesVariable, "1", /*overwrite=*/0); }

std::string AllocatorName() {
  const char* asked = std::getenv(kHugePagesVariable);
  const bool huge = asked != nullptr && std::strcmp(asked, "1") == 0 && KernelHasHugePages();
  return MallocName() + (huge ? ", huge pages" : "");
}

}  // namespace fairlap::step
