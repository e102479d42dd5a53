#include "operator/kube/paths.h"

namespace fairlap::kube {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string PercentEncode(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return encoded;
}

std::string CollectionPath(const Resource& resource, std::string_view ns) {
  const bool core = resource.group_version.find('/') == std::string_view::npos;
  std::string path = core ? "/api/" : "/apis/";
  path += resource.group_version;
  if (!ns.empty()) path += "/namespaces/" + PercentEncode(ns);
  path += '/';
  path += resource.plural;
  return path;
}

std::string ObjectPath(const Resource& resource, std::string_view ns, std::string_view name,
                       std::string_view subresource) {
  std::string path = CollectionPath(resource, ns) + "/" + PercentEncode(name);
  if (!subresource.empty()) path += "/" + std::string(subresource);
  return path;
}

Query& Query::Add(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_ += text_.empty() ? '?' : '&';
  text_ += std::string(name) + "=" + PercentEncode(value);
  return *this;
}

}  // namespace fairlap::kube
