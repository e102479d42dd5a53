#include "operator/control/counting_transport.h"

#include <utility>

namespace fairlap::control {
namespace {

// client-go's word for a request that got no answer.
std::string CodeOf(const base::Result<kube::HttpResponse>& response) {
  return response ? std::to_string(response->status) : "<error>";
}

}  // namespace

base::Result<kube::HttpResponse> CountingTransport::Send(const kube::HttpRequest& request,
                                                         std::stop_token stop) {
  auto response = transport_.Send(request, std::move(stop));
  metrics_.AddRequest(request.method, CodeOf(response));
  return response;
}

base::Result<kube::HttpResponse> CountingTransport::Stream(
    const kube::StreamRequest& request, const std::function<bool(std::string_view)>& on_data,
    std::stop_token stop) {
  auto response = transport_.Stream(request, on_data, std::move(stop));
  metrics_.AddRequest("GET", CodeOf(response));
  return response;
}

}  // namespace fairlap::control
