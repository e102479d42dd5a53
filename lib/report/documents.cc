#include "lib/report/documents.h"

namespace fairlap::base::codec {

template void ReadObject(const Json&, const std::string&, report::RankReport&, UnknownFields,
                         Problems&);
template Json Write(const report::RankReport&);
template void ReadObject(const Json&, const std::string&, report::RunReport&, UnknownFields,
                         Problems&);
template Json Write(const report::RunReport&);
template Json Write(const report::EpochRow&);
template Json Write(const report::StagingFacts&);

}  // namespace fairlap::base::codec

namespace fairlap::report {

base::Json ToJson(const WorkerProgress& progress) {
  base::Json json = base::Encode(progress.now);
  json["epochs"] = base::Json::array();
  for (const EpochRow& epoch : progress.epochs) json["epochs"].push_back(base::Encode(epoch));
  if (progress.staging) json["staging"] = base::Encode(*progress.staging);
  return json;
}

}  // namespace fairlap::report
