// Transport over cpprestsdk, whose traps (docs/adr/0006) stay behind this header.
#ifndef FAIRLAP_OPERATOR_KUBE_CPPREST_TRANSPORT_H_
#define FAIRLAP_OPERATOR_KUBE_CPPREST_TRANSPORT_H_

#include <memory>

#include "operator/kube/credentials.h"
#include "operator/kube/transport.h"

namespace fairlap::kube {

// kInvalidInput where the certificates or the key cannot be used.
base::Result<std::unique_ptr<Transport>> MakeCpprestTransport(Credentials credentials);

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_CPPREST_TRANSPORT_H_
