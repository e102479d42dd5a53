// The codecs of the API's documents are compiled once, in documents.cc: every file that reads or
// writes one includes this header, or pays half a minute of compile time for a copy of its own.
#ifndef FAIRLAP_LIB_API_DOCUMENTS_H_
#define FAIRLAP_LIB_API_DOCUMENTS_H_

#include "lib/api/figures.h"
#include "lib/api/run_config.h"
#include "lib/api/spec.h"
#include "lib/api/status.h"
#include "lib/base/codec.h"

namespace fairlap::base::codec {

extern template void ReadObject(const Json&, const std::string&, api::RunSpec&, UnknownFields,
                                Problems&);
extern template Json Write(const api::RunSpec&);
extern template void ReadObject(const Json&, const std::string&, api::RunConfig&, UnknownFields,
                                Problems&);
extern template Json Write(const api::RunConfig&);
extern template void ReadObject(const Json&, const std::string&, api::RunStatus&, UnknownFields,
                                Problems&);
extern template Json Write(const api::RunStatus&);
extern template void ReadObject(const Json&, const std::string&, api::WorkerSummary&, UnknownFields,
                                Problems&);
extern template Json Write(const api::WorkerSummary&);
extern template void ReadObject(const Json&, const std::string&, api::Progress&, UnknownFields,
                                Problems&);
extern template Json Write(const api::Progress&);

}  // namespace fairlap::base::codec

#endif  // FAIRLAP_LIB_API_DOCUMENTS_H_
