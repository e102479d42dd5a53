"""fairlap-worker started by hand, for tests: its RunConfig, and what it says, serves and leaves."""
import json
import os
import random
import signal
import subprocess
import time
import urllib.error
import urllib.request

from harness import PATIENCE_SECONDS, WORKER, Case, wait_until

JOB = "tiny-1-1"
# An interrupted worker is to be gone within this, with everything written.
INTERRUPTION_SECONDS = 2.0


def run_config(**changes):
    config = {
        "schemaVersion": 1,
        "identity": {"run": "tiny", "job": JOB, "repeat": "1", "warmup": False, "attempt": 1},
        "seed": 7,
        "software": {"model": "resnet20v1", "input": {"threads": 1, "prefetchBatches": 1}},
        "problem": {
            "dataset": {"format": "synthetic",
                        "synthetic": {"samples": 64, "validationSamples": 0, "classes": 10}},
            "batchSize": 4,
            "optimizer": {"learningRate": "0.01"},
            "stop": {"steps": 12},
            "warmupSteps": 1,
        },
        "device": "cpu",
        "gpus": 0,
        "nodes": 1,
        "staging": "direct",
        "cache": "asIs",
        "stallAnalysis": False,
    }
    for section, fields in changes.items():
        config[section].update(fields)
    return config


def metric_values(text):
    """{series: value} of a text exposition."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {series: float(value) for series, value in (line.rsplit(" ", 1) for line in lines)}


def write_cifar(folder, train, test):
    """A data set in CIFAR-10's binary format."""
    folder.mkdir()
    draw = random.Random(3)
    for name, count in (("data_batch_1.bin", train), ("test_batch.bin", test)):
        records = (bytes([i % 10]) + draw.randbytes(3072) for i in range(count))
        (folder / name).write_bytes(b"".join(records))


class WorkerCase(Case):
    def setUp(self):
        super().setUp()
        self.results = self.folder / "results"
        self.termination = self.folder / "termination"
        self.address = self.folder / "address"
        self.worker = None

    def start(self, config, *arguments, listen="127.0.0.1:0", before=()):
        text = config if isinstance(config, str) else json.dumps(config, indent=1)
        path = self.file("run.yaml", text)
        self.log = open(self.folder / "log", "w+")
        self.worker = subprocess.Popen(
            [*before, WORKER, f"--config={path}", f"--results={self.results}",
             f"--termination-message={self.termination}", f"--listen={listen}",
             f"--address-file={self.address}", *arguments],
            stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True,
            # On a busy machine threads that spin for each other take a hundred times as long.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        self.addCleanup(self.stop)

    def start_on_cifar(self, problem, *arguments, train, test):
        data = self.folder / "data"
        write_cifar(data, train, test)
        config = run_config(problem={"dataset": {"format": "cifar10"}, **problem})
        self.start(config, f"--data={data}", *arguments)

    def stop(self):
        if self.worker.poll() is None:
            self.worker.kill()
            self.worker.wait()
        self.log.close()

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def end(self, seconds=PATIENCE_SECONDS):
        """The exit code."""
        try:
            return self.worker.wait(seconds)
        except subprocess.TimeoutExpired:
            self.fail(f"still running after {seconds} s: {self.said()}")

    def get(self, path):
        if not self.address.exists():
            return None
        url = f"http://{self.address.read_text().strip()}{path}"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, ConnectionError):
            return None

    def progress(self):
        text = self.get("/v1/progress")
        return json.loads(text) if text else None

    def wait_for_progress(self, condition, what):
        def reached():
            self.assertIsNone(self.worker.poll(), f"ended before {what}: {self.said()}")
            progress = self.progress()
            return progress if progress and condition(progress) else None
        return wait_until(reached, what)

    def wait_for_step(self, step):
        return self.wait_for_progress(lambda progress: progress["step"] >= step, f"step {step}")

    def rank_report(self):
        return json.loads((self.results / JOB / "report.json").read_text())

    def summary(self):
        text = self.termination.read_text()
        self.assertLessEqual(len(text.encode()), 4096)
        return json.loads(text)

    def assert_interrupted(self, signal_number=signal.SIGINT):
        """Sends the signal; everything that must hold after it. Returns the report."""
        begin = time.monotonic()
        self.worker.send_signal(signal_number)
        code = self.end()
        took = time.monotonic() - begin
        self.assertEqual(code, 130, self.said())
        self.assertLess(took, INTERRUPTION_SECONDS)
        with self.assertRaises(ProcessLookupError, msg="something of its group is left"):
            os.killpg(self.worker.pid, 0)
        self.assertEqual(sorted(path.name for path in (self.results / JOB).iterdir()),
                         ["report.json"])
        report = self.rank_report()
        for summary in (report["summary"], self.summary()):
            self.assertEqual(summary["outcome"], "interrupted")
            self.assertEqual(summary["reason"], "Interrupted")
        return report
