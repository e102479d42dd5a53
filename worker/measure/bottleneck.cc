#include "worker/measure/bottleneck.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lib/base/number.h"
#include "lib/stats/blocks.h"

namespace fairlap::measure {
namespace {

using api::Bottleneck;

constexpr double kNoStall = 0.05;           // of the wall time, input and copies together
constexpr double kManyAllReduces = 0.10;    // of the wall time
constexpr double kBusyInputThreads = 0.85;  // of the input threads' time
constexpr double kAboutAsBusy = 0.10;       // of the input threads' busy time

struct Stage {
  Bottleneck name;
  double share;  // of the input threads' busy time
};
using Stages = std::array<Stage, 3>;  // upstream first

Stages SharesOf(const InputSeconds& busy) {
  const double all = busy.read + busy.decode + busy.transform;
  const auto share = [all](double seconds) { return all > 0 ? seconds / all : 0; };
  return {{{Bottleneck::kRead, share(busy.read)},
           {Bottleneck::kDecode, share(busy.decode)},
           {Bottleneck::kTransform, share(busy.transform)}}};
}

std::string Percent(double share) {
  return base::FormatNumber(std::round(1000 * share) / 10) + " %";
}

// Decides for a window that can be judged. Each member answers one question of the rule.
class Rule {
 public:
  Rule(const BottleneckFacts& facts, BottleneckVerdict& verdict)
      : facts_(facts), verdict_(verdict), stages_(SharesOf(facts.busy)) {}

  void Decide() {
    const double stall = *verdict_.input_stall_share, copy = *verdict_.exposed_copy_share;
    if (*facts_.block_variation > api::kSteadyBlockVariation) {
      return Name(Bottleneck::kUnsteady,
                  "step times vary by " + Percent(*facts_.block_variation) + " over 10 blocks");
    }
    if (stall + copy < kNoStall) return NameDevice();
    if (copy >= stall) return Name(Bottleneck::kCopy, "");
    if (*verdict_.input_threads_busy_ratio < kBusyInputThreads) {
      return Name(Bottleneck::kUnsteady, "input threads idle while training waited");
    }
    NameBusiestStage();
  }

 private:
  void NameDevice() {
    const double all_reduce = facts_.exposed_all_reduce_seconds / facts_.wall_seconds;
    if (all_reduce > kManyAllReduces) {
      Name(Bottleneck::kCommunicate, "exposed all-reduce " + Percent(all_reduce));
    } else {
      Name(Bottleneck::kCompute, "");
    }
  }

  // Of stages that are about as busy as the busiest, the one upstream: the others may only be
  // waiting for it.
  void NameBusiestStage() {
    Stages by_share = stages_;
    std::stable_sort(by_share.begin(), by_share.end(),
                     [](const Stage& a, const Stage& b) { return a.share > b.share; });
    const double least = by_share[0].share - kAboutAsBusy;
    const Stage named = *std::find_if(stages_.begin(), stages_.end(),
                                      [least](const Stage& stage) { return stage.share >= least; });
    const Stage other = by_share[0].name == named.name ? by_share[1] : by_share[0];
    if (other.share < least) return Name(named.name, "");
    verdict_.runner_up = other.name;
    Name(named.name, "runner-up " + std::string(base::EnumName(other.name)));
  }

  void Name(Bottleneck bottleneck, std::string why) {
    verdict_.bottleneck = bottleneck;
    if (!why.empty()) why += "; ";
    verdict_.reason = std::move(why) + Figures();
  }

  std::string Figures() const {
    std::string text = "input stall " + Percent(*verdict_.input_stall_share) + ", exposed copy " +
                       Percent(*verdict_.exposed_copy_share);
    if (!verdict_.input_threads_busy_ratio) return text + ", no input threads";
    text += ", input threads " + Percent(*verdict_.input_threads_busy_ratio) + " busy (";
    for (const Stage& stage : stages_) {
      if (&stage != stages_.begin()) text += ", ";
      text += std::string(base::EnumName(stage.name)) + " " + Percent(stage.share);
    }
    return text + ")";
  }

  const BottleneckFacts& facts_;
  BottleneckVerdict& verdict_;
  const Stages stages_;
};

}  // namespace

BottleneckFacts FactsOf(const StepLog& log, const Window& window, int64_t input_threads) {
  BottleneckFacts facts;
  const report::WallPartition wall = PartitionWall(log.series, window);
  facts.wall_seconds = wall.wall_seconds;
  facts.wait_seconds = wall.wait_seconds;
  facts.exposed_copy_seconds = wall.exposed_copy_seconds;
  for (const size_t step : window.steps) {
    facts.exposed_all_reduce_seconds += log.all_reduce_seconds[step];
  }
  facts.input_threads = input_threads;
  const api::StageSeconds stages = WindowStageSeconds(log, window);
  facts.busy = {stages.read.value_or(0), stages.decode.value_or(0), stages.transform.value_or(0)};
  const auto blocks = stats::SpreadOfBlocks(StepSeconds(log, window));
  if (blocks) facts.block_variation = blocks->variation;
  return facts;
}

BottleneckVerdict JudgeBottleneck(const BottleneckFacts& facts) {
  BottleneckVerdict verdict;
  if (facts.wall_seconds > 0) {
    // Synthetic batches are not waited for.
    const double wait = facts.input_threads > 0 ? facts.wait_seconds : 0;
    verdict.input_stall_share = wait / facts.wall_seconds;
    verdict.exposed_copy_share = facts.exposed_copy_seconds / facts.wall_seconds;
    if (facts.input_threads > 0) {
      verdict.input_threads_busy_ratio =
          (facts.busy.read + facts.busy.decode + facts.busy.transform) /
          (static_cast<double>(facts.input_threads) * facts.wall_seconds);
    }
  }
  if (facts.block_variation && facts.wall_seconds > 0) {
    Rule(facts, verdict).Decide();
  } else {
    verdict.reason = "fewer than " + std::to_string(2 * stats::kBlocks) + " steps in the window";
  }
  return verdict;
}

}  // namespace fairlap::measure
