#include "cli/worker_args.h"

#include <string_view>
#include <utility>

#include "operator/plan/objects.h"

namespace fairlap::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

// A mount path and what stands in its place; nullopt: nothing does.
using Mounts = std::vector<std::pair<std::string_view, std::optional<fs::path>>>;

Mounts MountsOf(const LocalPaths& paths) {
  return {{plan::kConfigFile, paths.config},
          {plan::kDataMount, paths.data},
          {plan::kScratchMount, paths.scratch},
          {plan::kResultsMount, paths.results},
          {plan::kTerminationFile, paths.termination_message}};
}

bool IsInside(std::string_view path, std::string_view mount) {
  return path == mount || (path.starts_with(mount) && path[mount.size()] == '/');
}

// The local form of "--flag=value"; nullopt if it has none.
std::optional<std::string> Localise(const std::string& arg, const Mounts& mounts) {
  const size_t equals = arg.find('=');
  if (arg == plan::kLogReportFlag) return std::nullopt;
  if (equals == arg.npos) return arg;
  const std::string flag = arg.substr(0, equals + 1);
  if (flag == "--listen=") return flag + "127.0.0.1:0";
  const std::string_view value = std::string_view(arg).substr(equals + 1);
  for (const auto& [mount, local] : mounts) {
    if (!IsInside(value, mount)) continue;
    if (!local) return std::nullopt;
    return flag + local->string() + std::string(value.substr(mount.size()));
  }
  return arg;
}

const Json* Arguments(const Json& job) {
  static const Json::json_pointer kArguments("/spec/template/spec/containers/0/args");
  return job.contains(kArguments) && job[kArguments].is_array() ? &job[kArguments] : nullptr;
}

}  // namespace

base::Result<std::vector<std::string>> MakeWorkerArgs(const Json& job, const LocalPaths& paths) {
  const Json* arguments = Arguments(job);
  if (arguments == nullptr) {
    return base::MakeError(base::ErrorKind::kInternal, "the job has no container arguments");
  }
  const Mounts mounts = MountsOf(paths);
  std::vector<std::string> local;
  for (const Json& argument : *arguments) {
    if (!argument.is_string()) continue;
    if (auto text = Localise(argument.get<std::string>(), mounts)) local.push_back(*text);
  }
  local.push_back("--address-file=" + paths.address.string());
  local.push_back("--exit-with-parent");
  if (paths.mllog) local.push_back("--mllog=" + paths.mllog->string());
  return local;
}

}  // namespace fairlap::cli
