#include "operator/kube/fetch_progress.h"

#include <utility>

#include "lib/api/documents.h"
#include "lib/base/codec.h"
#include "lib/base/json.h"

namespace fairlap::kube {

base::Result<api::Progress> FetchProgress(const std::string& url, const HttpGetOptions& options,
                                          std::stop_token stop) {
  const auto body = HttpGet(url, options, std::move(stop));
  if (!body) return tl::unexpected(body.error());
  const auto json = base::ParseJson(*body, url);
  if (!json) return tl::unexpected(json.error());
  api::Progress progress;
  base::Problems problems;
  base::Decode(*json, "", progress, problems, base::UnknownFields::kIgnore);
  if (problems.empty()) return progress;
  return base::MakeError(base::ErrorKind::kInvalidInput,
                         url + ": " + problems[0].path + ": " + problems[0].message);
}

}  // namespace fairlap::kube
