// Texts from elsewhere, made to fit the bounds of the status.
#ifndef FAIRLAP_OPERATOR_PLAN_TEXT_H_
#define FAIRLAP_OPERATOR_PLAN_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/base/text.h"

namespace fairlap::plan {

using base::Cut;
using base::Join;

// The longest bounds of api::AttemptStatus and api::Condition, in bytes.
inline constexpr size_t kMaxReasonBytes = 64;
inline constexpr size_t kMaxAttemptMessageBytes = 256;
inline constexpr size_t kMaxConditionMessageBytes = 1024;
inline constexpr size_t kMaxLostBytes = 128;
inline constexpr size_t kMaxLost = 8;
inline constexpr size_t kMaxFlagBytes = 256;

// `candidate` if it can be a reason (a letter, then letters and digits, at most 64), else
// `fallback`.
std::string ReasonOr(std::string_view candidate, std::string_view fallback);

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_TEXT_H_
