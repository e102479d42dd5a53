"""Two steppers against each other: pairs of processes that stay alive side by side and take short turns, of which
only one works at a time."""
import contextlib
import dataclasses

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


def warm_up(stepper, seconds):
    """Steps that do not count, at least two; returns about how long one takes."""
    stepper.turn(1)
    spent, step = 0.0, 0.0
    while spent < seconds or step == 0.0:
        step = stepper.turn(1)
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
