// What a running worker tells of itself.
#ifndef FAIRLAP_OPERATOR_KUBE_FETCH_PROGRESS_H_
#define FAIRLAP_OPERATOR_KUBE_FETCH_PROGRESS_H_

#include <stop_token>
#include <string>

#include "lib/api/figures.h"
#include "lib/base/result.h"
#include "operator/kube/http_get.h"

namespace fairlap::kube {

// Blocks as HttpGet does. The worker is not trusted: an answer that is too large, no JSON or out of
// the bounds of api::Progress is kInvalidInput.
base::Result<api::Progress> FetchProgress(const std::string& url, const HttpGetOptions& options,
                                          std::stop_token stop);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_FETCH_PROGRESS_H_
