"""fairlap-worker as the operator and the CLI start it: endpoint, figures, interruption, errors."""
import contextlib
import json
import signal
import socket
import subprocess
import sys
import unittest

import mllog
from harness import PATIENCE_SECONDS, WORKER, fill, tiny_volume, wait_until
from worker_case import JOB, run_config, metric_values, WorkerCase


class Endpoint(WorkerCase):
    def test_counters_equal_the_report_at_the_end(self):
        self.start_on_cifar({"stop": {"steps": 24}}, "--linger=120", train=64, test=8)
        self.wait_for_step(3)
        self.assert_promtool_accepts(self.get("/metrics"))
        self.wait_for_progress(lambda progress: progress["phase"] == "finished", "the end")
        text = self.get("/metrics")
        self.assertEqual(self.end(), 0, self.said())  # the scrape ends the lingering
        self.assert_promtool_accepts(text)
        self.assert_same_figures(metric_values(text), self.rank_report()["summary"]["figures"])
        self.assertEqual(self.summary(), self.rank_report()["summary"])
        self.assert_consistent(self.rank_report())

    def test_progress_tells_the_epochs_that_are_finished(self):
        self.start_on_cifar({"stop": {"epochs": 3}}, "--linger=120", train=16, test=8)
        progress = self.wait_for_progress(lambda now: now["phase"] == "finished", "the end")
        self.get("/metrics")
        self.assertEqual(self.end(), 0, self.said())
        self.assertEqual(progress["epochs"], self.rank_report()["epochs"])
        self.assertEqual([row["epoch"] for row in progress["epochs"]], [0, 1, 2])
        self.assertLessEqual({"seconds", "trainLoss", "learningRate", "top1", "top5",
                              "validationLoss", "evaluateSeconds"}, progress["epochs"][-1].keys())

    def assert_promtool_accepts(self, text):
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                 capture_output=True, timeout=PATIENCE_SECONDS)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), text)

    def assert_same_figures(self, metrics, figures):
        self.assertEqual(figures["steps"], 24)
        self.assertEqual(figures["samples"], 96)
        expected = {
            'fairlap_samples_total{phase="train"}': figures["samples"],
            'fairlap_steps_total{phase="train"}': figures["steps"],
            "fairlap_step_duration_seconds_count": figures["steps"],
            'fairlap_read_bytes_total{source="requested"}': figures["readBytesRequested"],
            'fairlap_read_bytes_total{source="fetched"}': figures["readBytesFetched"],
            "fairlap_data_stall_ratio": figures["dataStallRatio"],
            "fairlap_input_ready_ratio": figures["inputReadyRatio"],
            "fairlap_loss": figures["finalLoss"],
            "fairlap_input_threads": 1,
            'fairlap_stage_errors_total{stage="read"}': 0,
            'fairlap_stage_errors_total{stage="decode"}': 0,
        }
        self.assertIn("fairlap_ready_batches", metrics)
        stages = figures["stageSeconds"]
        self.assertLessEqual({"read", "decode", "transform", "wait", "forward", "backward"},
                             stages.keys())
        for stage, seconds in stages.items():
            expected[f'fairlap_stage_seconds_total{{stage="{stage}"}}'] = seconds
        for series, value in expected.items():
            # The report rounds to six significant digits.
            self.assertAlmostEqual(metrics[series], value, delta=1e-5 * abs(value), msg=series)

    def assert_consistent(self, report):
        window = report["window"]
        parts = ("waitSeconds", "exposedCopySeconds", "computeSeconds", "otherSeconds")
        self.assertAlmostEqual(sum(window[part] for part in parts), window["wallSeconds"],
                               delta=1e-4 * window["wallSeconds"])
        steps = report["steps"]
        self.assertEqual(len(steps["wallSeconds"]), 24)
        self.assertEqual(sum(steps["samples"]), 96)
        environment = report["environment"]
        self.assertIn("libtorch", environment["framework"])
        self.assertRegex(environment["buildId"], "^[0-9a-f]{40}$")
        self.assertGreaterEqual(environment["computeThreads"], 1)

    def test_a_client_that_never_finishes_its_request_holds_nothing_up(self):
        self.start(run_config(problem={"stop": {"steps": 1_000_000}}))
        self.wait_for_step(2)
        host, port = self.address.read_text().strip().rsplit(":", 1)
        with socket.create_connection((host, int(port))) as stuck:
            stuck.sendall(b"GET /met")
            self.assertIsNotNone(self.progress())
            self.assert_interrupted()

    def test_a_taken_port_is_named_and_nothing_runs(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            self.start(run_config(), listen=address)
            self.assertEqual(self.end(), 2)
        self.assertIn(f"cannot listen on {address}", self.said())
        self.assertIn("Address already in use", self.said())
        self.assertEqual(self.summary()["reason"], "CannotListen")


class Interruption(WorkerCase):
    def test_before_the_first_step(self):
        self.start(run_config())
        wait_until(self.address.exists, "the endpoint")
        self.assert_interrupted()

    def test_while_training(self):
        self.start(run_config(problem={"stop": {"steps": 1_000_000}}))
        progress = self.wait_for_step(12)
        report = self.assert_interrupted()
        figures = report["summary"]["figures"]
        self.assertGreaterEqual(figures["steps"], progress["step"])
        self.assertEqual(figures["samples"], 4 * figures["steps"])
        self.assertGreater(figures["samplesPerSecond"], 0)

    def test_by_sigterm(self):
        self.start(run_config(problem={"stop": {"steps": 1_000_000}}))
        self.wait_for_step(2)
        self.assert_interrupted(signal.SIGTERM)

    def test_inside_a_step_that_takes_long(self):
        # A step of many seconds: the training cannot come back in time and is left behind.
        config = run_config(problem={"batchSize": 8192, "warmupSteps": 0})
        config["problem"]["dataset"]["synthetic"]["samples"] = 8192
        self.start(config)
        self.wait_for_progress(lambda progress: progress["phase"] == "training", "training")
        report = self.assert_interrupted()
        self.assertEqual(report["summary"]["figures"]["steps"], 0)

    def test_while_evaluating(self):
        target = {"metric": "top1", "target": "0.99", "maxEpochs": 1000}
        self.start_on_cifar({"stop": {"accuracy": target}}, train=8, test=20_000)
        self.wait_for_progress(lambda progress: progress["phase"] == "evaluating", "evaluating")
        report = self.assert_interrupted()
        self.assertEqual(report["summary"]["figures"]["samples"], 8)
        self.assertEqual(len(report["epochs"]), 1)

    def test_ends_with_the_parent_that_started_it(self):
        self.file("run.yaml", json.dumps(run_config(problem={"stop": {"steps": 1_000_000}})))
        arguments = [str(WORKER), f"--config={self.folder}/run.yaml", f"--results={self.results}",
                     "--exit-with-parent", f"--termination-message={self.termination}",
                     "--listen=127.0.0.1:0", f"--address-file={self.address}"]
        parent = subprocess.Popen(
            [sys.executable, "-c",
             "import subprocess, sys; subprocess.Popen(sys.argv[1:]).wait()", *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(parent.wait)
        self.addCleanup(parent.kill)
        wait_until(lambda: (self.progress() or {"step": 0})["step"] >= 2, "step 2")
        parent.kill()
        wait_until(lambda: (self.results / JOB / "report.json").exists(), "the report")
        self.assertEqual(self.rank_report()["summary"]["outcome"], "interrupted")
        wait_until(lambda: self.progress() is None, "the endpoint to be gone")


class Results(WorkerCase):
    def assert_not_written(self, why, steps):
        self.assertEqual(self.end(), 1, self.said())
        self.assertIn(why, self.said())
        summary = self.summary()
        self.assertEqual((summary["outcome"], summary["reason"]), ("failed", "ResultsNotWritten"))
        self.assertIn(why, summary["message"])
        self.assertEqual(summary["figures"]["steps"], steps)
        self.assertEqual(list(self.folder.rglob("*.part.*")), [])

    @contextlib.contextmanager
    def halted_at_its_start(self, steps):
        """The worker has tried its results folder and stands still, far from its end."""
        self.start(run_config(problem={"stop": {"steps": steps}}))
        wait_until(self.address.exists, "the endpoint")
        self.worker.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.worker.send_signal(signal.SIGCONT)

    def test_a_folder_that_cannot_be_made_is_said_before_training(self):
        self.results = self.file("a-file", "in the way") / "results"
        self.start(run_config())
        self.assert_not_written("Not a directory", steps=0)

    def test_a_read_only_volume_is_said_before_training(self):
        tiny_volume(self, self.results, "1m")
        subprocess.run(["mount", "-o", "remount,ro", self.results], check=True)
        self.start(run_config())
        self.assert_not_written("Read-only file system", steps=0)

    def test_a_volume_that_becomes_read_only_costs_the_report_and_not_the_figures(self):
        tiny_volume(self, self.results, "1m")
        with self.halted_at_its_start(steps=100):
            subprocess.run(["mount", "-o", "remount,ro", self.results], check=True)
        self.assert_not_written("Read-only file system", steps=100)

    def test_a_full_volume_costs_the_report_and_not_the_figures(self):
        tiny_volume(self, self.results, "64k")
        with self.halted_at_its_start(steps=100):
            fill(self.results)
        self.assert_not_written("No space left on device", steps=100)
        self.assertFalse((self.results / JOB / "report.json").exists())

    def test_a_report_larger_than_what_may_be_written_does_too(self):
        # Its log, too, ends at the limit.
        self.start(run_config(), before=["prlimit", "--fsize=4096", "--"])
        self.assertEqual(self.end(), 1)
        summary = self.summary()
        self.assertEqual((summary["outcome"], summary["reason"]), ("failed", "ResultsNotWritten"))
        self.assertIn("File too large", summary["message"])
        self.assertEqual(summary["figures"]["steps"], 12)

    def test_a_log_that_cannot_be_written_is_said_before_training(self):
        self.start(run_config(), "--mllog=/dev/full")
        self.assert_not_written("/dev/full: cannot write: No space left on device", steps=0)

    def test_a_log_that_cannot_be_made_is_said_before_training(self):
        self.start(run_config(), f"--mllog={self.file('a-file', '')}/log")
        self.assert_not_written("Not a directory", steps=0)

    def test_mlperfs_log_lines_say_that_a_run_was_aborted(self):
        log = self.folder / "mllog.txt"
        self.start(run_config(problem={"stop": {"steps": 1_000_000}}), f"--mllog={log}")
        self.wait_for_step(2)
        self.assert_interrupted()
        events = mllog.read(log)
        self.assertEqual(events[-1]["key"], "run_stop")
        self.assertEqual(events[-1]["metadata"]["status"], "aborted")

    def test_mlperfs_log_lines_may_go_to_standard_output(self):
        self.start(run_config(), "--mllog=-")
        self.assertEqual(self.end(), 0)
        lines = [line for line in self.said().splitlines() if line.startswith(mllog.MARK)]
        events = mllog.read(self.file("mllog.txt", "".join(line + "\n" for line in lines)))
        self.assertEqual(events[-1]["metadata"]["status"], "success")

    def test_a_missed_target_is_a_failure_with_its_figures(self):
        target = {"metric": "top1", "target": "1", "maxEpochs": 1}
        self.start_on_cifar({"stop": {"accuracy": target}}, train=8, test=8)
        self.assertEqual(self.end(), 1)
        self.assertEqual(self.summary()["reason"], "TargetNotReached")
        self.assertEqual(self.rank_report()["summary"]["figures"]["samples"], 8)

    def test_a_data_set_that_is_not_there_is_named(self):
        config = run_config(problem={"dataset": {"format": "imageFolder"}})
        self.start(config, f"--data={self.folder}")
        self.assertEqual(self.end(), 1)
        self.assertIn(f"{self.folder}/train", self.summary()["message"])


class Usage(WorkerCase):
    def test_every_problem_of_a_config_has_its_line(self):
        self.start(json.dumps(run_config(), indent=1).replace('"warmupSteps": 1', '"warmupStep": 0')
                   .replace('"batchSize": 4', '"batchSize": 0'))
        self.assertEqual(self.end(), 2)
        config = (self.folder / "run.yaml").read_text().splitlines()
        for name in ("warmupStep", "batchSize"):
            line = 1 + next(i for i, text in enumerate(config) if f'"{name}"' in text)
            self.assertIn(f"run.yaml:{line}: problem.{name}: ", self.said())
        self.assertEqual(self.summary()["reason"], "InvalidConfig")

    def test_a_missing_config_and_missing_data_are_named(self):
        self.start(run_config(problem={"dataset": {"format": "cifar10"}}))
        self.assertEqual(self.end(), 2)
        self.assertIn("--data", self.said())
        missing = subprocess.run([WORKER, "--config=/no/such", f"--results={self.results}"],
                                 capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        self.assertEqual(missing.returncode, 2)
        self.assertIn("/no/such", missing.stderr)

    def test_help_teaches_and_wrong_flags_are_refused(self):
        told = subprocess.run([WORKER, "--help"], capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)
        self.assertEqual(told.returncode, 0)
        for word in ("--exit-with-parent", "Exit codes", "Example", "/v1/progress"):
            self.assertIn(word, told.stdout)
        wrong = subprocess.run([WORKER, "--confg=x"], capture_output=True, text=True,
                               timeout=PATIENCE_SECONDS)
        self.assertEqual(wrong.returncode, 2)


if __name__ == "__main__":
    unittest.main()
