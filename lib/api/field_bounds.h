// What the fields of every document are bounded with: the vocabulary of Describe, and the patterns.
#ifndef FAIRLAP_LIB_API_FIELD_BOUNDS_H_
#define FAIRLAP_LIB_API_FIELD_BOUNDS_H_

#include <cstdint>
#include <string_view>

#include "lib/base/describe.h"

namespace fairlap::api {

using base::Decimal;
using base::DecimalText;
using base::Integer;
using base::IntOrString;
using base::Items;
using base::Plain;
using base::QuantityText;
using base::Text;
using base::Texts;

inline constexpr std::string_view kDnsLabel = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
inline constexpr std::string_view kDnsName =
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
// A label key or an extended resource name: an optional DNS prefix, a slash and a name.
inline constexpr std::string_view kQualifiedName =
    "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$";
inline constexpr std::string_view kLabelValue = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$";
// A path inside a volume: no leading slash, no "..", nothing a shell or a log would trip over.
inline constexpr std::string_view kRelativePath =
    "^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$";
inline constexpr int64_t kMaxRunNameLength = 50;
inline constexpr int64_t kMaxSafeInteger =
    9007199254740991;  // 2^53 - 1: exact in every JSON reader

}  // namespace fairlap::api

#endif  // FAIRLAP_LIB_API_FIELD_BOUNDS_H_
