// Tells everything to two observers, in this order.
#ifndef FAIRLAP_WORKER_REPORT_TEE_H_
#define FAIRLAP_WORKER_REPORT_TEE_H_

#include <cstdint>
#include <type_traits>

#include "worker/train/observer.h"

namespace fairlap::report {

class Tee final : public train::Observer {
 public:
  // Both must outlive it.
  Tee(train::Observer& first, train::Observer& second) : first_(first), second_(second) {}

  void OnPhase(train::Phase phase) override { Both(&Observer::OnPhase, phase); }
  void OnMark(train::Mark mark) override { Both(&Observer::OnMark, mark); }
  void OnStep(const train::StepRecord& record) override { Both(&Observer::OnStep, record); }
  void OnEpochEnd(int64_t epoch) override { Both(&Observer::OnEpochEnd, epoch); }
  void OnEvaluation(const train::EvaluationRecord& record) override {
    Both(&Observer::OnEvaluation, record);
  }
  void OnInput(const data::PipelineTotals& totals) override { Both(&Observer::OnInput, totals); }
  void OnStaging(const StagingFacts& facts) override { Both(&Observer::OnStaging, facts); }
  void OnData(const DataFacts& facts) override { Both(&Observer::OnData, facts); }
  void OnCache(const train::CacheRecord& record) override { Both(&Observer::OnCache, record); }
  void OnModel(const ModelFacts& facts) override { Both(&Observer::OnModel, facts); }
  void OnPlan(const train::TrainPlan& plan) override { Both(&Observer::OnPlan, plan); }
  void OnChecks(const Checks& checks) override { Both(&Observer::OnChecks, checks); }

 private:
  template <class Argument>
  void Both(void (Observer::*method)(Argument), const std::type_identity_t<Argument>& argument) {
    (first_.*method)(argument);
    (second_.*method)(argument);
  }

  train::Observer& first_;
  train::Observer& second_;
};

}  // namespace fairlap::report

#endif  // FAIRLAP_WORKER_REPORT_TEE_H_
