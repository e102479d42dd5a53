#include "lib/api/documents.h"

namespace fairlap::base::codec {

template void ReadObject(const Json&, const std::string&, api::RunSpec&, UnknownFields, Problems&);
template Json Write(const api::RunSpec&);
template void ReadObject(const Json&, const std::string&, api::RunConfig&, UnknownFields,
                         Problems&);
template Json Write(const api::RunConfig&);
template void ReadObject(const Json&, const std::string&, api::RunStatus&, UnknownFields,
                         Problems&);
template Json Write(const api::RunStatus&);
template void ReadObject(const Json&, const std::string&, api::WorkerSummary&, UnknownFields,
                         Problems&);
template Json Write(const api::WorkerSummary&);
template void ReadObject(const Json&, const std::string&, api::Progress&, UnknownFields, Problems&);
template Json Write(const api::Progress&);

}  // namespace fairlap::base::codec
