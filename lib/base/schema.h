// The OpenAPI v3 schema of a described struct, in the CRD's dialect, without descriptions. The
// contract test holds it against the hand-written CRD.
#ifndef FAIRLAP_LIB_BASE_SCHEMA_H_
#define FAIRLAP_LIB_BASE_SCHEMA_H_

#include <string>
#include <string_view>

#include "lib/base/codec.h"
#include "lib/base/describe.h"
#include "lib/base/json.h"

namespace fairlap::base {

template <Described T>
Json SchemaOf();

namespace schema {

void PutValue(Json& schema, const SizeRange& range);  // minimum, maximum
// minLength and the like; a minimum of 0 says nothing and is left out.
void PutSize(Json& schema, const SizeRange& range, const char* minimum_key,
             const char* maximum_key);
Json OfText(const Bounds& bounds);
Json OfDecimal();
Json OfIntOrString(const Bounds& bounds);
Json OfEnum(const std::string_view* names, size_t count);

template <class M>
Json OfField(const Bounds& bounds) {
  if constexpr (kIsOptional<M>) {
    return OfField<typename M::value_type>(bounds);
  } else if constexpr (kIsList<M> || kIsMap<M>) {
    Bounds item;
    item.size = bounds.item_size;
    item.pattern = bounds.item_pattern;
    item.value = bounds.value;
    Json result = Json::object();
    if constexpr (kIsList<M>) {
      result = {{"type", "array"}, {"items", OfField<typename M::value_type>(item)}};
      PutSize(result, bounds.size, "minItems", "maxItems");
    } else {
      result = {{"type", "object"},
                {"additionalProperties", OfField<typename M::mapped_type>(item)}};
      PutSize(result, bounds.size, "minProperties", "maxProperties");
    }
    return result;
  } else if constexpr (Described<M>) {
    return SchemaOf<M>();
  } else if constexpr (std::is_enum_v<M>) {
    return OfEnum(kEnumNames<M>.data(), kEnumNames<M>.size());
  } else if constexpr (std::is_same_v<M, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_same_v<M, int64_t>) {
    Json result = {{"type", "integer"}};
    PutValue(result, bounds.value);
    return result;
  } else if constexpr (std::is_same_v<M, double>) {
    return {{"type", "number"}};
  } else if constexpr (std::is_same_v<M, Decimal>) {
    return OfDecimal();
  } else if constexpr (std::is_same_v<M, IntOrString>) {
    return OfIntOrString(bounds);
  } else {
    static_assert(std::is_same_v<M, std::string>, "a field type that the schema does not know");
    return OfText(bounds);
  }
}

template <class T>
class Builder {
 public:
  template <class M>
  void operator()(M T::*member, std::string_view name, const Bounds& bounds) {
    Json field = OfField<M>(bounds);
    if (bounds.has_default) {
      // A struct's default is {}: its own fields fill themselves in.
      field["default"] = Described<M> ? Json::object() : codec::Write(defaults_.*member);
    } else if constexpr (!kIsOptional<M> && !kIsList<M> && !kIsMap<M>) {
      required_.push_back(std::string(name));
    }
    properties_[std::string(name)] = std::move(field);
  }

  Json Take() {
    Json schema = {{"type", "object"}, {"properties", std::move(properties_)}};
    if (!required_.empty()) schema["required"] = std::move(required_);
    return schema;
  }

 private:
  T defaults_{};
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

}  // namespace schema

template <Described T>
Json SchemaOf() {
  schema::Builder<T> builder;
  T::Describe(builder);
  return builder.Take();
}

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_SCHEMA_H_
