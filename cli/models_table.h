// The networks as people and programs read them. Pure.
#ifndef FAIRLAP_CLI_MODELS_TABLE_H_
#define FAIRLAP_CLI_MODELS_TABLE_H_

#include <cstdint>
#include <string>

#include "lib/report/table.h"

namespace fairlap::cli {

enum class Reader { kPerson, kProgram };

// A row a network of lib/models/networks.h. For a person multiply-adds are "4.09 G" and the input
// is "3 x 224 x 224"; for a program they are numbers, the input's edge and channels apart.
report::Table MakeModelsTable(Reader reader);

// Three significant digits and the power of thousand: "4.09 G", "253 M", "83.4 k", "12".
std::string ShortCount(int64_t count);

}  // namespace fairlap::cli

#endif  // FAIRLAP_CLI_MODELS_TABLE_H_
