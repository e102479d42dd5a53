#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <stop_token>
#include <string>
#include <thread>

#include "cli/commands.h"
#include "cli/signals.h"
#include "worker/data/generate.h"
#include "worker/data/packed_writer.h"

namespace fairlap::cli {
namespace {

// Asks for a stop when a signal comes, whatever the work is at: reading a large folder has no
// progress to tell.
class StopOnSignal {
 public:
  StopOnSignal() : over_(::eventfd(0, EFD_CLOEXEC)), watcher_([this] { Watch(); }) {}
  ~StopOnSignal() {
    ::eventfd_write(over_, 1);
    watcher_.join();
    ::close(over_);
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void Watch() {
    pollfd waited[] = {{signals_.fd(), POLLIN, 0}, {over_, POLLIN, 0}};
    while (::poll(waited, 2, -1) < 0 && errno == EINTR) {
    }
    if (signals_.Take()) stop_.request_stop();
  }

  Signals signals_;  // before the thread, which must not get them
  std::stop_source stop_;
  int over_;
  std::thread watcher_;
};

// Shows percentages in place on a terminal.
data::GenerateProgress ShowProgress() {
  const bool live = ::isatty(STDERR_FILENO) == 1;
  return [live, shown = int64_t{-1}](int64_t done, int64_t total) mutable {
    const int64_t percent = total > 0 ? 100 * done / total : 100;
    if (!live || percent == shown) return;
    shown = percent;
    std::fprintf(stderr, "\r%" PRId64 " %% (%" PRId64 " of %" PRId64 " images)%s", percent, done,
                 total, done == total ? "\n" : "");
  };
}

// Says what was made, or why not; the exit code.
int Tell(const std::string& out, const base::Result<data::GeneratedDataset>& made) {
  if (!made) {
    std::fprintf(stderr, "error: %s\n", made.error().message.c_str());
    return made.error().kind == base::ErrorKind::kInterrupted ? kExitInterrupted : kExitFailed;
  }
  const std::string what =
      made->classes == 0 ? "pairs" : "images in " + std::to_string(made->classes) + " classes";
  std::printf("%s: %" PRId64 " training and %" PRId64 " validation %s, %" PRId64
              " bytes, SHA-256 %s\n",
              out.c_str(), made->train_images, made->validation_images, what.c_str(), made->bytes,
              made->sha256.c_str());
  return kExitOk;
}

}  // namespace

int Generate(const GenerateOptions& flags) {
  const bool pairs = flags.format == "carePairs";
  if (pairs && flags.classes) {
    std::fprintf(stderr, "error: --classes: a carePairs data set has no classes\n");
    return kExitFailed;
  }
  const StopOnSignal stop;
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
  return Tell(flags.out, generate(options, ShowProgress(), stop.token()));
}

int Pack(const PackOptions& flags) {
  const StopOnSignal stop;
  data::PackOptions options;
  options.data = flags.data;
  options.out = flags.out;
  options.overwrite = flags.overwrite;
  options.shard_bytes = flags.shard_bytes.value_or(options.shard_bytes);
  options.seed = flags.seed;
  return Tell(flags.out, data::PackImageFolder(options, ShowProgress(), stop.token()));
}

}  // namespace fairlap::cli
