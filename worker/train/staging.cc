#include "worker/train/staging.h"

#include <vector>

#include "lib/base/clock.h"
#include "worker/storage/stage_in.h"

namespace fairlap::train {
namespace {

// As OpenSplits reads them.
std::vector<storage::StagePart> PartsOf(const api::ProblemSpec& problem) {
  const api::DatasetSpec& dataset = problem.dataset;
  if (dataset.format == api::DatasetFormat::kCifar10) return {{".", false}};
  std::vector<storage::StagePart> parts = {{dataset.train_path, false}};
  if (!problem.stop.steps) {
    parts.push_back({dataset.validation_path, !problem.stop.accuracy.has_value()});
  }
  return parts;
}

report::StagingFacts FactsOf(const storage::StageInProgress& progress, double seconds) {
  return {.files = progress.files,
          .bytes = progress.bytes,
          .total_files = progress.total_files,
          .total_bytes = progress.total_bytes,
          .kept_files = progress.kept_files,
          .kept_bytes = progress.kept_bytes,
          .seconds = seconds};
}

}  // namespace

base::Result<std::filesystem::path> StageData(const api::RunConfig& config,
                                              const std::filesystem::path& data,
                                              const std::filesystem::path& scratch,
                                              Observer& observer, const std::stop_token& stop) {
  if (config.staging == api::Staging::kDirect) return data;
  observer.OnPhase(Phase::kStaging);
  const base::SteadyTime begin = base::SystemClock().Now();
  const auto tell = [&](const storage::StageInProgress& progress) {
    const base::Seconds seconds = base::SystemClock().Now() - begin;
    observer.OnStaging(FactsOf(progress, seconds.count()));
  };
  const base::Status staged =
      storage::StageIn({.from = data, .to = scratch, .parts = PartsOf(config.problem)}, tell, stop);
  if (!staged) return tl::unexpected(staged.error());
  observer.OnMark(Mark::kStagingDone);
  return scratch;
}

}  // namespace fairlap::train
