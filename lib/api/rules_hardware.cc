#include "lib/api/rule_groups.h"
#include "lib/base/codec.h"

namespace fairlap::api {
namespace {

constexpr char kComputePath[] = "spec.compute";
constexpr char kTolerationsPath[] = "spec.compute.tolerations";
constexpr char kDataPath[] = "spec.storage.data";

// Of each quantity that may also be written as an integer, which no pattern bounds.
constexpr char kAboveZero[] = "type(self) == int ? self > 0 : self.matches('[1-9]')";
constexpr char kAboveZeroMessage[] = "must be above 0";

constexpr char kDistinct[] = "self.all(x, self.exists_one(y, x == y))";
constexpr char kDistinctMessage[] = "must not hold a value twice";

bool IsPositive(const std::optional<IntOrString>& quantity) {
  return !quantity || api::IsPositive(quantity->text);
}

bool AreTolerationsSound(const RunSpec& spec, bool (*sound)(const Toleration&)) {
  const auto& tolerations = spec.compute.tolerations;
  return std::all_of(tolerations.begin(), tolerations.end(), sound);
}

bool HasItsValues(const NodeExpression& expression) {
  switch (expression.op) {
    case NodeOperator::kIn:
    case NodeOperator::kNotIn: return !expression.values.empty();
    case NodeOperator::kExists:
    case NodeOperator::kDoesNotExist: return expression.values.empty();
    case NodeOperator::kGt:
    case NodeOperator::kLt: break;
  }
  if (expression.values.size() != 1 || expression.values[0].empty()) return false;
  const std::string& number = expression.values[0];
  return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool SelectsByLabelKeys(const RunSpec& spec) {
  const auto& selector = spec.compute.node_selector;
  return std::all_of(selector.begin(), selector.end(), [](const auto& entry) {
    return base::codec::Matches(entry.first, kQualifiedName) && entry.first.size() <= 317;
  });
}

const DataVolume* DataOf(const RunSpec& spec) {
  return spec.storage.data ? &*spec.storage.data : nullptr;
}

const ClaimTemplate* DataTemplateOf(const RunSpec& spec) {
  const DataVolume* data = DataOf(spec);
  return data != nullptr && data->claim_template ? &*data->claim_template : nullptr;
}

const ClaimTemplate* ScratchTemplateOf(const RunSpec& spec) {
  const auto& scratch = spec.storage.scratch;
  return scratch && scratch->claim_template ? &*scratch->claim_template : nullptr;
}

bool HasOneSource(const RunSpec& spec) {
  const DataVolume* data = DataOf(spec);
  return data == nullptr || int{data->claim_name.has_value()} +
                                    int{data->claim_template.has_value()} +
                                    int{data->profile.has_value()} ==
                                1;
}

bool IsFilledOnce(const RunSpec& spec) {
  const DataVolume* data = DataOf(spec);
  if (data == nullptr || !data->populate) return true;
  return data->claim_template && !data->claim_template->data_source;
}

bool IsFilledOneWay(const RunSpec& spec) {
  const DataVolume* data = DataOf(spec);
  return data == nullptr || !data->populate ||
         data->populate->from_claim.has_value() != data->populate->generate.has_value();
}

bool GeneratesEveryClass(const RunSpec& spec) {
  const DataVolume* data = DataOf(spec);
  if (data == nullptr || !data->populate || !data->populate->generate) return true;
  return data->populate->generate->images >= data->populate->generate->classes;
}

bool HasOneScratch(const RunSpec& spec) {
  const auto& scratch = spec.storage.scratch;
  return !scratch || int{scratch->empty_dir.has_value()} +
                             int{scratch->claim_template.has_value()} +
                             int{scratch->profile.has_value()} ==
                         1;
}

constexpr Rule kRules[] = {
    {kComputePath, "has(self.emulated) == (has(self.device) && self.device == 'emulated')",
     "emulated is needed for device emulated and for no other",
     [](const RunSpec& spec) {
       return spec.compute.emulated.has_value() == (spec.compute.device == Device::kEmulated);
     }},
    {kComputePath, "self.device != 'gpu' || !has(self.gpus) || self.gpus >= 1",
     "gpus must be at least 1 for device gpu",
     [](const RunSpec& spec) {
       return spec.compute.device != Device::kGpu || spec.compute.gpus.value_or(1) >= 1;
     }},
    {kComputePath,
     "!has(self.gpuResource) || self.gpuResource == 'nvidia.com/gpu' || self.device == 'gpu' || "
     "(has(self.gpus) && self.gpus > 0)",
     "gpuResource is for runs that ask for GPUs",
     [](const RunSpec& spec) {
       return spec.compute.gpu_resource == "nvidia.com/gpu" || spec.compute.GpusPerNode() > 0;
     }},
    {"spec.compute.gpuResource", "self.contains('/')",
     "must name an extended resource, such as nvidia.com/gpu or nvidia.com/mig-1g.10gb",
     [](const RunSpec& spec) { return spec.compute.gpu_resource.find('/') != std::string::npos; }},
    {"spec.compute.emulated", "double(self.stepSeconds) > 0.0", "stepSeconds must be above 0",
     [](const RunSpec& spec) {
       return !spec.compute.emulated || spec.compute.emulated->step_seconds.Value() > 0;
     }},
    {"spec.compute.emulated.accelerators", "type(self) != int || (self >= 1 && self <= 9999)",
     "must be auto or from 1 to 9999",
     [](const RunSpec& spec) {
       if (!spec.compute.emulated) return true;
       const std::string& text = spec.compute.emulated->accelerators.text;
       return text == "auto" || api::IsPositive(text);
     }},
    {"spec.compute.resources.cpu", kAboveZero, kAboveZeroMessage,
     [](const RunSpec& spec) { return IsPositive(spec.compute.resources.cpu); }},
    {"spec.compute.resources.memory", kAboveZero, kAboveZeroMessage,
     [](const RunSpec& spec) { return IsPositive(spec.compute.resources.memory); }},
    {"spec.compute.nodeSelector",
     "self.all(k, k.size() <= 317 && "
     "k.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",
     "keys must be label names such as nvidia.com/gpu.product", SelectsByLabelKeys},
    {kTolerationsPath, "self.all(t, t.operator == 'Equal' || !has(t.value))",
     "value is for operator Equal only",
     [](const RunSpec& spec) {
       return AreTolerationsSound(spec, [](const Toleration& toleration) {
         return toleration.op == TolerationOperator::kEqual || !toleration.value;
       });
     }},
    {kTolerationsPath, "self.all(t, t.operator == 'Exists' || has(t.key))",
     "key is needed for operator Equal",
     [](const RunSpec& spec) {
       return AreTolerationsSound(spec, [](const Toleration& toleration) {
         return toleration.op == TolerationOperator::kExists || toleration.key;
       });
     }},
    {kTolerationsPath,
     "self.all(t, !has(t.tolerationSeconds) || (has(t.effect) && t.effect == 'NoExecute'))",
     "tolerationSeconds is for effect NoExecute only",
     [](const RunSpec& spec) {
       return AreTolerationsSound(spec, [](const Toleration& toleration) {
         return !toleration.toleration_seconds || toleration.effect == TaintEffect::kNoExecute;
       });
     }},
    {"spec.compute.nodeAffinity",
     "self.all(e, e.operator in ['Exists', 'DoesNotExist'] ? "
     "!has(e.values) || e.values.size() == 0 : has(e.values) && (e.operator in ['In', 'NotIn'] ? "
     "e.values.size() > 0 : e.values.size() == 1 && e.values[0].matches('^[0-9]+$')))",
     "values must hold at least one value for In and NotIn, one whole number for Gt and Lt, and "
     "nothing "
     "for Exists and DoesNotExist",
     [](const RunSpec& spec) {
       const auto& expressions = spec.compute.node_affinity;
       return std::all_of(expressions.begin(), expressions.end(), HasItsValues);
     }},
    {kDataPath,
     "[has(self.claimName), has(self.claimTemplate), has(self.profile)].exists_one(x, x)",
     "exactly one of claimName, claimTemplate and profile is needed", HasOneSource},
    {kDataPath,
     "!has(self.populate) || (has(self.claimTemplate) && !has(self.claimTemplate.dataSource))",
     "populate is for a claimTemplate without dataSource", IsFilledOnce},
    {"spec.storage.data.populate", "has(self.fromClaim) != has(self.generate)",
     "exactly one of fromClaim and generate is needed", IsFilledOneWay},
    {"spec.storage.data.populate.generate", "self.images >= self.classes",
     "images must not be below classes", GeneratesEveryClass},
    {"spec.storage.data.claimTemplate.size", kAboveZero, kAboveZeroMessage,
     [](const RunSpec& spec) {
       const ClaimTemplate* claim = DataTemplateOf(spec);
       return claim == nullptr || api::IsPositive(claim->size.text);
     }},
    {"spec.storage.data.claimTemplate.accessModes", kDistinct, kDistinctMessage,
     [](const RunSpec& spec) {
       const ClaimTemplate* claim = DataTemplateOf(spec);
       return claim == nullptr || AllDistinct(claim->access_modes);
     }},
    {"spec.storage", "has(self.scratch) == (has(self.staging) && self.staging == 'copy')",
     "scratch is needed for staging copy and for no other",
     [](const RunSpec& spec) {
       return spec.storage.scratch.has_value() == (spec.storage.staging == Staging::kCopy);
     }},
    {"spec.storage.scratch",
     "[has(self.emptyDir), has(self.claimTemplate), has(self.profile)].exists_one(x, x)",
     "exactly one of emptyDir, claimTemplate and profile is needed", HasOneScratch},
    {"spec.storage.scratch.emptyDir.sizeLimit", kAboveZero, kAboveZeroMessage,
     [](const RunSpec& spec) {
       const auto& scratch = spec.storage.scratch;
       return !scratch || !scratch->empty_dir || IsPositive(scratch->empty_dir->size_limit);
     }},
    {"spec.storage.scratch.claimTemplate.size", kAboveZero, kAboveZeroMessage,
     [](const RunSpec& spec) {
       const ClaimTemplate* claim = ScratchTemplateOf(spec);
       return claim == nullptr || api::IsPositive(claim->size.text);
     }},
    {"spec.storage.scratch.claimTemplate.accessModes", kDistinct, kDistinctMessage,
     [](const RunSpec& spec) {
       const ClaimTemplate* claim = ScratchTemplateOf(spec);
       return claim == nullptr || AllDistinct(claim->access_modes);
     }},
};

}  // namespace

std::span<const Rule> HardwareRules() { return kRules; }

}  // namespace fairlap::api
