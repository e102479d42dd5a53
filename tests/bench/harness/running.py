"""Runs benchmarks one after the other; one that breaks fails, and the others go on."""
import json
import subprocess
import sys

from . import results, table


def run(benchmarks, settings, path=None, out=sys.stderr):
    """Every result, each printed and kept in `path` as soon as it is known."""
    known = []
    for benchmark in benchmarks:
        for result in safely(benchmark, settings):
            known.append(result)
            print(table.line(result), file=out, flush=True)
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(known, indent=1) + "\n")
    return known


def safely(benchmark, settings):
    """What the benchmark yields, then a failure for every name that it owes."""
    owed = benchmark.names()
    try:
        for result in benchmark.run(settings):
            owed.remove(result["name"])
            yield result
    except (OSError, ValueError, LookupError, ArithmeticError, RuntimeError,
            subprocess.SubprocessError) as error:
        for name in owed:
            yield results.failure(name, f"{type(error).__name__}: {error}")
