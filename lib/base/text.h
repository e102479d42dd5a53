// UTF-8 text, cut, counted and made safe to print. Pure.
#ifndef FAIRLAP_LIB_BASE_TEXT_H_
#define FAIRLAP_LIB_BASE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlap::base {

// The longest beginning of `text` of at most `max_bytes` that does not end inside a character.
std::string_view Prefix(std::string_view text, size_t max_bytes);

// At most `max_bytes` (3 or more), "..." included, which marks a cut.
std::string Cut(std::string_view text, size_t max_bytes);

// Characters (code points), not bytes.
int64_t CountCharacters(std::string_view text);

// Without control characters: a text from elsewhere must not end the line it is printed on, nor
// move the cursor of a terminal. Tabs and line ends become spaces, other controls "?".
std::string Printable(std::string_view text);

// "1, 3, w1", of strings or views of strings.
template <class Items>
std::string Join(const Items& items, std::string_view separator = ", ") {
  std::string joined;
  for (const auto& item : items) {
    if (!joined.empty()) joined += separator;
    joined += item;
  }
  return joined;
}

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_TEXT_H_
