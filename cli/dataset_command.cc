#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <stop_token>
#include <string>

#include "cli/commands.h"
#include "cli/signals.h"
#include "worker/data/generate.h"

namespace fairlap::cli {
namespace {

// Shows percentages in place on a terminal, and asks the generator to stop on a signal.
data::GenerateProgress Follow(Signals& signals, std::stop_source& stop) {
  const bool live = ::isatty(STDERR_FILENO) == 1;
  return [&signals, &stop, live, shown = int64_t{-1}](int64_t done, int64_t total) mutable {
    if (signals.Take()) stop.request_stop();
    const int64_t percent = total > 0 ? 100 * done / total : 100;
    if (!live || percent == shown) return;
    shown = percent;
    std::fprintf(stderr, "\r%" PRId64 " %% (%" PRId64 " of %" PRId64 " images)%s", percent, done,
                 total, done == total ? "\n" : "");
  };
}

}  // namespace

int Generate(const GenerateOptions& flags) {
  const bool pairs = flags.format == "carePairs";
  if (pairs && flags.classes) {
    std::fprintf(stderr, "error: --classes: a carePairs data set has no classes\n");
    return kExitFailed;
  }
  Signals signals;
  std::stop_source stop;
  data::GenerateOptions options;
  options.images = flags.images;
  options.seed = flags.seed;
  options.typical_width = flags.typical_width;
  options.out = flags.out;
  options.overwrite = flags.overwrite;
  if (!flags.from.empty()) options.from = flags.from;
  // Without a number every photograph becomes a class.
  options.classes = flags.classes.value_or(options.from ? 0 : options.classes);
  const auto generate = pairs                       ? data::GenerateCarePairs
                        : flags.format == "cifar10" ? data::GenerateCifar10
                                                    : data::GenerateImageFolder;
  const auto made = generate(options, Follow(signals, stop), stop.get_token());
  if (!made) {
    std::fprintf(stderr, "error: %s\n", made.error().message.c_str());
    return made.error().kind == base::ErrorKind::kInterrupted ? kExitInterrupted : kExitFailed;
  }
  const std::string what =
      pairs ? "pairs" : "images in " + std::to_string(made->classes) + " classes";
  std::printf("%s: %" PRId64 " training and %" PRId64 " validation %s, %" PRId64
              " bytes, SHA-256 %s\n",
              flags.out.c_str(), made->train_images, made->validation_images, what.c_str(),
              made->bytes, made->sha256.c_str());
  return kExitOk;
}

}  // namespace fairlap::cli
