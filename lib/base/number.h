// The one rounding that status, report, tables and exports share.
#ifndef FAIRLAP_LIB_BASE_NUMBER_H_
#define FAIRLAP_LIB_BASE_NUMBER_H_

#include <string>

namespace fairlap::base {

// `value` rounded to six significant decimal digits. Non-finite values are returned unchanged: no
// document may hold them, so callers keep them out (failure is an outcome, never a number).
double RoundToSixDigits(double value);

// The shortest text of RoundToSixDigits(value): "341.5", "0.0001", "1.25e+09".
std::string FormatNumber(double value);

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_NUMBER_H_
