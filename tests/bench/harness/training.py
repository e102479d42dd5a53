"""Training steps: ours against Python PyTorch, and our whole loop against bare steps."""
import dataclasses
import math
import pathlib
import sys

from . import intervals, results, stepping

PEER_SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "peers/training_step.py"
PEER = "PyTorch (Python)"


@dataclasses.dataclass(frozen=True)
class Work:
    """What both sides train."""
    model: str
    batch: int
    size: int  # pixels an edge
    classes: int = 0  # 0: images to images
    layout: str = "contiguous"
    precision: str = "fp32"
    device: str = "cpu"
    threads: int = 2
    cuda_graphs: bool = False

    def flags(self):
        given = dataclasses.asdict(self)
        graphs = given.pop("cuda_graphs")
        return [text for name, value in given.items() if value != 0
                for text in (f"--{name}", str(value))] + ["--cuda-graphs"] * graphs


def ours(settings, work, loop):
    return [str(settings.bin / "training_bench"), *work.flags(), "--loop", loop]


def peer(work):
    return [sys.executable, str(PEER_SCRIPT), *work.flags()]


@dataclasses.dataclass(frozen=True)
class TrainingSpeed:
    """Images a second of ours and of Python's, and the most memory that each ever held."""
    name: str
    work: Work
    target: float
    loop: str = "worker"  # everything that a run measures is on
    plan: stepping.Plan = stepping.Plan(rounds=12)
    with_memory: bool = True

    @property
    def memory(self):
        return self.name.replace("train/", "train/peak-memory-")

    def names(self):
        return [self.name, self.memory] if self.with_memory else [self.name]

    def run(self, settings):
        plan = dataclasses.replace(self.plan, rounds=settings.rounds or self.plan.rounds)
        measured = stepping.measure(ours(settings, self.work, self.loop), peer(self.work), plan)
        rates = [[self.work.batch / seconds for seconds in side]
                 for side in measured.seconds_per_step]
        yield results.comparison(self.name, PEER, "images/s", *rates, self.target)
        if self.with_memory:  # a limit: never more than Python needs, so without tolerance
            yield results.comparison(self.memory, PEER, "bytes", *measured.peak_bytes, 1.0,
                                     higher_is_better=False, tolerance=0.0)


@dataclasses.dataclass(frozen=True)
class Overhead:
    """What measuring costs: seconds a step of the worker's whole loop over those of bare steps, in per cent more.
    Inside of one process, because two of the same program differ by more than what is looked for; the interval is
    over processes."""
    name: str
    work: Work
    at_most: float
    plan: stepping.Plan = stepping.Plan(rounds=60, pairs=12, turn_seconds=0.2, warmup_seconds=1.0)

    def names(self):
        return [self.name]

    def run(self, settings):
        plan = dataclasses.replace(self.plan, rounds=settings.rounds or self.plan.rounds)
        found = stepping.inside_one(ours(settings, self.work, "worker"), ("", "bare"), plan)
        percent = [100 * math.expm1(value) for value in found]
        yield results.limit(self.name, "%", intervals.mean(percent), self.at_most, percent)
