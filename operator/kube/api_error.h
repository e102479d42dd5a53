// The API server's refusals as Errors; the mapping is in client.h. Pure.
#ifndef FAIRLAP_OPERATOR_KUBE_API_ERROR_H_
#define FAIRLAP_OPERATOR_KUBE_API_ERROR_H_

#include <string_view>

#include "lib/base/json.h"
#include "lib/base/result.h"
#include "operator/kube/transport.h"

namespace fairlap::kube {

// For an answer whose status is no success: `jobs "x" not found (GET /apis/batch/v1/.../x: 404)`.
base::Error MakeApiError(const HttpResponse& response, std::string_view method,
                         std::string_view path);

// For the object of an ERROR event, a metav1.Status; `path` is what was watched.
base::Error MakeEventError(const base::Json& status, std::string_view path);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_API_ERROR_H_
