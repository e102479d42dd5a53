#!/usr/bin/env python3
"""fairlap run with the real worker: results, interruptions, and everything that can get in the way."""
import base64
import csv
import gzip
import io
import json
import os
import pty
import select
import signal
import subprocess
import time
import unittest

import mllog
from harness import (AS_ORDINARY_USER, FAIRLAP, PATIENCE_SECONDS, Case, fairlap, fill,
                     large_hole, tiny_volume, wait_until)

ENDLESS = 10_000_000  # steps


class RunCase(Case):
    def run_to_end(self, manifest, *more, **options):
        return fairlap("run", "-f", manifest, "--out", self.out, *more, **options)

    def start(self, manifest, *more, **options):
        process = subprocess.Popen([FAIRLAP, "run", "-f", manifest, "--out", self.out, *more],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for_worker(self):
        return wait_until(self.workers, "a worker")[0]

    def wait_for_training(self, job):
        """Until the worker of that job listens."""
        address = self.out / ".fairlap" / job / "address"
        wait_until(address.exists, str(address))

    def outcomes(self):
        return [repeat["outcome"] for repeat in self.report()["status"]["repeats"]]


class ACompleteRun(RunCase):
    def test_prints_the_table_and_leaves_a_report(self):
        result = self.run_to_end(self.manifest(steps=8, repeats=2, warmup_runs=1))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("tiny: Complete", result.stdout)
        for heading in ("Repeats", "Over the counted repeats", "Checks", "Environment"):
            self.assertIn(f"\n{heading}\n", result.stdout)
        report = self.report()
        self.assertEqual(self.outcomes(), ["succeeded"] * 3)
        self.assertEqual(report["status"]["seed"], 7)
        seeds = [repeat["seed"] for repeat in report["status"]["repeats"]]
        self.assertEqual(len(set(seeds)), 3)
        for repeat, seed in zip(report["repeats"], seeds):
            [attempt] = repeat["attempts"]
            [rank] = attempt["ranks"]
            self.assertEqual(rank["config"]["seed"], seed)
            self.assertEqual(rank["summary"]["figures"]["steps"], 8)
        self.assertEqual(self.workers(), [])

    def test_is_printed_again_by_report(self):
        result = self.run_to_end(self.manifest())
        again = fairlap("report", self.out).stdout
        self.assertIn("tiny: Complete", again)
        self.assertIn(again, result.stdout)

    def test_is_printed_of_one_worker_in_every_form_in_which_its_report_is_kept(self):
        self.assertEqual(self.run_to_end(self.manifest()).returncode, 0)
        folder = self.out / "repeats" / "tiny-1-1"
        document = json.loads((folder / "report.json").read_text())
        packed = gzip.compress((folder / "report.json").read_bytes())
        base64_text = base64.b64encode(packed).decode()
        config_map = {"kind": "ConfigMap", "binaryData": {"report.json.gz": base64_text}}
        (self.folder / "report.json.gz").write_bytes(packed)
        as_json = ("--format", "json")
        for path in (folder, folder / "report.json", self.folder / "report.json.gz",
                     self.file("base64", base64_text), self.file("map", json.dumps(config_map))):
            self.assertEqual(json.loads(fairlap("report", path, *as_json).stdout), document)
        piped = fairlap("report", "-", *as_json, input=json.dumps(config_map))
        self.assertEqual(json.loads(piped.stdout), document)
        self.assertIn("tiny: repeat 1, attempt 1, succeeded\n", fairlap("report", folder).stdout)

    def test_has_every_epoch_of_every_repeat_as_csv(self):
        path = self.manifest(repeats=2, warmup_runs=1)
        path.write_text(path.read_text().replace("validationSamples: 0", "validationSamples: 8")
                        .replace("stop: {steps: 3}", "stop: {epochs: 2}"))
        self.assertEqual(self.run_to_end(path).returncode, 0)
        arguments = ("--format", "csv", "--table", "epochs")
        rows = list(csv.DictReader(io.StringIO(fairlap("report", self.out, *arguments).stdout)))
        self.assertEqual([(row["repeat"], row["attempt"], row["epoch"]) for row in rows],
                         [(repeat, "1", epoch) for repeat in ("w1", "1", "2") for epoch in "01"])
        for row in rows:
            # Without a target it is evaluated after the last epoch alone.
            evaluated = ("top1", "top5", "validationLoss") if row["epoch"] == "1" else ()
            for metric in ("seconds", "trainLoss", *evaluated):
                self.assertGreaterEqual(float(row[metric]), 0, metric)
            self.assertEqual((row["psnrDecibels"], row["inputPsnrDecibels"]), ("", ""))

    def test_is_kept_unless_overwrite_is_given(self):
        self.assertEqual(self.run_to_end(self.manifest()).returncode, 0)
        before = (self.out / "report.json").read_bytes()
        result = self.run_to_end(self.manifest(name="other"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("holds the results of tiny (Complete, 1 of 1 repeats succeeded); nothing was "
                      "changed", result.stderr)
        self.assertEqual((self.out / "report.json").read_bytes(), before)
        self.assertEqual(self.run_to_end(self.manifest(name="other"), "--overwrite").returncode, 0)
        self.assertEqual(self.report()["name"], "other")


class PackedDataSet(RunCase):
    def train_on(self, folder, layout):
        """What the worker's report says of the data, the losses of its steps and of validation."""
        path = self.manifest(steps=4)
        path.write_text(path.read_text()
                        .replace("format: synthetic, synthetic: {samples: 64, validationSamples: 0, "
                                 "classes: 10}", f"format: imageFolder, layout: {layout}, imageSize: 32")
                        .replace("stop: {steps: 4}", "stop: {epochs: 2}")
                        + "  storage: {data: {claimName: photos}}\n")
        self.out = self.folder / f"out-{layout}"
        result = self.run_to_end(path, "--volume", f"photos={folder}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = json.loads((self.out / "repeats" / "tiny-1-1" / "report.json").read_text())
        self.assertEqual(report["config"]["problem"]["dataset"]["layout"], layout)
        return (report["data"], report["steps"]["loss"],
                [epoch.get("validationLoss") for epoch in report["epochs"]])

    def test_gives_the_same_losses_as_its_files(self):
        files, packed = self.folder / "files", self.folder / "packed"
        for command in (("generate", "--format", "imageFolder", "--classes", "3", "--images", "30",
                         "--typical-width", "64", "--out", files),
                        ("pack", "--data", files, "--out", packed)):
            made = fairlap("dataset", *command)
            self.assertEqual(made.returncode, 0, made.stderr)
        of_files = self.train_on(files, "files")
        self.assertEqual(self.train_on(packed, "packed"), of_files)
        data, losses, validation = of_files
        self.assertEqual(data["trainSamples"], 30)
        self.assertEqual(len(losses), 16)
        self.assertIsNotNone(validation[-1])


class MlPerfLog(RunCase):
    def test_tells_each_repeat_beside_its_report(self):
        path = self.manifest(repeats=2)
        path.write_text(path.read_text().replace("validationSamples: 0", "validationSamples: 8")
                        .replace("stop: {steps: 3}", "stop: {epochs: 2}"))
        self.assertEqual(self.run_to_end(path, "--mllog").returncode, 0)
        for job in ("tiny-1-1", "tiny-2-1"):
            folder = self.out / "repeats" / job
            events = mllog.read(folder / "mllog.txt")
            report = json.loads((folder / "report.json").read_text())
            self.assertEqual(
                [event["key"] for event in events],
                ["init_start", "seed", "cache_clear", "global_batch_size", "opt_name", "opt_base_learning_rate",
                 "init_stop", "run_start", "train_samples", "eval_samples",
                 "epoch_start", "epoch_stop", "epoch_start", "epoch_stop",
                 "eval_start", "eval_accuracy", "eval_stop", "run_stop"])
            told = mllog.values(events)
            self.assertEqual((told["seed"], told["global_batch_size"], told["opt_name"],
                              told["train_samples"], told["eval_samples"]),
                             (report["config"]["seed"], 4, "sgd", 64, 8))
            self.assertEqual([event["value"] for event in events if event["key"] == "eval_accuracy"],
                             [report["summary"]["figures"]["top1"]])
            self.assertEqual(events[-1]["metadata"]["status"], "success")
            times = [event["time_ms"] for event in events]
            self.assertEqual(times, sorted(times))

    def test_is_not_there_unless_asked_for(self):
        self.assertEqual(self.run_to_end(self.manifest()).returncode, 0)
        self.assertEqual(list(self.out.rglob("mllog.txt")), [])


class Staging(RunCase):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data"
        made = fairlap("dataset", "generate", "--format", "cifar10", "--classes", "2", "--images", "16",
                       "--out", self.data)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.volume = ("--volume", f"tiny-images={self.data}")

    def copying(self, **options):
        path = self.manifest(**options)
        path.write_text(path.read_text()
                        .replace("format: synthetic, synthetic: {samples: 64, validationSamples: 0, "
                                 "classes: 10}", "format: cifar10")
                        + "  storage: {data: {claimName: tiny-images}, staging: copy, "
                          "scratch: {emptyDir: {}}}\n")
        return path

    def scratches(self):
        return list(self.out.rglob("scratch"))

    def test_copies_first_within_the_clock_and_leaves_no_copy(self):
        result = self.run_to_end(self.copying(repeats=2), *self.volume)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"Copied to scratch +\d+ of \d+ files, .* MB/s")
        for repeat in self.report()["status"]["repeats"]:
            marks = repeat["attempts"][-1]["marks"]
            self.assertLess(marks["containerStarted"], marks["stagingDone"])
            self.assertLess(marks["stagingDone"], marks["firstStep"])
            figures = repeat["figures"]
            self.assertGreater(figures["stageSeconds"]["stageIn"], 0)
            self.assertGreater(figures["timeToFirstResultSeconds"],
                               figures["stageSeconds"]["stageIn"])
        self.assertEqual(self.scratches(), [])

    def test_ctrl_c_while_it_copies_leaves_no_copy_either(self):
        large_hole(self, self.data / "large")
        process = self.start(self.copying(), *self.volume)
        # Folders and copies under way are there before the first file is.
        wait_until(lambda: [path for folder in self.scratches() for path in folder.iterdir()],
                   "a copy")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertEqual(self.outcomes(), ["interrupted"])
        self.assertEqual(self.scratches(), [])


class BadInput(RunCase):
    def test_an_invalid_manifest_creates_nothing(self):
        result = self.run_to_end(self.file("bad.yaml", "kind: BenchmarkRun\n"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.yaml:1: ", result.stderr)
        self.assertFalse(self.out.exists())

    def test_a_claim_without_a_folder_names_the_flag_to_give(self):
        path = self.manifest()
        path.write_text(path.read_text()
                        .replace("format: synthetic, synthetic: {samples: 64, validationSamples: 0, "
                                 "classes: 10}", "format: imageFolder")
                        + "  storage: {data: {claimName: photos}}\n")
        result = self.run_to_end(path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("give --volume photos=DIR", result.stderr)
        result = self.run_to_end(path, "--volume", "photos=/no/such/folder")
        self.assertIn("--volume photos=/no/such/folder: does not exist", result.stderr)
        self.assertFalse(self.out.exists())

    def test_a_missing_worker_is_said(self):
        result = self.run_to_end(self.manifest(), "--worker", "/no/such/worker")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/worker: cannot be run: No such file", result.stderr)

    def test_a_worker_that_fails_is_shown_with_its_last_words(self):
        worker = self.file("worker", "#!/bin/sh\necho 'no luck today' >&2\nexit 3\n")
        worker.chmod(0o755)
        result = self.run_to_end(self.manifest(), "--worker", worker)
        self.assertEqual(result.returncode, 1)
        self.assertIn("the worker exited with code 3: no luck today", result.stdout)
        self.assertIn("  | no luck today", result.stderr)
        self.assertEqual(self.outcomes(), ["failed"])

    def test_a_worker_that_leaves_no_figures_has_failed(self):
        result = self.run_to_end(self.manifest(), "--worker", "/bin/true")
        self.assertEqual(result.returncode, 1)
        self.assertIn("left neither a report nor a termination message", result.stdout)
        self.assertEqual(self.outcomes(), ["failed"])

    def test_fields_that_need_a_cluster_are_named(self):
        path = self.manifest()
        path.write_text(path.read_text().replace("device: cpu", "device: cpu, resources: {cpu: 1}"))
        result = self.run_to_end(path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Not applied on this machine: spec.compute.resources.cpu\n", result.stderr)


class Interrupted(RunCase):
    def assert_interrupted(self, seconds):
        self.assertLess(seconds, 2)
        self.assertEqual(self.workers(), [])
        self.assertIn("interrupted", self.outcomes())

    def test_ctrl_c_on_a_terminal_ends_within_2_s_with_the_figures_so_far(self):
        manifest = self.manifest(steps=ENDLESS)
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm", NO_COLOR="1", LC_ALL="C.UTF-8")
            os.execv(FAIRLAP, ["fairlap", "run", "-f", str(manifest), "--out", str(self.out)])
        self.addCleanup(os.close, terminal)
        screen = self.read_screen(terminal, b"images/s")
        self.assertIn("\u2591", screen.decode(errors="replace"))
        self.assertNotIn(b"\x1b[32m", screen)
        begin = time.monotonic()
        os.write(terminal, b"\x03")
        self.read_screen(terminal, None)
        _, status = os.waitpid(pid, 0)
        self.assert_interrupted(time.monotonic() - begin)
        self.assertEqual(os.waitstatus_to_exitcode(status), 130)
        figures = self.report()["status"]["repeats"][0]["figures"]
        self.assertGreater(figures["steps"], 0)

    def read_screen(self, terminal, until):
        """What the program draws, up to the text, or to its end if `until` is None."""
        screen = b""
        while until is None or until not in screen:
            readable, _, _ = select.select([terminal], [], [], PATIENCE_SECONDS)
            self.assertTrue(readable, screen)
            try:
                more = os.read(terminal, 65536)
            except OSError:  # the other end was closed
                more = b""
            if not more:
                self.assertIsNone(until, screen)
                break
            screen += more
        return screen

    def test_sigterm_right_after_the_start_does_the_same(self):
        process = self.start(self.manifest(steps=ENDLESS))
        self.wait_for_worker()
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assert_interrupted(time.monotonic() - begin)
        self.assertEqual(process.returncode, 130)

    def test_at_any_moment_the_repeat_is_interrupted_and_not_failed(self):
        for moment in (0, 0.05, 0.2, 0.5, 0.8, 1.2):
            with self.subTest(seconds_after_the_start=moment):
                self.out = self.folder / f"out-{moment}"
                process = self.start(self.manifest(steps=ENDLESS, repeats=2))
                wait_until((self.out / ".fairlap").exists, "the run to begin")
                time.sleep(moment)
                begin = time.monotonic()
                process.send_signal(signal.SIGINT)
                out, _ = process.communicate()
                self.assertLess(time.monotonic() - begin, 2)
                self.assertEqual(process.returncode, 130)
                self.assertEqual(self.workers(), [])
                self.assertIn(self.outcomes()[0], ("interrupted", "notStarted"))
                self.assertEqual(self.outcomes()[1], "notStarted")
                self.assertIn("tiny: Interrupted", out)
                self.assertNotIn("killed by signal", out)

    def test_while_a_large_data_set_is_indexed(self):
        data = self.folder / "data"
        made = fairlap("dataset", "generate", "--format", "imageFolder", "--classes", "1",
                       "--images", "1", "--typical-width", "16", "--out", data)
        self.assertEqual(made.returncode, 0, made.stderr)
        [image] = (data / "train").rglob("*.jpg")
        for number in range(50_000):
            os.link(image, image.with_name(f"{number}.jpg"))
        path = self.manifest(steps=ENDLESS)
        path.write_text(path.read_text()
                        .replace("format: synthetic, synthetic: {samples: 64, validationSamples: 0, "
                                 "classes: 10}", "format: imageFolder, imageSize: 32")
                        + "  storage: {data: {claimName: many}}\n")
        process = self.start(path, "--volume", f"many={data}")
        self.wait_for_training("tiny-1-1")
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assert_interrupted(time.monotonic() - begin)

    def test_a_worker_that_does_not_listen_is_killed(self):
        worker = self.file("worker", "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.1; done\n")
        worker.chmod(0o755)
        process = self.start(self.manifest(), "--worker", worker)
        self.wait_for_worker()
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assert_interrupted(time.monotonic() - begin)
        self.assertEqual(process.returncode, 130)

    def test_finished_repeats_stay_counted(self):
        process = self.start(self.manifest(steps=3, repeats=50))
        wait_until(lambda: (self.out / "repeats" / "tiny-2-1").exists(), "the second repeat")
        process.send_signal(signal.SIGINT)
        process.communicate()
        outcomes = self.outcomes()
        self.assertEqual(outcomes[0], "succeeded")
        self.assertEqual(self.report()["status"]["summary"]["finalLoss"]["n"],
                         outcomes.count("succeeded"))

    def test_when_fairlap_itself_is_killed_its_worker_ends_too(self):
        process = self.start(self.manifest(steps=ENDLESS))
        self.wait_for_worker()
        self.wait_for_training("tiny-1-1")
        process.kill()
        wait_until(lambda: not self.workers(), "the worker to end")


class InTheWay(RunCase):
    def test_a_killed_worker_fails_its_repeat_and_the_run_goes_on(self):
        process = self.start(self.manifest(steps=20, repeats=2))
        worker = self.wait_for_worker()
        self.wait_for_training("tiny-1-1")
        os.kill(worker, signal.SIGKILL)
        out, _ = process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertIn("was killed by signal 9 (SIGKILL)", out)
        self.assertEqual(self.outcomes(), ["failed", "succeeded"])
        summary = self.report()["status"]["summary"]["samplesPerSecond"]
        self.assertEqual((summary["n"], summary["succeeded"]), (2, 1))

    def test_a_second_run_into_the_same_folder_is_refused(self):
        first = self.start(self.manifest(steps=ENDLESS))
        self.wait_for_worker()
        second = self.run_to_end(self.manifest(name="second"), "--overwrite")
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"is in use by process {first.pid}, fairlap run of tiny since", second.stderr)
        first.send_signal(signal.SIGTERM)
        first.communicate()
        self.assertEqual(self.report()["name"], "tiny")

    def test_a_disk_that_is_full_already_is_said_at_once(self):
        tiny_volume(self, self.out, "64k")
        fill(self.out)
        result = self.run_to_end(self.manifest())
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{self.out}: cannot be used for results: No space left on device",
                      result.stderr)

    def test_a_full_disk_costs_the_report_and_not_the_table(self):
        tiny_volume(self, self.out, "256k")
        process = self.start(self.manifest(steps=ENDLESS))
        wait_until(lambda: (self.out / "repeats" / "tiny-1-1" / "worker.log").exists() and
                   "listening" in (self.out / "repeats" / "tiny-1-1" / "worker.log").read_text(),
                   "the worker")
        fill(self.out)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 1, out + err)
        self.assertIn("\nRepeats\n", out)
        self.assertIn("report.json: cannot write: No space left on device", err)
        self.assertEqual(self.workers(), [])

    def test_a_read_only_folder_is_said_at_once(self):
        self.out.mkdir()
        self.out.chmod(0o555)
        result = subprocess.run([*AS_ORDINARY_USER, FAIRLAP, "run", "-f", self.manifest(), "--out",
                                 self.out], capture_output=True, text=True,
                                timeout=PATIENCE_SECONDS)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{self.out}: cannot be used for results: Permission denied", result.stderr)

    def test_a_folder_that_becomes_read_only_costs_the_report_and_not_the_table(self):
        process = subprocess.Popen([*AS_ORDINARY_USER, FAIRLAP, "run", "-f",
                                    self.manifest(steps=10), "--out", self.out],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for_training("tiny-1-1")
        self.out.chmod(0o555)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        self.out.chmod(0o755)
        self.assertEqual(process.returncode, 1)
        self.assertIn("\nOver the counted repeats\n", out)
        self.assertIn("report.json: cannot write: Permission denied", err)
        self.assertIn(f"is kept in {self.out}/repeats", err)
        self.assertTrue((self.out / "repeats" / "tiny-1-1" / "report.json").exists())


if __name__ == "__main__":
    unittest.main()
