#include "lib/base/schema.h"

namespace fairlap::base::schema {

void PutValue(Json& schema, const SizeRange& range) {
  if (range.minimum) schema["minimum"] = *range.minimum;
  if (range.maximum) schema["maximum"] = *range.maximum;
}

void PutSize(Json& schema, const SizeRange& range, const char* minimum_key,
             const char* maximum_key) {
  if (range.minimum.value_or(0) != 0) schema[minimum_key] = *range.minimum;
  if (range.maximum) schema[maximum_key] = *range.maximum;
}

Json OfText(const Bounds& bounds) {
  Json result = {{"type", "string"}};
  PutSize(result, bounds.size, "minLength", "maxLength");
  if (!bounds.pattern.empty()) result["pattern"] = bounds.pattern;
  return result;
}

Json OfDecimal() { return OfText(DecimalText()); }

Json OfIntOrString(const Bounds& bounds) {
  return {{"x-kubernetes-int-or-string", true},
          {"anyOf", {{{"type", "integer"}}, {{"type", "string"}}}},
          {"pattern", bounds.pattern},
          {"maxLength", bounds.size.maximum.value_or(24)}};
}

Json OfEnum(const std::string_view* names, size_t count) {
  Json values = Json::array();
  for (size_t i = 0; i < count; ++i) values.push_back(std::string(names[i]));
  return {{"type", "string"}, {"enum", std::move(values)}};
}

}  // namespace fairlap::base::schema
