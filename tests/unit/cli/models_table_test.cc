#include "cli/models_table.h"

#include <gtest/gtest.h>

#include "lib/models/networks.h"

namespace fairlap::cli {
namespace {

TEST(ShortCount, HasThreeDigitsAndThePowerOfThousand) {
  EXPECT_EQ(ShortCount(4'089'184'256), "4.09 G");
  EXPECT_EQ(ShortCount(40'551'040), "40.6 M");
  EXPECT_EQ(ShortCount(252'887'680), "253 M");
  EXPECT_EQ(ShortCount(83'377), "83.4 k");
  EXPECT_EQ(ShortCount(12), "12");
}

TEST(MakeModelsTable, HasARowForEveryNetworkWhoeverReadsIt) {
  for (const Reader reader : {Reader::kPerson, Reader::kProgram}) {
    const report::Table table = MakeModelsTable(reader);
    ASSERT_EQ(table.rows.size(), models::AllNetworks().size());
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
}

}  // namespace
}  // namespace fairlap::cli
