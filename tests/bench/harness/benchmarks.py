"""Which benchmarks there are, with what is promised of each."""
import dataclasses
import pathlib
import re

from .commands import Commands, input_pipeline
from .startup import Start
from .training import Overhead, TrainingSpeed, Work

RESNET20 = Work("resnet20v1", 128, 32, 10)


@dataclasses.dataclass(frozen=True)
class Settings:
    bin: pathlib.Path
    data: pathlib.Path  # a generated image folder
    rounds: int = 0  # of each benchmark; 0: its own number


BENCHMARKS = [
    TrainingSpeed("train/resnet50-224-b16", Work("resnet50", 16, 224, 1000), 1.0),
    TrainingSpeed("train/resnet20-b128", RESNET20, 1.05),
    TrainingSpeed("train/alexnet-224-b64", Work("alexnet", 64, 224, 1000), 1.0),
    TrainingSpeed("train/care-b32", Work("care2d", 32, 128), 1.0),
    Overhead("train/overhead", RESNET20, at_most=1.0),
    Start("train/start", target=2.0, at_most=1.5),
    Commands("pipeline/jpeg-224", "PyTorch DataLoader with Pillow", "images/s", 1.5, input_pipeline),
]


def matching(pattern, benchmarks):
    """Those of which a result's name matches."""
    return [benchmark for benchmark in benchmarks
            if any(re.search(pattern, name) for name in benchmark.names())]
