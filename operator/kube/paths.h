// Where the API server keeps things. Pure.
#ifndef FAIRLAP_OPERATOR_KUBE_PATHS_H_
#define FAIRLAP_OPERATOR_KUBE_PATHS_H_

#include <string>
#include <string_view>

#include "operator/kube/client.h"

namespace fairlap::kube {

// RFC 3986: everything but letters, digits and "-._~" as %XX.
std::string PercentEncode(std::string_view text);

// "/apis/batch/v1/namespaces/x/jobs"; of all namespaces if `ns` is "".
std::string CollectionPath(const Resource& resource, std::string_view ns);
// "/api/v1/namespaces/x/pods/p/log"; without a subresource if that is "".
std::string ObjectPath(const Resource& resource, std::string_view ns, std::string_view name,
                       std::string_view subresource = "");

// "?a=b&c=d", built up; "" while it is empty.
class Query {
 public:
  Query& Add(std::string_view name, std::string_view value);  // nothing if the value is ""
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_PATHS_H_
