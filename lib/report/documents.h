// The codecs of the reports are compiled once, in documents.cc: every file that reads or writes one
// includes this header, or pays half a minute of compile time for a copy of its own.
#ifndef FAIRLAP_LIB_REPORT_DOCUMENTS_H_
#define FAIRLAP_LIB_REPORT_DOCUMENTS_H_

#include "lib/api/documents.h"
#include "lib/report/report.h"

namespace fairlap::base::codec {

extern template void ReadObject(const Json&, const std::string&, report::RankReport&, UnknownFields,
                                Problems&);
extern template Json Write(const report::RankReport&);
extern template void ReadObject(const Json&, const std::string&, report::RunReport&, UnknownFields,
                                Problems&);
extern template Json Write(const report::RunReport&);

extern template Json Write(const report::EpochRow&);

}  // namespace fairlap::base::codec

namespace fairlap::report {

base::Json ToJson(const WorkerProgress& progress);

}  // namespace fairlap::report

#endif  // FAIRLAP_LIB_REPORT_DOCUMENTS_H_
