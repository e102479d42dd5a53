#!/usr/bin/env python3
"""fairlap without a worker: help, flags, validate, dataset generate and pack, report."""
import csv
import io
import json
import signal
import subprocess
import tarfile
import unittest

from harness import FAIRLAP, PATIENCE_SECONDS, Case, fairlap, wait_until

SAMPLE_REPORT = {
    "schemaVersion": 1, "name": "sample", "uid": "local-1",
    "spec": {
        "software": {"model": "resnet20v1"},
        "problem": {"dataset": {"format": "synthetic"}, "batchSize": 4,
                    "optimizer": {"learningRate": "0.1"}, "stop": {"steps": 3}},
    },
    "status": {"state": "Complete", "repeats": [
        {"name": "1", "warmup": False, "seed": 7, "outcome": "failed", "attempts": [
            {"attempt": 1, "job": "sample-1-1", "outcome": "failed", "marks": {},
             "message": "=HYPERLINK(\"x\") | \u001b[2J"}]}]},
    "repeats": [],
}


class Flags(Case):
    def test_help_names_the_subcommands_and_shows_examples(self):
        result = fairlap("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("run", "validate", "dataset", "models", "report", "fairlap dataset generate --format",
                     "130 interrupted"):
            self.assertIn(word, result.stdout)
        self.assertNotIn("compare", result.stdout)

    def test_every_subcommands_help_has_an_example(self):
        for command in (["run"], ["validate"], ["dataset", "generate"], ["dataset", "pack"],
                        ["models"], ["report"]):
            result = fairlap(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("  fairlap " + " ".join(command), result.stdout)

    def test_wrong_usage_exits_with_2_and_says_what_is_wrong(self):
        for arguments, text in (([], "subcommand"), (["walk"], "walk"), (["run"], "--filename"),
                                (["validate", "-f", "x", "--colour"], "--colour"),
                                (["report", "x", "--format", "pdf"], "pdf")):
            result = fairlap(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(text, result.stderr)


class Validate(Case):
    def problems(self, path):
        result = fairlap("validate", "-f", path)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        return result.stderr

    def test_says_what_a_valid_manifest_would_run(self):
        result = fairlap("validate", "-f", self.manifest(steps=30, repeats=3, warmup_runs=1))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "tiny: resnet20v1 on synthetic, batch 4, until 30 steps; "
                                        "1 warm-up run and 3 repeats on cpu\n")

    def test_warns_of_a_run_that_measures_nothing(self):
        path = self.manifest(steps=5)
        result = fairlap("validate", "-f", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"{path}:10: warning: spec.problem.stop.steps: leaves no step to measure",
                      result.stderr)

    def test_reads_standard_input(self):
        result = fairlap("validate", "-f", "-", input=self.manifest(steps=30).read_text())
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_names_file_line_and_path_of_every_problem(self):
        path = self.manifest()
        text = path.read_text().replace("batchSize: 4", "batchSize: 0\n    batchsize: 4")
        path.write_text(text.replace("0.01", "fast"))
        lines = self.problems(path).splitlines()
        self.assertEqual([line.split(": ")[:2] for line in lines],
                         [[f"{path}:8", "spec.problem.batchSize"],
                          [f"{path}:9", "spec.problem.batchsize"],
                          [f"{path}:10", "spec.problem.optimizer.learningRate"]])

    def test_names_what_this_version_cannot_do(self):
        path = self.manifest()
        path.write_text(path.read_text().replace("threads: 1", "threads: 1, reader: uring"))
        self.assertRegex(self.problems(path), rf"^{path}:5: spec.software.input.reader: .*uring.* is "
                                              r"not available in this version")

    def test_refuses_an_oversized_a_missing_and_an_empty_file(self):
        big = self.file("big.yaml", "# " + "x" * 10_000_000)
        self.assertIn(f"{big}: is larger than", self.problems(big))
        self.assertIn("No such file", self.problems(self.folder / "missing.yaml"))
        empty = self.file("empty.yaml", "")
        self.assertIn(f"{empty}", self.problems(empty))


class DatasetGenerate(Case):
    def generate(self, name, *more):
        result = fairlap("dataset", "generate", "--out", self.folder / name, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {path.relative_to(self.folder / name): path.read_bytes()
                for path in (self.folder / name).rglob("*") if path.is_file()}

    def test_the_same_seed_gives_the_same_bytes(self):
        options = ("--format", "imageFolder", "--classes", "2", "--images", "4",
                   "--typical-width", "32")
        first = self.generate("a", *options, "--seed", "1")
        self.assertEqual(first, self.generate("b", *options, "--seed", "1"))
        self.assertNotEqual(first, self.generate("c", *options, "--seed", "2"))

    def test_makes_the_cifar_10_files(self):
        files = self.generate("cifar", "--format", "cifar10", "--images", "10")
        self.assertIn("test_batch.bin", {str(path) for path in files})

    def test_makes_image_pairs(self):
        files = self.generate("pairs", "--format", "carePairs", "--images", "2",
                              "--typical-width", "32")
        self.assertEqual({str(path) for path in files if path.suffix == ".png"},
                         {f"{split}/{side}/000000{number}.png" for side in ("clean", "noisy")
                          for split, number in (("train", 0), ("train", 1), ("val", 0))})
        refused = fairlap("dataset", "generate", "--format", "carePairs", "--classes", "2",
                          "--out", self.folder / "none")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("a carePairs data set has no classes", refused.stderr)

    def test_says_that_a_folder_holds_something_else(self):
        self.file("mine.txt", "keep me")
        result = fairlap("dataset", "generate", "--format", "cifar10", "--out", self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn(str(self.folder), result.stderr)
        self.assertEqual((self.folder / "mine.txt").read_text(), "keep me")


    def test_ctrl_c_leaves_what_the_next_call_replaces(self):
        options = ("--format", "imageFolder", "--typical-width", "32", "--classes", "2")
        process = subprocess.Popen([FAIRLAP, "dataset", "generate", *options, "--images", "9000000",
                                    "--out", self.out], stderr=subprocess.PIPE, text=True)
        wait_until((self.out / "train").exists, "the first image")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 130)
        self.assertIn("stopped", err)
        self.generate("out", *options, "--images", "4")


class DatasetPack(Case):
    def setUp(self):
        super().setUp()
        self.photos = self.folder / "photos"
        made = fairlap("dataset", "generate", "--format", "imageFolder", "--classes", "2",
                       "--images", "12", "--typical-width", "64", "--out", self.photos)
        self.assertEqual(made.returncode, 0, made.stderr)

    def pack(self, *more):
        return fairlap("dataset", "pack", "--data", self.photos, "--out", self.out, *more)

    def test_any_tar_unpacks_the_same_files(self):
        name = "n" * 99 + "/" + "\u00fc" * 70 + ".jpg"
        long = self.photos / "train" / "class_0000" / name
        long.parent.mkdir()
        long.write_bytes(b"not decoded")
        result = self.pack("--shard-size", "1MiB")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("13 training and 2 validation images in 2 classes", result.stdout)
        for split in ("train", "val"):
            for shard in (self.out / split).glob("shard-*.tar"):
                with tarfile.open(shard, errorlevel=2) as archive:
                    archive.extractall(self.folder / "again" / split)
        def files(root):
            return {path.relative_to(root): path.read_bytes() for path in root.glob("*/**/*.jpg")}
        self.assertEqual(files(self.folder / "again"), files(self.photos))

    def test_keeps_what_is_there_unless_told_otherwise(self):
        self.assertEqual(self.pack().returncode, 0)
        self.assertEqual(self.pack().returncode, 0)
        refused = self.pack("--seed", "1")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("or --overwrite", refused.stderr)
        self.assertEqual(self.pack("--seed", "1", "--overwrite").returncode, 0)

    def test_says_what_cannot_be_packed(self):
        for arguments, status, text in (
                (("--data", self.folder / "none"), 1, "expected an image folder with train/ and val/"),
                (("--data", self.photos / "train"), 1, "expected an image folder with train/ and val/"),
                (("--data", self.photos, "--shard-size", "5"), 2, "--shard-size"),
                (("--data", self.photos, "--shard-size", "much"), 2, "--shard-size")):
            result = fairlap("dataset", "pack", "--out", self.out, *arguments)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(text, result.stderr)
        result = fairlap("dataset", "pack", "--data", self.photos, "--out", self.photos, "--overwrite")
        self.assertEqual(result.returncode, 1)
        self.assertIn("must lie outside of the data set", result.stderr)
        self.assertTrue((self.photos / "train" / "class_0000").exists())


class Models(Case):
    def print_as(self, *arguments):
        result = fairlap("models", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_text_and_markdown_show_each_network_with_its_source(self):
        for arguments in ((), ("--format", "markdown")):
            [line] = [line for line in self.print_as(*arguments).splitlines() if "resnet50" in line]
            for fact in ("25557032", "25,557,032", "4.09 G", "3 x 224 x 224", "1512.03385"):
                self.assertIn(fact, line)

    def test_json_and_csv_hold_the_same_numbers(self):
        listed = json.loads(self.print_as("--format", "json"))
        rows = list(csv.DictReader(io.StringIO(self.print_as("--format", "csv"))))
        self.assertEqual([row["model"] for row in rows], [entry["model"] for entry in listed])
        [resnet] = [entry for entry in listed if entry["model"] == "resnet50"]
        self.assertEqual((resnet["multiplyAdds"], resnet["imageSize"], resnet["channels"]),
                         (4_089_184_256, 224, 3))
        for row, entry in zip(rows, listed):
            self.assertEqual({key: text for key, text in row.items() if text},
                             {key: str(value) for key, value in entry.items()})


class Report(Case):
    def setUp(self):
        super().setUp()
        self.file("report.json", json.dumps(SAMPLE_REPORT))

    def print_as(self, *arguments):
        result = fairlap("report", self.folder, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_json_reads_back_as_the_same_report(self):
        printed = self.file("again.json", self.print_as("--format", "json"))
        self.assertEqual(fairlap("report", printed, "--format", "json").stdout, printed.read_text())

    def test_markdown_keeps_a_messages_text_in_its_place(self):
        self.assertIn("- repeat 1, attempt 1: failed: =HYPERLINK(\"x\") \\| ?\\[2J\n",
                      self.print_as("--format", "markdown"))

    def test_text_lets_no_control_sequence_through(self):
        self.assertNotIn("\x1b", self.print_as())

    def test_csv_has_epochs_repeats_and_summary(self):
        self.assertTrue(self.print_as("--format", "csv", "--table", "epochs")
                        .startswith("repeat,attempt,epoch,seconds,"))
        self.assertIn("\n1,yes,failed,1,7,", self.print_as("--format", "csv"))
        self.assertTrue(self.print_as("--format", "csv", "--table", "summary")
                        .startswith("metric,title,n,succeeded,mean,"))

    def test_says_what_is_wrong_with_a_report(self):
        for text, message in (("{", "not valid JSON"), ("{}", "not a Fairlap report"),
                              ('{"schemaVersion": 9}', "schemaVersion 9")):
            path = self.file("broken.json", text)
            result = fairlap("report", path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"error: {path}: ", result.stderr)
            self.assertIn(message, result.stderr)

    def test_says_that_output_could_not_be_written(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([FAIRLAP, "report", self.folder], stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("No space left on device", result.stderr)


if __name__ == "__main__":
    unittest.main()
