#include "lib/report/log_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "lib/base/codec.h"
#include "lib/base/encoding.h"
#include "lib/report/documents.h"
#include "sample_report.h"

namespace fairlap::report {
namespace {

// Times that do not compress, so that the packed report is large.
RankReport LongReport(size_t steps) {
  RankReport report = MakeSampleReport().repeats[1].attempts[0].ranks[0];
  StepSeries& series = report.steps;
  for (auto* values :
       {&series.wall_seconds, &series.wait_seconds, &series.copy_seconds, &series.forward_seconds,
        &series.backward_seconds, &series.update_seconds, &series.compute_seconds, &series.loss}) {
    for (size_t i = 0; i < steps; ++i) {
      values->push_back(std::abs(std::sin(static_cast<double>(i * i + values->size()))));
    }
  }
  series.samples.assign(steps, 32);
  return report;
}

std::string TextOf(const RankReport& report) { return base::Encode(report).dump(); }

TEST(Compact, LeavesAShortSeriesAlone) {
  const RankReport report = LongReport(100);
  EXPECT_EQ(TextOf(Compact(report, 100)), TextOf(report));
}

TEST(Compact, KeepsSumsAndMeansOfALongOne) {
  const RankReport report = LongReport(1000);
  const StepSeries steps = Compact(report, 250).steps;
  EXPECT_EQ(steps.stride, 4);
  ASSERT_EQ(steps.wall_seconds.size(), 250U);
  EXPECT_EQ(std::accumulate(steps.samples.begin(), steps.samples.end(), int64_t{0}), 32'000);
  const auto sum = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  EXPECT_NEAR(4 * sum(steps.wall_seconds), sum(report.steps.wall_seconds), 1e-9);
}

TEST(Pack, KeepsWithinItsLimitWhateverTheLength) {
  for (const size_t steps : {size_t{10}, size_t{5000}, size_t{100'000}}) {
    const std::string packed = Pack(LongReport(steps));
    EXPECT_LE(static_cast<int64_t>(packed.size()), kMaxPackedBytes) << steps;
    EXPECT_LE(static_cast<int64_t>(ToLogLines(packed).size()), kMaxLogBytes / 2) << steps;
    const auto report = Unpack(packed);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->config.identity.job, "sample-1-1");
  }
}

TEST(LogReport, IsFoundAmongOtherLines) {
  const std::string packed = Pack(LongReport(3000));
  const std::string log = "{\"message\":\"step\"}\n" + ToLogLines("an older one") +
                          ToLogLines(packed) + "the loader has the last word\n";
  EXPECT_EQ(FromLog(log).value(), packed);
  // A log that begins in the middle of a line still holds it.
  EXPECT_EQ(FromLog(log.substr(10)).value(), packed);
}

TEST(LogReport, LinesAreShortEnoughForEveryRuntime) {
  size_t longest = 0;
  size_t length = 0;
  for (const char c : ToLogLines(Pack(LongReport(5000)))) {
    length = c == '\n' ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  EXPECT_LE(longest, 4096U);
}

TEST(LogReport, MissingDamagedAndCutLinesAreTold) {
  const std::string lines = ToLogLines(Pack(LongReport(3000)));
  EXPECT_EQ(FromLog("nothing\n").error().kind, base::ErrorKind::kNotFound);
  EXPECT_EQ(FromLog("").error().kind, base::ErrorKind::kNotFound);
  const size_t second = lines.find('\n') + 1;
  EXPECT_EQ(FromLog(lines.substr(second)).error().kind, base::ErrorKind::kInvalidInput);
  const size_t third = lines.find('\n', second) + 1;
  EXPECT_FALSE(FromLog(lines.substr(0, second) + lines.substr(third)).has_value());
  EXPECT_FALSE(FromLog(lines.substr(0, lines.rfind("fairlap-report"))).has_value());
  std::string damaged = lines;
  char& byte = damaged[third + 100];
  byte = byte == 'A' ? 'B' : 'A';
  EXPECT_FALSE(FromLog(damaged).has_value());
  EXPECT_FALSE(FromLog("fairlap-report 1 1/999999 00000000 AAAA\n").has_value());
  EXPECT_FALSE(FromLog("fairlap-report 1 0/0  \nfairlap-report 1 x\n").has_value());
}

}  // namespace
}  // namespace fairlap::report
