"""Steps against steps in short turns: of pairs of processes that stay alive side by side and of which only one works
at a time, or of two kinds of steps inside of one process."""
import contextlib
import dataclasses
import functools
import math
import statistics

from . import alternation
from .processes import Stepper


@dataclasses.dataclass(frozen=True)
class Plan:
    rounds: int  # turns of each side that count, over all pairs
    pairs: int = 3  # of processes: what a process happens to get (addresses, huge pages) differs between them
    turn_seconds: float = 1.0
    warmup_seconds: float = 2.0


@dataclasses.dataclass
class Measured:
    """Of each turn, and of each process; [0] is a's, [1] is b's."""
    seconds_per_step: tuple = dataclasses.field(default_factory=lambda: ([], []))
    peak_bytes: tuple = dataclasses.field(default_factory=lambda: ([], []))
    facts: tuple = ()


def warm_up(stepper, seconds, kind=""):
    """Steps that do not count, at least two; returns about how long one takes."""
    stepper.turn(1, kind)
    spent, step = 0.0, 0.0
    while spent < seconds or step == 0.0:
        step = stepper.turn(1, kind)
        spent += step
    return step


def one_pair(a, b, turns, plan, measured):
    with contextlib.ExitStack() as stack:
        steppers = [stack.enter_context(Stepper(command)) for command in (a, b)]
        measured.facts = tuple(stepper.wait_until_ready() for stepper in steppers)
        slowest = max(warm_up(stepper, plan.warmup_seconds) for stepper in steppers)
        steps = max(1, round(plan.turn_seconds / slowest))
        seconds = alternation.rounds(
            turns, lambda: steppers[0].turn(steps), lambda: steppers[1].turn(steps))
        for side in (0, 1):
            measured.seconds_per_step[side].extend(s / steps for s in seconds[side])
            measured.peak_bytes[side].append(steppers[side].peak_bytes)


def measure(a, b, plan):
    """`a` and `b` are commands."""
    measured = Measured()
    pairs = min(plan.pairs, plan.rounds)
    for number in range(pairs):
        turns = plan.rounds // pairs + (number < plan.rounds % pairs)
        one_pair(a, b, turns, plan, measured)
    if len({facts["parameters"] for facts in measured.facts}) != 1:
        raise RuntimeError(f"the two do not train the same network: {measured.facts}")
    return measured


def inside_one(command, kinds, plan):
    """Alternates two kinds of steps in one process after the other (`plan.pairs` of them, `plan.rounds` turns each):
    what a process gets by chance is the same for both kinds. The mean of log(first kind / second) of each process."""
    means = []
    for _ in range(plan.pairs):
        with Stepper(command) as stepper:
            stepper.wait_until_ready()
            step = max(warm_up(stepper, plan.warmup_seconds, kind) for kind in kinds)
            steps = max(1, round(plan.turn_seconds / step))
            first, second = alternation.rounds(
                plan.rounds, *(functools.partial(stepper.turn, steps, kind) for kind in kinds))
        means.append(statistics.fmean(math.log(a / b) for a, b in zip(first, second)))
    return means
