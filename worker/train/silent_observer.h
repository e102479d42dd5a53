// An observer that keeps nothing: to derive from for those who want one fact.
#ifndef FAIRLAP_WORKER_TRAIN_SILENT_OBSERVER_H_
#define FAIRLAP_WORKER_TRAIN_SILENT_OBSERVER_H_

#include "worker/train/observer.h"

namespace fairlap::train {

class SilentObserver : public Observer {
 public:
  void OnPhase(Phase) override {}
  void OnMark(Mark) override {}
  void OnStep(const StepRecord&) override {}
  void OnEpochEnd(int64_t) override {}
  void OnEvaluation(const EvaluationRecord&) override {}
  void OnInput(const data::PipelineTotals&) override {}
  void OnData(const report::DataFacts&) override {}
  void OnCache(const CacheRecord&) override {}
  void OnModel(const report::ModelFacts&) override {}
  void OnPlan(const TrainPlan&) override {}
  void OnChecks(const report::Checks&) override {}
};

}  // namespace fairlap::train

#endif  // FAIRLAP_WORKER_TRAIN_SILENT_OBSERVER_H_
