#include "lib/report/documents.h"

namespace fairlap::base::codec {

template void ReadObject(const Json&, const std::string&, report::RankReport&, UnknownFields,
                         Problems&);
template Json Write(const report::RankReport&);
template void ReadObject(const Json&, const std::string&, report::RunReport&, UnknownFields,
                         Problems&);
template Json Write(const report::RunReport&);

}  // namespace fairlap::base::codec
