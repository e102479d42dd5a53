// A transport that counts its requests as client-go does: rest_client_requests_total{method,code}.
#ifndef FAIRLAP_OPERATOR_CONTROL_COUNTING_TRANSPORT_H_
#define FAIRLAP_OPERATOR_CONTROL_COUNTING_TRANSPORT_H_

#include "operator/control/metrics.h"
#include "operator/kube/transport.h"

namespace fairlap::control {

class CountingTransport final : public kube::Transport {
 public:
  // Both must outlive it.
  CountingTransport(kube::Transport& transport, Metrics& metrics)
      : transport_(transport), metrics_(metrics) {}

  base::Result<kube::HttpResponse> Send(const kube::HttpRequest& request,
                                        std::stop_token stop) override;
  base::Result<kube::HttpResponse> Stream(const kube::StreamRequest& request,
                                          const std::function<bool(std::string_view)>& on_data,
                                          std::stop_token stop) override;

 private:
  kube::Transport& transport_;
  Metrics& metrics_;
};

}  // namespace fairlap::control

#endif  // FAIRLAP_OPERATOR_CONTROL_COUNTING_TRANSPORT_H_
