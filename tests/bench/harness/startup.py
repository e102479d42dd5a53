"""From starting a program to the end of its first training step, with its files in the page cache: fairlap-worker
on synthetic data against a Python script that does the same."""
import dataclasses
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from . import alternation, intervals, results
from .processes import PATIENCE_SECONDS, environment, last_word

PEER_SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "peers/first_step.py"
JOB = "start-1-1"
RUN_CONFIG = {
    "schemaVersion": 1,
    "identity": {"run": "start", "job": JOB, "repeat": "1", "warmup": False, "attempt": 1},
    "seed": 7,
    "software": {"model": "resnet20v1", "input": {"threads": 1, "prefetchBatches": 1}},
    "problem": {
        "dataset": {"format": "synthetic", "imageSize": 32,
                    "synthetic": {"samples": 50000, "validationSamples": 0, "classes": 10}},
        "batchSize": 128,
        "optimizer": {"learningRate": "0.05"},
        "stop": {"steps": 2},
        "warmupSteps": 0,
    },
    "device": "cpu", "gpus": 0, "nodes": 1, "staging": "direct", "cache": "asIs",
    "stallAnalysis": False,
}


def ours(worker):
    """Seconds; the report says when the first step was done."""
    with tempfile.TemporaryDirectory(prefix="fairlap-bench-") as name:
        folder = pathlib.Path(name)
        config = folder / "run.yaml"
        config.write_text(json.dumps(RUN_CONFIG))
        begin = time.time()
        subprocess.run([worker, f"--config={config}", f"--results={folder}"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(),
                       timeout=PATIENCE_SECONDS)
        report = json.loads((folder / JOB / "report.json").read_text())
    mark = report["summary"]["marks"]["firstStep"]
    return datetime.datetime.fromisoformat(mark).timestamp() - begin


def theirs():
    """Seconds; the script prints the time of day when its first step is done."""
    begin = time.time()
    return last_word([sys.executable, str(PEER_SCRIPT), "--threads", "2"]) - begin


@dataclasses.dataclass(frozen=True)
class Start:
    name: str
    target: float  # theirs / ours
    at_most: float  # seconds of ours
    rounds: int = 8

    def names(self):
        return [self.name, f"{self.name}-limit"]

    def run(self, settings):
        worker = settings.bin / "fairlap-worker"
        ours(worker), theirs()  # fill the page cache
        seconds = alternation.rounds(settings.rounds or self.rounds, lambda: ours(worker), theirs)
        yield results.comparison(self.name, "a Python script with PyTorch", "s", *seconds, self.target,
                                 higher_is_better=False)
        yield results.limit(f"{self.name}-limit", "s", intervals.mean(seconds[0]), self.at_most)
