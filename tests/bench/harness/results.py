"""What a benchmark says: one object of bench.json, and when it passes."""
import math

from . import intervals

TOLERANCE = 0.02
KINDS = ("train", "pipeline", "storage", "operator", "cli")


def rounded(value):
    """Six digits; JSON has no infinity."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def oriented(ours, theirs, higher_is_better):
    """The ratio that is above 1 where ours is better."""
    return intervals.ratio(ours, theirs) if higher_is_better else intervals.ratio(theirs, ours)


def comparison(name, peer, unit, ours, theirs, target, higher_is_better=True, tolerance=TOLERANCE):
    """Values of ours and theirs, and whether ours is `target` times as good."""
    found = oriented(ours, theirs, higher_is_better)
    return {
        "name": name,
        "ours": rounded(geometric_mean(ours)),
        "theirs": rounded(geometric_mean(theirs)),
        "peer": peer,
        "unit": unit,
        "ratio": rounded(found.value),
        "low": rounded(found.low),
        "high": rounded(found.high),
        "target": target,
        "pass": found.low >= target - tolerance,
        "values": {"ours": [rounded(v) for v in ours], "theirs": [rounded(v) for v in theirs]},
    }


def limit(name, unit, found, at_most, values=None):
    """`found` is an interval of ours, judged at its upper end, without tolerance."""
    return {
        "name": name,
        "ours": rounded(found.value),
        "unit": unit,
        "low": rounded(found.low),
        "high": rounded(found.high),
        "limit": at_most,
        "pass": found.high <= at_most,
        **({"values": {"ours": [rounded(v) for v in values]}} if values else {}),
    }


def failure(name, reason):
    """A benchmark that could not be run to its end."""
    return {"name": name, "pass": False, "error": reason}


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))
