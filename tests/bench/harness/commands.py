"""Two commands that each print one figure, higher is better, as their last word."""
import dataclasses
import pathlib
import sys

from . import alternation, results
from .processes import last_word

PEERS = pathlib.Path(__file__).resolve().parents[1] / "peers"


@dataclasses.dataclass(frozen=True)
class Commands:
    name: str
    peer: str
    unit: str
    target: float
    make: object  # Settings -> our command, the peer's command
    rounds: int = 6

    def names(self):
        return [self.name]

    def run(self, settings):
        ours, theirs = self.make(settings)
        values = alternation.rounds(settings.rounds or self.rounds,
                                    lambda: last_word(ours), lambda: last_word(theirs))
        yield results.comparison(self.name, self.peer, self.unit, *values, self.target)


def input_pipeline(settings):
    return ([str(settings.bin / "pipeline_bench"), "--data", str(settings.data), "--threads", "2"],
            [sys.executable, str(PEERS / "input_pipeline.py"), "--data", str(settings.data / "train"),
             "--threads", "2"])
