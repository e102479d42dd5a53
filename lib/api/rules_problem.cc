#include "lib/api/rule_groups.h"

namespace fairlap::api {
namespace {

constexpr char kDatasetPath[] = "spec.problem.dataset";
constexpr char kOptimizerPath[] = "spec.problem.optimizer";
constexpr char kSchedulePath[] = "spec.problem.optimizer.schedule";

const DatasetSpec& DatasetOf(const RunSpec& spec) { return spec.problem.dataset; }
const OptimizerSpec& OptimizerOf(const RunSpec& spec) { return spec.problem.optimizer; }
const ScheduleSpec& ScheduleOf(const RunSpec& spec) { return spec.problem.optimizer.schedule; }

bool IsBelowOne(const Decimal& decimal) { return decimal.Value() < 1.0; }

bool IsWithoutFiles(const DatasetSpec& dataset) {
  return dataset.format == DatasetFormat::kCifar10 || dataset.format == DatasetFormat::kSynthetic;
}

bool EvaluatesSomething(const RunSpec& spec) {
  const DatasetSpec& dataset = DatasetOf(spec);
  return !spec.problem.stop.accuracy || !dataset.synthetic ||
         dataset.synthetic->validation_samples > 0;
}

bool WarmsUpBeforeTheEnd(const RunSpec& spec) {
  return !spec.problem.stop.steps || ScheduleOf(spec).warmup_steps < *spec.problem.stop.steps;
}

bool TargetIsPossible(const RunSpec& spec) {
  if (!spec.problem.stop.accuracy) return true;
  const AccuracyStop& stop = *spec.problem.stop.accuracy;
  const bool share = stop.metric == AccuracyMetric::kTop1 || stop.metric == AccuracyMetric::kTop5;
  return stop.target.Value() > 0 && (!share || stop.target.Value() <= 1.0);
}

bool EvaluatesBeforeTheEnd(const RunSpec& spec) {
  const auto& stop = spec.problem.stop.accuracy;
  return !stop || stop->every_epochs <= stop->max_epochs;
}

bool FactorsAreBelowOne(const RunSpec& spec) {
  const OptimizerSpec& optimizer = OptimizerOf(spec);
  return IsBelowOne(optimizer.momentum) && IsBelowOne(optimizer.beta1) &&
         IsBelowOne(optimizer.beta2) && IsBelowOne(optimizer.label_smoothing);
}

// What the named optimizer does not use is left at its default: a value would be ignored.
bool UsesItsParameters(const RunSpec& spec) {
  const OptimizerSpec& optimizer = OptimizerOf(spec);
  if (optimizer.name != OptimizerName::kSgd) {
    return optimizer.momentum.Value() == 0.9 && !optimizer.nesterov;
  }
  return optimizer.beta1.Value() == 0.9 && optimizer.beta2.Value() == 0.999 &&
         optimizer.epsilon.Value() == 1e-8;
}

bool UsesItsShape(const RunSpec& spec) {
  const ScheduleSpec& schedule = ScheduleOf(spec);
  const bool step = schedule.name == ScheduleName::kStep;
  const bool polynomial = schedule.name == ScheduleName::kPolynomial;
  const bool constant = schedule.name == ScheduleName::kConstant;
  return (step || schedule.gamma.Value() == 0.1) && (polynomial || schedule.power.Value() == 2.0) &&
         ((!step && !constant) || schedule.end_learning_rate.Value() == 0.0);
}

bool MilestonesIncrease(const RunSpec& spec) {
  const auto& milestones = ScheduleOf(spec).milestones_epochs;
  return std::is_sorted(milestones.begin(), milestones.end()) && AllDistinct(milestones);
}

constexpr Rule kRules[] = {
    {"spec.problem", "has(self.batchSize) != has(self.globalBatchSize)",
     "exactly one of batchSize and globalBatchSize is needed",
     [](const RunSpec& spec) {
       return spec.problem.batch_size.has_value() != spec.problem.global_batch_size.has_value();
     }},
    {"spec.problem",
     "!has(self.stop.accuracy) || !has(self.dataset.synthetic) || "
     "self.dataset.synthetic.validationSamples > 0",
     "stop.accuracy needs dataset.synthetic.validationSamples above 0", EvaluatesSomething},
    {"spec.problem",
     "!has(self.stop.steps) || self.optimizer.schedule.warmupSteps < self.stop.steps",
     "optimizer.schedule.warmupSteps must be below stop.steps", WarmsUpBeforeTheEnd},
    {kDatasetPath, "!has(self.synthetic) || self.format == 'synthetic'",
     "synthetic is for format synthetic only",
     [](const RunSpec& spec) {
       return !DatasetOf(spec).synthetic || DatasetOf(spec).format == DatasetFormat::kSynthetic;
     }},
    {kDatasetPath, "self.layout == 'files' || self.format in ['imageFolder', 'carePairs']",
     "layout packed is for the formats imageFolder and carePairs only",
     [](const RunSpec& spec) {
       return DatasetOf(spec).layout == DatasetLayout::kFiles || !IsWithoutFiles(DatasetOf(spec));
     }},
    {kDatasetPath,
     "self.format in ['imageFolder', 'carePairs'] || (self.trainPath == 'train' && "
     "self.validationPath == 'val' && self.maxBadFiles == 0)",
     "trainPath, validationPath and maxBadFiles are for the formats imageFolder and carePairs only",
     [](const RunSpec& spec) {
       const DatasetSpec& dataset = DatasetOf(spec);
       return !IsWithoutFiles(dataset) ||
              (dataset.train_path == "train" && dataset.validation_path == "val" &&
               dataset.max_bad_files == 0);
     }},
    {kDatasetPath, "self.trainPath != self.validationPath",
     "trainPath and validationPath must differ",
     [](const RunSpec& spec) {
       return DatasetOf(spec).train_path != DatasetOf(spec).validation_path;
     }},
    {kDatasetPath, "self.format != 'cifar10' || !has(self.imageSize) || self.imageSize == 32",
     "imageSize must be 32 for format cifar10",
     [](const RunSpec& spec) {
       return DatasetOf(spec).format != DatasetFormat::kCifar10 ||
              DatasetOf(spec).image_size.value_or(32) == 32;
     }},
    {"spec.problem.stop",
     "[has(self.steps), has(self.epochs), has(self.accuracy)].exists_one(x, x)",
     "exactly one of steps, epochs and accuracy is needed",
     [](const RunSpec& spec) {
       const StopSpec& stop = spec.problem.stop;
       return int{stop.steps.has_value()} + int{stop.epochs.has_value()} +
                  int{stop.accuracy.has_value()} ==
              1;
     }},
    {"spec.problem.stop.accuracy",
     "double(self.target) > 0.0 && "
     "(!(self.metric in ['top1', 'top5']) || double(self.target) <= 1.0)",
     "target must be above 0, and at most 1 for top1 and top5, which are shares and not percent",
     TargetIsPossible},
    {"spec.problem.stop.accuracy", "self.everyEpochs <= self.maxEpochs",
     "everyEpochs must not be above maxEpochs", EvaluatesBeforeTheEnd},
    {kOptimizerPath, "double(self.learningRate) > 0.0", "learningRate must be above 0",
     [](const RunSpec& spec) { return OptimizerOf(spec).learning_rate.Value() > 0; }},
    {kOptimizerPath,
     "double(self.momentum) < 1.0 && double(self.beta1) < 1.0 && double(self.beta2) < 1.0 && "
     "double(self.labelSmoothing) < 1.0",
     "momentum, beta1, beta2 and labelSmoothing must be below 1", FactorsAreBelowOne},
    {kOptimizerPath,
     "double(self.epsilon) > 0.0 && "
     "(!has(self.gradientClipNorm) || double(self.gradientClipNorm) > 0.0)",
     "epsilon and gradientClipNorm must be above 0",
     [](const RunSpec& spec) {
       const auto& clip = OptimizerOf(spec).gradient_clip_norm;
       return OptimizerOf(spec).epsilon.Value() > 0 && (!clip || clip->Value() > 0);
     }},
    {kOptimizerPath,
     "self.name == 'sgd' ? (double(self.beta1) == 0.9 && double(self.beta2) == 0.999 && "
     "double(self.epsilon) == 1e-8) : (double(self.momentum) == 0.9 && !self.nesterov)",
     "momentum and nesterov are for sgd only, beta1, beta2 and epsilon for adam and adamW only",
     UsesItsParameters},
    {kOptimizerPath, "!self.nesterov || double(self.momentum) > 0.0",
     "nesterov needs a momentum above 0",
     [](const RunSpec& spec) {
       return !OptimizerOf(spec).nesterov || OptimizerOf(spec).momentum.Value() > 0;
     }},
    {kOptimizerPath, "double(self.schedule.endLearningRate) < double(self.learningRate)",
     "schedule.endLearningRate must be below learningRate",
     [](const RunSpec& spec) {
       return ScheduleOf(spec).end_learning_rate.Value() < OptimizerOf(spec).learning_rate.Value();
     }},
    {kSchedulePath,
     "(has(self.name) && self.name == 'step') == "
     "(has(self.milestonesEpochs) && self.milestonesEpochs.size() > 0)",
     "milestonesEpochs is needed for name step and for no other",
     [](const RunSpec& spec) {
       return (ScheduleOf(spec).name == ScheduleName::kStep) ==
              !ScheduleOf(spec).milestones_epochs.empty();
     }},
    {kSchedulePath,
     "!has(self.milestonesEpochs) || (self.milestonesEpochs.isSorted() && "
     "self.milestonesEpochs.all(x, self.milestonesEpochs.exists_one(y, x == y)))",
     "milestonesEpochs must increase", MilestonesIncrease},
    {kSchedulePath,
     "!has(self.gamma) || "
     "(double(self.gamma) > 0.0 && double(self.gamma) < 1.0 && double(self.power) > 0.0)",
     "gamma must be above 0 and below 1, power above 0",
     [](const RunSpec& spec) {
       return ScheduleOf(spec).gamma.Value() > 0 && IsBelowOne(ScheduleOf(spec).gamma) &&
              ScheduleOf(spec).power.Value() > 0;
     }},
    {kSchedulePath,
     "!has(self.name) || ((self.name == 'step' || double(self.gamma) == 0.1) && "
     "(self.name == 'polynomial' || double(self.power) == 2.0) && "
     "(!(self.name in ['constant', 'step']) || double(self.endLearningRate) == 0.0))",
     "gamma is for step only, power for polynomial only, endLearningRate for cosine, polynomial "
     "and "
     "oneCycle only",
     UsesItsShape},
};

}  // namespace

std::span<const Rule> ProblemRules() { return kRules; }

}  // namespace fairlap::api
