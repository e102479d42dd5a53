// How a struct says, once, what its fields are called, how they are bounded and which have
// defaults. Everything that must agree with a struct is derived from this one description: the JSON
// and YAML decoders (codec.h), the encoder, and the schema that the contract test holds against the
// CRD (schema.h).
//
//   struct StopRule {
//     std::optional<int64_t> steps;
//     template <class V> static void Describe(V& v) {
//       v(&StopRule::steps, "steps", Integer(1, 100'000'000));
//     }
//   };
//
// A field is optional if its type is std::optional, has a default if its bounds say Default() (the
// member's initialiser *is* the default), and is required otherwise. Lists and maps are optional
// and empty by default. Field types: std::string, int64_t, double, bool, Decimal, IntOrString,
// enums with kEnumNames, described structs, std::optional, std::vector and std::map<std::string, T>
// of these.
#ifndef FAIRLAP_LIB_BASE_DESCRIBE_H_
#define FAIRLAP_LIB_BASE_DESCRIBE_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fairlap::base {

// A decimal number kept as the text the user wrote: the API has no floats in specs.
struct Decimal {
  std::string text;
  double Value() const;  // 0 for an empty text; validated texts always parse
  bool operator==(const Decimal&) const = default;
};
inline constexpr std::string_view kDecimalPattern = R"(^[0-9]+(\.[0-9]+)?(e-?[0-9]{1,2})?$)";
inline constexpr int64_t kDecimalMaxLength = 24;

// Kubernetes' IntOrString, used for quantities ("8", 8, "32Gi") and "auto"; kept as text.
struct IntOrString {
  std::string text;
  bool operator==(const IntOrString&) const = default;
};
inline constexpr std::string_view kQuantityPattern =
    R"(^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$)";

struct SizeRange {
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
};

// What a field may hold. For lists and maps `size` counts entries and `item_*` bound the scalar
// inside; for strings `size` counts characters.
struct Bounds {
  SizeRange value;  // integers
  SizeRange size;   // strings, lists, maps
  std::string_view pattern = {};
  SizeRange item_size;
  std::string_view item_pattern = {};
  bool has_default = false;

  constexpr Bounds Default() const {
    Bounds copy = *this;
    copy.has_default = true;
    return copy;
  }
};

constexpr Bounds Integer(int64_t minimum, int64_t maximum) {
  return Bounds{.value = {minimum, maximum}, .size = {}, .item_size = {}};
}
constexpr Bounds Text(int64_t min_length, int64_t max_length, std::string_view pattern = {}) {
  return Bounds{.value = {}, .size = {min_length, max_length}, .pattern = pattern, .item_size = {}};
}
// A decimal string; a quantity. Their patterns and lengths are fixed.
constexpr Bounds DecimalText() { return Text(1, kDecimalMaxLength, kDecimalPattern); }
constexpr Bounds QuantityText() { return Text(1, 24, kQuantityPattern); }
// A list of described structs or enums.
constexpr Bounds Items(int64_t minimum, int64_t maximum) {
  return Bounds{.value = {}, .size = {minimum, maximum}, .item_size = {}};
}
// A list of strings or a map to strings: how many, and the bounds of each.
constexpr Bounds Texts(int64_t min_items, int64_t max_items, int64_t min_length, int64_t max_length,
                       std::string_view pattern = {}) {
  return Bounds{.value = {},
                .size = {min_items, max_items},
                .item_size = {min_length, max_length},
                .item_pattern = pattern};
}
// A nested struct, an enum, a bool or a number: its type says everything.
constexpr Bounds Plain() { return Bounds{}; }

// Specialise for each enum: the API's spelling of each value, in the order of the enumerators,
// which count from 0.
template <class E>
inline constexpr std::array<std::string_view, 0> kEnumNames{};

template <class E>
requires std::is_enum_v<E>
constexpr std::string_view EnumName(E value) {
  static_assert(kEnumNames<E>.size() > 0, "this enum needs kEnumNames");
  return kEnumNames<E>[static_cast<size_t>(value)];
}

template <class E>
requires std::is_enum_v<E>
constexpr std::optional<E> EnumFromName(std::string_view name) {
  for (size_t i = 0; i < kEnumNames<E>.size(); ++i) {
    if (kEnumNames<E>[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

// ---- type traits the visitors share ----
struct NullVisitor {
  template <class T, class M>
  void operator()(M T::*, std::string_view, const Bounds&) {}
};
template <class T>
concept Described = requires(NullVisitor& v) {
  T::Describe(v);
};

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_DESCRIBE_H_
