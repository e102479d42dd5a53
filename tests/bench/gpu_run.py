"""Measures training steps on one GPU (harness/gpu.py) and prints one JSON document; gpu.sh builds and calls this.

Benchmarks are in the order of their weight, and those for which no time is left are named under "leftOut".
"""
import argparse
import json
import pathlib
import sys
import time

import torch

from harness import gpu, running, table
from harness.benchmarks import Settings, matching


def environment(device):
    facts = {"torch": torch.__version__, "cuda": torch.version.cuda, "device": device}
    if device == "gpu":
        facts |= {"gpu": torch.cuda.get_device_name(), "cudnn": torch.backends.cudnn.version()}
    try:
        import torchvision
        facts["torchvision"] = torchvision.__version__
    except ImportError:
        facts["torchvision"] = None  # its networks are models_plain.py's then
    return facts


def measure(benchmarks, settings, seconds):
    """Results, and the names of what was left out."""
    end = time.monotonic() + seconds
    longest, known, left_out = 0.0, [], []
    for benchmark in benchmarks:
        begin = time.monotonic()
        if begin + longest > end:
            left_out += benchmark.names()
            continue
        known += running.run([benchmark], settings)
        longest = max(longest, time.monotonic() - begin)
    return known, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--device", choices=["cpu", "gpu"], required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--only", default="", metavar="REGEX")
    arguments = parser.parse_args()
    benchmarks = matching(arguments.only, gpu.BENCHMARKS[arguments.device])
    settings = Settings(arguments.bin.resolve(), data=None)
    known, left_out = measure(benchmarks, settings, arguments.seconds)
    print(table.table(known), file=sys.stderr)
    print(json.dumps({"environment": environment(arguments.device), "results": known,
                      "leftOut": left_out}, indent=1))
    return 0 if all(result["pass"] for result in known) else 1


if __name__ == "__main__":
    sys.exit(main())
