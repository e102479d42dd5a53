#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace fairlap::cli {
namespace {

constexpr char kDescription[] = "Fairlap: training benchmarks whose results stand up to a reviewer";

#define FAIRLAP_EXIT_CODES \
  "Exit code: 0 complete, 1 failed or invalid, 2 wrong usage, 130 interrupted.\n\n"

constexpr char kFooter[] = FAIRLAP_EXIT_CODES
    "A first run:\n"
    "  fairlap dataset generate --format imageFolder --out photos --classes 10 --images 1000\n"
    "  fairlap validate -f crds/samples/quickstart.yaml\n"
    "  fairlap run -f crds/samples/quickstart.yaml --volume demo-photos=photos --out out/first\n"
    "  fairlap report out/first --format markdown";

// Each of these adds a subcommand; parsing it leaves in `action` what is to be done.
void AddRun(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "run", "Run a BenchmarkRun manifest on this machine, with local processes");
  auto options = std::make_shared<RunOptions>();
  command->add_option("-f,--filename", options->file, "The manifest; - reads standard input")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--volume", options->volumes,
                   "The folder that stands for a claim of the manifest; may be repeated")
      ->type_name("CLAIM=DIR")
      ->take_all();
  command
      ->add_option("--out", options->out,
                   "Where report.json and every repeat's files go; if not given fairlap-out/NAME, "
                   "or NAME in the folder given for the results claim")
      ->type_name("DIR");
  command->add_flag("--overwrite", options->overwrite, "Replace an earlier run's results in --out");
  command->add_flag("--mllog", options->mllog,
                    "Write MLPerf's log lines (:::MLLOG) to mllog.txt beside each repeat's report");
  command
      ->add_option("--worker", options->worker,
                   "The fairlap-worker program; if not given the one beside this program")
      ->type_name("PATH");
  command->footer(
      "The same plan, configuration, worker and statistics as in a cluster; what only a cluster\n"
      "has (node selection, queues, resource limits) does not apply. Ctrl-C stops within 2 s and\n"
      "keeps the figures so far; NO_COLOR turns colours off.\n\n" FAIRLAP_EXIT_CODES
      "Examples:\n"
      "  fairlap run -f crds/samples/quickstart.yaml --volume demo-photos=photos\n"
      "  fairlap run -f run.yaml --volume imagenet=/mnt/nfs/imagenet --out results/nfs");
  command->callback([&action, options] { action = [options] { return Run(*options); }; });
}

void AddValidate(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("validate",
                                     "Check a BenchmarkRun manifest and say every "
                                     "problem with its line");
  auto options = std::make_shared<ValidateOptions>();
  command->add_option("-f,--filename", options->file, "The manifest; - reads standard input")
      ->required()
      ->type_name("FILE");
  command->footer(
      "Problems are printed as file:line: path: what is wrong, what is allowed.\n\n"
      "Example:\n  fairlap validate -f crds/samples/quickstart.yaml");
  command->callback([&action, options] { action = [options] { return Validate(*options); }; });
}

void AddGenerate(CLI::App& dataset, Action& action) {
  auto* command = dataset.add_subcommand(
      "generate", "Make a learnable data set, the same bytes for the same options and seed");
  auto options = std::make_shared<GenerateOptions>();
  command
      ->add_option(
          "--format", options->format,
          "imageFolder (JPEG class folders), cifar10, or carePairs (noisy and clean 16-bit "
          "PNGs, for denoising)")
      ->required()
      ->check(CLI::IsMember({"imageFolder", "cifar10", "carePairs"}))
      ->type_name("FORMAT");
  command->add_option("--out", options->out, "The folder to fill; made if missing")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--classes", options->classes,
                   "How many classes; 10 if not given, or with --from all photographs. carePairs "
                   "has none")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000}))
      ->type_name("N");
  command
      ->add_option("--images", options->images,
                   "Training images in all, or pairs; a fifth as many are made for validation")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000'000}))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Decides every byte")
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option("--from", options->from,
                   "Cut the images out of the photographs (*.jpg) in this folder instead of "
                   "drawing them; one class a photograph")
      ->type_name("FOLDER");
  command
      ->add_option(
          "--typical-width", options->typical_width,
          "Sizes spread around it as ImageNet's do, 500 if not given (imageFolder, drawn); "
          "or every edge, 256 if not given (carePairs)")
      ->check(CLI::Range(int64_t{16}, int64_t{4096}))
      ->type_name("PIXELS");
  command->add_flag("--overwrite", options->overwrite,
                    "Replace another generated data set that is complete in --out");
  command->footer(
      "Examples:\n"
      "  fairlap dataset generate --format imageFolder --out photos --classes 10 --images 2000\n"
      "  fairlap dataset generate --format cifar10 --out cifar --images 50000 --seed 7\n"
      "  fairlap dataset generate --format imageFolder --out cuts --from /usr/share/backgrounds\n"
      "  fairlap dataset generate --format carePairs --out cells --images 400");
  command->callback([&action, options] { action = [options] { return Generate(*options); }; });
}

void AddPack(CLI::App& dataset, Action& action) {
  auto* command = dataset.add_subcommand(
      "pack", "Put the JPEGs of an image folder, unchanged, into a few large files");
  auto options = std::make_shared<PackOptions>();
  command
      ->add_option("--data", options->data,
                   "The image folder: train/ and val/ with a folder of JPEGs a class; it is only "
                   "read")
      ->required()
      ->type_name("DIR");
  command->add_option("--out", options->out, "The folder to fill; made if missing")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--shard-size", options->shard_bytes,
                   "The most bytes a file gets; 256MiB if not given")
      ->transform(CLI::AsSizeValue(true))
      ->check(CLI::Range(int64_t{1} << 20, int64_t{1} << 40))
      ->type_name("SIZE");
  command->add_option("--seed", options->seed, "Decides which images share a file")
      ->type_name("S")
      ->capture_default_str();
  command->add_flag("--overwrite", options->overwrite,
                    "Replace a generated or packed data set that is complete in --out");
  command->footer(
      "Thousands of small files and a few large ones are different questions to a storage. Train\n"
      "on both, everything else equal: a packed data set has the same images in the same order,\n"
      "and gives the same losses. A manifest reads it with problem.dataset.layout: packed.\n\n"
      "The files are tar archives with an index beside them; `tar -t` lists them, and tools for\n"
      "WebDataset read them.\n\n"
      "Examples:\n"
      "  fairlap dataset pack --data photos --out photos-packed\n"
      "  fairlap dataset pack --data /mnt/nfs/imagenet --out /mnt/nfs/imagenet-1g --shard-size "
      "1GiB");
  command->callback([&action, options] { action = [options] { return Pack(*options); }; });
}

void AddDataset(CLI::App& app, Action& action) {
  auto* dataset = app.add_subcommand("dataset", "Make data sets to train on");
  dataset->require_subcommand(1);
  AddGenerate(*dataset, action);
  AddPack(*dataset, action);
}

void AddModels(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "models", "List the networks: parameters, multiply-adds of a forward pass, input, source");
  auto options = std::make_shared<ModelsOptions>();
  command->add_option("--format", options->format, "json, csv, markdown or text")
      ->check(CLI::IsMember({"json", "csv", "markdown", "text"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command->footer(
      "Parameters are those that are trained, at the published number of classes; multiply-adds\n"
      "are those of one forward pass of one image. json and csv give whole numbers.\n\n"
      "Examples:\n"
      "  fairlap models\n"
      "  fairlap models --format csv > models.csv");
  command->callback([&action, options] { action = [options] { return Models(*options); }; });
}

void AddReport(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "report", "Print the report of a finished or interrupted run, or of one worker");
  auto options = std::make_shared<ReportOptions>();
  command
      ->add_option(
          "DIR", options->path,
          "The run's --out folder, its report.json or a worker's, or a report's ConfigMap as JSON; "
          "- reads standard input")
      ->required()
      ->type_name("");
  command->add_option("--format", options->format, "json, csv, markdown or text")
      ->check(CLI::IsMember({"json", "csv", "markdown", "text"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command
      ->add_option("--table", options->table,
                   "With csv, which table: repeats, summary (a row a metric, over the counted "
                   "repeats), or epochs (a row an epoch of every repeat)")
      ->check(CLI::IsMember({"epochs", "repeats", "summary"}))
      ->type_name("TABLE")
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  fairlap report out/demo\n"
      "  fairlap report out/demo --format markdown > result.md\n"
      "  fairlap report out/demo --format csv --table epochs > epochs.csv\n"
      "  fairlap report out/demo/repeats/demo-1-1 --format markdown\n"
      "  kubectl get configmap demo-1-1-report -o json | fairlap report -\n"
      "  fairlap report out/demo --format json | jq .status.summary.samplesPerSecond");
  command->callback([&action, options] { action = [options] { return Report(*options); }; });
}

}  // namespace

CommandLine ParseCommandLine(int argc, char** argv) {
  CLI::App app(kDescription, "fairlap");
  app.require_subcommand(1);
  app.set_version_flag("--version", FAIRLAP_VERSION);
  app.footer(kFooter);
  CommandLine line;
  AddRun(app, line.action);
  AddValidate(app, line.action);
  AddDataset(app, line.action);
  AddModels(app, line.action);
  AddReport(app, line.action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    line.exit_code = kExitUsage;
    const std::vector<std::string> unknown = app.remaining();
    // "A subcommand is required" is no help to someone who has misspelt one.
    if (unknown.empty()) {
      app.exit(error);
    } else {
      std::fprintf(stderr, "%s is not a command of fairlap.\nRun with --help for the list.\n",
                   unknown[0].c_str());
    }
  } catch (const CLI::ParseError& error) {
    line.action = nullptr;
    line.exit_code = app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return line;
}

}  // namespace fairlap::cli
