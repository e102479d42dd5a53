// Texts from elsewhere, made to fit the bounds of the status.
#ifndef FAIRLAP_OPERATOR_PLAN_TEXT_H_
#define FAIRLAP_OPERATOR_PLAN_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlap::plan {

// The longest bounds of api::AttemptStatus and api::Condition, in bytes.
inline constexpr size_t kMaxReasonBytes = 64;
inline constexpr size_t kMaxAttemptMessageBytes = 256;
inline constexpr size_t kMaxConditionMessageBytes = 1024;
inline constexpr size_t kMaxLostBytes = 128;
inline constexpr size_t kMaxFlagBytes = 256;

// At most `max_bytes` of `text`, never cutting a UTF-8 character in two; "..." marks a cut.
std::string Cut(std::string_view text, size_t max_bytes);

// `candidate` if it can be a reason (a letter, then letters and digits, at most 64), else
// `fallback`.
std::string ReasonOr(std::string_view candidate, std::string_view fallback);

// "1, 3, w1".
std::string Join(const std::vector<std::string>& items, std::string_view separator = ", ");

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_TEXT_H_
