#include "worker/train/sample_ledger.h"

namespace fairlap::train {

void SampleLedger::Note(std::span<const int64_t> indices) {
  for (const int64_t index : indices) {
    auto seen = seen_[static_cast<size_t>(index)];
    violated_ = violated_ || seen;
    seen_count_ += seen ? 0 : 1;
    seen = true;
  }
}

void SampleLedger::EndEpoch(int64_t bad_files) {
  violated_ = violated_ || seen_count_ + bad_files < static_cast<int64_t>(seen_.size());
  ++whole_epochs_;
  seen_count_ = 0;
  seen_.assign(seen_.size(), false);
}

std::optional<bool> SampleLedger::every_sample_once() const {
  if (violated_) return false;
  if (whole_epochs_ == 0) return std::nullopt;
  return true;
}

}  // namespace fairlap::train
