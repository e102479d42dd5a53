// Images a second of the input path alone: class folders of JPEGs to normalised training batches
// that nobody trains on. Prints where the time went and, as the last word, images a second. The
// clock starts after one epoch, so the files are in the page cache.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "worker/data/dataset.h"
#include "worker/data/pipeline.h"

namespace {

namespace data = fairlap::data;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int Fail(const fairlap::base::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

void Print(const data::PipelineTotals& from, const data::PipelineTotals& to, double rate) {
  const double scale = 1e6 / static_cast<double>(to.samples - from.samples);
  std::printf("microseconds an image: read %.0f, decode %.0f, transform %.0f\nimages/s %.1f\n",
              scale * (to.read_seconds - from.read_seconds),
              scale * (to.decode_seconds - from.decode_seconds),
              scale * (to.transform_seconds - from.transform_seconds), rate);
}

int Measure(data::Pipeline& pipeline, double seconds) {
  bool warm = false;
  int64_t samples = 0;
  Clock::time_point start = Clock::now();
  data::PipelineTotals before;
  while (!warm || SecondsSince(start) < seconds) {
    const auto batch = pipeline.Next({});
    if (!batch) return Fail(batch.error());
    samples += (*batch)->size;
    if (warm || !(*batch)->last_of_epoch) continue;
    warm = true;
    samples = 0;
    start = Clock::now();
    before = pipeline.Totals();
  }
  const double rate = static_cast<double>(samples) / SecondsSince(start);
  Print(before, pipeline.Totals(), rate);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  data::DatasetOptions options;
  options.spec.format = fairlap::api::DatasetFormat::kImageFolder;
  data::PipelineOptions pipeline_options;
  pipeline_options.threads = 2;
  double seconds = 5;
  CLI::App app("Measures the input pipeline alone");
  app.add_option("--data", options.root, "A data set: holds train/CLASS/*.jpg")->required();
  app.add_option("--threads", pipeline_options.threads)->check(CLI::Range(1, 1024));
  app.add_option("--batch", pipeline_options.batch_size)->check(CLI::Range(1, 65536));
  app.add_option("--size", options.image_size)->check(CLI::Range(16, 1024));
  app.add_option("--seconds", seconds, "How long to measure")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const auto dataset = data::OpenDataset(options, {});
  if (!dataset) return Fail(dataset.error());
  data::Pipeline pipeline(**dataset, pipeline_options);
  return Measure(pipeline, seconds);
}
